"""Resets the counter of a limit where its step ends, however it ends.

``limit 1 per turn`` is bound as a condition on a counter, which is raised by 1 when the option is chosen. The reset must wait for
the variants, which may put another step in the place of one. The counter is 0 outside the step, so that equal positions are
equal::

    step turn                              step turn
        ada chooses                            ada chooses
            keep                                   keep
                limit 1 per turn                       only if keep per turn < 1 otherwise "limit 1 per turn"
                ...                                    set keep per turn = keep per turn + 1
                                                       ...
        if deck is empty: end game             if deck is empty
                                                   set keep per turn = 0
                                                   end game
                                           set keep per turn = 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from ...model import model
from ...model.model import NUMBER, Body, Const
from ...model.visitor import body_with_bodies, children, walk_statements, with_bodies
from ..table import Range, Variable
from .fold import Settled

MOST = (1 << 31) - 1  # of a limit that an option gives which is left open


def counted(steps: tuple[model.Step, ...], settled: Settled) -> tuple[model.Step, ...]:
    """The steps of a table with the counters of their limits set to 0 where they end; a limit that is never around is R241."""
    limits = {limit.counter: limit for option in _options(steps) for limit in option.limits}
    if not limits:
        return steps
    _are_around(steps, settled)
    zeros: dict[str, Body] = {}
    for limit in limits.values():
        none = Const(0, type=NUMBER, span=limit.span)
        zeros[limit.step] = (*zeros.get(limit.step, ()), model.SetVariable(limit.counter, None, none, span=limit.span))

    def in_place(body: Body) -> Body:
        return tuple(
            evolve(s, body=_ending(s.body, zeros[s.name])) if isinstance(s, model.NamedBlock) and s.name in zeros else s
            for s in body
        )

    found = (with_bodies(step, in_place) for step in steps)
    return tuple(evolve(s, body=_ending(s.body, zeros[s.name])) if s.name in zeros else s for s in found)


def counters(steps: Iterable[model.Step]) -> dict[str, Variable]:
    """The counters that the limits of some steps need; nobody is shown them."""
    found = {}
    for limit in (limit for option in _options(steps) for limit in option.limits):
        most = limit.count.value if isinstance(limit.count, Const) else MOST
        found[limit.counter] = Variable(limit.counter, "limit", None, NUMBER, Range(0, max(1, most)), "hidden", limit.span)
    return found


def _options(steps: Iterable[model.Step]) -> Iterator[model.Option]:
    return (node for step in steps for node in walk_statements(step.body) if isinstance(node, model.Option))


def _ending(body: Body, zero: Body) -> Body:
    """The body of a step that does ``zero`` before it is over, at its end and before each `end` that leaves it."""
    inner = {node.name for node in walk_statements(body) if isinstance(node, model.NamedBlock)}

    def before_ends(lines: Body) -> Body:
        found: list[model.Statement] = []
        for line in lines:
            if isinstance(line, model.End) and line.name not in inner:
                found.extend(zero)
            found.append(line)
        return tuple(found)

    return (*body_with_bodies(body, before_ends), *zero)


# ---- Is the step around the choice?


def _are_around(steps: tuple[model.Step, ...], settled: Settled) -> None:
    """Every way to an option with a limit leads through the limit's step: it stands inside it, or is done only from there."""
    around = _ways(steps)
    for step in steps:
        for node, blocks in _inside(step.body, ()):
            if not isinstance(node, model.Option):
                continue
            here = around[step.name] | set(blocks)
            for limit in node.limits:
                if limit.step not in here:
                    names = [f"`{name}`" for name in (*reversed(blocks), *sorted(around[step.name] - {"setup", *blocks}))]
                    settled.complain(
                        "R241",
                        f"`{node.verb}` is not chosen inside `{limit.step}`",
                        limit.span,
                        help=f"what is around it: {', '.join(names)}" if names else "no step or phase is around it",
                    )


def _ways(steps: tuple[model.Step, ...]) -> dict[str, frozenset[str]]:
    """For each step, the steps and phases inside which it is done, whichever way leads to it; itself included."""
    form = {step.name: step.form for step in steps}
    calls: dict[str, list[tuple[str, tuple[str, ...]]]] = {step.name: [] for step in steps}
    for step in steps:
        for node, blocks in _inside(step.body, ()):
            if isinstance(node, model.Do):
                calls[node.step].append((step.name, blocks))
    everything = frozenset(
        [*calls, *(node.name for step in steps for node in walk_statements(step.body) if isinstance(node, model.NamedBlock))]
    )
    found: dict[str, frozenset[str]] = {}

    def ways(name: str, path: tuple[str, ...]) -> frozenset[str]:
        if name in path:
            return everything  # steps in a circle are refused later
        if name not in found:
            here = everything if form[name] == "step" else frozenset()  # a step that is never done may be anywhere
            for caller, blocks in calls[name]:
                here &= ways(caller, (*path, name)) | set(blocks)
            found[name] = here | {name}
        return found[name]

    for step in steps:
        ways(step.name, ())
    return found


def _inside(node: model.Node | Body, blocks: tuple[str, ...]) -> Iterator[tuple[model.Node, tuple[str, ...]]]:
    """All nodes below one that are no expressions, each with the steps in place around it, the outermost first."""
    for part in node if isinstance(node, tuple) else children(node):
        if not isinstance(part, model.Typed):
            yield part, blocks
            yield from _inside(part, (*blocks, part.name) if isinstance(part, model.NamedBlock) else blocks)
