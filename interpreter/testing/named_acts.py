"""The option that an act in a test names, and the finding if it names none."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.nouns import counted, spoken, with_article
from ..machine.machine import Domain, Group, Machine
from ..model import model
from ..model.model import Expr

SHOWN = 8  # of the words that an option takes, more are not listed


def domain_of(expr: Expr, machine: Machine) -> Domain | None:
    """The words for the values of an expression; None for numbers."""
    match expr.type.base:
        case "player":
            return Domain(machine.seat_names)
        case "component":
            return machine.kinds[expr.type.of]
        case "word":
            return Domain(tuple(map(spoken, machine.lists[expr.type.of])))
        case "truth":
            return Domain(("no", "yes"))
        case "cell":
            return next(grid.domain for grid in machine.grids if grid.name == expr.type.of)
        case _:
            return None


def position(act: model.Act, group: Group, machine: Machine) -> int | None:
    """The position in a group of the option that an act names; None when it is none of this group."""
    if group.verb != act.verb:
        return None
    if act.arguments and ((_all_cells(act) and _takes_a_way(group)) or _takes_a_step(group, machine)):
        names, named = group.arguments[0].names, f"on {_cells(act)}" if _takes_a_way(group) else _cells(act)
        return names.index(named) if named in names else None
    if len(group.arguments) != len(act.arguments):
        return None
    found = 0
    for argument, domain in zip(act.arguments, group.arguments, strict=True):
        index = _index(argument, domain, machine)
        if index is None:
            return None
        found = found * len(domain.names) + index
    return found


def same_cells(chosen: int, group: Group) -> list[int]:
    """The other ways to lay a component on the cells of a way; none where the option lays nothing."""
    if not _takes_a_way(group):
        return []
    names = group.arguments[0].names
    cells = sorted(names[chosen].split())
    return [other for other, name in enumerate(names) if other != chosen and sorted(name.split()) == cells]


def misfit(act: model.Act, groups: Sequence[Group], machine: Machine) -> str:
    """Why an act names no option of these groups, which are those that can be chosen from here."""
    groups = list(dict.fromkeys(groups))
    same = [group for group in groups if group.verb == act.verb]
    if not same:
        return f"what can be chosen here is {', '.join(dict.fromkeys(group.verb for group in groups))}"
    for group in same:
        if _takes_a_way(group):
            return _no_way(act, group, machine)
        if _takes_a_step(group, machine):
            return _no_step(act, group, machine)
        if len(group.arguments) != len(act.arguments):
            continue
        for argument, domain in zip(act.arguments, group.arguments, strict=True):
            if _index(argument, domain, machine) is None:
                return f"`{act.verb}` {_takes(domain, machine)}"
    counts = sorted({len(group.arguments) for group in same})
    if counts == [0]:
        return f"`{act.verb}` takes nothing more"
    wanted = " or ".join(map(str, counts))
    return f"`{act.verb}` takes {wanted} thing{'s' if counts != [1] else ''}, and here are {len(act.arguments) or 'none'}"


def _takes(domain: Domain, machine: Machine) -> str:
    if domain.names[:1] == (str(domain.low),):
        return f"goes from {_ends(domain)}"
    for kind, components in machine.kinds.items():
        if components == domain:
            return f"takes {with_article(kind)}"
    if any(grid.domain == domain for grid in machine.grids):
        return f"takes a cell, {_ends(domain)}"
    return f"takes {', '.join(domain.names[:SHOWN])}{', ...' if len(domain.names) > SHOWN else ''}"


def _no_way(act: model.Act, group: Group, machine: Machine) -> str:
    """Why an act does not name a way to lay a component."""
    ways = [name.split()[1:] for name in group.arguments[0].names if "outside" not in name]
    if not act.arguments or not _all_cells(act):
        return f"`{act.verb}` takes the cells, such as `{act.verb} on {' '.join(ways[0])}`" if ways else "nothing fits the grid"
    missing = _no_cell(act, {cell for way in ways for cell in way}, machine)
    if missing:
        return missing
    if len(act.arguments) != len(ways[0]):
        return f"what is laid covers {counted(len(ways[0]), 'cell')}, and here are {len(act.arguments)}"
    return f"what is laid does not fit the cells {' '.join(argument.span.text for argument in act.arguments)}"


def _no_step(act: model.Act, group: Group, machine: Machine) -> str:
    """Why an act does not name a step from one cell to another."""
    steps = [name.split() for name in group.arguments[0].names if "outside" not in name]
    if not any(steps[0][1] in grid.domain.names for grid in machine.grids):
        return f"`{act.verb}` takes a cell and a direction, such as `{act.verb} {' '.join(steps[0])}`"
    if len(act.arguments) != 2 or not _all_cells(act):
        return f"`{act.verb}` takes two cells, such as `{act.verb} {' '.join(steps[0])}`"
    here, there = (argument.span.text for argument in act.arguments)
    missing = _no_cell(act, {cell for step in steps for cell in step}, machine)
    return missing or f"no step of `{act.verb}` leads from {here} to {there}"


def _no_cell(act: model.Act, known: set[str], machine: Machine) -> str:
    """Which cell of an act is on no grid; "" when all are there. ``known``: cells of the grid that is meant."""
    grids = [grid for grid in machine.grids if known <= set(grid.domain.names)]
    for argument in act.arguments:
        if not any(argument.span.text in grid.domain.names for grid in grids):
            there = f"on {grids[0].name}, which goes from {_ends(grids[0].domain)}" if len(grids) == 1 else "here"
            return f"there is no cell {argument.span.text} {there}"
    return ""


def _ends(domain: Domain) -> str:
    return f"{domain.names[0]} to {domain.names[-1]}"


def _index(argument: Expr, domain: Domain, machine: Machine) -> int | None:
    """Which word of a domain an argument stands for."""
    if isinstance(argument, model.CellNamed):
        return domain.names.index(argument.span.text) if argument.span.text in domain.names else None
    if not isinstance(argument, model.Const):
        return None
    own = domain_of(argument, machine)
    if own is None:  # a number: of a range, or of a list of numbers
        said = str(argument.value)
        return domain.names.index(said) if said in domain.names else None
    index = argument.value - domain.low
    return index if domain == own and 0 <= index < len(domain.names) else None


def _all_cells(act: model.Act) -> bool:
    return all(isinstance(argument, model.CellNamed) for argument in act.arguments)


def _takes_a_way(group: Group) -> bool:
    return len(group.arguments) == 1 and group.arguments[0].names[:1] != () and group.arguments[0].names[0].startswith("on ")


def _takes_a_step(group: Group, machine: Machine) -> bool:
    """Whether an option takes two cells, of which each pair that there is has a name: ``b2 b3``."""
    if len(group.arguments) != 1 or group.arguments[0] in machine.kinds.values():
        return False
    cell, _, more = group.arguments[0].names[0].partition(" ")
    return bool(more) and any(cell in grid.domain.names for grid in machine.grids)


def _cells(act: model.Act) -> str:
    return " ".join(argument.span.text for argument in act.arguments)
