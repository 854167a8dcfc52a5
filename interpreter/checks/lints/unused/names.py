"""Declarations that are of no use: unused names, values that nobody reads or sets, words that never occur (R320 to R325).

A name that only a test, a variant, a text or some tables use is used. But an option that only tests read changes nothing, and a
counter that only tests set is never set. A file that extends another is responsible for its own names only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....common.diagnostics import Diagnostic, fault, warning
from ....common.source import Source, Span
from ....model import model
from ....model.directions import DIRECTION
from ....model.model import Model
from ....model.visitor import children
from .uses import Uses, uses_of


def names(game: Model, file: Source) -> Iterator[Diagnostic]:
    """What is wrong with the names that stand in a file of a game (R320 to R325)."""
    uses = uses_of(game)
    declared = (*game.declarations, *(line for variant in game.variants for line in variant.adds))
    options = {line.domain.type.of for line in declared if isinstance(line, model.OptionDeclaration)}
    explicit = {line.name for line in declared if isinstance(line, model.WordList)}
    for line in declared:
        if line.span.source == file:
            yield from _of(line, uses)
            for name, span in _lists_of(line, explicit):
                if name in uses.types and name not in options and (name in explicit or name != DIRECTION):
                    yield from _words(span, uses.words.get(name, set()), game.lists[name], name in uses.every)
            yield from _unused_lets(line, uses)
    for variant in game.variants:
        if variant.span.source == file:
            for edit in (*variant.replaces, *variant.insertions):
                yield from _unused_lets(edit, uses)


def _of(line: model.Declaration, uses: Uses) -> Iterator[Diagnostic]:
    match line:
        case model.OptionDeclaration(name=name) if name not in uses.options:
            yield warning(
                "R321",
                f"nobody reads the option `{name}`: whatever it is set to, the game is the same",
                line.span,
                help="use it in a rule, or remove it",
            )
        case model.Zone(name=name) | model.Grid(name=name):
            if name not in uses.mentioned:
                yield _unused("zone", name, line.span)
            elif name not in uses.written:
                yield from _never_set(
                    "R323",
                    f"nothing is ever put into the zone `{name}`",
                    line,
                    uses,
                    "move or draw something into it, or remove it and what uses it",
                )
            elif isinstance(line, model.Zone) and _is_dead(line, uses):
                message = f"what comes into the zone `{name}` never leaves it, and nothing asks for it"
                help = "use it in a rule or in the score; or move what goes there to `box`, and remove the zone"
                yield warning("R322", message, line.span, (uses.written[name], "put here"), help=help)
        case model.Variable(name=name, form="counter" | "marker"):
            if name not in uses.mentioned:
                yield _unused(line.form, name, line.span)
            elif name not in uses.written and not line.is_written:
                help = "say who wins: `player wins`; or give the game a score and a `winner` line"
                yield from _never_set("R324", "nobody ever wins this game", line, uses, help)
            elif name not in uses.written:
                yield from _never_set(
                    "R324",
                    f"nothing ever changes the {line.form} `{name}`",
                    line,
                    uses,
                    f"change it in a rule (`{_changed(line)}`), or remove the {line.form} and what uses it",
                )
            elif name not in uses.read:
                message = f"the {line.form} `{name}` is set, and nothing uses it"
                help = "use it in a rule or in the score, or remove it"
                yield warning("R322", message, line.span, (uses.written[name], "set here"), help=help)
            elif name not in uses.changed and len(fixed := uses.fixed.get(name, set())) == 1 and _are_plain(fixed):
                (value,) = fixed
                message = f"the {line.form} `{name}` is always {value.span.text}"
                help = f"change it in a rule (`{_changed(line)}`), or write {value.span.text} where it is used, and remove it"
                yield warning("R324", message, line.span, (uses.written[name], "it is set here, and never again"), help=help)
        case model.TableDeclaration(name=name, columns=columns, column_spans=spans):
            unused = [(column, span) for column, span in zip(columns, spans, strict=True) if (name, column) not in uses.columns]
            if len(unused) == len(columns):
                yield _unused("table", name, line.span)
            else:
                for column, span in unused:
                    yield _unused("column", column, span, f" of the table `{name}`")
        case model.Define(name=name, value=value) if name not in uses.defines and not isinstance(value, model.PlaceOf):
            yield _unused("define", name, line.span)
        case model.Step(form="step", entered=None, name=name) if name not in uses.steps:
            yield _unused("step", name, line.span, help="write `do` and its name where it happens, or remove it")
        case model.WordList(name=name) if name not in uses.types:
            yield _unused("list", name, line.span)
        case model.Kind(name=name) if name not in uses.types:
            yield _unused("kind", name, line.span, help="give it a zone to lie in, or remove it")
        case _:
            pass


def _is_dead(zone: model.Zone, uses: Uses) -> bool:
    """Whether nothing takes components out of a zone or asks for them, though it is there for something: players have it to keep
    things, or it is shuffled. What is out of the game may lie in a place of the table, and one thing may lie there to be seen."""
    is_for_something = zone.name in uses.mixed or (zone.owned and (zone.shape != "slot" or zone.visibility != "open"))
    return is_for_something and zone.name not in uses.read and uses.found.isdisjoint(zone.kinds)


def _lists_of(line: model.Declaration, explicit: set[str]) -> Iterator[tuple[str, Span]]:
    """The lists whose words stand in a line, and where."""
    match line:
        case model.WordList(name=name):
            yield name, line.span
        case model.Variable(form="marker", domain=model.Domain(type=model.Type(base="word", of=of))) if of not in explicit:
            yield of, line.span
        case model.Kind(attributes=attributes):
            for attribute in attributes:
                if attribute.name == attribute.domain.type.of:
                    yield attribute.name, attribute.span
        case _:
            pass


def _words(span: Span, named: set[int], words: tuple[str, ...], all_named: bool) -> Iterator[Diagnostic]:
    """Words of a list that nothing prints, names, offers or goes through, unlike others of it."""
    unused = [word for index, word in enumerate(words) if index not in named]
    if named and unused and not all_named:
        said = ", ".join(f"`{word}`" for word in unused[:5]) + (" ..." if len(unused) > 5 else "")
        message = f"nothing is ever {said}: no component, row or line of the rules has it"
        yield warning("R325", message, span, help="use it, or take it out of the list")


def _unused_lets(line: model.Node, uses: Uses) -> Iterator[Diagnostic]:
    """Names that a line gives to something and nothing asks for; those that a construct makes are not written anywhere."""
    todo = [line]
    while todo:
        node = todo.pop()
        if isinstance(node, model.Let) and node.var not in uses.locals:
            yield _unused("name", node.var.name, node.span)
        if not isinstance(node, model.NamedBlock) or node.is_written:
            todo += children(node)


def _never_set(code: str, message: str, line: model.Declared, uses: Uses, help: str) -> Iterator[Diagnostic]:
    asked = dict.fromkeys(span for span in uses.read.get(line.name, ()) if span != line.span)
    yield fault(code, message, line.span, *((span, "used here") for span in asked), help=help)


def _are_plain(values: Iterable[model.Expr]) -> bool:
    return all(isinstance(value, model.Const) for value in values)


def _changed(line: model.Variable) -> str:
    """A statement that changes a counter or marker, as it is written."""
    target = " ".join((line.name, *map(str, line.parameters)))
    return f"add 1 to {target}" if line.domain.type.base == "number" else f"set {target} to ..."


def _unused(what: str, name: str, span: Span, more: str = "", help: str = "use it, or remove it") -> Diagnostic:
    return warning("R320", f"nothing uses the {what} `{name}`{more}", span, help=help)
