"""Facts that hold at a point of the code, on one path to it: values of locals, and conditions that hold or do not."""

from __future__ import annotations

from collections.abc import Mapping, Set
from itertools import islice
from math import inf

from attrs import define, field

from ..machine import FACES, Const, Expr, Field, Function, Invoke, Load, Local, Lookup, Op, OpName, Return, Variable
from ..traverse import every_expression

SMALL = 16  # parts of an expression that is remembered


@define(eq=False)
class Facts:
    """``values``: for which small expression a local stands. ``facts``: small conditions that surely hold, or surely do not.

    Expressions in both are *resolved*: locals in them are replaced by what they stand for, and functions that only return
    something small by that.
    """

    functions: Mapping[str, Function]
    values: dict[Local, Expr] = field(factory=dict)
    facts: dict[Expr, bool] = field(factory=dict)

    def copy(self) -> Facts:
        return Facts(self.functions, dict(self.values), dict(self.facts))

    def take(self, other: Facts) -> None:
        """Know what is known elsewhere, and nothing else."""
        self.values, self.facts = other.values, other.facts

    def common(self, other: Facts) -> Facts:
        """What is known on either of two ways."""
        values = {local: value for local, value in self.values.items() if other.values.get(local) == value}
        facts = {fact: holds for fact, holds in self.facts.items() if other.facts.get(fact) == holds}
        return Facts(self.functions, values, facts)

    def resolved(self, expr: Expr) -> Expr:
        match expr:
            case Load(variable=Local() as local):
                return self.values.get(local, expr)
            case Load(variable=variable, index=index) if index is not None:
                return Load(variable, self.resolved(index))
            case Lookup(table=table, index=index):
                return Lookup(table, self.resolved(index))
            case Op(name=name, args=args):
                match name, tuple(map(self.resolved, args)):
                    case "+", (Const(value=one), Const(value=other)):
                        return Const(one + other)
                    case "-", (Const(value=one), Const(value=other)):
                        return Const(one - other)
                    case _, parts:
                        return Op(name, parts)
            case Invoke(function=name, args=args):
                function = self.functions[name]
                match function.body:
                    case (Return(value=value),) if value is not None and _is_small(value):
                        given = map(self.resolved, args)
                        return Facts(self.functions, dict(zip(function.parameters, given, strict=True))).resolved(value)
                    case _:
                        return Invoke(name, tuple(map(self.resolved, args)))
            case _:
                return expr

    def forget(self, changed: Set[Variable]) -> None:
        """Forget all that depends on some variables."""
        values = self.values.items()
        self.values = {local: value for local, value in values if local not in changed and not _asks(value, changed)}
        self.facts = {fact: holds for fact, holds in self.facts.items() if not _asks(fact, changed)}

    def give(self, local: Local, value: Expr) -> None:
        """Give a local its value."""
        value = self.resolved(value)
        self.forget({local})
        match value:
            case Op(name="first" | "after", args=(these, *_)):
                if self.facts.get(Op("=", (these, Const(0)))) is False and not _asks(these, {local}):
                    self.assume_member(these, Load(local))
            case _ if _is_small(value) and not _asks(value, {local}):
                self.values[local] = value

    # ---- Conditions

    def assuming(self, condition: Expr, holds: bool) -> Facts:
        """What is known where a condition holds, or does not."""
        found = self.copy()
        found.assume(self.resolved(condition), holds)
        return found

    def assume(self, condition: Expr, holds: bool) -> None:
        """Take in that a resolved condition holds, or does not."""
        match condition:
            case Op(name="not", args=(part,)):
                self.assume(part, not holds)
            case Op(name="and" | "or" as name, args=parts) if holds == (name == "and"):
                for part in parts:
                    self.assume(part, holds)
            case Op(name="has", args=(these, member)):
                self.assume_member(these, member, holds)
            case Op(name="=", args=(Op(name="intersect", args=(Op(name="bit", args=(member,)), these)), Const(value=0))):
                self.assume_member(these, member, not holds)
            case _ if _is_small(condition):
                self.facts[condition] = holds

    def assume_member(self, these: Expr, member: Expr, holds: bool = True) -> None:
        """Take in that something is a member of a resolved set, or is not."""
        match these:
            case Op(name="intersect", args=parts) if holds:
                for part in parts:
                    self.assume_member(part, member)
            case Op(name="union", args=parts) if not holds:
                for part in parts:
                    self.assume_member(part, member, False)
            case Op(name="minus", args=(left, right)) if holds:
                self.assume_member(left, member)
                self.assume_member(right, member, False)
            case Op(name="if", args=(condition, then, Const(value=0))) if holds:
                self.assume(condition, True)
                self.assume_member(then, member)
            case Load() if _is_small(these) and _is_small(member):
                self.facts[Op("has", (these, member))] = holds
            case Invoke(function=name, args=(lying,)) if holds and name.startswith(FACES):
                self.assume_copy(lying, member)

    def assume_copy(self, these: Expr, face: Expr) -> None:
        """Take in that there is one of a face in a resolved set of equal components."""
        match these:
            case Op(name="intersect", args=parts):
                for part in parts:
                    self.assume_copy(part, face)
            case Load() if _is_small(these) and _is_small(face):
                self.facts[Invoke(FACES, (these, face))] = True

    def has_copy(self, these: Load, face: Expr) -> bool:
        """Whether there surely is one of a face in such a set."""
        return self.facts.get(Invoke(FACES, (these, face)), False)

    def truth(self, condition: Expr) -> bool | None:
        """Whether a resolved condition holds; None where it is not known."""
        match condition:
            case Const(value=value):
                return bool(value)
            case Op(name="not", args=(part,)):
                truth = self.truth(part)
                return None if truth is None else not truth
            case Op(name="and" | "or" as name, args=parts):
                truths = [self.truth(part) for part in parts]
                ends = name == "or"  # what settles it alone
                return ends if ends in truths else None if None in truths else not ends
            case Op(name="=" | "<" | "<=" as name, args=(one, other)) if condition not in self.facts:
                return compared(name, self.between(one), self.between(other))
            case _:
                return self.facts.get(condition)

    def says(self, name: OpName, *args: Expr) -> bool | None:
        """Whether a resolved condition is known to hold, or not to."""
        return self.facts.get(Op(name, args))

    def number(self, expr: Expr) -> int | None:
        """The number that a resolved expression surely is."""
        if isinstance(expr, Const):
            return expr.value
        if self.facts.get(expr) is False:
            return 0
        for fact, holds in self.facts.items():
            match fact:
                case Op(name="=", args=(part, Const(value=value))) if holds and part == expr:
                    return value
        return None

    def between(self, expr: Expr) -> tuple[float, float]:
        """The least and the most that a resolved number can be, as far as facts compare it with numbers."""
        match expr:
            case Const(value=value):
                return value, value
            case Load(variable=Field(bits=0, low=low, high=high)):
                least: float = low
                most: float = high
            case Load(variable=Local(bits=0)):
                least, most = -inf, inf
            case _:
                return -inf, inf
        without: set[int] = set()
        for fact, holds in self.facts.items():
            match fact:
                case Op(name="=", args=(part, Const(value=value))) if part == expr:
                    if holds:
                        return value, value
                    without.add(value)
                case Op(name="<" | "<=" as name, args=(part, Const(value=value))) if part == expr:
                    if holds:
                        most = min(most, value - (name == "<"))
                    else:
                        least = max(least, value + (name == "<="))
                case Op(name="<" | "<=" as name, args=(Const(value=value), part)) if part == expr:
                    if holds:
                        least = max(least, value + (name == "<"))
                    else:
                        most = min(most, value - (name == "<="))
                case _:
                    pass
        while least in without:
            least += 1
        while most in without:
            most -= 1
        return least, most

    def above(self, one: Expr, other: Expr) -> int | None:
        """1 where one resolved number is surely larger than another, 0 where it is surely not smaller."""
        if self.says("<", other, one) or self.says("<=", one, other) is False:
            return 1
        at_least = self.says("<=", other, one) or self.says("<", one, other) is False
        return 0 if at_least or self.says("=", one, other) or self.says("=", other, one) else None

    def moved(self, these: Load, member: Expr | None, to: bool) -> None:
        """A set has got more members, or some less (``to``): such a one, if it is known. Others of the field stay as they are."""
        changed = {these.variable}
        kept = {fact: holds for fact, holds in self.facts.items() if holds == to and _is_membership(fact, these.variable)}
        self.forget(changed)
        self.facts |= kept
        if member is not None and not _asks(member, changed) and not (these.index and _asks(these.index, changed)):
            self.assume_member(these, member, to)


