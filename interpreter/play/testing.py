"""Do the tests in a rules file hold?

A test gets a table of its own. What it sets up (``given``) becomes steps of that table, so that things are put in their
places by the same code as in play; what it expects becomes functions, asked of the position. Chance brings what the test
says, else what a fixed seed brings.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from attrs import define, evolve, field, frozen

from ..checks.one_table import findings_at
from ..diagnostics import Diagnostic, fault
from ..machine.from_table import faults, lower
from ..machine.from_table.components.words import domain_of
from ..machine.from_table.grids.ways import way_of
from ..machine.from_table.marks import Marks
from ..machine.machine import Chance, Choose, Group, Machine
from ..machine.reference.executor import Executor, FunctionFault
from ..machine.reference.stops import Stop
from ..model import model
from ..model.model import BOX, Const, Expr, Type
from ..nouns import with_article
from ..rules import Rules
from ..source import Span
from ..table.from_model import Specialised, specialise
from ..table.from_model.fold import Settled
from ..table.table import Table
from . import named_acts
from .absent import absent
from .game import text_of
from .knowledge import forget

CAN_FAIL = (model.Act, model.Expect, model.ExpectCan, model.ExpectCannot)
SETS_UP = (model.GivenZone, model.GivenLaid, model.GivenVariable, model.GivenKnown, model.Chance)
SEED = 1  # of chance that a test leaves open


@frozen
class TestResult:
    """How a test ended. ``acts``: how many decisions were taken in it."""

    title: str
    span: Span
    passed: bool
    diagnostics: tuple[Diagnostic, ...]
    acts: int


def run_tests(rules: Rules) -> tuple[TestResult, ...]:
    """Run every test of a file, in order. Raises `RulesError` when the rules have errors."""
    whole = rules.required()
    return tuple(run_test(whole, test) for test in whole.tests)


def run_test(whole: model.Model, test: model.Test) -> TestResult:
    """Run one test; one that only says what the check finds is not played."""
    ready = prepare(whole, test)
    return run_prepared(whole, test, ready, None if ready.machine is None else Executor(ready.machine))


def run_prepared(whole: model.Model, test: model.Test, ready: Prepared, executor: Executor | None) -> TestResult:
    """The same of a test that has been prepared. ``executor``: plays its machine, if it has one."""
    wrong = ready.diagnostics or _unexpected(whole, test)
    if wrong or executor is None:
        return TestResult(test.title, test.span, not wrong, wrong, 0)
    run = _Run(executor, test)
    try:
        for index, line in enumerate(ready.lines):
            run.line(index, line)
        run.close()
    except _Failed as failed:
        return TestResult(test.title, test.span, False, failed.diagnostics, run.acts)
    return TestResult(test.title, test.span, True, (), run.acts)


def _unexpected(whole: model.Model, test: model.Test) -> tuple[Diagnostic, ...]:
    """What the check of the test's table finds instead of what the test says; nothing where they agree."""
    lines = [line for line in test.lines if isinstance(line, model.ExpectFinding)]
    found = findings_at(whole, len(test.seats), test.variants, _options(whole, test)) if lines else ()
    for line in lines:
        same = [d.message for d in found if d.code == line.code]
        if not same:
            codes = ", ".join(dict.fromkeys(d.code for d in found)) or "nothing"
            return fault("R502", f"the check of this table finds {codes}, and {line.code} is expected", line.span), *found
        if not any(line.text in message for message in same):
            return (fault("R502", f"{line.code} is found, and says: {same[0]}", line.span),)
    return ()


@frozen
class Prepared:
    """A test as far as it can be told without running it: its lines and its machine, None when something is wrong with it, or
    when it is not played.

    ``found``: its table with what the test sets up, and what that was made of. ``asked``: what it expects.
    """

    machine: Machine | None
    lines: tuple[model.TestLine, ...]
    diagnostics: tuple[Diagnostic, ...]
    found: Specialised | None = None
    asked: tuple[Expr, ...] = ()


def prepare(whole: model.Model, test: model.Test, marks: Marks | None = None) -> Prepared:
    """Make the table and the machine of a test. ``marks``: as in `lower`."""
    scripted = _scripted(whole, test, {})
    return scripted if isinstance(scripted, Prepared) else _lowered(test, scripted, marks)


