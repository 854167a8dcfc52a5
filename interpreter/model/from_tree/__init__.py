"""Tree -> model: settles the names, types and variants of a whole file, once."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import Factory, frozen

from ...common.diagnostics import Diagnostic
from ...common.giving_up import giving_up
from ...common.nouns import listed
from ...common.source import Source, Span
from ...syntax import tree
from ...syntax.traverse import lines_within
from .. import model
from ..directions import DIRECTION
from ..sizes import too_large
from .declarations import declare
from .declarations.kinds import joint_kinds
from .declarations.scoring import winner_names
from .names.scope import Faults, Scope
from .names.ties import ties
from .names.winning import with_its_score
from .remembered import BoundGame, Read, Remembered
from .tests import NOBODY, verbs_of
from .variants import bind_variant, in_order_of_need, variant_names

SEATS_LIMIT = 16  # sets of players must stay small; no published game of this kind seats more


@frozen
class Bound:
    """A model, and what was found; the model is None when there are errors. ``unknown``: the names that stand for nothing, each
    with those that could stand there."""

    model: model.Model | None
    diagnostics: tuple[Diagnostic, ...]
    unknown: Mapping[str, frozenset[str]] = Factory(dict)


@giving_up(lambda found: Bound(None, found))
def bind(whole: tree.Tree, read: Read, doubtful: frozenset[str] = frozenset(), remembered: Remembered | None = None) -> Bound:
    """Give every name of a file its meaning.

    ``read``: given the path of a rules file and a name in it, the file of that name, or what is wrong with it (without a
    place). ``doubtful``: names from lines that could not be read, about which nothing is said. ``remembered``: what was made of
    the same nodes the last time need not be made again.
    """
    remembered = remembered or Remembered()
    game = remembered.game_of(whole, read, doubtful)
    if game is None:
        game = _bind_game(whole, read, doubtful)
    tests = remembered.tests_of(whole, game, doubtful)
    remembered.keep(whole, game)
    faults, found = game.scope.faults, game.found
    lists = _lists([game.scope, *game.rings.values()], game.scope)
    if any(d.severity == "error" for d in found):
        return Bound(None, (*found, *(fault for test in tests for fault in test.faults)), faults.unknown)
    line = whole.game
    titles = tuple((t.language, t.text) for t in line.title.texts) if line.title else (("", line.name.text),)
    whole_model = model.Model(
        line.name.text, titles, game.seats, lists, game.declarations, game.variants, tests, line.span, game.players_at
    )
    too_much = tuple(too_large(whole_model))
    return Bound(None if too_much else whole_model, (*found, *too_much), faults.unknown)


def _bind_game(whole: tree.Tree, read: Read, doubtful: frozenset[str]) -> BoundGame:
    """Bind everything but the tests."""
    faults = Faults.where(doubtful)
    files: dict[tuple[str, str], Source | Diagnostic] = {}

    def read_or_complain(path: str, span: Span) -> Source | None:
        found = files[span.source.path, path] = read(span.source.path, path)
        if isinstance(found, Source):
            return found
        scope.complain(found.code, found.message, span, help=found.help)
        return None

    scope = Scope(faults, read_or_complain)
    game = whole.game
    seats = (game.players.low, game.players.high) if game.players else NOBODY
    if game.players is None and not doubtful:
        scope.complain("R219", "the game does not say for how many players it is", game.span, help="add `players 2..4`")
    elif game.players is not None and not 1 <= seats[0] <= seats[1] <= SEATS_LIMIT:
        scope.complain("R215", f"players go from 1 to {SEATS_LIMIT}, the smaller number first", game.players.span)
        seats = NOBODY
    whole = with_its_score(whole, scope)
    lines = tuple(lines_within((whole.declarations, whole.variants)))
    faults.joints = joint_kinds(lines)
    again = (line.declaration for line in lines if isinstance(line, tree.Replace))
    faults.replaced = {define.name.text: define.name.span for define in again if isinstance(define, tree.Define)}
    faults.positions = tuple(name.text for line in lines if isinstance(line, tree.Position) for name in line.names)
    finish = declare(whole.declarations, scope)
    declarations = tuple(done for done in (f() for f in finish) if done is not None)
    _something_is_there(whole, scope)
    names = variant_names(whole.variants, scope)
    terms = {d.name for d in declarations if isinstance(d, model.Term)}
    keys = next((winner_names(d, scope) for d in whole.declarations if isinstance(d, tree.Winner)), {})
    bound: dict[str, model.Variant] = {}
    rings: dict[str, Scope] = {}
    for line in in_order_of_need(whole.variants, names, scope):
        bound[line.name.text], rings[line.name.text] = bind_variant(line, scope, names, rings, terms, keys)
    variants = tuple(bound[name] for name in names)
    declarations += tuple(scope.made)
    of_variants = (line for variant in variants for line in (*variant.adds, *variant.replaces))
    for finding in ties(faults.unended, (*declarations, *of_variants)):
        faults.add(finding)
    players_at = (game.players or game).span
    return BoundGame(scope, rings, declarations, variants, seats, players_at, verbs_of(whole), files, doubtful)


def _lists(rings: list[Scope], game: Scope) -> dict[str, tuple[str, ...]]:
    """The words of every list, in whichever ring; a name means one list in the whole file."""
    found: dict[str, model.WordList] = {}
    for ring in rings:
        for name, symbol in ring.symbols.items():
            if isinstance(symbol, model.WordList):
                earlier = found.setdefault(name, symbol)
                if earlier.words != symbol.words:
                    game.complain("R202", f"two variants have a list `{name}`", symbol.span, (earlier.span, "here first"))
    lists = {name: symbol.words for name, symbol in found.items()}
    if game.faults.directions is not None:
        lists.setdefault(DIRECTION, game.faults.directions.words)
    return lists | game.faults.lists


def _something_is_there(whole: tree.Tree, scope: Scope) -> None:
    """A game has a phase, a score and a winner, one each of setup and winner."""
    wanted = {
        tree.Phase: ("phase", "`phase NAME` with what the players do"),
        tree.Score: ("score", "`score of player` with a line for each thing that counts"),
        tree.Winner: ("winner", "`winner highest score, then shared`"),
    }
    missing = [said for kind, said in wanted.items() if not any(isinstance(d, kind) for d in whole.declarations)]
    if missing and not scope.faults.doubtful:  # else a line that could not be read may have been the one
        scope.complain(
            "R219",
            f"the game is not complete: it has {listed([f'no {word}' for word, _ in missing])}",
            whole.game.name.span,
            help=f"add {listed([how for _, how in missing])}",
            case="game not complete",
        )
    for kind, word in (
        (tree.Setup, "setup"),
        (tree.Winner, "winner"),
        (tree.Score, "score"),
        (tree.Teams, "teams"),
        (tree.Position, "position"),
    ):
        lines = [d for d in whole.declarations if isinstance(d, kind)]
        if len(lines) > 1:
            scope.complain("R202", f"there are two `{word}` lines", lines[1].span, (lines[0].span, "here first"))
