"""`bench/compare.py --against` measures each side in a process of its own."""

from __future__ import annotations

import pytest
from rulesrun.bench.compare import ENGINES, SETTINGS, in_a_process


@pytest.mark.slow
def test_an_engine_is_measured_in_its_own_process() -> None:
    tic_tac_toe = [name for name, _, _ in SETTINGS].index("classics/tic_tac_toe")
    assert all(in_a_process(engine, tic_tac_toe, None, 0.01) > 0 for engine in ENGINES)
