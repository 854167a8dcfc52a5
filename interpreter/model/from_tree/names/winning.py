"""The meaning of ``P wins``, and the score of a game in which somebody just wins.

``P wins`` is ``set winner of the game to P``, a marker that nobody can declare, and ``end game``; ``nobody wins`` is just that
end. A game with such a line counts nothing else, so it says neither its score nor who wins by it. Both are added here::

    marker winner of the game: player or none

    score of player
        won:  1 if player in team of (winner of the game)
        lost: -1 if player in opponents of (winner of the game)

    winner highest score, then shared

Nobody has won a game that ends without such a line either: then neither counts, and all share it.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from ....common.source import Span
from ....syntax import tree
from ....syntax.traverse import lines_within
from .scope import Scope

WINNER: Final = "winner of the game"  # it has spaces, so that nobody can write it


def with_its_score(whole: tree.Tree, scope: Scope) -> tree.Tree:
    """The game, with its score where it says who wins; a finding where it has a score of its own as well."""
    said = next((line for line in lines_within((whole.declarations, whole.variants)) if isinstance(line, tree.Wins)), None)
    if said is None:
        return whole
    own = [line for line in whole.declarations if isinstance(line, tree.Score | tree.Winner)]
    if own:
        scope.complain(
            "R255",
            "this says who has won, and so does the score",
            said.span,
            (own[0].span, "here"),
            help="leave out `score of player` and `winner ...`; or keep in a marker who has won, and count it in the score",
        )
    at = said.span
    terms = _term("won", 1, "team", at), _term("lost", -1, "opponents", at)
    keys = tree.Key("highest", tree.Ref("score", span=at), "score", span=at), tree.Key("shared", span=at)
    players = tree.Domain(tree.NamedDomain("player", span=at), True, span=at)
    kept = tree.Marker((tree.Name(WINNER, span=at),), (), players, span=at)
    added = tree.Score(terms, span=at), tree.Winner(keys, span=at)
    missing = (line for line in added if type(line) not in map(type, own))
    return evolve(whole, declarations=(*whole.declarations, kept, *missing))


def _term(name: str, points: int, whom: str, at: Span) -> tree.ScoreTerm:
    """So many points for the ``whom`` (their team, or their opponents) of the winner."""
    some = tree.Ref(whom, tree.Ref(WINNER, span=at), span=at)
    counts = tree.Membership(False, tree.Ref("player", span=at), some, span=at)
    return tree.ScoreTerm(tree.Name(name, span=at), None, None, tree.Number(points, span=at), counts, span=at)