def compared(name: OpName, one: tuple[float, float], other: tuple[float, float]) -> bool | None:
    """Whether a comparison holds of any two numbers in two ranges; None where it depends on them."""
    match name:
        case "<":
            return True if one[1] < other[0] else False if one[0] >= other[1] else None
        case "<=":
            return True if one[1] <= other[0] else False if one[0] > other[1] else None
        case _:
            apart = one[1] < other[0] or other[1] < one[0]
            return False if apart else True if one[0] == one[1] == other[0] == other[1] else None


def _is_membership(fact: Expr, of: Variable) -> bool:
    """Whether a fact is that something is in an element of a field, and depends on the field by that alone."""
    match fact:
        case Op(name="has", args=(Load(variable=variable, index=index), member)):
            return variable == of and not any(part is not None and _asks(part, {of}) for part in (index, member))
        case _:
            return False


def _asks(expr: Expr, variables: Set[Variable]) -> bool:
    return any(isinstance(part, Load) and part.variable in variables for part in every_expression(expr))


def _is_small(expr: Expr) -> bool:
    """Whether an expression is worth remembering; what a function gives depends on more than can be seen."""
    parts = list(islice(every_expression(expr), SMALL + 1))
    return len(parts) <= SMALL and not any(isinstance(part, Invoke) for part in parts)