def faults_of_tests(whole: model.Model) -> Iterator[Diagnostic]:
    """What is wrong with the tests of a file, as far as it can be told without running them.

    All tests of a table are lowered as one: where nothing is wrong with that, nothing is with any of them.
    """
    together: dict[Hashable, list[tuple[model.Test, _Scripted]]] = {}
    made: dict[Hashable, Specialised] = {}
    for test in whole.tests:
        scripted = _scripted(whole, test, made)
        if isinstance(scripted, Prepared):
            yield from scripted.diagnostics
        else:
            table = scripted.table
            key = (table.players, table.variants, tuple(table.options.items()), table.match)
            together.setdefault(key, []).append((test, scripted))
    for these in together.values():
        steps = dict(these[0][1].table.steps)
        asked: dict[str, Expr] = {}
        piles: set[str] = set()
        for number, (_, scripted) in enumerate(these):
            steps |= {f"{name} of {number}": evolve(s, name=f"{name} of {number}") for name, s in scripted.script.steps.items()}
            asked |= {f"{name} of {number}": question for name, question in scripted.script.asked.items()}
            piles |= scripted.script.piles
        found = faults(evolve(these[0][1].table, steps=steps), asked, piles, careful=True)
        all_sound = not any(finding.severity == "error" for finding in found)
        for test, scripted in these:
            yield from _expects_nothing(test) if all_sound else _lowered(test, scripted).diagnostics


@frozen
class _Scripted:
    """A test whose table is made. ``script``: what its lines take besides; ``table``: without that; ``found``: what it is of."""

    table: Table
    found: Specialised
    script: _Script
    lines: tuple[model.TestLine, ...]


def _scripted(whole: model.Model, test: model.Test, made: dict[Hashable, Specialised]) -> _Scripted | Prepared:
    """A test up to its table; what there is to say of it, when that is all. ``made``: tables of other tests, for this one too."""
    if test.faults:
        return Prepared(None, (), test.faults)
    if test.lines and all(isinstance(line, model.ExpectFinding) for line in test.lines):
        return Prepared(None, (), ())
    options = _options(whole, test)
    key = (len(test.seats), test.variants, tuple(options.items()))
    if key not in made:
        made[key] = specialise(whole, len(test.seats), test.variants, options)
    found = made[key]
    if found.table is None:
        return Prepared(None, (), tuple(_here(d, test) for d in found.diagnostics))
    not_there = tuple(absent(whole, found.table, test))
    if not_there:
        return Prepared(None, (), not_there)
    settled = evolve(found.settled, found=[])
    script = _Script(found.table, test.seats, settled)
    lines = tuple(script.prepared(index, line) for index, line in enumerate(test.lines))
    if settled.found:
        return Prepared(None, lines, tuple(settled.found))
    table = found.table
    if table.match is not None and not _whole(test):
        table = evolve(table, match=evolve(table.match, alone=True))
    return _Scripted(table, found, script, lines)


def _lowered(test: model.Test, scripted: _Scripted, marks: Marks | None = None) -> Prepared:
    """The machine of a test by itself."""
    script = scripted.script
    table = evolve(scripted.table, steps={**scripted.table.steps, **script.steps})
    lowered = lower(table, test.seats, script.asked, script.piles, careful=True, marks=marks)
    if lowered.machine is None:
        return Prepared(None, scripted.lines, lowered.diagnostics)
    wrong = _expects_nothing(test)
    found = evolve(scripted.found, table=table)
    return Prepared(None if wrong else lowered.machine, scripted.lines, wrong, found, tuple(script.asked.values()))


def _expects_nothing(test: model.Test) -> tuple[Diagnostic, ...]:
    if any(isinstance(line, CAN_FAIL) for line in test.lines):
        return ()
    help = "say what must hold in the end: `expect ...`"
    return (fault("R506", "this test expects nothing, so it cannot fail", test.span, help=help),)


def _whole(test: model.Test) -> bool:
    """Whether a test plays all from the very beginning, and does not set anything up."""
    begins = model.GivenZone | model.GivenLaid | model.GivenVariable | model.GivenKnown | model.RunSetup | model.Start
    return not any(isinstance(line, begins) for line in test.lines)


