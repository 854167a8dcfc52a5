"""Ranges of numbers that follow from the declarations alone.

Only declared ranges are used: the number of players, the domains of options, counters, markers and printed values, and the rows
of tables. Any other value can be anything.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from ...common.intervals import Interval, add, compare, join_all, multiply, subtract
from ...model import model
from ...model.model import Const, Model
from ...model.visitor import walk

MOST = 1 << 40  # larger than any number in a game
_ARITHMETIC = {"+": add, "-": subtract, "*": multiply}
DEPTH_LIMIT = 64  # ranges that depend on one another; of longer chains nothing is known


@frozen(eq=False)
class Ranges:
    """What is declared of numbers, by name; None where two variants declare different things of one name."""

    domains: Mapping[str, model.Domain | None]
    attributes: Mapping[tuple[str, str], model.Domain]
    rows: Mapping[tuple[str, str], list[tuple[model.Expr | None, model.Expr]]]  # by table and column: keys and values
    # What was asked already, since ranges may name one another again and again; with its node, so that its id stays its own.
    _spans: dict[tuple[int, int], tuple[model.Typed, Interval | None]] = field(factory=dict, init=False, repr=False)
    _asked: list[int] = field(factory=list, init=False, repr=False)  # nodes whose spans are being looked for

    @classmethod
    def of(cls, game: Model) -> Ranges:
        domains: dict[str, model.Domain | None] = {}
        attributes: dict[tuple[str, str], model.Domain] = {}
        rows: dict[tuple[str, str], list[tuple[model.Expr | None, model.Expr]]] = {}
        for line in (*game.declarations, *(d for v in game.variants for d in (*v.adds, *v.replaces))):
            match line:
                case model.OptionDeclaration(name=name, domain=domain) | model.Variable(name=name, domain=domain):
                    domains[name] = domain if domains.get(name, domain) == domain else None
                case model.Kind():
                    attributes |= {(line.name, each.name): each.domain for each in line.attributes}
                case model.TableDeclaration(columns=columns):
                    for index, column in enumerate(columns):
                        rows.setdefault((line.name, column), []).extend((row.key, row.values[index]) for row in line.rows)
                case _:
                    pass
        return cls(domains, attributes, rows)

    def said(self, condition: model.Node, players: int) -> list[str]:
        """In words, the numbers that what is declared with a domain can be, where a condition compares it."""
        return [f"`{text}` is {low} to {high}" for text, (low, high) in self._compared_in(condition, players).items()]

    def able(self, condition: model.Compare, players: int) -> str:
        """What could be compared, as ``rank of card with 1 to 8``; "" unless just one side is declared with a domain."""
        found = [f"`{text}` with {low} to {high}" for text, (low, high) in self._compared_in(condition, players).items()]
        return found[0] if len(found) == 1 else ""

    def could_hold(self, condition: model.Compare, players: int) -> str:
        """With which numbers an order that never holds could, as ``compare with 2 or less: `coins` is never more than 3``.

        "" of other comparisons, and unless just one side is declared with a domain.
        """
        declared = [side for side in (condition.left, condition.right) if _is_declared(side)]
        span = self.span_of(declared[0], players) if len(declared) == 1 else None
        if condition.op == "=" or span is None:
            return ""
        (side,), (low, high) = declared, span
        strictly = condition.op == "<"
        if side is condition.right:
            return f"compare with {high - strictly} or less: `{side.span.text}` is never more than {high}"
        return f"compare with {low + strictly} or more: `{side.span.text}` is never less than {low}"

    def _compared_in(self, condition: model.Node, players: int) -> dict[str, Interval]:
        found = {}
        for node in walk(condition):
            for side in (node.left, node.right) if isinstance(node, model.Compare) else ():
                span = self.span_of(side, players)
                if _is_declared(side) and span is not None:
                    found[side.span.text] = span
        return found

    def holds(self, node: model.Node, players: int) -> bool | None:
        """Whether a condition is so at every table with so many players; None when it depends."""
        match node:
            case model.Not(value=value):
                inner = self.holds(value, players)
                return None if inner is None else not inner
            case model.Logic(op=op, left=left, right=right):
                halves = self.holds(left, players), self.holds(right, players)
                decisive = op == "or"
                return decisive if decisive in halves else None if None in halves else not decisive
            case Const(value=value, type=model.TRUTH):
                return bool(value)
            case model.Compare(op=op, left=left, right=right):
                one, other = self.span_of(left, players), self.span_of(right, players)
                return None if one is None or other is None else compare(op, one, other)
            case _:
                return None

    def span_of(self, node: model.Node | None, players: int) -> Interval | None:
        """The least and the most of a number; None where it may be anything, or none."""
        if not isinstance(node, model.Typed) or node.type != model.NUMBER:
            return None
        key = id(node), players
        if key not in self._spans:
            if len(self._asked) >= DEPTH_LIMIT:
                return None
            self._asked.append(id(node))
            self._spans[key] = node, self._span_of(node, players)
            self._asked.pop()
        return self._spans[key][1]

    def _span_of(self, node: model.Typed, players: int) -> Interval | None:
        match node:
            case Const(value=value):
                return value, value
            case model.PlayerCount():
                return players, players
            case model.OptionValue(name=name) | model.VariableValue(name=name):
                return self._of_domain(self.domains.get(name), players)
            case model.AttributeOf(attribute=attribute, of=of) if of.type.base == "component":
                domains = [self.attributes.get((kind, attribute)) for kind in of.type.kinds]
                return self._of_domain(domains[0], players) if len(domains) == 1 else None
            case model.Count():
                return 0, MOST
            case model.SeatNumber():
                return 1, players
            case model.ColumnFor(table=table, column=column, key=key):
                asked = self.span_of(key, players)
                rows = self.rows.get((table, column), [])
                spans = [self.span_of(value, players) for where, value in rows if may_be(where, asked)]
                known = [span for span in spans if span is not None]
                return join_all(known) if spans and len(known) == len(spans) else None
            case model.Arithmetic(op="+" | "-" | "*" as op, left=left, right=right):
                one, other = self.span_of(left, players), self.span_of(right, players)
                return None if one is None or other is None else _ARITHMETIC[op](one, other)
            case model.Arithmetic(op="min" | "max" as op, left=left, right=right):
                one, other = self.span_of(left, players), self.span_of(right, players)
                pick = min if op == "min" else max
                return None if one is None or other is None else (pick(one[0], other[0]), pick(one[1], other[1]))
            case model.Arithmetic(op="mod", left=left, right=right):
                one, other = self.span_of(left, players), self.span_of(right, players)
                if other is None or other[0] <= 0:
                    return None
                return 0, min(other[1] - 1, one[1] if one is not None and one[0] >= 0 else MOST)
            case _:
                return None

    def _of_domain(self, domain: model.Domain | None, players: int) -> Interval | None:
        if domain is None:
            return None
        low, high = self.span_of(domain.low, players), self.span_of(domain.high, players)
        return None if low is None or high is None else (low[0], high[1])


def may_be(key: model.Expr | None, asked: Interval | None) -> bool:
    """Whether a row with this key may be meant; ``asked``: the least and the most, None where it may be anything."""
    return asked is None or not isinstance(key, Const) or asked[0] <= key.value <= asked[1]


def _is_declared(side: model.Expr) -> bool:
    """Whether a number is one that the game declares."""
    return isinstance(side, model.OptionValue | model.VariableValue | model.AttributeOf)
