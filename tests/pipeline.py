"""From a small text to a table, a machine and values: what tests of several stages need."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import dedent

from attrs import field, frozen
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.diagnostics import Diagnostic, render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.from_table import lower
from rulesrun.interpreter.machine.machine import Field, Machine, ZoneView
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.machine.reference.stops import Stop
from rulesrun.interpreter.model import model
from rulesrun.interpreter.model.from_tree import bind
from rulesrun.interpreter.rules import Rules
from rulesrun.interpreter.syntax.reading.extending import whole_of
from rulesrun.interpreter.table.from_model import specialise
from rulesrun.interpreter.table.table import Table

GAMES = Path(__file__).parent.parent / "games"
USELESS = re.compile("R32[0-9]|R333|R36[01]|R38[0-2]")  # what makes no difference: most small texts declare more than they use


OF_HOURS = """game of_hours
    players 2
counter turns: 0..90000
counter weight: 0..1000
phase rounds
    repeat until turns is 90000
        add 1 to turns
        player 1 chooses
            work
                repeat 900000 times
                    repeat 900000 times
                        set weight to (weight * 7 + 13) mod 1000
            rest: nothing
score of player
    points: weight
winner highest score, then shared
"""  # an act of it takes hours, on any machine


def changed(text: str, changes: Iterable[tuple[str, str]]) -> str:
    """A text with other words, each for some that stand in it."""
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


def faults(rules: Rules) -> tuple[Diagnostic, ...]:
    """What `check` finds in a small text, but not what in it is of no use."""
    return tuple(diagnostic for diagnostic in check(rules).findings if not USELESS.fullmatch(diagnostic.code))


def findings(rules: Rules) -> tuple[Diagnostic, ...]:
    """What `check` finds in a small text, which can be understood: else hardly anything is looked for."""
    rules.required()
    return check(rules).findings


@frozen
class Found:
    """How far a text came, and what was found on the way."""

    model: model.Model | None
    table: Table | None
    machine: Machine | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def codes(self) -> list[str]:
        return [d.code for d in self.diagnostics]

    @property
    def messages(self) -> str:
        return "\n\n".join(render(d) for d in self.diagnostics)


def run_stages(
    source: Source,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
    files: Mapping[str, str] | None = None,
) -> Found:
    """All stages, as far as they come. ``files``: the texts of files beside the rules."""

    def read(rules: str, path: str) -> Source | Diagnostic:
        if files is not None and path in files:
            return Source(path, files[path])
        return Diagnostic("R001", f"there is no file {path}", (), "check its name")

    whole = whole_of(source, read)
    found = list(whole.diagnostics)
    if whole.tree is None:
        return Found(None, None, None, tuple(found))
    bound = bind(whole.tree, read, whole.doubtful)
    found += bound.diagnostics
    found += [fault for test in (bound.model.tests if bound.model else ()) for fault in test.faults]
    if bound.model is None or any(d.severity == "error" for d in found):
        return Found(bound.model, None, None, tuple(found))
    special = specialise(bound.model, players, variants, options)
    found += special.diagnostics
    if special.table is None:
        return Found(bound.model, None, None, tuple(found))
    asked = {
        name: model.Apply(name, (), type=define.value.type, span=define.span)
        for name, define in special.table.defines.items()
        if not define.parameters
    }
    lowered = lower(special.table, extra={f"asked {name}": apply for name, apply in asked.items()})
    found += lowered.diagnostics
    return Found(bound.model, special.table, lowered.machine, tuple(found))


def stages(
    text: str,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
    files: Mapping[str, str] | None = None,
) -> Found:
    """The stages of a text in a test, which may be indented."""
    return run_stages(Source("test.rules", dedent(text).strip() + "\n"), players, variants, options, files)


FRAME = """
game small
    players 1..4
{0}
{1}
score of player
    points: 0
winner highest score, then shared
"""


def small(declarations: str, play: str = "") -> str:
    """A whole game with these declarations and these statements as its only phase (and, under "setup", its setup)."""
    phase = "" if "phase " in play else "phase only\n"
    lines = dedent(play).strip() or "nothing"
    body = lines if not phase else phase + "\n".join(f"    {line}" for line in lines.splitlines())
    return FRAME.format(dedent(declarations).strip(), body).strip() + "\n"


@frozen(eq=False)
class Played:
    """A game in progress, to be asked."""

    machine: Machine
    executor: Executor
    cells: list[int]
    stop: Stop = field()

    def ask(self, define: str) -> int:
        """The value of a define without arguments: a number, or a set as bits."""
        return self.executor.evaluate(self.cells, f"asked {define}")

    def members(self, define: str, kind: str) -> list[str]:
        """A define that is a set of components, as names, a copy each."""
        domain = self.machine.kinds[kind]
        return [domain.name(v) for v in domain.members(self.ask(define))]


def machine_of(text: str, players: int | None = None, **more: object) -> Machine:
    """The machine of a text without faults."""
    found = stages(text, players, **more)  # type: ignore[arg-type]
    assert found.machine is not None, found.messages
    return found.machine


def play(machine: Machine, seed: int = 0, choices: Iterable[int] = ()) -> Played:
    """A game played to its end: by ``choices`` while there are any, then by bots."""
    executor = Executor(machine)
    cells = executor.fresh(seed)
    stop = executor.enter(cells)
    given = iter(choices)
    while stop.node is not None:
        if stop.kind == "chance":
            stop = executor.happen(cells, executor.draw(cells))
        else:
            option = next(given, None)
            stop = executor.choose(cells, executor.pick(cells, executor.player(cells)) if option is None else option)
    return Played(machine, executor, cells, stop)


def masti(players: int, variants: Iterable[str] = (), options: Mapping[str, str | int | bool] | None = None) -> Machine:
    """The machine of games/masti.rules at one table."""
    files = {"data/masti.csv": (GAMES / "data" / "masti.csv").read_text(encoding="utf-8")}
    source = Source("games/masti.rules", (GAMES / "masti.rules").read_text(encoding="utf-8"))
    found = run_stages(source, players, variants, options, files)
    assert found.machine is not None, found.messages
    return found.machine


def lying(executor: Executor, cells: list[int], zone: ZoneView, owner: int = 0) -> list[int]:
    """The faces in a zone (of an owner), sorted, a copy each."""
    places = executor.machine.layout.record

    def element(of: Field, index: int) -> int:
        return cells[places[of].slot + index]

    content = element(zone.content, owner) if zone.shape == "slot" else 0
    if zone.shape == "slot":
        return [] if content < 0 else [content]
    found = zone.domain.members(element(zone.content, owner))
    if zone.top is not None and zone.size is not None:
        start = owner * zone.domain.bits
        found += [element(zone.top, start + i) for i in range(element(zone.size, owner))]
    return sorted(found)


def value_of(executor: Executor, cells: list[int], name: str, owner: int = 0) -> int:
    """The value of a counter or marker."""
    view = next(v for v in executor.machine.variables if v.name == name)
    return cells[executor.machine.layout.record[view.content].slot + owner]


def walk_game(executor: Executor, seed: int, game: int = 0) -> Iterator[tuple[list[int], Stop]]:
    """A game by bots: its cells at every stop, the last one included."""
    cells = executor.fresh(seed, game)
    stop = executor.enter(cells)
    while True:
        yield cells, stop
        if stop.node is None:
            return
        if stop.kind == "chance":
            stop = executor.happen(cells, executor.draw(cells))
        else:
            stop = executor.choose(cells, executor.pick(cells, executor.player(cells)))