def _here(diagnostic: Diagnostic, test: model.Test) -> Diagnostic:
    """A fault in the choice of the table, at the line of the test that chose it, else at the test."""
    if diagnostic.labels:
        return diagnostic
    at = next((value.span for name, value in test.options if f"`{name}`" in diagnostic.message), test.span)
    return fault(diagnostic.code, diagnostic.message, at, help=diagnostic.help)


def _options(whole: model.Model, test: model.Test) -> dict[str, str | int | bool]:
    settled = Settled(len(test.seats))
    found: dict[str, str | int | bool] = {}
    for name, value in test.options:
        number = settled.value(value)
        if number is not None:
            words = ("no", "yes") if value.type.base == "truth" else whole.lists.get(value.type.of)
            found[name] = words[number] if words is not None and number >= 0 else "none" if number < 0 and words else number
    return found


# ---- Before the machine is made


@define(eq=False)
class _Script:
    """What a test needs of its table: steps that set it up, questions, piles that lie in an order."""

    table: Table
    seats: tuple[str, ...]
    settled: Settled
    steps: dict[str, model.Step] = field(factory=dict)
    asked: dict[str, Expr] = field(factory=dict)
    piles: set[str] = field(factory=set)
    placed: dict[tuple[str, int], list[Span]] = field(factory=dict)  # by component: where these lines of `given` put it
    covered: dict[tuple[str, int | None], dict[int, Span]] = field(factory=dict)  # by grid and owner: what lies on each cell

    def prepared(self, index: int, line: model.TestLine) -> model.TestLine:
        """A line with everything settled in it; the steps and questions that it takes are noted."""
        fold = self.settled.fold
        if not isinstance(line, SETS_UP):
            self.placed.clear()  # from here on a line that puts something elsewhere moves it, and means to
            self.covered.clear()
        match line:
            case model.GivenZone(spot=spot, things=things):
                zone = self.table.zones.get(spot.zone)
                place = evolve(spot, owner=None if spot.owner is None else fold(spot.owner))
                if spot.zone in self.table.grids:
                    self.placed.clear()
                    self.covered.clear()
                    self._set_up(index, line, *self._cleared(place, line.span))
                    return line
                found = [fold(thing) for thing in things]
                if spot.zone == BOX or not things or (zone is not None and zone.shape == "slot"):
                    self.placed.clear()  # something goes to the box: which components, is known in play
                for thing in found:
                    self._put(thing)
                body = [model.Move(thing, place, span=line.span) for thing in found]
                if zone is not None and zone.shape == "pile":
                    self.piles.add(zone.name)
                    body = body[::-1]  # written top first
                if zone is not None and (zone.shape == "slot" or not things):
                    type = Type("component", zone.kind)
                    there = model.ZoneContent(
                        zone.name, place.owner, type=type.maybe if zone.shape == "slot" else type.set, span=line.span
                    )
                    body.insert(0, model.Move(there, model.Spot(BOX, None, span=line.span), span=line.span))
                self._set_up(index, line, *body)
            case model.GivenLaid(laid=laid):
                self._set_up(index, line, *map(self._laid, laid))
            case model.GivenVariable(name=name, owner=owner, value=value):
                whose = None if owner is None else fold(owner)
                self._set_up(index, line, model.SetVariable(name, whose, fold(value), span=line.span))
            case model.GivenKnown(player=player, what=what):
                self._set_up(index, line, model.Reveal(fold(what), fold(player), span=line.span))
            case model.Chance(outcomes=outcomes):
                return evolve(line, outcomes=tuple(fold(o) for o in outcomes))
            case model.Start(step=step, args=args):
                given = tuple(fold(a) for a in args)
                if any(a.type == model.NUMBER for a in given):  # a step knows the range of its numbers from those who do it
                    self._set_up(index, line, model.Do(step, given, span=line.span))
                return evolve(line, args=given)
            case model.Act():
                return self._act(line)
            case model.Expect(condition=condition):
                test = self.asked[f"expect {index}"] = fold(condition)
                if isinstance(test, model.Compare):
                    self.asked[f"found {index}"], self.asked[f"wanted {index}"] = test.left, test.right
            case model.ExpectCan(acts=acts):
                return evolve(line, acts=tuple(self._act(a) for a in acts))
            case model.ExpectCannot(act=act):
                return evolve(line, act=self._act(act))
            case model.RunSetup() | model.ExpectFinding():
                pass
        return line

    def _put(self, thing: Expr) -> None:
        """A line puts components somewhere: no more of them than there are, and none in two places."""
        if not isinstance(thing, Const) or thing.type.base != "component" or thing.value < 0:
            return
        kind = self.table.kinds[thing.type.of]
        start = 0
        for face, printed in enumerate(kind.faces):
            of_face = thing.value >> start & ((1 << printed.copies) - 1) if thing.type.is_set else int(face == thing.value)
            start += printed.copies
            before = self.placed.setdefault((kind.name, face), [])
            earlier = len(before)
            before += [thing.span] * of_face.bit_count()
            if earlier <= printed.copies < len(before):
                number = "is only one" if printed.copies == 1 else f"are only {printed.copies}"
                name = domain_of(kind, self.seats).names[face] if thing.type.is_set else thing.span.text
                there = before[earlier - 1], "what was put here"
                help = "name each component in one place"
                self.settled.complain("R507", f"there {number} {name} in this game", thing.span, there, help=help)
                return

    def _cleared(self, grid: model.Spot, span: Span) -> Iterator[model.Statement]:
        """What lies on a grid goes to the box."""
        type = Type("cell", grid.zone)
        cells = model.ZoneContent(grid.zone, grid.owner, type=type.set, span=span)
        for kind in self.table.grids[grid.zone].kinds:
            cell = model.Var("cell", type)
            here = model.VarValue(cell, type=type, span=span)
            lying = model.LyingOn(here, type=Type("component", kind).maybe, span=span)
            yield model.ForEach(cell, cells, None, (model.Move(lying, model.Spot(BOX, None, span=span), span=span),), span=span)

    def _set_up(self, index: int, line: model.TestLine, *body: model.Statement) -> None:
        self.steps[_given(index)] = model.Step(_given(index), "step", (), body, span=line.span)

    def _laid(self, line: model.Lay) -> model.Lay:
        """What a test lays on a grid, on cells that the shape of the component fits."""
        fold = self.settled.fold
        found = evolve(line, what=fold(line.what), owner=None if line.owner is None else fold(line.owner))
        found = evolve(found, on=tuple(fold(cell) for cell in line.on))
        grid, kind = self.table.grids[line.grid], self.table.kinds[line.what.type.of]
        cells = [cell.value for cell in found.on if isinstance(cell, Const)]
        if not self.settled.found and way_of(cells, kind, grid) is None:
            shown = ", ".join(grid.cell_name(cell) for cell in cells)
            self.settled.complain(
                "R505", f"the parts of {with_article(kind.name)} cannot lie on {shown}", line.span,
                help="name their cells in the order of the parts"
            )
        owner = found.owner.value if isinstance(found.owner, Const) else None
        covered = self.covered.setdefault((grid.name, owner), {})
        self._put(found.what)
        for cell in cells:
            if cell in covered:
                first, second = covered[cell].text, line.what.span.text
                both = f"{first} and {second} both lie on {grid.cell_name(cell)}"
                there = covered[cell], "this lies there"
                self.settled.complain("R505", both, line.span, there, help="lay one of them elsewhere")
                break
        covered |= dict.fromkeys(cells, line.what.span)
        return found

    def _act(self, act: model.Act) -> model.Act:
        return evolve(act, player=self.settled.fold(act.player), arguments=tuple(self.settled.fold(a) for a in act.arguments))


