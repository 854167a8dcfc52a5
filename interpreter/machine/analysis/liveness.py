"""Liveness analysis: the locals that may still be read at each point of the flow.

The standard backward dataflow (Aho, Lam, Sethi, Ullman, *Compilers*, 9.2.5), over basic blocks and over the structured statements
inside them. A set of locals is a Python int: bit n stands for the local number n.

Calls need no analysis of their own. Routines never call themselves and never touch each other's locals, so for the caller a call
reads its arguments and writes nothing, and what is live behind it stays live through the whole call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from attrs import frozen

from ..blocks import Begin, Branch, Decide, End, Enter, Exit, Flow, Goto, Happen, Over, Round
from ..machine import (
    Alternative,
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Expr,
    Fail,
    Finish,
    Function,
    If,
    Leave,
    Load,
    Local,
    Message,
    Note,
    Return,
    Routine,
    Show,
    Stmt,
    While,
)
from ..traverse import every_expression, every_statement, expressions, said


@frozen
class Liveness:
    """``before[b]``: live where block b begins. ``at_stop[site]``: what the decision or chance event and all that follows it
    may read. ``across[b]``: live in the caller while the call at the end of block b runs.
    """

    before: list[int]
    at_stop: dict[int, int]
    across: dict[int, int]


def live_locals(flow: Flow) -> Liveness:
    """Live locals of all routines that stop."""
    reads = Reads()
    found = Liveness([0] * len(flow.blocks), {}, {})
    changed = True
    while changed:
        changed = False
        for number in range(len(flow.blocks) - 1, -1, -1):
            block = flow.blocks[number]
            live = reads.before(block.body, _before_end(number, block.end, found, reads))
            if live != found.before[number]:
                found.before[number] = live
                changed = True
    return found


def live_at_start(body: tuple[Stmt, ...]) -> int:
    """Locals that the body of a function, or of a routine without stops, may read before it has written them."""
    return Reads().before(body, 0)


def _before_end(number: int, end: End, found: Liveness, reads: Reads) -> int:
    """Live before the end of a block; what is live at its stop or across its call is noted on the way."""
    before = found.before
    match end:
        case Goto(target=target) | Begin(target=target):
            return before[target]
        case Branch(condition=condition, then=then, otherwise=otherwise):
            return reads.of(condition) | before[then] | before[otherwise]
        case Round(loop=loop, body=body, after=after):
            return reads.of(loop.condition) | before[body] | before[after]
        case Enter(args=args, back=back):
            found.across[number] = before[back]
            return before[back] | reads.of_all(args)
        case Exit() | Over():
            return 0
        case Decide(choose=choose, bodies=chosen, impossible=impossible):
            live = reads.of(choose.player) | reads.of_text(choose.so_far)
            for alternative, target in zip(choose.alternatives, chosen, strict=True):
                live |= reads.of(alternative.candidates) | reads.of(alternative.legal)
                live |= (reads.of_option(alternative) | before[target]) & ~mask(alternative.arguments)
            found.at_stop[choose.site] = live
            return live | before[impossible]
        case Happen(chance=chance, after=after):
            told = reads.of(chance.seen) | reads.of_text(chance.text) | reads.of_text(chance.hidden)
            live = reads.of(chance.pool) | ((told | before[after]) & ~mask([chance.result]))
            found.at_stop[chance.site] = live
            return live
        case _:
            assert_never(end)


class Reads:
    """What expressions and statements read; each expression is looked through once."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def of(self, expr: Expr) -> int:
        """The locals in an expression."""
        known = self._known.get(id(expr))
        if known is None:
            known = self._known[id(expr)] = mask(local for local in locals_of([expr]))
        return known

    def of_all(self, exprs: Iterable[Expr]) -> int:
        found = 0
        for expr in exprs:
            found |= self.of(expr)
        return found

    def of_text(self, message: Message | None) -> int:
        return self.of_all(said(message))

    def of_option(self, alternative: Alternative) -> int:
        """What is asked of one option of an alternative, its arguments set."""
        found = self.of(alternative.seen) | self.of_text(alternative.not_candidate)
        if alternative.piece is not None:
            found |= self.of(alternative.piece.value)
        for condition in (*alternative.outside, *alternative.conditions):
            found |= self.of(condition.test) | self.of_text(condition.reason)
        return found

    def before(self, body: tuple[Stmt, ...], after: int, labels: Mapping[str, int] | None = None) -> int:
        """Live before statements without stops, when ``after`` is live behind them and ``labels[l]`` behind block l."""
        live = after
        for stmt in reversed(body):
            live = self._before_statement(stmt, live, labels or {})
        return live

    def _before_statement(self, stmt: Stmt, after: int, labels: Mapping[str, int]) -> int:
        match stmt:
            case Assign(variable=Local() as local, value=value):
                return (after & ~mask([local])) | self.of(value)
            case If(condition=condition, then=then, otherwise=otherwise):
                return self.of(condition) | self.before(then, after, labels) | self.before(otherwise, after, labels)
            case While(condition=condition, body=body):
                live = after | self.of(condition)
                while (again := live | self.before(body, live, labels)) != live:
                    live = again
                return live
            case Block(label=label, body=body):
                return self.before(body, after, {**labels, label: after})
            case Leave(label=label):
                return labels[label]
            case Return() | Fail() | Finish():
                return self.of_all(expressions(stmt))
            case Assign() | Call() | Show() | Note():
                return after | self.of_all(expressions(stmt))
            case Choose() | Chance():
                raise AssertionError("a stop stands at the end of a basic block")
            case _:
                assert_never(stmt)


def locals_of(exprs: Iterable[Expr]) -> Iterator[Local]:
    """The locals that expressions read."""
    for outer in exprs:
        for expr in every_expression(outer):
            match expr:
                case Load(variable=Local() as local):
                    yield local
                case _:
                    pass


def locals_within(definition: Function | Routine) -> Iterator[Local]:
    """The locals of a function or routine wherever they stand, in the order of the text."""
    yield from definition.parameters
    for stmt in every_statement(definition.body):
        match stmt:
            case Assign(variable=Local() as local):
                yield local
            case Chance(result=local):
                yield local
            case Choose(alternatives=alternatives):
                for alternative in alternatives:
                    yield from alternative.arguments
            case _:
                pass
        yield from locals_of(expressions(stmt))


def own_locals(definition: Function | Routine) -> dict[int, Local]:
    """The locals of a function or routine by number, in the order of the text."""
    return {local.number: local for local in locals_within(definition)}


def mask(locals_: Iterable[Local]) -> int:
    """A set of locals."""
    found = 0
    for local in locals_:
        found |= 1 << local.number
    return found
