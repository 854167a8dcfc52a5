"""The kinds of places that games can come to, and what is said of each kind in a report of coverage."""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "statement", "step", "trigger", "define", "case", "row", "tie", "score", "offered", "chosen", "reason", "limit", "variant",
    "value", "players",
]  # fmt: skip

LINES: frozenset[Kind] = frozenset({"statement", "step", "trigger", "define"})  # what makes a line one that can be reached
FOLLOWING: frozenset[Kind] = frozenset({"step", "trigger"})  # reached with what is inside of them

# Those that have a share of their own, with its name.
SHARES: tuple[tuple[str, Kind], ...] = (
    ("acts", "chosen"),
    ("reasons", "reason"),
    ("limits", "limit"),
    ("cases", "case"),
    ("table rows", "row"),
    ("keys of rankings", "tie"),
    ("score lines", "score"),
    ("triggers", "trigger"),
    ("variants", "variant"),
    ("values of options", "value"),
    ("numbers of players", "players"),
)

# What is said of those that were never reached.
HEADINGS: tuple[tuple[str, frozenset[Kind]], ...] = (
    ("never played with", frozenset({"players", "variant", "value"})),
    ("never done", frozenset({"statement", "step"})),
    ("never set off", frozenset({"trigger"})),
    ("never asked for", frozenset({"define"})),
    ("never the case", frozenset({"case"})),
    ("rows that nothing asked for", frozenset({"row"})),
    ("never on offer", frozenset({"offered"})),
    ("on offer, but never chosen", frozenset({"chosen"})),
    ("never a reason to refuse an act", frozenset({"reason"})),
    ("limits that never refused an act", frozenset({"limit"})),
    ("keys that never had to decide", frozenset({"tie"})),
    ("always 0 on the score sheet", frozenset({"score"})),
)
