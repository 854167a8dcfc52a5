"""Components that never enter the game (R333).

The faces of each kind are collected that some line can bring out of the box, at some table and for some value of the options.
Components that a line moves, lays or draws are followed from zone to zone; conditions on printed values are evaluated for each
face. Components that a line names without moving them, such as one that somebody guesses, are in use, too. A set that is not
understood can have any face, so a face that is missing at the end never enters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field

from ....common.diagnostics import Diagnostic, warning
from ....common.nouns import plural
from ....common.source import Source, Span
from ....model import model
from ....model.effects import Movement, effect_of, effects_of, is_statement
from ....model.model import Const, Expr, Model, Var
from ....model.visitor import substituted, walk
from ....table.from_model import with_open_options
from ....table.sampling.combinations import Candidates
from ....table.table import Kind, Table
from ...abstract.domain.states import AbstractState, beginning, ground_of
from ...abstract.domain.values import MOST, NO, NUMBER, YES, Group
from ...abstract.evaluation.evaluator import Evaluator
from ...abstract.evaluation.printed import faces_of
from ...dataflow.effects import kind_of
from .uses import Uses, uses_of

LISTED = 3  # components that are named, and lines that are shown
Values = tuple[int, ...]  # what is printed on a face


@define(eq=False)
class _Kind:
    """A kind as it is declared, with the faces of its list and of all tables, and those that enter the game at one.

    ``rows``: where the faces of a list stand. ``there``: those that are not left out of every table. ``seen``: the kind at the
    first table that has it; ``lines``: what brings it in there.
    """

    declared: model.Kind
    rows: dict[Values, Span] = field(factory=dict)
    all: dict[Values, None] = field(factory=dict)
    there: set[Values] = field(factory=set)
    entered: set[Values] = field(factory=set)
    seen: Kind | None = None
    lines: tuple[Span, ...] = ()

    @property
    def missing(self) -> list[Values]:
        return [values for values in self.all if values not in self.entered]

    def look_at(self, table: Table) -> None:
        kind = table.kind(self.declared.name)
        assert kind is not None
        whole = table.kinds.get(self.declared.joint, kind)
        first = whole.faces_of(kind.name).start if whole.joint else 0
        self.all.update({face.values: None for face in kind.faces})
        self.there.update(face.values for face in kind.faces)
        if any(face.values not in self.entered for face in kind.faces):
            entering = _Entering.of(table, whole)
            faces = entering.settled() >> first
            self.entered |= {face.values for number, face in enumerate(kind.faces) if faces >> number & 1}
            if self.seen is None:
                self.seen, self.lines = kind, entering.lines()


def never_entered(game: Model, file: Source, tables: Sequence[Table], candidates: Candidates) -> Iterator[Diagnostic]:
    """The components of a file that never enter the game, at any of all ``tables`` and for whatever value of an option.

    Nothing is said where not all combinations of variants are looked at, nor of dice.
    """
    declared = (*game.declarations, *(line for each in game.variants for line in (*each.adds, *each.replaces)))
    kinds = {
        line.span: _Kind(line)
        for line in declared
        if isinstance(line, model.Kind) and line.form != "dice" and line.span.source == file
    }
    if not kinds or candidates.left_out:
        return
    for kind in kinds.values():
        for row in kind.declared.rows or ():
            values = tuple(row.values[attribute.name] for attribute in kind.declared.attributes)
            kind.all[values] = None
            kind.rows.setdefault(values, row.span)
    _look_at(tables, kinds.values())
    suspects = [kind for kind in kinds.values() if kind.seen is not None and kind.missing and not _depends_on_options(kind)]
    if suspects and any(table.options for table in tables):
        plain = (candidate.found.table for candidate in candidates.plain)
        opened = (with_open_options(game, table.players, table.variants).table for table in plain if table is not None)
        _look_at([table for table in opened if table is not None], suspects)
    uses = uses_of(game)
    for kind in suspects:
        if kind.missing and not _is_said(kind, declared, uses):
            yield _said(kind)


def _look_at(tables: Iterable[Table], kinds: Iterable[_Kind]) -> None:
    for table in tables:
        for kind in kinds:
            there = table.kind(kind.declared.name)
            if there is not None and there.span == kind.declared.span:
                kind.look_at(table)


def _depends_on_options(kind: _Kind) -> bool:
    """Whether an option decides which components there are, so that more of them may be there for another value."""
    return bool(kind.entered) and any(isinstance(part, model.OptionValue) for part in walk(kind.declared))


def _is_said(kind: _Kind, declared: Iterable[object], uses: Uses) -> bool:
    """Whether another finding says that nothing ever comes into the zones for these components, or that there are none."""
    name = kind.declared.name
    zones = [line for line in declared if isinstance(line, model.Zone) and name in line.kinds]
    grids = [line for line in declared if isinstance(line, model.Grid) and name in line.kinds]
    silent = (zone.name not in uses.written for zone in (*zones, *grids))
    return not kind.entered and (name not in uses.types or (bool(zones or grids) and all(silent)))


# ---- At one table


@define(eq=False)
class _Entering:
    """Which faces of a kind the lines of a table can move or name. ``inside``: those that can come to each zone, as far as it
    is known; ``bound``: what names and markers stand for; ``fitting``: the faces that may fit a condition, by its identity."""

    table: Table
    kind: Kind
    at: AbstractState
    evaluator: Evaluator
    inside: dict[str, int] = field(factory=lambda: defaultdict(int))
    bound: dict[Var | str, list[model.Typed]] = field(factory=lambda: defaultdict(list))
    drawn: dict[Var, str] = field(factory=dict)
    fitting: dict[int, int] = field(factory=dict)
    meanings: dict[int, Expr] = field(factory=dict)

    @classmethod
    def of(cls, table: Table, kind: Kind) -> _Entering:
        """The analysis of a kind at a table, with a position of which only the table's own facts are known."""
        ground = ground_of(table)
        at = beginning(ground)
        at.content = dict.fromkeys(at.content, (0, MOST))
        for variable in table.variables.values():
            for index, known in ground.unknown[variable.name].items():
                at.variables[index] = NUMBER if variable.type.base == "number" else known
        found = cls(table, kind, at, Evaluator(table))
        for line in table.statements:
            found.note(line)
        return found

    @property
    def every(self) -> int:
        return (1 << len(self.kind.faces)) - 1

    def note(self, line: model.Node) -> None:
        """What a line gives a name to."""
        if not is_statement(line):
            return
        if isinstance(line, model.Do):
            for var, arg in zip(self.table.steps[line.step].parameters, line.args, strict=True):
                self.bound[var].append(arg)
        effect = effect_of(line)
        for var, value in (*effect.names, *effect.gathers, *effect.includes):
            self.bound[var].append(value)
        for setting in effect.sets:
            self.bound[setting.name].append(setting.value)
        for move in effect.moves:
            if move.moved is not None and move.what is not None:
                self.bound[move.moved].append(move.what)
            elif move.moved is not None and move.source is not None:
                self.drawn[move.moved] = move.source.zone

    def settled(self) -> int:
        """The faces that can come into a zone or onto a grid, or are named by a line."""
        before, found = -1, 0
        while found not in (before, self.every):
            before = found
            for line in self.table.statements:
                found |= self.used_by(line)
        return found

    def used_by(self, line: model.Node) -> int:
        name = self.kind.name
        found = 0
        if isinstance(line, model.Argument) and line.source is None:
            return self.every if (line.var.type.base, line.var.type.of) == ("component", name) else 0
        if is_statement(line):
            for move in effect_of(line).arrivals:
                if kind_of(move, self.table) == name and (move.grid or move.place in self.table.zones):
                    place = f"{name} on {move.grid}" if move.grid else move.place
                    self.inside[place] |= self.taken_from(move)
                    found |= self.inside[place]
            for part in _named_by(line):
                if part.type.base == "component" and part.type.of == name:
                    found |= self.faces(part)
        return found

    def taken_from(self, move: Movement) -> int:
        """The faces that components which go somewhere may have."""
        if move.what is not None:
            return self.faces(move.what)
        return 0 if move.source is None else self.inside[move.source.zone]

    def faces(self, node: model.Typed, path: tuple[object, ...] = ()) -> int:
        """The faces that a component, or the members of a set, may have."""
        match node:
            case Const(value=value) if node.type.base == "component":
                if node.type.is_set:
                    return faces_of(value, self.kind)
                return 1 << value if value >= 0 else 0
            case model.VarValue(var=name) | model.VariableValue(name=name) if name in path:
                return 0
            case model.VarValue(var=var) if var in self.drawn:
                return self.inside[self.drawn[var]] | self.bound_to(var, path)
            case model.VarValue(var=name) | model.VariableValue(name=name) if name in self.bound:
                return self.bound_to(name, path)
            case model.VariableValue():
                return 0  # nothing sets it
            case model.ZoneContent(zone=zone):
                names = (zone, f"{self.kind.name} on {zone}")
                return self.inside[names[0]] | self.inside[names[1]]
            case model.Filter(of=of, var=var, condition=condition):
                found = self.faces(of, path)
                return found and found & self.fits(condition, var)
            case model.Best(of=of) | model.AnyOf(of=of) | model.RandomOf(of=of) | model.Without(left=of):
                return self.faces(of, path)
            case model.Join(left=left, right=right):
                return self.faces(left, path) | self.faces(right, path)
            case model.SetOf(members=members):
                return self.any(members, path)
            case model.Cases(cases=cases, otherwise=otherwise):
                return self.any((otherwise, *(value for _, value in cases)), path)
            case model.Apply(define=name, args=args):
                if id(node) not in self.meanings:
                    word = self.table.defines[name]
                    self.meanings[id(node)] = substituted(word.value, dict(zip(word.parameters, args, strict=True)))
                return self.faces(self.meanings[id(node)], path)
            case _:
                return self.every

    def any(self, nodes: Iterable[model.Typed], path: tuple[object, ...]) -> int:
        found = 0
        for node in nodes:
            found |= self.faces(node, path)
        return found

    def bound_to(self, name: Var | str, path: tuple[object, ...]) -> int:
        return self.any(self.bound[name], (*path, name))

    def fits(self, condition: Expr, var: Var) -> int:
        """The faces for which a condition does not surely fail."""
        if id(condition) not in self.fitting:
            found = 0
            with self.evaluator.unsure():
                for face in range(len(self.kind.faces)):
                    self.at.names[var] = Group(self.kind.name, YES, {}, 1 << face)
                    found |= (self.evaluator.number(condition, self.at) != NO) << face
            del self.at.names[var]
            self.fitting[id(condition)] = found
        return self.fitting[id(condition)]

    def lines(self) -> tuple[Span, ...]:
        """What comes out of the box, as it is written."""
        moved = (move.what for _, effect in effects_of(self.table.statements) for move in effect.moves)
        ours = (what for what in moved if what is not None and what.type.of == self.kind.name and _is_of_all(what))
        return tuple(dict.fromkeys(what.span for what in ours))