def _given(index: int) -> str:
    return f"given in line {index}"


# ---- On the machine


class _Failed(Exception):
    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics = diagnostics


class _Run:
    """A test as it is played."""

    def __init__(self, executor: Executor, test: model.Test) -> None:
        self.machine = executor.machine
        self.test = test
        self.executor = executor
        self.cells = self.executor.fresh(SEED)
        self.coming: list[Expr] = []
        self.acts = 0
        self.stop = self.executor.enter(self.cells, "begin")
        self.whole = _whole(test)

    def line(self, index: int, line: model.TestLine) -> None:
        """Do what a line says, or raise `_Failed`."""
        if self.whole and not isinstance(line, model.Chance):
            self.whole = False
            self.go(self.executor.enter_main(self.cells, 0), line.span)
        match line:
            case model.GivenZone() | model.GivenLaid():
                before = list(self.cells)
                self.set_up(index, line.span)
                forget(self.machine, before, self.cells)
            case model.GivenVariable() | model.GivenKnown():
                self.set_up(index, line.span)
            case model.RunSetup():
                if "setup" in self.machine.routines:
                    self.go(self.executor.enter(self.cells, "setup"), line.span)
            case model.Chance(outcomes=outcomes):
                self.coming += outcomes
            case model.Start(step=step, args=args):
                if _given(index) in self.machine.steps:
                    self.go(self.executor.enter(self.cells, self.machine.steps[_given(index)]), line.span)
                else:
                    self.start(step, args, line.span)
            case model.Act():
                self.play(line)
            case model.Expect(condition=condition):
                self.expect(index, condition, line.span)
            case model.ExpectCan(acts=acts):
                for act in acts:
                    why = self.refusal(act)
                    if why:
                        raise _Failed(fault("R502", f"{self.name(act)} cannot {self.said(act)}: {why}", act.span))
            case model.ExpectCannot(act=act, reason=reason):
                self.expect_not(act, reason, line.span)
            case model.ExpectFinding():
                pass  # asked of the table, not of the game

    def close(self) -> None:
        """The end of the test: everything that was said of chance has come."""
        if self.whole:
            self.go(self.executor.enter_main(self.cells, 0), self.test.span)
        if self.coming:
            left = ", ".join(outcome.span.text for outcome in self.coming)
            message = f"chance never came to {left}"
            help = "take it out of the `chance` line, or write the line before the one that brings it about"
            raise _Failed(fault("R503", message, self.coming[0].span, help=help))

    def start(self, step: str, args: tuple[Expr, ...], span: Span) -> None:
        if step not in self.machine.steps:
            message = f"`{step}` is given a cell, and it is not said on whose grid"
            raise _Failed(fault("R504", message, span, help="start a step that does it"))
        name = self.machine.steps[step]
        if name in self.machine.main:
            self.go(self.executor.enter_main(self.cells, self.machine.main.index(name)), span)
        else:
            self.go(self.executor.enter(self.cells, name, [self.value(a) for a in args]), span)

    def set_up(self, index: int, span: Span) -> None:
        """Do what a line of `given` says; where things lie in the way, the test is told how to take them away."""
        try:
            self.go(self.executor.enter(self.cells, self.machine.steps[_given(index)]), span)
        except _Failed as failed:
            given = span.text.partition(":")[0]
            help = {
                "R609": "a slot holds one component: name one",
                "R612": f"lay it elsewhere, or empty the grid first: `{given}: empty`",
            }  # fmt: skip
            raise _Failed(
                *(fault(d.code, d.message, d.span, help=help[d.code]) if d.code in help else d for d in failed.diagnostics)
            ) from None

    def go(self, stop: Stop, span: Span) -> None:
        """Let chance happen until somebody has to choose, or nothing is left to do."""
        while stop.kind == "chance":
            node = stop.node
            assert isinstance(node, Chance)
            possible = [value for value, _ in self.executor.outcomes(self.cells)]
            if self.coming:
                outcome = self.coming.pop(0)
                value = self.value(outcome)
                if value not in possible:
                    could = ", ".join(node.domain.name(p) for p in possible[:8]) + (", ..." if len(possible) > 8 else "")
                    message = f"chance cannot bring {outcome.span.text} here"
                    raise _Failed(fault("R503", message, outcome.span, (node.span, f"this brings: {could}")))
            else:
                value = self.executor.draw(self.cells)
            stop = self.executor.happen(self.cells, value)
        if stop.kind == "fault" and stop.fault is not None:
            found = stop.fault
            raise _Failed(fault(found.code, stop.text, found.span, (span, "the test was here"), help=found.help))
        self.stop = stop

    def play(self, act: model.Act) -> None:
        why = self.refusal(act)
        if why:
            raise _Failed(fault("R504", f"{self.name(act)} cannot {self.said(act)}: {why}", act.span))
        number = self.number(act)
        assert number is not None
        self.acts += 1
        self.go(self.executor.choose(self.cells, number), act.span)

    def refusal(self, act: model.Act) -> str:
        """Why an act is not possible now; "" when it is."""
        other = self.not_deciding(act)
        if other:
            return other
        offered = [self.machine.groups[alternative.group] for alternative in self.node().alternatives]
        for group in offered:
            position = named_acts.position(act, group, self.machine)
            if position is not None:
                return self.why_not(group, position)
        for argument in act.arguments:
            if not isinstance(argument, model.CellNamed):
                self.value(argument)
        return named_acts.misfit(act, offered, self.machine)

    def why_not(self, group: Group, position: int) -> str:
        """Why an option that is named here is not allowed; "" when it is."""
        refusal = self.executor.why_not(self.cells, group.base + position)
        if refusal is None:
            return ""
        if refusal.condition is None:
            for other in named_acts.same_cells(position, group):
                found = self.executor.why_not(self.cells, group.base + other)
                if found is None or found.condition is not None:
                    return f"this is the same as `{text_of(group, other)}`"
        return refusal.text

    def not_deciding(self, act: model.Act) -> str:
        """Why the player of an act has nothing to choose now; "" when they have."""
        if self.stop.kind != "decision":
            return "the game is over" if self.stop.kind == "over" else "nobody has to choose now"
        player = self.executor.player(self.cells)
        return f"it is {self.machine.seat_names[player]} who has to choose now" if player != self.value(act.player) else ""

    def number(self, act: model.Act) -> int | None:
        """The option that an act names, among those offered here."""
        for alternative in self.node().alternatives:
            group = self.machine.groups[alternative.group]
            position = named_acts.position(act, group, self.machine)
            if position is not None:
                return group.base + position
        return None

    def node(self) -> Choose:
        assert isinstance(self.stop.node, Choose)
        return self.stop.node

    def expect(self, index: int, condition: Expr, span: Span) -> None:
        try:
            if self.executor.evaluate(self.cells, f"expect {index}"):
                return
            message = f"this does not hold: {condition.span.text}"
            if f"found {index}" in self.machine.functions and isinstance(condition, model.Compare):
                found = self.executor.evaluate(self.cells, f"found {index}")
                message = f"{condition.left.span.text} is {self.shown(condition.left, found)}"
                if condition.op == "=":
                    wanted = self.executor.evaluate(self.cells, f"wanted {index}")
                    message += f", and {self.shown(condition.right, wanted)} is expected"
        except FunctionFault as stopped:
            found_fault = stopped.stop.fault
            assert found_fault is not None
            raise _Failed(fault(found_fault.code, stopped.stop.text, found_fault.span, (span, "asked here"))) from None
        raise _Failed(fault("R502", message, span))

    def expect_not(self, act: model.Act, reason: str | None, span: Span) -> None:
        why = self.refusal(act)
        if not why:
            raise _Failed(fault("R502", f"{self.name(act)} can {self.said(act)}", span))
        if reason is None and self.not_deciding(act):
            help = f'`cannot` is said of who has to choose; if that is meant, add `because "{why}"`'
            raise _Failed(fault("R502", why, span, help=help))
        if reason is not None and why != reason:
            raise _Failed(fault("R502", f'the reason given is "{why}"', span))

    # -- words

    def value(self, expr: Expr) -> int:
        if isinstance(expr, Const):
            return expr.value
        raise _Failed(fault("R504", "a test names things: components, words, numbers, players", expr.span))

    def name(self, act: model.Act) -> str:
        return self.machine.seat_names[self.value(act.player)]

    def said(self, act: model.Act) -> str:
        for group in self.machine.groups:
            position = named_acts.position(act, group, self.machine)
            if position is not None:
                return text_of(group, position)
        return act.span.text

    def shown(self, expr: Expr, value: int) -> str:
        """A value in words."""
        domain = named_acts.domain_of(expr, self.machine)
        if expr.type.is_set and domain is not None:
            return f"({', '.join(domain.name(v) for v in domain.members(value))})" if value else "empty"
        return str(value) if domain is None else domain.name(value)
