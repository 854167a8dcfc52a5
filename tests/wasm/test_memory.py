"""The memory of modules: constants lie where reading them needs no check of the address."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.wasm.emission import emit
from rulesrun.interpreter.wasm.running.native import GUARD

GAMES = Path(__file__).parent.parent.parent / "games"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["masti", "kingdomino"])
def test_tables_need_no_check_of_the_address(name: str) -> None:
    """An offset behind the guard is checked at each read, which takes a fifth of the speed of Kingdomino."""
    module, _ = emit(load(GAMES / f"{name}.rules").machine)
    assert all(data.offset + len(data.content) <= GUARD for data in module.data)
