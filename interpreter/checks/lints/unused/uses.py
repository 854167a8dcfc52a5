"""Collects everything that a game uses, and where: rules, variants and tests together."""

from __future__ import annotations

from typing import Any

from attrs import define, field, fields, has

from ....common.source import Span
from ....model import model
from ....model.effects import effect_of, is_statement
from ....model.model import Const, Model, Type
from ....model.visitor import walk_statements

_SETUP = "the setup"  # no name has a blank in it


@define(eq=False)
class Uses:
    """Names, each with the first place that uses it. A list or kind is used by whatever has its values.

    ``read`` and ``written``: counters, markers and zones whose value or content is asked for (with all places); that are set, or
    into which something is put. A counter that is asked only for its own next value (``add 1 to coins``) is not read. ``fixed``:
    the values that the setup gives to counters and markers; ``changed``: counters and markers that are set elsewhere. ``words``:
    by list, the words that something names; ``every``: the lists of which all words are gone through. ``mixed``: the piles that
    are shuffled. ``found``: the kinds of which components are looked for wherever they lie, once a game has begun.
    """

    mentioned: set[str] = field(factory=set)
    types: set[str] = field(factory=set)
    defines: set[str] = field(factory=lambda: {model.RETURNS})  # for which those ask who play
    steps: set[str] = field(factory=set)
    options: set[str] = field(factory=set)
    columns: set[tuple[str, str]] = field(factory=set)
    locals: set[model.Var] = field(factory=set)
    read: dict[str, list[Span]] = field(factory=dict)
    written: dict[str, Span] = field(factory=dict)
    fixed: dict[str, set[model.Expr]] = field(factory=dict)
    changed: set[str] = field(factory=set)
    words: dict[str, set[int]] = field(factory=dict)
    every: set[str] = field(factory=set)
    mixed: set[str] = field(factory=set)
    found: set[str] = field(factory=set)


def uses_of(game: Model) -> Uses:
    """Everything that a game's declarations, variants and tests use.

    What tests set up is not set by the rules, and an option that only tests ask for changes nothing.
    """
    found = Uses()
    _note((game.declarations, game.variants), found, frozenset())
    written, options, changed = dict(found.written), set(found.options), set(found.changed)
    _note(game.tests, found, frozenset())
    found.written, found.options, found.changed = written, options, changed
    return found


def _note(value: Any, found: Uses, own: frozenset[str]) -> None:
    """``own``: the counter or marker whose next value this is, and the declaration in which this stands."""
    if isinstance(value, tuple):
        for item in value:
            _note(item, found, own)
        return
    if value is None or isinstance(value, str | int):
        return
    if isinstance(value, model.Node) and is_statement(value):
        _note_effect(value, found)
    match value:
        case Span() | model.WordList():
            return
        case Type(of=of):
            found.types.add(of)
        case model.VarValue(var=var):
            found.locals.add(var)
        case model.SetVariable(name=name, owner=owner, value=new) | model.GivenVariable(name=name, owner=owner, value=new):
            found.mentioned.add(name)
            found.written.setdefault(name, value.span)
            if _SETUP not in own:
                found.changed.add(name)
            _note(owner, found, own)
            _note(new, found, own | {name})
            return
        case model.VariableValue(name=name):
            found.mentioned.add(name)
            if name not in own:
                found.read.setdefault(name, []).append(value.span)
        case model.GivenZone(spot=to):
            found.written.setdefault(to.zone, value.span)
        case model.Spot(zone=name, define=define):
            found.mentioned.add(name)
            found.defines |= {define} - own
        case model.ZoneContent(zone=name) | model.CellsOf(grid=name) | model.Ways(grid=name):
            found.mentioned.add(name)
            found.read.setdefault(name, []).append(value.span)
        case model.Apply(define=name):
            found.defines |= {name} - own
        case model.Do(step=name) | model.Start(step=name):
            found.steps |= {name} - own
        case model.Step(form="setup"):
            _note_fixed(value.body, found, frozenset())
            before = set(found.found)
            _note(value.body, found, own | {_SETUP})
            found.found = before
            return
        case model.Step(entered=model.Spot(zone=name)):  # it looks at what comes there
            found.mentioned.add(name)
            found.read.setdefault(name, []).append(value.span)
        case model.Define(name=name) | model.Step(name=name):
            own = own | {name}
        case model.AllOf() | model.Pick():
            found.found.update(value.type.kinds)
        case model.OwnerOf(of=of):
            found.found.update(of.type.kinds)
        case model.OptionValue(name=name):
            found.options.add(name)
        case model.ColumnFor(table=table, column=column):
            found.columns.add((table, column))
        case Const(value=number, type=of_type):
            _note_words(number, of_type, found)
        case model.Argument(var=model.Var(type=of_type), source=None):
            found.every.add(of_type.of)
        case model.WordFor(type=of_type):  # whatever number that is
            found.every.add(of_type.of)
        case model.Kind():
            _note_printed(value, found)
        case model.Zone(name=name) if " " in name:  # which nobody declares
            found.mentioned.add(name)
            found.read.setdefault(name, [value.span])
            found.written.setdefault(name, value.span)
        case model.Zone(kinds=kinds):
            found.types.update(kinds)
        case model.Grid(kinds=kinds):
            found.types.update(kinds)
        case model.Match(kept=kept):
            found.mentioned.update(kept)
        case _:
            pass
    if has(type(value)):
        for part in fields(type(value)):
            _note(getattr(value, part.name), found, own)


def _note_effect(line: model.Statement, found: Uses) -> None:
    """The zones and grids that a statement itself uses; counters and markers that it sets are not only written there."""
    effect = effect_of(line)
    for move in effect.arrivals:
        found.mentioned.add(move.place)
        found.written.setdefault(move.place, line.span)
        if move.source is not None:
            found.read.setdefault(move.source.zone, []).append(line.span)
    for pile in effect.mixes:
        found.mentioned.add(pile.zone)
        found.mixed.add(pile.zone)


def _note_fixed(body: model.Body, found: Uses, gone_through: frozenset[model.Var]) -> None:
    """The values that the setup gives. Where it does so under a condition, or not to all instances, others stay as they were.

    ``gone_through``: the names of loops around the lines that go through everything of a sort.
    """
    for line in body:
        match line:
            case model.SetVariable(name=name, owner=owner, value=value) if owner is None or (
                isinstance(owner, model.VarValue) and owner.var in gone_through
            ):
                found.fixed.setdefault(name, set()).add(value)
            case model.ForEach(var=var, members=model.AllPlayers() | model.AllOf() | Const(), body=inner):
                _note_fixed(inner, found, gone_through | {var})
            case _:
                found.changed.update(n.name for n in walk_statements(line) if isinstance(n, model.SetVariable))


def _note_words(value: int, type: Type, found: Uses) -> None:
    """The words of a constant: one, or those of a set."""
    if type.base == "word" and value >= 0:
        these = {bit for bit in range(value.bit_length()) if value >> bit & 1} if type.is_set else {value}
        found.words.setdefault(type.of, set()).update(these)


def _note_printed(kind: model.Kind, found: Uses) -> None:
    """The words that are printed on components."""
    for attribute in kind.attributes:
        if kind.rows is None:
            found.every.add(attribute.domain.type.of)
        else:
            for row in kind.rows:
                _note_words(row.values[attribute.name], attribute.domain.type.required, found)