def _named_by(line: model.Statement) -> Iterator[model.Typed]:
    """What a line gives a name to, chooses from or sets something of."""
    effect = effect_of(line)
    yield from (value for _, value in (*effect.names, *effect.gathers, *effect.includes))
    for setting in effect.sets:
        yield setting.value
        if setting.owner is not None:
            yield setting.owner
    if isinstance(line, model.Do):
        yield from line.args


def _is_of_all(what: model.Typed) -> bool:
    """Whether components are taken from all that there are, wherever they lie."""
    match what:
        case model.Filter(of=of) | model.Best(of=of) | model.AnyOf(of=of) | model.RandomOf(of=of) | model.Without(left=of):
            return _is_of_all(of)
        case _:
            return isinstance(what, Const)


# ---- Saying it


def _said(kind: _Kind) -> Diagnostic:
    assert kind.seen is not None
    name, missing = kind.declared.name, kind.missing
    rows = [kind.rows[values] for values in missing if values in kind.rows] if kind.entered else []
    if not kind.entered:
        message = f"no `{name}` ever enters the game"
    elif (words := _in_common(kind)) is not None:
        message = f"no {name} with {words} ever enters the game"
    else:
        listed = ", ".join(_face(values, kind.seen) for values in missing[:LISTED])
        more = f" and {len(missing) - LISTED} more" if len(missing) > LISTED else ""
        message = f"some {plural(name)} never enter the game: {listed}{more}"
    places = [(span, "this row") for span in rows[1:LISTED]]
    if kind.there.isdisjoint(missing):
        label = "it is left out at every table"
        places += [(line.span, "by this") for line in kind.declared.left_out]
    else:
        label = "no line moves, draws or lays it"
        places += [(span, "these come in") for span in kind.lines[:LISTED]]
    if rows:
        places.append((kind.declared.span, "declared here"))
    return warning(
        "R333",
        message,
        rows[0] if rows else kind.declared.span,
        *places,
        label=label,
        help="let a line bring them in, or take them out of the components; if they stay out on purpose, "
        "say why behind `# allow R333:`",
    )


def _in_common(kind: _Kind) -> str | None:
    """What is printed on all that are missing, and on nothing else: ``suit crowns``."""
    assert kind.seen is not None
    for column, attribute in enumerate(kind.seen.attributes):
        missing = {values[column] for values in kind.missing}
        if len(missing) <= LISTED and missing.isdisjoint({values[column] for values in kind.entered}):
            *others, last = (_value(value, column, kind.seen) for value in sorted(missing))
            return f"{attribute} {', '.join(others)}{' or ' if others else ''}{last}"
    return None


def _face(values: Values, kind: Kind) -> str:
    return " ".join(_value(value, column, kind) for column, value in enumerate(values))


def _value(value: int, column: int, kind: Kind) -> str:
    words = kind.words[column]
    if kind.owned and column == 0:
        return f"player {value + 1}"
    return "none" if value == -1 and kind.optional[column] else str(value) if words is None else words[value]
