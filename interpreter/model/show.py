"""Prints a model as text.

For `rulesrun show --stage model` and for golden tests: every declaration with its types, every body in the words of the kernel,
every variant with its changes. The same model always gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from ..common.nouns import plural, with_article
from . import model as m

_INDENT = "    "


def show(model: m.Model) -> str:
    """The whole model as an outline, ending with a line end."""
    return "\n".join(_Printer(model.lists).model(model)) + "\n"


def show_part(part: m.Declaration | m.Variant | m.Body, lists: dict[str, tuple[str, ...]]) -> str:
    """A declaration, a variant or statements; ``lists``: the words of each list."""
    printer = _Printer(lists)
    match part:
        case tuple():
            return "\n".join(printer.body(part))
        case m.Variant():
            return "\n".join(printer.variant(part))
        case _:
            return "\n".join(printer.declaration(part))


def name_of(declaration: m.Declaration) -> str:
    """What a declaration is called in messages: ``zone hand``, ``phase rounds``."""
    match declaration:
        case m.Winner():
            return "winner"
        case m.Teams():
            return "teams"
        case m.Position():
            return "position"
        case m.Match():
            return "match"
        case m.Step(form="setup"):
            return "setup"
        case m.Step(entered=m.Spot(), name=name):
            return name
        case m.Step(form=form) | m.Variable(form=form):
            return f"{form} {declaration.name}"
        case m.Term():
            return f"score {declaration.name}"
        case m.Kind():
            return f"{declaration.form} {declaration.name}"
        case m.OptionDeclaration():
            return f"option {declaration.name}"
        case m.WordList():
            return f"list {declaration.name}"
        case m.Zone() | m.Grid():
            return f"zone {declaration.name}"
        case m.TableDeclaration():
            return f"table {declaration.name}"
        case m.Define(name=m.RETURNS):
            return m.RETURNS
        case m.Define():
            return f"define {declaration.name}"


def _in(lines: Iterable[str]) -> Iterator[str]:
    return (_INDENT + line for line in lines)


class _Printer:
    """Prints nodes; ``lists``: the words of each list, to say constants with."""

    def __init__(self, lists: dict[str, tuple[str, ...]]) -> None:
        self.lists = lists

    def model(self, model: m.Model) -> Iterator[str]:
        low, high = model.players
        yield f"model {model.game}, {low}..{high} players"
        yield from _in(f"title {language or '-'} {title!r}" for language, title in model.titles)
        yield from _in(f"list {name}: {', '.join(words)}" for name, words in model.lists.items())
        for declaration in model.declarations:
            yield ""
            yield from self.declaration(declaration)
        for variant in model.variants:
            yield ""
            yield from self.variant(variant)
        for test in model.tests:
            yield ""
            yield from self.test(test)

    # ---- What is declared

    def declaration(self, node: m.Declaration) -> Iterator[str]:
        match node:
            case m.OptionDeclaration():
                yield f"option {node.name}: {self.domain(node.domain)}, default {self.expr(node.default)}"
            case m.WordList():
                yield f"list {node.name}: {', '.join(node.words)}"
            case m.Kind():
                yield from self.kind(node)
            case m.Zone():
                yield f"zone {of_parameters(node)}: {node.shape} of {node.noun}, {node.visibility}"
            case m.Grid(board=board) if board is not None:
                yield f"zone {node.name}{' of player' if node.owned else ''}: board of {' or '.join(node.kinds)}"
                yield from _in(" - ".join(board.names[point] for point in line) for line in board.lines())
                alone = [name for number, name in enumerate(board.names) if all(number not in line for line in board.lines())]
                yield from _in([", ".join(alone)] if alone else [])
            case m.Grid():
                cells = f"{'hexagonal ' if node.hexagonal else ''}grid of {' or '.join(node.kinds)}"
                size = f"{self.part(node.width)} x {self.part(node.height)}"
                yield f"zone {node.name}{' of player' if node.owned else ''}: {cells}, {size}"
            case m.Variable():
                yield f"{node.form} {of_parameters(node)}: {self.domain(node.domain)}, {node.visibility}"
            case m.TableDeclaration():
                by = " ".join(map(str, node.parameters)) or f"by {node.by} ({node.key})"
                yield f"table {node.name} {by}: {', '.join(node.columns)}"
                for row in node.rows:
                    head = "otherwise" if row.key is None else self.expr(row.key)
                    yield f"{_INDENT}{head}: {self.exprs(row.values)}"
            case m.Define():
                taken = "" if node.name == m.RETURNS else self.parameters(node.parameters)
                yield f"{name_of(node)}{taken} -> {node.value.type}"
                yield from _in(self.value(node.value))
            case m.Step(fitting=condition, parameters=(_, *owners)) if condition is not None:
                of = f"[{', '.join(owner.name for owner in owners)}]" if owners else ""
                yield f"{node.name}{of} if {self.expr(condition)}"
                yield from _in(self.body(node.body))
            case m.Step():
                yield f"{node.form}{'' if node.form == 'setup' else f' {node.name}'}{self.parameters(node.parameters)}"
                yield from _in(self.body(node.body))
            case m.Term():
                yield f"score {node.name} of {node.player.name}"
                if node.each is not None and node.members is not None:
                    yield f"{_INDENT}sum over {node.each.name} in {self.expr(node.members)}"
                if node.condition is not None:
                    yield f"{_INDENT}if {self.expr(node.condition)}"
                yield from _in(self.value(node.value))
            case m.Winner():
                yield f"winner {node.var.name} by {self.keys(node.keys)}, then {node.undecided}"
            case m.Teams():
                yield f"teams of {node.size}"
            case m.Position():
                yield f"position {', '.join(node.names)}, at most {node.most}"
            case m.Match():
                yield f"match of {'' if node.until is None else 'at most '}{self.expr(node.games)} {plural(node.noun)}"
                if node.until is not None:
                    yield f"{_INDENT}until {self.expr(node.until)}"
                if node.winner is not None:
                    yield from _in(self.declaration(node.winner))
                if node.kept:
                    yield f"{_INDENT}keep {', '.join(node.kept)}"
            case _:
                assert_never(node)

    def kind(self, node: m.Kind) -> Iterator[str]:
        yield f"{node.form} {node.name}{', marked' if node.marked else ''}"
        if len(node.parts) > 1 or node.parts[0].name:
            yield f"{_INDENT}parts {', '.join(f'{part.name} at {part.column} {part.row}' for part in node.parts)}"
        for attribute in node.attributes:
            yield f"{_INDENT}{attribute.name}: {self.domain(attribute.domain)}"
        for row in node.rows or ():
            types = {attribute.name: attribute.domain.type for attribute in node.attributes}
            values = ", ".join(self.constant(value, types.get(name, m.NUMBER)) for name, value in row.values.items())
            yield f"{_INDENT}row {values}" + (f" x {row.copies}" if row.copies != 1 else "")
        if node.each is not None:
            each = "for each player" if node.owned else "each combination"
            yield f"{_INDENT}{each} {self.expr(node.each)} times"
        elif node.owned:
            yield f"{_INDENT}for each player as many as fit"
        for other in node.other_copies:
            yield f"{_INDENT}{self.expr(other.count)} times where {self.expr(other.condition)}"
        if node.shown:
            yield f"{_INDENT}shown as {node.shown!r}"
        for left in node.left_out:
            yield f"{_INDENT}without {left.column} {left.op} {self.expr(left.value)}"

    def domain(self, domain: m.Domain) -> str:
        if domain.low is None or domain.high is None:
            return str(domain.type)
        numbers = ", ".join(map(str, domain.values)) or f"{self.expr(domain.low)}..{self.expr(domain.high)}"
        return numbers + (" or none" if domain.type.optional else "")

    def parameters(self, parameters: Sequence[m.Var]) -> str:
        return f"({', '.join(f'{var.name}: {var.type}' for var in parameters)})" if parameters else ""

    def variant(self, node: m.Variant) -> Iterator[str]:
        yield f"variant {node.name}"
        yield from _in(f"title {language or '-'} {text!r}" for language, text in node.texts)
        yield from _in(f"needs {self.expr(need)}" for need in node.needs)
        yield from _in(f"needs {other.variant}" for other in node.builds_on)
        yield from _in(f"excludes {exclusion.variant}" for exclusion in node.excludes)
        yield from _in(f"always when {self.expr(condition)}" for condition in node.always)
        yield from _in(f"sets option {name} to {self.expr(value)}" for name, value in node.options)
        for declaration in node.adds:
            yield f"{_INDENT}adds"
            yield from _in(_in(self.declaration(declaration)))
        for replaced in node.replaces:
            yield f"{_INDENT}replaces"
            yield from _in(_in(self.body((replaced,)) if isinstance(replaced, m.NamedBlock) else self.declaration(replaced)))
        for insertion in node.insertions:
            yield f"{_INDENT}adds {insertion.where} {insertion.step}"
            yield from _in(_in(self.body(insertion.body)))
        yield from _in(f"removes {removal.name} from {removal.source}" for removal in node.removes)

    # ---- Statements

    def body(self, body: m.Body) -> Iterator[str]:
        if not body:
            yield "nothing"
        for statement in body:
            yield from self.statement(statement)

    def statement(self, node: m.Statement) -> Iterator[str]:
        match node:
            case m.Move():
                yield f"move {self.expr(node.what)} to {self.spot(node.to)}{self.named(node.moved)}"
            case m.Lay():
                yield f"lay {self.expr(node.what)} on {node.grid}{self.of(node.owner)} at {self.exprs(node.on)}"
            case m.Draw():
                way = f"from {self.spot(node.source)} to {self.spot(node.to)}"
                yield f"draw {self.expr(node.count)} {way}{self.named(node.moved)}"
            case m.Remember():
                yield "forget positions" if node.forget else "remember position"
            case m.HoldBack():
                yield f"hold back {self.expr(node.count)} of {self.spot(node.pile)}"
            case m.Mix():
                yield f"shuffle {self.spot(node.pile)}"
            case m.Peek():
                yield f"{self.expr(node.player)} looks at top {self.expr(node.count)} of {self.spot(node.pile)}"
            case m.Reveal():
                yield f"reveal {self.expr(node.what)}" + ("" if node.to is None else f" to {self.expr(node.to)}")
            case m.SetVariable():
                yield f"set {node.name}{self.of(node.owner)} = {self.expr(node.value)}"
            case m.Let():
                chosen = "" if node.source is None else f", chosen from {self.expr(node.source)}"
                yield f"let {node.var.name}: {node.var.type} = {self.expr(node.value)}{chosen}"
            case m.Gather():
                hidden = " face down" if node.face_down else ""
                yield f"gather {node.var.name} from {self.expr(node.of)}, at least {self.expr(node.least)}{hidden}"
            case m.Include():
                yield f"include {self.expr(node.member)} in {node.var.name}"
            case m.Announce():
                yield f"announce {self.expr(node.value)} to all but {self.expr(node.player)} {self.reason(node.text)}"
            case m.Tell():
                yield f"tell {self.reason(node.text)}"
            case m.If():
                yield f"if {self.expr(node.condition)}"
                yield from _in(self.body(node.then))
                if node.otherwise:
                    yield "else"
                    yield from _in(self.body(node.otherwise))
            case m.ForEach():
                yield f"for each {node.var.name} in {self.expr(node.members)}{self.order(node.order)}"
                yield from _in(self.body(node.body))
            case m.Repeat():
                most = "" if node.at_most is None else f", at most {self.expr(node.at_most)} times"
                yield f"repeat until {self.expr(node.until)}{most}"
                yield from _in(self.body(node.body))
                if node.otherwise is not None:
                    yield "else"
                    yield from _in(self.body(node.otherwise))
            case m.RepeatTimes():
                yield f"repeat {self.expr(node.times)} times"
                yield from _in(self.body(node.body))
            case m.TakeTurns():
                seats = f"{self.expr(node.among)} from {self.expr(node.start)}"
                yield f"turns of {node.var.name} in {seats} until {self.expr(node.until)}"
                yield from _in(self.body(node.body))
            case m.Do():
                yield f"do {node.step}({self.exprs(node.args)})"
            case m.End():
                yield f"end {node.name}"
            case m.NamedBlock():
                yield f"step {node.name}"
                yield from _in(self.body(node.body))
            case m.Choose():
                yield f"choose {self.expr(node.player)}"
                for option in node.options:
                    yield from _in(self.option(option))
                if node.impossible is not None:
                    yield f"{_INDENT}impossible"
                    yield from _in(_in(self.body(node.impossible)))
            case _:
                assert_never(node)

    def option(self, node: m.Option) -> Iterator[str]:
        text = f" {node.text!r}" if node.text is not None else ""
        arguments = ", ".join(self.argument(argument) for argument in node.arguments)
        yield f"option {node.verb}({arguments}){text}{' face down' if node.face_down else ''}{' secretly' if node.secret else ''}"
        for condition in node.conditions:
            word = "so that" if condition.laid else "only if"
            waived = " unless impossible" if condition.where_possible else ""
            yield f"{_INDENT}{word} {self.expr(condition.test)}{waived} otherwise {self.reason(condition.reason)}"
        for limit in node.limits:
            yield f"{_INDENT}{limit.counter} begins anew with {limit.step}"
        yield from _in(self.body(node.body))

    def argument(self, node: m.Argument) -> str:
        match node.source:
            case None:
                source = str(node.var.type)
            case (low, high):
                source = f"{self.expr(low)}..{self.expr(high)}"
            case expr:
                source = self.expr(expr)
        return f"{node.var.name} in {source}"

    def reason(self, node: m.Reason) -> str:
        return '"' + "".join(part if isinstance(part, str) else f"{{{self.expr(part)}}}" for part in node.parts) + '"'

    def order(self, node: m.Clockwise | m.ByKeys | m.InRandomOrder | None) -> str:
        match node:
            case None:
                return ""
            case m.Clockwise():
                begin = "" if node.start is None else f" from {self.expr(node.start)}"
                return f" clockwise{begin}" + ("" if node.stop is None else f" to {self.expr(node.stop)}")
            case m.ByKeys():
                return f" ordered as {node.var.name} by {self.keys(node.keys)}"
            case m.InRandomOrder():
                return " in random order"
            case _:
                assert_never(node)

    def spot(self, node: m.Spot) -> str:
        return f"{node.zone}{self.of(node.owner)}"

    def named(self, var: m.Var | None) -> str:
        return "" if var is None else f" as {var.name}"

    def of(self, owner: m.Expr | None) -> str:
        return "" if owner is None else f"[{self.expr(owner)}]"

    # ---- Expressions

    def value(self, node: m.Expr) -> Iterator[str]:
        """An expression on lines of its own: a line for each of its cases."""
        if isinstance(node, m.Cases):
            for condition, value in node.cases:
                yield f"{self.expr(value)} if {self.expr(condition)}"
            yield f"else {self.expr(node.otherwise)}"
        else:
            yield self.expr(node)

    def exprs(self, nodes: Iterable[m.Expr]) -> str:
        return ", ".join(self.expr(node) for node in nodes)

    def part(self, node: m.Expr) -> str:
        """An expression inside another: in brackets where it would not stand for itself."""
        text = self.expr(node)
        infix = (m.Arithmetic, m.Compare, m.Logic, m.Join, m.Without, m.Cases, m.IsIn)
        named = isinstance(node, m.Arithmetic) and node.op in ("min", "max")
        return f"({text})" if isinstance(node, infix) and not named else text

    def expr(self, node: m.Expr) -> str:
        match node:
            case m.Const():
                return self.constant(node.value, node.type)
            case m.OptionValue():
                return f"option {node.name}"
            case m.PlayerCount():
                return "player count"
            case m.AllPlayers():
                return "all players"
            case m.VarValue():
                return node.var.name
            case m.ZoneContent():
                return f"every {node.zone}" if node.every else f"{node.zone}{self.of(node.owner)}"
            case m.AllOf():
                return f"all {' or '.join(node.kinds) or node.type.of}"
            case m.Pick():
                return f"{node.type.of}[{', '.join(f'{name} {self.attribute(name, value)}' for name, value in node.values)}]"
            case m.VariableValue():
                return f"{node.name}{self.of(node.owner)}"
            case m.AttributeOf(attribute=kind, of=of) if kind != of.type.of and kind in of.type.of.split(" or "):
                return f"{self.part(of)} is {with_article(kind)}"
            case m.AttributeOf():
                return f"{node.attribute} of {self.part(node.of)}"
            case m.ColumnFor():
                return f"{node.table}.{node.column}[{self.expr(node.key)}]"
            case m.Index():
                return self.exprs(node.parts)
            case m.NumberOf():
                return f"number({self.expr(node.of)})"
            case m.WordFor():
                return f"{node.type.noun}({self.expr(node.number)})"
            case m.Apply():
                return f"{node.define}({self.exprs(node.args)})"
            case m.Arithmetic(op="min" | "max" as op, left=left, right=right):
                return f"{op}({self.expr(left)}, {self.expr(right)})"
            case m.Arithmetic(op=op, left=left, right=right) | m.Compare(op=op, left=left, right=right):
                return f"{self.part(left)} {op} {self.part(right)}"
            case m.Logic():
                return f"{self.part(node.left)} {node.op} {self.part(node.right)}"
            case m.Not():
                return f"not {self.part(node.value)}"
            case m.Cases():
                said = [f"{self.part(value)} if {self.part(condition)}" for condition, value in node.cases]
                return f"{', '.join(said)}, else {self.part(node.otherwise)}"
            case m.Join():
                return f"{self.part(node.left)} + {self.part(node.right)}"
            case m.Union():
                return f"union({self.exprs(node.sets)})"
            case m.Without():
                return f"{self.part(node.left)} without {self.part(node.right)}"
            case m.SetOf():
                return f"{{{self.exprs(node.members)}}}"
            case m.Filter():
                return f"{{{node.var.name} in {self.expr(node.of)} where {self.expr(node.condition)}}}"
            case m.IsIn():
                return f"{self.part(node.member)} in {self.part(node.of)}"
            case m.Some():
                return f"some({self.expr(node.of)})"
            case m.Count():
                return f"count({self.expr(node.of)})"
            case m.Total():
                return f"sum({self.expr(node.value)} for {node.var.name} in {self.expr(node.of)})"
            case m.Completable():
                number = "exactly" if node.exact else "up to"
                total = (("values", node.value), ("at least", node.low), ("at most", node.high))
                demands = (("keys", node.key), (number, node.count), *total)
                asked = "".join(f", {word} {self.part(value)}" for word, value in demands if value is not None)
                return f"completable({node.var.name} in {self.expr(node.of)}{asked})"
            case m.Extreme():
                return f"{node.direction}({self.expr(node.value)} for {node.var.name} in {self.expr(node.of)})"
            case m.First():
                return f"first({self.expr(node.of)} from {self.expr(node.start)})"
            case m.Best():
                return f"{'all best' if node.all else 'best'}({node.var.name} in {self.expr(node.of)} by {self.keys(node.keys)})"
            case m.PlaceOf():
                ranked = f"{node.var.name} in {self.expr(node.of)} by {self.keys(node.keys)}"
                return f"place({self.expr(node.player)}, {ranked}, then {node.tied})"
            case m.AnyOf():
                return f"any({self.expr(node.of)})"
            case m.RandomOf():
                return f"random({self.expr(node.of)}){', each face alike' if node.each_face_alike else ''}"
            case m.RandomNumber():
                return f"random({self.expr(node.low)}..{self.expr(node.high)})"
            case m.OwnerOf():
                return f"owner({self.expr(node.of)})"
            case m.SeatsAway():
                return f"{'right' if node.right else 'left'}({self.expr(node.count)}, {self.expr(node.of)})"
            case m.SeatNumber():
                return f"seat number({self.expr(node.of)})"
            case m.TeamOf():
                return f"team({self.expr(node.of)})"
            case m.Opponents():
                return f"opponents({self.expr(node.of)})"
            case m.Knows():
                return f"knows({self.expr(node.player)}, {self.expr(node.of)})"
            case m.ScoreOf():
                whole = "team score" if node.team else "score"
                return f"{whole}({self.expr(node.of)})" if node.term is None else f"{whole}.{node.term}({self.expr(node.of)})"
            case m.Winners():
                return "winners"
            case m.CellNamed():
                return node.span.text
            case m.CellsOf():
                return f"{'empty' if node.empty else 'all'} cells({node.grid}{self.of(node.owner)})"
            case m.CoveredBy():
                return f"cells({self.expr(node.of)})"
            case m.CellOf():
                return f"cell({self.expr(node.of)})"
            case m.LyingOn():
                return f"{node.type.of} on({self.expr(node.cell)})"
            case m.NextTo():
                return f"next to({self.expr(node.of)})"
            case m.Shifted(way=way) if way is not None:
                return f"shifted({self.expr(node.of)} {self.expr(way)})"
            case m.Facing():
                return f"direction({node.columns} {node.rows} for {self.part(node.player)})"
            case m.Shifted():
                seen = "" if node.player is None else f" for {self.part(node.player)}"
                return f"shifted({self.expr(node.of)} by {node.columns} {node.rows}{seen})"
            case m.CellPlace():
                return f"{node.what}({self.expr(node.of)})"
            case m.After():
                return f"after this ({self.expr(node.test)})"
            case m.Repeats():
                return f"position repeats {self.expr(node.times)} times"
            case m.Possible():
                return f"possible({node.verb})"
            case m.HasLine():
                where = "" if node.through is None else f" through {self.part(node.through)}"
                return f"line of {self.part(node.length)} in({self.expr(node.of)}){where}"
            case m.LongestLine():
                where = "" if node.through is None else f" through {self.part(node.through)}"
                where += "" if node.along is None else f" along {self.part(node.along)}"
                return f"longest line in({self.expr(node.of)}){where}"
            case m.HasPath():
                return f"path in({self.expr(node.of)}) from {self.part(node.start)} to {self.part(node.end)}"
            case m.LinesFrom():
                return f"lines from {self.part(node.start)} through {self.part(node.through)} to {self.part(node.end)}"
            case m.Bounds():
                return f"{node.what}({self.expr(node.of)})"
            case m.Touches():
                return f"touch({self.expr(node.left)}, {self.expr(node.right)})"
            case m.TouchesSame():
                return f"touches same {node.attribute}({self.expr(node.of)})"
            case m.Regions():
                return f"regions({self.expr(node.of)} by {node.attribute})"
            case m.Ways():
                return f"ways({self.expr(node.piece)} on {node.grid}{self.of(node.owner)})"
            case m.CellsOfWay():
                return f"cells({self.expr(node.way)})"
            case m.OwnedBy():
                return f"{node.type.of} of({self.expr(node.player)})"
            case _:
                assert_never(node)

    def attribute(self, name: str, value: int) -> str:
        """A value of an attribute: most have their words in a list of their own name."""
        words = self.lists.get(name, ())
        return words[value] if 0 <= value < len(words) else str(value)

    def keys(self, keys: Sequence[m.Key]) -> str:
        return ", then ".join(f"{key.direction} {self.part(key.value)}" for key in keys)

    def constant(self, value: int, type: m.Type) -> str:
        if type.is_set:
            members = [bit for bit in range(value.bit_length()) if value >> bit & 1]
            return "{" + ", ".join(self.constant(bit, type.member) for bit in members) + "}"
        if value == -1 and type.optional:
            return "none"
        match type.base:
            case "truth":
                return "yes" if value else "no"
            case "word" if 0 <= value < len(self.lists.get(type.of, ())):
                return self.lists[type.of][value]
            case "player":
                return f"player {value + 1}"
            case "index" if all(part.base == "word" for part in type.parts):
                found: list[str] = []
                for part in reversed(type.parts):
                    value, own = divmod(value, len(self.lists[part.of]))
                    found.append(self.constant(own, part))
                return ", ".join(reversed(found))
            case "component":
                return f"{type.of} {value + 1}"
            case _:
                return str(value)

    # ---- Tests

    def test(self, node: m.Test) -> Iterator[str]:
        yield f"test {node.title!r}"
        yield f"{_INDENT}players {', '.join(node.seats)}"
        if node.variants:
            yield f"{_INDENT}with {', '.join(node.variants)}"
        yield from _in(f"option {name} = {self.expr(value)}" for name, value in node.options)
        yield from _in(self.test_line(line) for line in node.lines)

    def test_line(self, node: m.TestLine) -> str:
        match node:
            case m.GivenZone():
                return f"given {self.spot(node.spot)}: {self.exprs(node.things)}"
            case m.GivenLaid():
                return f"given {'; '.join(line for each in node.laid for line in self.statement(each))}"
            case m.GivenVariable():
                return f"given {node.name}{self.of(node.owner)} = {self.expr(node.value)}"
            case m.GivenKnown():
                return f"given {self.expr(node.player)} knows {self.expr(node.what)}"
            case m.RunSetup():
                return "setup"
            case m.Chance():
                return f"chance {self.exprs(node.outcomes)}"
            case m.Start():
                return f"start {node.step}({self.exprs(node.args)})"
            case m.Act():
                return self.act(node)
            case m.Expect():
                return f"expect {self.expr(node.condition)}"
            case m.ExpectCan():
                return f"expect can {'; '.join(self.act(act) for act in node.acts)}"
            case m.ExpectCannot():
                return f"expect cannot {self.act(node.act)}" + (f" because {node.reason!r}" if node.reason is not None else "")
            case m.ExpectFinding():
                return f"expect finding {node.code}" + (f" {node.text!r}" if node.text else "")
            case _:
                assert_never(node)

    def act(self, node: m.Act) -> str:
        return f"{self.expr(node.player)}: {node.verb}({self.exprs(node.arguments)})"


def of_parameters(declared: m.Zone | m.Variable) -> str:
    """``men of player for point``."""
    return " ".join([declared.name, *map(str, declared.parameters)])
