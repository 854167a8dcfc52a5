"""What is written and makes no difference? Lines behind an `end`, conditions that are the same at every table, rows of tables
that are never asked for, conditions and ranking keys that are said twice, lines after which all is as it was.

Only ranges are looked at: the numbers of players, the domains of options, counters, markers and printed values, the rows of
tables. Whatever else a condition asks for may come to anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from attrs import evolve, fields, frozen

from ...diagnostics import Diagnostic, fault
from ...model import model
from ...model.model import Const, Model
from ...model.rebuild import children, walk
from ...source import Source, Span
from ...syntax import tree
from ..combinations import Candidate
from .exchanged import exchanged
from .loops import ends_that_never_come

MOST = 1 << 40  # larger than any number in a game


def lines_after_the_end(whole: tree.Tree, file: Source) -> Iterator[Diagnostic]:
    """Lines that stand in a block behind one that leaves it (R326)."""
    for block in _blocks(whole):
        for line, following in pairwise(block):
            if isinstance(line, tree.End | tree.BidAgain) and line.span.source == file:
                yield fault(
                    "R326", "this never happens: the line above leaves before it", following.span, (line.span, "it leaves here"),
                    help="move it up, or remove it",
                )  # fmt: skip
                break


def _blocks(value: Any) -> Iterator[tuple[tree.Line, ...]]:
    if isinstance(value, tuple):
        if len(value) > 1 and all(isinstance(item, tree.Statement) for item in value):
            yield value
        for item in value:
            yield from _blocks(item)
    elif isinstance(value, tree.Line | tree.Tree):
        for part in fields(type(value)):
            yield from _blocks(getattr(value, part.name))


def never_otherwise(game: Model, file: Source, plain: Iterable[Candidate]) -> Iterator[Diagnostic]:
    """Conditions that hold always or never (R327), rows that are never asked for (R328) or seem to be exchanged (R331), what is
    said twice (R329), lines that change nothing (R330).

    ``plain``: the tables of the game with options at their defaults.
    """
    tables = [candidate.found.table for candidate in plain if candidate.found.table is not None]
    own = {v.name: sorted({t.players for t in tables if v.name in t.variants}) for v in game.variants}
    ranges = _Ranges.of(game)
    yield from ends_that_never_come(game, file)
    parts: list[tuple[list[int], str, tuple[model.Node, ...]]] = [(sorted({t.players for t in tables}), "", game.declarations)]
    for variant in (variant for variant in game.variants if variant.span.source == file):
        yield from _in_play(variant, game, ranges)
    for variant in game.variants:
        lines: tuple[model.Node, ...] = (*variant.adds, *variant.replaces, *variant.insertions)
        parts.append((own[variant.name], f"`{variant.name}`", lines))
    for players, variant_name, these in parts:
        for line in (line for line in these if line.span.source == file):
            yield from _conditions(line, players, variant_name or game.game, ranges)
            yield from _twice(line)
            yield from _idle(line)
    declared = {id(d): d for v in game.variants for d in (*v.adds, *v.replaces)} | {id(d): d for d in game.declarations}
    for table in declared.values():
        if isinstance(table, model.TableDeclaration) and table.span.source == file and table.key == model.NUMBER:
            yield from _rows(table, game, ranges)
            yield from exchanged(table)


# ---- Conditions


def _conditions(line: model.Node, players: list[int], where: str, ranges: _Ranges) -> Iterator[Diagnostic]:
    """The conditions in a declaration that are the same for all these numbers of players."""
    todo: list[tuple[model.Node, Span | None]] = [(line, None)]
    while todo:
        node, around = todo.pop()
        if isinstance(node, model.NamedBlock) and not node.is_written:
            continue  # its conditions are of its construct's making
        if isinstance(node, model.Repeat | model.TakeTurns):
            parts = [part for part in children(node) if part is not node.until]  # R305 knows more of those
        else:
            parts = list(children(node))
        if isinstance(node, model.Compare | model.Logic | model.Not) and node.span != around:
            found = {ranges.holds(node, count) for count in players}
            if len(found) == 1 and None not in found:
                yield _same(node, found == {True}, players, where, ranges)
                continue
        todo += [(part, node.span if isinstance(node, model.Typed) else None) for part in parts]


def _in_play(variant: model.Variant, game: Model, ranges: _Ranges) -> Iterator[Diagnostic]:
    """The same of what a variant needs, and of when it always is in play, with any number of players; not where nobody could
    play it (R408), nor of what holds at all tables, as house rules may want it (R382 says it of what is needed).
    """
    players = list(range(game.players[0], game.players[1] + 1))
    for condition in (*variant.always, *variant.needs):
        found = {ranges.holds(condition, count) for count in players}
        if found == {False} and condition in variant.always:
            yield _same(condition, False, players, game.game, ranges)
        elif found not in ({True}, {False}):
            yield from _conditions(condition, players, game.game, ranges)


def _same(condition: model.Node, always: bool, players: list[int], where: str, ranges: _Ranges) -> Diagnostic:
    often = "always" if always else "never"
    counts = f"{players[0]}" if len(players) == 1 else f"{players[0]} to {players[-1]}"
    by_players = any(isinstance(n, model.PlayerCount) for n in walk(condition))
    label = f"{where} is played by {counts}" if by_players else " and ".join(ranges.said(condition, players[-1]))
    help = "change it, or write the rules without it"
    found = fault("R327", f"`{condition.span.text}` {often} holds", condition.span, label=label, help=help)
    return evolve(found, severity="warning")


@frozen(eq=False)
class _Ranges:
    """What is declared of numbers, by name; None where two variants declare different things of one name."""

    domains: Mapping[str, model.Domain | None]
    attributes: Mapping[tuple[str, str], model.Domain]
    rows: Mapping[tuple[str, str], list[tuple[model.Expr | None, model.Expr]]]  # by table and column: keys and values

    @classmethod
    def of(cls, game: Model) -> _Ranges:
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
        words = {}
        for node in walk(condition):
            for side in (node.left, node.right) if isinstance(node, model.Compare) else ():
                span = self.span_of(side, players)
                if isinstance(side, model.OptionValue | model.VariableValue | model.AttributeOf) and span is not None:
                    words[side.span.text] = f"`{side.span.text}` is {span[0]} to {span[1]}"
        return list(words.values())

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
                return self._compared(op, self.span_of(left, players), self.span_of(right, players))
            case _:
                return None

    @staticmethod
    def _compared(op: str, left: tuple[int, int] | None, right: tuple[int, int] | None) -> bool | None:
        if left is None or right is None:
            return None
        (a, b), (c, d) = left, right
        match op:
            case "=":
                return False if b < c or d < a else True if a == b == c == d else None
            case "<":
                return True if b < c else False if a >= d else None
            case _:
                return True if b <= c else False if a > d else None

    def span_of(self, node: model.Node | None, players: int) -> tuple[int, int] | None:
        """The least and the most of a number; None where it may be anything, or none."""
        if not isinstance(node, model.Typed) or node.type != model.NUMBER:
            return None
        match node:
            case Const(value=value):
                return value, value
            case model.PlayerCount():
                return players, players
            case model.OptionValue(name=name) | model.VariableValue(name=name):
                return self._of_domain(self.domains.get(name), players)
            case model.AttributeOf(attribute=attribute, of=of) if of.type.base == "component":
                return self._of_domain(self.attributes.get((of.type.of, attribute)), players)
            case model.Count():
                return 0, MOST
            case model.SeatNumber():
                return 1, players
            case model.ColumnFor(table=table, column=column, key=key):
                asked = self.span_of(key, players)
                rows = self.rows.get((table, column), [])
                spans = [self.span_of(value, players) for where, value in rows if _may_be(where, asked)]
                known = [span for span in spans if span is not None]
                return _around(known) if spans and len(known) == len(spans) else None
            case model.Arithmetic(op="+" | "-" | "*" as op, left=left, right=right):
                one, other = self.span_of(left, players), self.span_of(right, players)
                if one is None or other is None:
                    return None
                ends = [a + b if op == "+" else a - b if op == "-" else a * b for a in one for b in other]
                return min(ends), max(ends)
            case _:
                return None

    def _of_domain(self, domain: model.Domain | None, players: int) -> tuple[int, int] | None:
        if domain is None:
            return None
        low, high = self.span_of(domain.low, players), self.span_of(domain.high, players)
        return None if low is None or high is None else (low[0], high[1])


def _may_be(key: model.Expr | None, asked: tuple[int, int] | None) -> bool:
    return asked is None or not isinstance(key, Const) or asked[0] <= key.value <= asked[1]


def _around(spans: Iterable[tuple[int, int]]) -> tuple[int, int]:
    lows, highs = zip(*spans, strict=True)
    return min(lows), max(highs)


# ---- Rows, and what is said twice


def _rows(table: model.TableDeclaration, game: Model, ranges: _Ranges) -> Iterator[Diagnostic]:
    """The rows of a table by numbers for which nothing can ask."""
    counts = range(game.players[0], game.players[1] + 1)
    everything = (game.declarations, game.variants, game.tests)
    keys = [node.key for node in walk(everything) if isinstance(node, model.ColumnFor) and node.table == table.name]
    domains = [line.default for line in game.declarations if isinstance(line, model.OptionDeclaration)]
    keys += [node.key for node in walk(tuple(domains)) if isinstance(node, model.ColumnFor) and node.table == table.name]
    asked = [ranges.span_of(key, players) for key in keys for players in counts]
    if not asked:
        return
    for row in table.rows:
        if isinstance(row.key, Const) and not any(span is None or _may_be(row.key, span) for span in asked):
            by_players = table.by == "players"
            label = f"{game.game} is for {counts[0]} to {counts[-1]} players" if by_players else ""
            found = fault(
                "R328", f"the table `{table.name}` is never asked for its row {row.key.span.text}", row.span, label=label,
                help="remove the row" + (", or change the `players` line" if by_players else ", or ask for it"),
            )  # fmt: skip
            yield evolve(found, severity="warning")


def _twice(line: model.Node) -> Iterator[Diagnostic]:
    """A condition of an option, or a key of a ranking, that has been asked before in the same place."""
    for node in walk(line):
        said: list[tuple[object, Span]]
        match node:
            case model.Winner(keys=keys) | model.Best(keys=keys) | model.PlaceOf(keys=keys) | model.ByKeys(keys=keys):
                said = [((key.direction, key.value), key.span) for key in keys]
                why = "what is equal in it, stays equal"
            case model.Option(conditions=conditions):
                said = [((each.laid, each.test), each.span) for each in conditions]
                why = "it holds already"
            case _:
                continue
        for index, (what, span) in enumerate(said):
            earlier = next((place for other, place in said[:index] if other == what), None)
            if earlier is not None:
                found = fault(
                    "R329", f"`{span.text}` is asked a second time: {why}", span, (earlier, "here first"),
                    help="ask for something else, or remove it",
                )  # fmt: skip
                yield evolve(found, severity="warning")


def _idle(line: model.Node) -> Iterator[Diagnostic]:
    """Statements after which all is as it was."""
    idle = {node.span: why for node in walk(line) if (why := _idleness(node))}
    for span, why in idle.items():
        yield evolve(fault("R330", f"this changes nothing: {why}", span, help="change it, or remove it"), severity="warning")


def _idleness(node: model.Node) -> str:
    """Why a statement changes nothing, in words; "" where it may change something."""
    match node:
        case model.Move(what=model.ZoneContent(zone=zone, owner=owner, every=False), to=there) if (
            (zone, owner) == (there.zone, there.owner)
        ):
            return f"what lies in `{there.span.text}` lies there already"
        case model.Draw(source=source, to=there) if source == there:
            return f"what is drawn from `{source.span.text}` comes to lie there again"
        case model.Draw(count=Const(value=0)):
            return "it draws 0"
        case model.SetVariable(name=name, owner=owner, value=model.VariableValue(name=other, owner=whose)) if (
            (name, owner) == (other, whose)
        ):
            return f"`{node.value.span.text}` is that already"
        case model.SetVariable(name=name, owner=owner, value=model.Arithmetic(op="+" | "-", left=left, right=Const(value=0))) if (
            isinstance(left, model.VariableValue) and (name, owner) == (left.name, left.owner)
        ):
            return "the number is 0"
        case _:
            return ""
