"""Counters and markers that are surely set again before anything reads them: the first value is lost.

The analysis runs backwards through each step and phase, with the names that are surely set before they are read (very busy, or
anticipated, assignments: Aho, Lam, Sethi and Ullman, "Compilers", second edition, 9.5). It knows nothing where more may happen
than is written: at the end of a step, before a choice (players see what is open), and where a trigger may fire. It follows only
counters and markers of the table, and none that a variant reads, sets or replaces, directly or through a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import define, field

from ....common.diagnostics import Diagnostic, warning
from ....common.source import Source, Span
from ....model import model
from ....model.effects import effect_of, is_statement
from ....model.model import Body, Model
from ....model.visitor import walk
from .overwritten import Defines, defines_of

Lost = Mapping[str, Span]  # the names that are surely set before they are asked for, with a place where they are
NOTHING: Lost = {}
ROUNDS = 4  # of a loop, until nothing changes


def lost(game: Model, file: Source) -> Iterator[Diagnostic]:
    """The lines of a file that set what is set again before anything asks for it (R330)."""
    declared = [line for line in game.declarations if isinstance(line, model.Step)]
    steps = {line.name: line.body for line in declared if line.entered is None}
    going = _Backwards(defines_of(game), steps, any(line.entered is not None for line in declared))
    for body in steps.values():
        going.body(body, NOTHING)
    edits = (*game.variants, *_replaced(game))
    of_variants = {node.name for node in going.all_nodes(edits) if isinstance(node, model.VariableValue | model.SetVariable)}
    for line, again in going.found.values():
        if line.span.source == file and line.name not in of_variants:
            yield warning(
                "R330",
                "this changes nothing: it is set again before anything asks for it",
                line.span,
                (again, "set again here"),
                help="remove one of these lines, or use the value between them",
            )


@define(eq=False)
class _Backwards:
    """``reacts``: whether steps are done by themselves after moves. ``found``: lines whose value is lost, by their place, and
    where it is set again. ``ends``: what is so behind each of the blocks around."""

    defines: Defines
    steps: Mapping[str, Body]
    reacts: bool
    found: dict[Span, tuple[model.SetVariable, Span]] = field(factory=dict)
    ends: dict[str, Lost] = field(factory=dict)

    def body(self, body: Body, behind: Lost) -> Lost:
        """What is so before some lines."""
        for line in reversed(body):
            behind = self.line(line, behind)
        return behind

    def line(self, line: model.Statement, behind: Lost) -> Lost:
        match line:
            case model.SetVariable(name=name, owner=None, value=value):
                if name in behind:
                    self.found[line.span] = line, behind[name]
                else:
                    self.found.pop(line.span, None)  # in another round of a loop
                return self.without({**behind, name: line.span}, [value])
            case model.If(condition=condition, then=then, otherwise=otherwise):
                return self.without(_both(self.body(then, behind), self.body(otherwise, behind)), [condition])
            case model.Choose(options=options, impossible=impossible):
                for option in options:
                    self.body(option.body, behind)
                self.body(impossible or (), behind)
                return NOTHING
            case model.ForEach(body=body) | model.Repeat(body=body) | model.RepeatTimes(body=body) | model.TakeTurns(body=body):
                asked = [part for part in _parts(line) if isinstance(part, model.Typed)]
                for _ in range(ROUNDS):
                    before = self.without(_both(behind, self.body(body, behind)), asked)
                    if before.keys() == behind.keys():
                        break
                    behind = before
                else:
                    self.body(body, NOTHING)
                    return NOTHING
                return NOTHING if isinstance(line, model.Repeat) and line.otherwise else before
            case model.NamedBlock(name=name, body=body):
                outside = self.ends.get(name)
                self.ends[name] = behind
                before = self.body(body, behind)
                if outside is None:
                    del self.ends[name]
                else:
                    self.ends[name] = outside
                return before
            case model.End(name=name):
                return self.ends.get(name, NOTHING)
            case _:
                return self.without(behind, [line])

    def all_nodes(self, lines: Iterable[model.Node]) -> Iterator[model.Node]:
        """All nodes of some lines, of the steps that they do, and of the defines that they name."""
        seen, todo = set[str](), list[Any](lines)
        while todo:
            for node in walk(todo.pop()):
                yield node
                match node:
                    case model.Apply(define=name) | model.Do(step=name) if name not in seen:
                        seen.add(name)
                        todo += [*(define.value for define in self.defines.get(name, ())), self.steps.get(name, ())]
                    case _:
                        pass

    def without(self, lost: Lost, asked: Iterable[model.Node]) -> Lost:
        """What is lost, without the names that some nodes read. An end of the game reads the score."""
        for node in self.all_nodes(asked) if lost else ():
            match node:
                case model.VariableValue(name=name) if name in lost:
                    lost = {each: span for each, span in lost.items() if each != name}
                case model.Choose() | model.End() | model.ScoreOf() | model.Winners():
                    return NOTHING
                case _ if self.reacts and is_statement(node) and effect_of(node).arrivals:
                    return NOTHING  # a step may be done by itself
                case _:
                    pass
        return lost


def _replaced(game: Model) -> Iterator[model.Node]:
    """The steps of a game that variants replace."""
    steps = model.Step | model.NamedBlock
    names = {line.name for variant in game.variants for line in variant.replaces if isinstance(line, steps)}
    for node in walk(game.declarations) if names else ():
        if isinstance(node, steps) and node.name in names:
            yield node


def _both(one: Lost, other: Lost) -> Lost:
    return {name: span for name, span in one.items() if name in other}


def _parts(line: model.Statement) -> Iterator[object]:
    """What a loop asks for."""
    for name in ("members", "until", "times", "start", "among", "at_most"):
        yield getattr(line, name, None)
    order = getattr(line, "order", None)
    yield from walk(order) if order is not None else ()
