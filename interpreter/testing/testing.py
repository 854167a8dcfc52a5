"""Runs the tests in a rules file.

A test gets a table and a machine of its own (`prepared_tests`). Chance follows the test's own lines, or else a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from ..common.diagnostics import Diagnostic, fault
from ..common.source import Span
from ..machine.knowledge import forget
from ..machine.machine import NONE, Chance, Choose, Group
from ..machine.reference.executor import Executor, FunctionFault
from ..machine.reference.stops import Stop
from ..model import model
from ..model.model import Const, Expr
from ..play.decisions import text_of
from . import named_acts
from .prepared_tests import Prepared, given_step, options_of, plays_all

CHANGES_SHOWN = 3  # lines that changed what a failed test expects
SEED = 1  # of chance that a test leaves open

FindingsAt = Callable[[model.Model, int, Iterable[str], Mapping[str, str | int | bool]], tuple[Diagnostic, ...]]


@frozen
class TestResult:
    """How a test ended. ``acts``: how many decisions were taken in it."""

    title: str
    span: Span
    passed: bool
    diagnostics: tuple[Diagnostic, ...]
    acts: int


def run_prepared(
    whole: model.Model, test: model.Test, ready: Prepared, executor: Executor | None, findings_at: FindingsAt
) -> TestResult:
    """Run one test; one that only says what the check finds is not played.

    ``executor``: plays its machine, if it has one. ``findings_at``: checks its table, where findings are expected
    (`checks/one_table.py`).
    """
    wrong = ready.diagnostics or _unexpected(whole, test, findings_at)
    if wrong or executor is None:
        return TestResult(test.title, test.span, not wrong, wrong, 0)
    run = _Run(executor, test, ready.lines)
    try:
        for index, line in enumerate(ready.lines):
            run.line(index, line)
        run.close()
    except _Failed as failed:
        return TestResult(test.title, test.span, False, failed.diagnostics, run.acts)
    return TestResult(test.title, test.span, True, (), run.acts)


def _unexpected(whole: model.Model, test: model.Test, findings_at: FindingsAt) -> tuple[Diagnostic, ...]:
    """What the check of the test's table finds instead of what the test says; nothing where they agree."""
    lines = [line for line in test.lines if isinstance(line, model.ExpectFinding)]
    found = findings_at(whole, len(test.seats), test.variants, options_of(whole, test)) if lines else ()
    for line in lines:
        same = [d.message for d in found if d.code == line.code]
        if not same:
            codes = ", ".join(dict.fromkeys(d.code for d in found)) or "nothing"
            return fault("R502", f"the check of this table finds {codes}, and {line.code} is expected", line.span), *found
        if not any(line.text in message for message in same):
            return (fault("R502", f"{line.code} is found, and says: {same[0]}", line.span),)
    return ()


# ---- On the machine


class _Failed(Exception):
    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics = diagnostics


