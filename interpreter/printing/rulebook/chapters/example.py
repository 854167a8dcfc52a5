"""A worked example: the score sheet of a sample game, and what its winner has then, so that one can work out each line."""

from __future__ import annotations

from collections.abc import Iterator

from ....common.diagnostics import RulesError
from ....model.model import NUMBER
from ....play.game import Game
from ....play.knowledge.views import View
from ....play.state import State
from ....players.bots import Bot
from ....players.policies import policy_for
from ....rules import Rules, built_from
from ..telling.book import Block, Chapter, Grid, Item, Picture, Section
from ..telling.numbers import Tables
from ..telling.statements import Statements

SEED = 7  # of the first game that is tried
TRIES = 10  # games, of which the first whose winner has points is the example
ACTS = 400  # a longer game is no example


def example(rules: Rules, tables: Tables, teller: Statements) -> Chapter | None:
    """The chapter; None where no such game comes to an end, or where there are no lines to add up."""
    built = built_from(tables.first)
    if built.table is None or built.machine is None or not built.table.terms:
        return None
    game = Game(rules, built.table, built.machine, built.scalar_loops).in_words(teller.words)
    state = _sample(game)
    if state is None:
        return None
    players = range(1, built.table.players + 1)
    names = [teller.phrase("player {number}", number=seat) for seat in players]
    terms = {name: values for name, values in state.terms.items() if name}
    rows = [
        (teller.sentence(teller.words.name("score", name)), *(teller.constant(value, NUMBER) for value in values))
        for name, values in terms.items()
    ]
    sums = [sum(values[seat - 1] for values in terms.values()) for seat in players]
    rows.append((teller.phrase("Sum"), *(teller.constant(value, NUMBER) for value in sums)))
    said = teller.phrase("This is the score sheet of a sample game.")
    winner = state.ranking[0][0]
    ranking = [teller.listed([names[seat - 1] for seat in place]) for place in state.ranking]
    places = [Item(teller.phrase("Place {number}: {points}.", number=place, points=who)) for place, who in enumerate(ranking, 1)]
    blocks: tuple[Block, ...] = (Item(said), Grid(("", *names), tuple(rows)), *places)
    has = tuple(_belongings(state.view(), winner, teller))
    if has:
        blocks += (Item(teller.phrase("What the winner, {player}, has at the end:", player=names[winner - 1])), *has)
    return Chapter("example", teller.phrase("An example of scoring"), (Section("", blocks),))


def _sample(game: Game) -> State | None:
    """A game that was played carelessly to its end; None where none ends."""
    first = None
    for seed in range(SEED, SEED + TRIES):
        state = _played(game, seed)
        if state is not None and any(values[state.ranking[0][0] - 1] for values in state.terms.values()):
            return state
        first = first or state
    return first


def _played(game: Game, seed: int) -> State | None:
    casual = policy_for(Bot("casual"), game.machine)  # it bids low, so that who wins an auction can pay
    try:
        state = game.start(seed=seed)
        for _ in range(ACTS):
            if state.decision is None:
                return state if state.ranking else None
            state.play_by(casual)
    except RulesError:
        pass
    return None


def _belongings(view: View, seat: int, teller: Statements) -> Iterator[Block]:
    """The places of a player with what lies there, and the player's counters and markers."""
    there: set[str] = set()
    for zone in view.zones:
        if zone.owner != seat or not zone.count:
            continue
        there.update(component.name for component in zone.components)
        name = teller.sentence(zone.label or zone.name)
        if zone.cells:
            yield Grid(*_trimmed(zone.cells), name)
        elif zone.components:
            things = teller.words.row(component.name for component in zone.components)
            yield Item(teller.phrase("{name}: {values}.", name=teller.strong(name), values=things))
            for kind in dict.fromkeys(component.kind for component in zone.components):
                names = tuple(component.name for component in zone.components if component.kind == kind)
                yield Picture(kind, (), name, names=names)
    for value in view.values:
        if value.unset or " " in value.name:
            continue
        name = teller.strong(teller.sentence(value.label or value.name))
        if value.owner == seat and not value.which:
            yield Item(teller.phrase("{name}: {values}.", name=name, values=value.value))
        elif value.of in there:
            yield Item(teller.phrase("{name}, {thing}: {values}.", name=name, thing=value.of, values=value.value))


def _trimmed(cells: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The rows of a board without empty ones at its edges: a head without words, and the rows."""
    used = [row for row, found in enumerate(cells) if any(found)]
    columns = [column for row in cells for column, found in enumerate(row) if found]
    rows = tuple(row[min(columns) : max(columns) + 1] for row in cells[used[0] : used[-1] + 1])
    return ("",) * len(rows[0]), rows
