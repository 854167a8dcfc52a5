"""Options that are taken face down, and at once show all that was taken (R376)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...common.diagnostics import Diagnostic, warning
from ...common.source import Span
from ...model import model
from ...model.model import Body, Model, Var
from ...model.visitor import walk

Place = model.Zone | model.Grid | model.Variable


def places_of(game: Model) -> dict[str, Place]:
    """The zones, grids, counters and markers of a game and its variants, by name."""
    lines = (*game.declarations, *(added for variant in game.variants for added in variant.adds))
    return {each.name: each for each in lines if isinstance(each, Place)}


def shown_to_all(line: model.Node, declared: Mapping[str, Place]) -> Iterator[Diagnostic]:
    """Options of a line that are `face down`, and whose component goes to an open place, or whose number or word to an open
    counter or marker, whatever happens. What all choose at once is shown when all have chosen, so it is none of these."""
    for node in walk(line):
        if isinstance(node, model.Option) and node.face_down:
            gathered = {each.var for each in node.body if isinstance(each, model.Gather) and each.face_down}
            named = gathered if node.secret else {argument.var for argument in node.arguments}
            shown = next(_shown(node.body, named, declared), None)
            if shown is not None:
                where, place = shown
                hidden = f", or let `{place.name}` be `private` or `hidden`"
                yield warning(
                    "R376",
                    f"`{node.verb}` is done face down, and all see at once what was taken",
                    where,
                    (place.span, "this is open"),
                    (node.span, "face down, so that the others learn no more than that it is done"),
                    label=f"`{place.name}` shows it to all",
                    help="leave `face down` out" + hidden * (not isinstance(place, model.Grid)),
                )


def _shown(body: Body, named: set[Var], declared: Mapping[str, Place]) -> Iterator[tuple[Span, Place]]:
    """The statements of a body, done whatever happens, that show what a name stands for, with the place that shows it."""
    for node in _flat(body):
        match node:
            case model.Move(what=model.VarValue(var=var), to=model.Spot(zone=name)) if var in named:
                place = declared.get(name)
                if isinstance(place, model.Grid) or (isinstance(place, model.Zone) and place.visibility == "open"):
                    yield node.span, place
                named = named - {var}
            case model.Lay(what=model.VarValue(var=var), grid=name) if var in named and name in declared:
                yield node.span, declared[name]
            case model.SetVariable(name=name, value=model.VarValue(var=var)) if var in named:
                place = declared.get(name)
                if isinstance(place, model.Variable) and place.visibility == "open":
                    yield node.span, place
            case model.If() | model.ForEach() | model.Choose() | model.Do() | model.End():
                return  # what is done behind it may depend on it
            case _:
                pass


def _flat(body: Body) -> Iterator[model.Statement]:
    """The statements of a body, those of the blocks with a name in the places of these."""
    for node in body:
        if isinstance(node, model.NamedBlock):
            yield from _flat(node.body)
        else:
            yield node