class _Run:
    """A test as it is played."""

    def __init__(self, executor: Executor, test: model.Test, lines: Sequence[model.TestLine]) -> None:
        self.machine = executor.machine
        self.test = test
        self.lines = lines
        self.executor = executor
        self.cells = self.executor.fresh(SEED)
        self.coming: list[Expr] = []
        self.acts = 0
        self.stop = self.executor.enter(self.cells, "begin")
        self.whole = plays_all(test)

    def line(self, index: int, line: model.TestLine) -> None:
        """Do what a line says, or raise `_Failed`."""
        if self.whole and not isinstance(line, model.Chance):
            self.whole = False
            self.go(self.executor.enter_main(self.cells, 0), line.span)
        match line:
            case model.GivenZone() | model.GivenLaid():
                before = list(self.cells)
                self.set_up(index, line.span)
                forget(self.machine, before, self.cells)
            case model.GivenVariable() | model.GivenKnown():
                self.set_up(index, line.span)
            case model.RunSetup():
                if "setup" in self.machine.routines:
                    self.go(self.executor.enter(self.cells, "setup"), line.span)
            case model.Chance(outcomes=outcomes):
                self.coming += outcomes
            case model.Start(step=step, args=args):
                if given_step(index) in self.machine.steps:
                    self.go(self.executor.enter(self.cells, self.machine.steps[given_step(index)]), line.span)
                else:
                    self.start(step, args, line.span)
            case model.Act():
                self.play(line)
            case model.Expect(condition=condition):
                self.expect(index, condition, line.span)
            case model.ExpectCan(acts=acts):
                for act in acts:
                    why = self.refusal(act)
                    if why:
                        raise _Failed(fault("R502", f"{self.name(act)} cannot {self.said(act)}: {why}", act.span))
            case model.ExpectCannot(act=act, reason=reason):
                self.expect_not(act, reason, line.span)
            case model.ExpectFinding():
                pass  # asked of the table, not of the game

    def close(self) -> None:
        """The end of the test: everything that was said of chance has come."""
        if self.whole:
            self.go(self.executor.enter_main(self.cells, 0), self.test.span)
        if self.coming:
            left = ", ".join(outcome.span.text for outcome in self.coming)
            message = f"chance never came to {left}"
            help = (
                "take it out of the `chance` line, or write the line before the one that brings it about; "
                "what can come out in one way only is no chance event"
            )
            raise _Failed(fault("R503", message, self.coming[0].span, help=help))

    def start(self, step: str, args: tuple[Expr, ...], span: Span) -> None:
        if step not in self.machine.steps:
            message = f"`{step}` is given a cell, and it is not said on whose grid"
            raise _Failed(fault("R504", message, span, help="start a step that does it"))
        name = self.machine.steps[step]
        if name in self.machine.main:
            self.go(self.executor.enter_main(self.cells, self.machine.main.index(name)), span)
        else:
            self.go(self.executor.enter(self.cells, name, [self.value(a) for a in args]), span)

    def set_up(self, index: int, span: Span) -> None:
        """Do what a line of `given` says; where things lie in the way, the test is told how to take them away."""
        try:
            self.go(self.executor.enter(self.cells, self.machine.steps[given_step(index)]), span)
        except _Failed as failed:
            given = span.text.partition(":")[0]
            help = {
                "R609": "a slot holds one component: name one",
                "R612": f"lay it elsewhere, or empty the grid first: `{given}: empty`",
            }
            raise _Failed(
                *(fault(d.code, d.message, d.span, help=help[d.code]) if d.code in help else d for d in failed.diagnostics)
            ) from None

    def go(self, stop: Stop, span: Span) -> None:
        """Let chance happen until somebody has to choose, or nothing is left to do."""
        while stop.kind == "chance":
            node = stop.node
            assert isinstance(node, Chance)
            possible = [value for value, _ in self.executor.outcomes(self.cells)]
            if self.coming:
                outcome = self.coming.pop(0)
                value = self.value(outcome)
                name = node.domain.name(possible[0])
                bare = isinstance(outcome, model.Const) and outcome.type == model.NUMBER and not name.lstrip("-").isdigit()
                if bare or value not in possible:
                    could = ", ".join(node.domain.name(p) for p in possible[:8]) + (", ..." if len(possible) > 8 else "")
                    message = f"chance cannot bring {outcome.span.text} here"
                    of_components = bare and node.domain.name(0) != "player 1"
                    help = f"components stand in square brackets: `[{name}]`" if of_components else ""
                    raise _Failed(fault("R503", message, outcome.span, (node.span, f"this brings: {could}"), help=help))
            else:
                value = self.executor.draw(self.cells)
            stop = self.executor.happen(self.cells, value)
        if stop.kind == "fault" and stop.fault is not None:
            found = stop.fault
            raise _Failed(fault(found.code, stop.text, found.span, (span, "the test was here"), help=found.help))
        self.stop = stop

    def play(self, act: model.Act) -> None:
        why = self.refusal(act)
        if why:
            raise _Failed(fault("R504", f"{self.name(act)} cannot {self.said(act)}: {why}", act.span))
        number = self.number(act)
        assert number is not None
        self.acts += 1
        self.go(self.executor.choose(self.cells, number), act.span)

    def refusal(self, act: model.Act) -> str:
        """Why an act is not possible now; "" when it is."""
        other = self.not_deciding(act)
        if other:
            return other
        offered = [self.machine.groups[alternative.group] for alternative in self.node().alternatives]
        for group in offered:
            position = named_acts.position(act, group, self.machine)
            if position is not None:
                return self.why_not(group, position)
        for argument in act.arguments:
            if not isinstance(argument, model.CellNamed):
                self.value(argument)
        return named_acts.misfit(act, offered, self.machine)

    def why_not(self, group: Group, position: int) -> str:
        """Why an option that is named here is not allowed; "" when it is."""
        refusal = self.executor.why_not(self.cells, group.base + position)
        if refusal is None:
            return ""
        if refusal.condition is None:
            for other in named_acts.same_cells(position, group):
                found = self.executor.why_not(self.cells, group.base + other)
                if found is None or found.condition is not None:
                    return f"this is the same as `{text_of(group, other)}`"
        return refusal.text

    def not_deciding(self, act: model.Act) -> str:
        """Why the player of an act has nothing to choose now; "" when they have."""
        if self.stop.kind != "decision":
            return "the game is over" if self.stop.kind == "over" else "nobody has to choose now"
        player = self.executor.player(self.cells)
        return f"it is {self.machine.seat_names[player]} who has to choose now" if player != self.value(act.player) else ""

    def number(self, act: model.Act) -> int | None:
        """The option that an act names, among those offered here."""
        for alternative in self.node().alternatives:
            group = self.machine.groups[alternative.group]
            position = named_acts.position(act, group, self.machine)
            if position is not None:
                return group.base + position
        return None

    def node(self) -> Choose:
        assert isinstance(self.stop.node, Choose)
        return self.stop.node

    def expect(self, index: int, condition: Expr, span: Span) -> None:
        try:
            if self.executor.evaluate(self.cells, f"expect {index}"):
                return
            message = f"this does not hold: {condition.span.text}"
            if f"found {index}" in self.machine.functions and isinstance(condition, model.Compare):
                found = self.executor.evaluate(self.cells, f"found {index}")
                message = f"{condition.left.span.text} is {self.shown(condition.left, found)}"
                if condition.op == "=":
                    wanted = self.executor.evaluate(self.cells, f"wanted {index}")
                    message += f", and {self.shown(condition.right, wanted)} is expected"
        except FunctionFault as stopped:
            found_fault = stopped.stop.fault
            assert found_fault is not None
            raise _Failed(fault(found_fault.code, stopped.stop.text, found_fault.span, (span, "asked here"))) from None
        help = "either the rules or the test is wrong: change one of them"
        raise _Failed(fault("R502", message, span, *[*self.changes_of(index, condition)][-CHANGES_SHOWN:], help=help))

    def changes_of(self, index: int, condition: Expr) -> Iterator[tuple[Span, str]]:
        """The lines before that changed what is expected, each with what it was then; the test is played again for that."""
        if f"found {index}" not in self.machine.functions or not isinstance(condition, model.Compare):
            return
        if condition.left.type.is_set:
            return
        again = _Run(Executor(self.machine), self.test, self.lines)  # of its own: nobody counts what is played for this
        before: int | None = None
        for number, line in enumerate(self.lines[:index]):
            again.line(number, line)
            try:
                now = again.executor.evaluate(again.cells, f"found {index}")
            except FunctionFault:
                continue
            if now != before and (before is not None or isinstance(line, model.GivenVariable)):
                yield line.span, f"it is {self.shown(condition.left, now)} now"
            before = now

    def expect_not(self, act: model.Act, reason: str | None, span: Span) -> None:
        why = self.refusal(act)
        if not why:
            raise _Failed(fault("R502", f"{self.name(act)} can {self.said(act)}", span))
        if reason is None and self.not_deciding(act):
            help = f'`cannot` is said of who has to choose; if that is meant, add `because "{why}"`'
            raise _Failed(fault("R502", why, span, help=help))
        if reason is not None and why != reason:
            raise _Failed(fault("R502", f'the reason given is "{why}"', span))

    # -- words

    def value(self, expr: Expr) -> int:
        if isinstance(expr, Const):
            return expr.value
        raise _Failed(fault("R504", "a test names things: components, words, numbers, players", expr.span))

    def name(self, act: model.Act) -> str:
        return self.machine.seat_names[self.value(act.player)]

    def said(self, act: model.Act) -> str:
        for group in self.machine.groups:
            position = named_acts.position(act, group, self.machine)
            if position is not None:
                return text_of(group, position)
        return act.span.text

    def shown(self, expr: Expr, value: int) -> str:
        """A value in words."""
        domain = named_acts.domain_of(expr, self.machine)
        if expr.type.is_set and domain is not None:
            return f"({', '.join(domain.name(v) for v in domain.members(value))})" if value else "empty"
        if domain is None:
            return "none" if expr.type.optional and value == NONE else str(value)
        return domain.name(value)
