"""Finds circles and excessive sizes in a table: words that explain one another, and steps that do one another.

Binding refuses a define that needs itself, but a variant may put another define in its place, and scores use defines that use
scores. So the whole table is looked at once more: which words use which, whether they form a circle, and how much there is to
compute when every word is written out. A machine has no recursion, and no way to stop a value in the middle of its computation.

Steps are bounded in the same way: how many of them do one another, and how many lines are run when each of them is written out.
Loops count their rounds while a game runs, and stop it; lines outside of loops do not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...common.graphs import callees_first, in_circles
from ...common.source import Span
from ...model import model
from ...model.model import DEPTH_LIMIT
from ...model.visitor import walk, walk_statements
from ..table import Table
from .fold import Settled

SIZE_LIMIT = 20_000  # parts of a value when all its words are written out; the largest of real games have some hundreds
LINES_LIMIT = 10_000  # lines of a step, with those of all steps that it does; the longest of real games have 140


def check_words(table: Table, settled: Settled) -> None:
    """Find circles among defines, score terms and the winner line, and values that are too large."""
    parts = dict(_parts(table))
    sizes: dict[str, int] = {}
    depths: dict[str, int] = {}

    def visit(name: str, path: tuple[str, ...]) -> bool:
        """Settle the size and depth of a word and of all that it asks; False after a finding."""
        if name in sizes:
            return True
        span, nodes = parts[name]
        found = [a for node in nodes for a in asked(node, table)]
        for other in dict.fromkeys(found):
            if other == name or other in path:
                circle = (*path[path.index(other) :], name, other) if other in path else (name, other)
                help = "the circle is " + ", ".join(map(_said, circle))
                settled.complain("R221", f"{_said(other)} is explained by itself", span, help=help)
                return False
            if len(path) >= 2 * DEPTH_LIMIT:
                break
            if not visit(other, (*path, name)):
                return False
        depths[name] = 1 + max((depths.get(a, DEPTH_LIMIT) for a in found), default=0)
        sizes[name] = sum(1 for node in nodes for _ in walk(node)) + sum(sizes.get(a, 0) for a in found)
        if depths[name] > DEPTH_LIMIT:
            settled.complain(
                "R216",
                f"to explain {_said(name)} takes {DEPTH_LIMIT} words one after the other",
                span,
                help="write it with fewer words",
            )
            return False
        if sizes[name] > SIZE_LIMIT:
            settled.complain(
                "R216",
                f"{_said(name)} is too long: more than {SIZE_LIMIT} parts when every word in it is written out",
                span,
                help="let it ask the same word once only",
            )
            return False
        return True

    for name in parts:
        if not visit(name, ()):
            return


def _parts(table: Table) -> Iterator[tuple[str, tuple[Span, tuple[model.Node, ...]]]]:
    for name, define in table.defines.items():
        yield name, (define.span, (define.value,))
    for term in table.terms:
        yield f"score for {term.name}", (term.span, tuple(x for x in (term.members, term.value, term.condition) if x is not None))
    yield "winners", (table.winner.span, table.winner.keys)


def asked(node: model.Node, table: Table) -> Iterator[str]:
    """The words that a part asks: defines, and score terms as ``score for TERM``."""
    for part in walk(node):
        match part:
            case model.Apply(define=define):
                yield define
            case model.ScoreOf(term=None):
                yield from (f"score for {term.name}" for term in table.terms)
            case model.ScoreOf(term=term):
                yield f"score for {term}"
            case model.Winners():
                yield "winners"
            case _:
                pass


def check_steps(table: Table, settled: Settled) -> None:
    """Find the first step that does too many others, one in another, or too many lines; circles are found elsewhere."""
    steps = {step.name: step for step in table.all_steps}
    done = {name: [node for node in walk_statements(step.body) if isinstance(node, model.Do)] for name, step in steps.items()}
    graph = {name: [node.step for node in nodes] for name, nodes in done.items()}
    if in_circles(graph):
        return
    depths: dict[str, int] = {}
    lines: dict[str, int] = {}
    for name in callees_first(graph):
        depths[name] = 1 + max((depths[callee] for callee in graph[name]), default=0)
        lines[name] = sum(1 for _ in walk_statements(steps[name].body)) + sum(lines[callee] for callee in graph[name])
        if depths[name] > DEPTH_LIMIT:
            deepest = max(done[name], key=lambda node: depths[node.step])
            message = f"{_step(steps[name])} leads through more than {DEPTH_LIMIT} steps, one in another"
            settled.complain("R216", message, steps[name].span, (deepest.span, "here"), help="let one step do more")
            return
        if lines[name] > LINES_LIMIT:
            longest = max(done[name], key=lambda node: lines[node.step], default=None)
            places = [] if longest is None else [(longest.span, f"this is {lines[longest.step]:,} of them")]
            message = f"{_step(steps[name])} is too long: more than {LINES_LIMIT:,} lines when each step in it is written out"
            settled.complain("R216", message, steps[name].span, *places, help="do what comes again and again in a `repeat`")
            return


def _step(step: model.Step) -> str:
    return "the setup" if step.form == "setup" else f"the {step.form} `{step.name}`" if step.entered is None else "this trigger"


def _said(name: str) -> str:
    return "the winner line" if name == "winners" else f"`{name}`"
