"""What a name wants behind it, as soon as it is written."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.editing.signatures import Signature, signature
from rulesrun.interpreter.editing.workspace import Workspace

from ..shipped import GAMES
from .test_completion import MARK

KINGDOMINO = GAMES / "kingdomino.rules"


def wanted(line: str) -> Signature | None:
    """What the name before the `MARK` wants, in a line at the beginning of Kingdomino's step `claim_domino`."""
    head = "step claim_domino of player\n"
    text = KINGDOMINO.read_text(encoding="utf-8").replace(head, f"{head}    {line}\n", 1)
    workspace = Workspace()
    workspace.write(KINGDOMINO, text.replace(MARK, ""))
    return signature(workspace.document(KINGDOMINO), text.index(MARK))


@pytest.mark.parametrize(
    ("line", "label", "active"),
    [
        ("do place_domino §", "place_domino of player for domino", 0),
        ("do place_domino of §", "place_domino of player for domino", 0),
        ("do place_domino of player for §", "place_domino of player for domino", 1),
        ("if crown_count §", "crown_count of player", 0),
        ("if crown_count § is 3: nothing", "crown_count of player", 0),
    ],
)
def test_a_name_says_what_it_wants(line: str, label: str, active: int) -> None:
    found = wanted(line)
    assert found is not None
    assert (found.label, found.active) == (label, active)


@pytest.mark.parametrize("line", ["do place_domino§", "do §", "if crown_co§unt is 3: nothing", "do place_domino # §"])
def test_nothing_is_said_before_and_in_a_name(line: str) -> None:
    assert wanted(line) is None
