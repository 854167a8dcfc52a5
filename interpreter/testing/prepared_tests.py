"""Prepares a test: its table, the steps that set it up, its questions, and the findings about them.

What a test sets up (``given``) becomes steps of its table, so that things are put in their places by the same code as in play;
what it expects becomes functions, evaluated in the position.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from attrs import define, evolve, field, frozen

from ..common.diagnostics import Diagnostic, Label, fault
from ..common.giving_up import giving_up
from ..common.nouns import with_article
from ..common.source import Span
from ..machine.from_table import faults, lower
from ..machine.from_table.building.marks import Marks
from ..machine.from_table.components.words import domain_of
from ..machine.from_table.grids.ways import way_of
from ..machine.machine import Machine
from ..model import model
from ..model.model import BOX, Const, Expr, Type
from ..model.visitor import walk
from ..table.from_model import Specialised, specialise
from ..table.from_model.components import words_of
from ..table.from_model.edits import lines_taken_out, named, named_term
from ..table.from_model.fold import Settled
from ..table.table import Table

CAN_FAIL = (model.Act, model.Expect, model.ExpectCan, model.ExpectCannot)
SETS_UP = (model.GivenZone, model.GivenLaid, model.GivenVariable, model.GivenKnown, model.Chance)


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


def faults_of_tests(whole: model.Model, sound: Mapping[Hashable, Specialised]) -> Iterator[Diagnostic]:
    """What is wrong with the tests of a file, as far as it can be told without running them.

    All tests of a table are lowered as one: where nothing is wrong with that, nothing is with any of them. ``sound``: tables in
    which nothing is wrong, by the number of players, the variants and the options that are named; of these only what the tests
    do is lowered.
    """
    together: dict[Hashable, list[tuple[model.Test, _Scripted]]] = {}
    made = dict(sound)
    looked_at = {id(found.table) for found in sound.values()}
    for test in whole.tests:
        scripted = _scripted(whole, test, made)
        if isinstance(scripted, Prepared):
            yield from scripted.diagnostics
        else:
            table = scripted.table
            key = (table.players, table.variants, tuple(table.options.items()), table.match)
            together.setdefault(key, []).append((test, scripted))
    for these in together.values():
        first = these[0][1]
        scripts: dict[str, model.Step] = {}
        asked: dict[str, Expr] = {}
        piles: set[str] = set()
        for number, (_, scripted) in enumerate(these):
            scripts |= {f"{name} of {number}": evolve(s, name=f"{name} of {number}") for name, s in scripted.script.steps.items()}
            asked |= {f"{name} of {number}": question for name, question in scripted.script.asked.items()}
            piles |= scripted.script.piles
        table = evolve(first.table, steps=first.table.steps | scripts)
        only = scripts if id(first.found.table) in looked_at else None
        found = faults(table, asked, piles, careful=True, only=only)
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


def _given_up(found: tuple[Diagnostic, ...]) -> _Scripted | Prepared:
    return Prepared(None, (), found)


@giving_up(_given_up)
def _scripted(whole: model.Model, test: model.Test, made: dict[Hashable, Specialised]) -> _Scripted | Prepared:
    """A test up to its table; what there is to say of it, when that is all. ``made``: tables of other tests, for this one too."""
    if test.faults:
        return Prepared(None, (), test.faults)
    if test.lines and all(isinstance(line, model.ExpectFinding) for line in test.lines):
        return Prepared(None, (), ())
    options = options_of(whole, test)
    key = (len(test.seats), test.variants, tuple(options.items()))
    if key not in made:
        made[key] = specialise(whole, len(test.seats), test.variants, options)
    found = made[key]
    if found.table is None:
        return Prepared(None, (), tuple(_here(d, test) for d in found.diagnostics))
    not_there = tuple(_absent(whole, found.table, test))
    if not_there:
        return Prepared(None, (), not_there)
    settled = evolve(found.settled, found=[])
    script = _Script(found.table, test.seats, settled)
    lines = tuple(script.prepared(index, line) for index, line in enumerate(test.lines))
    if settled.found:
        return Prepared(None, lines, tuple(settled.found))
    table = found.table
    if table.match is not None and not plays_all(test):
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


def plays_all(test: model.Test) -> bool:
    """Whether a test plays all from the very beginning, and does not set anything up."""
    begins = model.GivenZone | model.GivenLaid | model.GivenVariable | model.GivenKnown | model.RunSetup | model.Start
    return not any(isinstance(line, begins) for line in test.lines)


def _here(diagnostic: Diagnostic, test: model.Test) -> Diagnostic:
    """A fault in the choice of the table, at the line of the test that chose it, else at the test.

    Variants that are refused are no fault of the rules, so the test is shown beside the line that refuses them.
    """
    if diagnostic.code == "R402":
        return evolve(diagnostic, labels=(*diagnostic.labels, Label(test.span, "in this test")))
    if diagnostic.labels:
        return diagnostic
    at = next((value.span for name, value in test.options if f"`{name}`" in diagnostic.message), test.span)
    return fault(diagnostic.code, diagnostic.message, at, help=diagnostic.help)


def options_of(whole: model.Model, test: model.Test) -> dict[str, str | int | bool]:
    settled = Settled(len(test.seats), lists=whole.lists)
    found: dict[str, str | int | bool] = {}
    for name, value in test.options:
        number = settled.value(value)
        if number is not None:
            words = words_of(value.type, settled)
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
                    type = zone.type
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
        self.steps[given_step(index)] = model.Step(given_step(index), "step", (), body, span=line.span)

    def _laid(self, line: model.Lay) -> model.Lay:
        """What a test lays on a grid, on cells that the shape of the component fits."""
        fold = self.settled.fold
        found = evolve(line, what=fold(line.what), owner=None if line.owner is None else fold(line.owner))
        found = evolve(found, on=tuple(fold(cell) for cell in line.on))
        grid, kind = self.table.grids[line.grid], self.table.kinds[line.what.type.of]
        cells = [cell.value for cell in found.on if isinstance(cell, Const) and cell.type.base == "cell"]
        if not self.settled.found and way_of(cells, kind, grid) is None:
            shown = ", ".join(grid.cell_name(cell) for cell in cells)
            self.settled.complain(
                "R505",
                f"the parts of {with_article(kind.name)} cannot lie on {shown}",
                line.span,
                help="name their cells in the order of the parts",
            )
        owner = found.owner.value if isinstance(found.owner, Const) else None
        covered = self.covered.setdefault((grid.name, owner), {})
        match line.what:
            case model.AnyOf(of=model.OwnedBy(player=player, type=own)) if kind.is_owner:  # the pieces of a player are equal
                self._put(fold(model.OwnedBy(player, type=own.member, span=line.what.span)))
            case _:
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


def given_step(index: int) -> str:
    return f"given in line {index}"


def _absent(whole: model.Model, table: Table, test: model.Test) -> Iterator[Diagnostic]:
    """A finding for each name in the lines of a test that is not there at its table.

    A variant that is always in play at some tables gives its names to all tests, and a test may be about another table; or a
    variant in play has removed a line of the score.
    """
    yield from lines_taken_out(test.lines, [variant for variant in whole.variants if variant.name in table.variants], table)
    here = {named(declared) for declared in whole.declarations}
    here |= {named(declared) for variant in whole.variants if variant.name in table.variants for declared in variant.adds}
    elsewhere = {named(declared): (variant, declared) for variant in whole.variants for declared in variant.adds}
    for line in test.lines:
        for node in walk(line):
            name = _name_in(node)
            if name not in here and name in elsewhere:
                variant, declared = elsewhere.pop(name)
                yield fault(
                    "R201",
                    f"this is of the variant `{variant.name}`, which is not in play at this table",
                    node.span or line.span,
                    (declared.span, "declared here"),
                    help=f"say `with {variant.name}`, or name the players with whom it is always in play",
                )


def _name_in(node: model.Node) -> str:
    """What a node names of what is declared; "" where it names nothing."""
    match node:
        case model.ScoreOf(term=str(term)):
            return named_term(term)
        case (
            model.VariableValue(name=name) | model.GivenVariable(name=name) | model.ZoneContent(zone=name) | model.Spot(zone=name)
            | model.CellsOf(grid=name) | model.Lay(grid=name) | model.ColumnFor(table=name) | model.Apply(define=name)
            | model.OptionValue(name=name) | model.Start(step=name)
        ):  # fmt: skip
            return name
        case model.Typed(type=type) if type.base in ("component", "cell"):
            return type.of
    return ""
