"""Beginnings of the larger constructs, to fill in: what an editor offers at the start of a line.

Places to fill in are written as editors know them: ``${1:name}``.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from ..syntax.parsing.parser_tables import Start

_PLACE: Final = re.compile(r"\$\{\d+:([^}]*)\}")


@frozen
class Snippet:
    """``label``: the words with which it begins; ``detail``: what it is for; ``text``: its lines, with places to fill in."""

    label: str
    detail: str
    text: str

    @property
    def plain(self) -> str:
        """The lines with the words that stand in the places at first."""
        return without_places(self.text)


def without_places(text: str) -> str:
    """A text with the words that stand in its places at first."""
    return _PLACE.sub(r"\1", text)


_STATEMENTS: Final = (
    Snippet(
        "chooses",
        "a player has a choice",
        "${1:player} chooses\n    ${2:play} a ${3:card} from ${4:hand} of ${1:player}\n        move ${3:card} to ${5:table}",
    ),
    Snippet("for each player", "once for each player", "for each player\n    ${1:nothing}"),
    Snippet("for each", "once for each member of a set", "for each ${1:card} in ${2:hand}\n    ${3:nothing}"),
    Snippet("repeat until", "again and again, up to a condition", "repeat until ${1:deck is empty}\n    ${2:nothing}"),
    Snippet("take turns", "round the table again and again", "take turns until ${1:deck is empty}\n    ${2:nothing}"),
    Snippet("if", "only where a condition holds", "if ${1:deck is empty}\n    ${2:nothing}\notherwise\n    ${3:nothing}"),
    Snippet(
        "auction for",
        "players bid, and the winner pays",
        "auction for ${1:lot}\n    bidders: players\n    bids: ${2:1..20}, each higher than the last\n    a pass is final\n"
        "    payment: ${3:gold} of winner to ${4:bank}\n    no bids: nothing\n    won: ${5:nothing}",
    ),
)

_DECLARATIONS: Final = (
    Snippet(
        "cards",
        "cards with values, so many of each",
        "cards ${1:card}, ${2:1} of each\n    ${3:suit}: ${4:sun, moon, star}\n    ${5:rank}: ${6:1..6}",
    ),
    Snippet("pieces", "pieces of the players", "pieces ${1:pawn}, ${2:4} for each player"),
    Snippet("zone ... of player", "a place of each player", "zone ${1:hand} of player: set of ${2:card}, ${3:private}"),
    Snippet("zone ...: pile", "a pile on the table", "zone ${1:deck}: pile of ${2:card}, ${3:hidden}"),
    Snippet("counter", "a number that changes in the game", "counter ${1:coins} of player: ${2:0..99}"),
    Snippet("option", "a number or word that can be chosen before a game", "option ${1:rounds}: ${2:1..9}, default ${3:3}"),
    Snippet("table", "values by the number of players", "table ${1:hand_size} by players: ${2:2}: ${3:7}, ${4:3}: ${5:5}"),
    Snippet("setup", "what is done before the game", "setup\n    shuffle every ${1:card} into ${2:deck}"),
    Snippet("phase", "a part of the game", "phase ${1:rounds}\n    ${2:nothing}"),
    Snippet("step", "something with a name that is done by `do`", "step ${1:turn} of player\n    ${2:nothing}"),
    Snippet("define", "a word for a value", "define ${1:word} of player: ${2:count of hand of player}"),
    Snippet("score of player", "what counts", "score of player\n    ${1:cards}: ${2:count of hand of player}"),
    Snippet("winner", "who wins", "winner ${1:highest} score, then shared"),
    Snippet("variant", "a change of the rules", 'variant ${1:short} "${2:Short game}"\n    set ${3:rounds} to ${4:1}'),
    Snippet(
        "test",
        "an example of play that must hold",
        'test "${1:what it shows}"\n    players ${2:Ann}, ${3:Bob}\n    setup\n    expect ${4:count of deck is 18}',
    ),
)

_SNIPPETS: Final[dict[Start, tuple[Snippet, ...]]] = {"file_line": _DECLARATIONS, "statement_line": _STATEMENTS}


def snippets_of(start: Start) -> tuple[Snippet, ...]:
    """Those that can stand where a line has this start rule."""
    return _SNIPPETS.get(start, ())
