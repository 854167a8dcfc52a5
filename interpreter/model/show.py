"""What does a model look like in print?

For `rulesrun show --stage model` and for golden tests: every declaration with its types, every body in the words
of the kernel, every variant with its changes. The same model always gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

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
        case m.Match():
            return "match"
        case m.Step(form="setup"):
            return "setup"
        case m.Step(form=form) | m.Variable(form=form):
            return f"{form} {declaration.name}"
        case m.Trigger():
            return declaration.name
        case m.Term():
            return f"score {declaration.name}"
        case m.Kind(form=form):
            return f"{form} {declaration.name}"
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
            case m.OptionDeclaration(name=name, domain=domain, default=default):
                yield f"option {name}: {self.domain(domain)}, default {self.expr(default)}"
            case m.WordList(name=name, words=words):
                yield f"list {name}: {', '.join(words)}"
            case m.Kind():
                yield from self.kind(node)
            case m.Zone(name=name, owned=owned, shape=shape, kind=kind, visibility=visibility):
                yield f"zone {name}{' of player' if owned else ''}: {shape} of {kind}, {visibility}"
            case m.Grid(name=name, owned=owned, hexagonal=hexagonal, kinds=kinds, width=width, height=height):
                cells = f"{'hexagonal ' if hexagonal else ''}grid of {' or '.join(kinds)}"
                yield f"zone {name}{' of player' if owned else ''}: {cells}, {self.part(width)} x {self.part(height)}"
            case m.Variable(name=name, form=form, owner=owner, domain=domain, visibility=visibility):
                whose = f" of {owner.noun}" if owner is not None else ""
                yield f"{form} {name}{whose}: {self.domain(domain)}, {visibility}"
            case m.TableDeclaration(name=name, by=by, key=key, columns=columns):
                yield f"table {name} by {by} ({key}): {', '.join(columns)}"
                for row in node.rows:
                    head = "otherwise" if row.key is None else self.expr(row.key)
                    yield f"{_INDENT}{head}: {self.exprs(row.values)}"
            case m.Define(name=name, parameters=parameters, value=value):
                taken = "" if name == m.RETURNS else self.parameters(parameters)
                yield f"{name_of(node)}{taken} -> {value.type}"
                yield from _in(self.value(value))
            case m.Step(name=name, form=form, parameters=parameters, body=body):
                yield f"{form}{'' if form == 'setup' else f' {name}'}{self.parameters(parameters)}"
                yield from _in(self.body(body))
            case m.Trigger(name=name, owner=owner, condition=condition, body=body):
                yield f"{name}{'' if owner is None else f'[{owner.name}]'} if {self.expr(condition)}"
                yield from _in(self.body(body))
            case m.Term(name=name, player=player, each=each, members=members, value=value, condition=condition):
                yield f"score {name} of {player.name}"
                if each is not None and members is not None:
                    yield f"{_INDENT}sum over {each.name} in {self.expr(members)}"
                if condition is not None:
                    yield f"{_INDENT}if {self.expr(condition)}"
                yield from _in(self.value(value))
            case m.Winner(var=var, keys=keys, undecided=undecided):
                yield f"winner {var.name} by {self.keys(keys)}, then {undecided}"
            case m.Teams(size=size):
                yield f"teams of {size}"
            case m.Match(games=games, until=until, winner=winner, kept=kept):
                yield f"match of {self.expr(games)} games" if until is None else f"match of at most {self.expr(games)} games"
                if until is not None:
                    yield f"{_INDENT}until {self.expr(until)}"
                if winner is not None:
                    yield from _in(self.declaration(winner))
                if kept:
                    yield f"{_INDENT}keep {', '.join(kept)}"
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
            case m.Move(what=what, to=to, moved=moved):
                yield f"move {self.expr(what)} to {self.spot(to)}{self.named(moved)}"
            case m.Lay(what=what, grid=grid, owner=owner, on=on):
                yield f"lay {self.expr(what)} on {grid}{self.of(owner)} at {self.exprs(on)}"
            case m.Draw(count=count, source=source, to=to, moved=moved):
                yield f"draw {self.expr(count)} from {self.spot(source)} to {self.spot(to)}{self.named(moved)}"
            case m.HoldBack(count=count, pile=pile):
                yield f"hold back {self.expr(count)} of {self.spot(pile)}"
            case m.Mix(pile=pile):
                yield f"shuffle {self.spot(pile)}"
            case m.Reveal(what=what, to=player):
                yield f"reveal {self.expr(what)}" + ("" if player is None else f" to {self.expr(player)}")
            case m.SetVariable(name=name, owner=owner, value=value):
                yield f"set {name}{self.of(owner)} = {self.expr(value)}"
            case m.Let(var=var, value=value, source=source):
                chosen = "" if source is None else f", chosen from {self.expr(source)}"
                yield f"let {var.name}: {var.type} = {self.expr(value)}{chosen}"
            case m.Gather(var=var, of=of, least=least, face_down=face_down):
                yield f"gather {var.name} from {self.expr(of)}, at least {self.expr(least)}{' face down' if face_down else ''}"
            case m.Include(var=var, member=member):
                yield f"include {self.expr(member)} in {var.name}"
            case m.Announce(player=player, value=value, text=text):
                yield f"announce {self.expr(value)} to all but {self.expr(player)} {self.reason(text)}"
            case m.Tell(text=text):
                yield f"tell {self.reason(text)}"
            case m.If(condition=condition, then=then, otherwise=otherwise):
                yield f"if {self.expr(condition)}"
                yield from _in(self.body(then))
                if otherwise:
                    yield "else"
                    yield from _in(self.body(otherwise))
            case m.ForEach(var=var, members=members, order=order, body=body):
                yield f"for each {var.name} in {self.expr(members)}{self.order(order)}"
                yield from _in(self.body(body))
            case m.Repeat(until=until, at_most=at_most, body=body, otherwise=otherwise):
                most = "" if at_most is None else f", at most {self.expr(at_most)} times"
                yield f"repeat until {self.expr(until)}{most}"
                yield from _in(self.body(body))
                if otherwise is not None:
                    yield "else"
                    yield from _in(self.body(otherwise))
            case m.RepeatTimes(times=times, body=body):
                yield f"repeat {self.expr(times)} times"
                yield from _in(self.body(body))
            case m.TakeTurns(var=var, start=start, among=among, until=until, body=body):
                yield f"turns of {var.name} in {self.expr(among)} from {self.expr(start)} until {self.expr(until)}"
                yield from _in(self.body(body))
            case m.Do(step=step, args=args):
                yield f"do {step}({self.exprs(args)})"
            case m.End(name=name):
                yield f"end {name}"
            case m.NamedBlock(name=name, body=body):
                yield f"step {name}"
                yield from _in(self.body(body))
            case m.Choose(player=player, options=options, impossible=impossible):
                yield f"choose {self.expr(player)}"
                for option in options:
                    yield from _in(self.option(option))
                if impossible is not None:
                    yield f"{_INDENT}impossible"
                    yield from _in(_in(self.body(impossible)))
            case _:
                assert_never(node)

    def option(self, node: m.Option) -> Iterator[str]:
        text = f" {node.text!r}" if node.text is not None else ""
        arguments = ", ".join(self.argument(argument) for argument in node.arguments)
        yield f"option {node.verb}({arguments}){text}{' face down' if node.face_down else ''}{' secretly' if node.secret else ''}"
        for condition in node.conditions:
            word = "so that" if condition.laid else "only if"
            yield f"{_INDENT}{word} {self.expr(condition.test)} otherwise {self.reason(condition.reason)}"
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
            case m.Clockwise(start=start, stop=stop):
                begin = "" if start is None else f" from {self.expr(start)}"
                return f" clockwise{begin}" + ("" if stop is None else f" to {self.expr(stop)}")
            case m.ByKeys(var=var, keys=keys):
                return f" ordered as {var.name} by {self.keys(keys)}"
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
        return f"({text})" if isinstance(node, infix) else text

    def expr(self, node: m.Expr) -> str:
        match node:
            case m.Const(value=value, type=type):
                return self.constant(value, type)
            case m.OptionValue(name=name):
                return f"option {name}"
            case m.PlayerCount():
                return "player count"
            case m.AllPlayers():
                return "all players"
            case m.VarValue(var=var):
                return var.name
            case m.ZoneContent(zone=zone, owner=owner, every=every):
                return f"every {zone}" if every else f"{zone}{self.of(owner)}"
            case m.AllOf(type=type):
                return f"all {type.of}"
            case m.Pick(values=values, type=type):
                return f"{type.of}[{', '.join(f'{name} {self.attribute(name, value)}' for name, value in values)}]"
            case m.VariableValue(name=name, owner=owner):
                return f"{name}{self.of(owner)}"
            case m.AttributeOf(attribute=attribute, of=of):
                return f"{attribute} of {self.part(of)}"
            case m.ColumnFor(table=table, column=column, key=key):
                return f"{table}.{column}[{self.expr(key)}]"
            case m.Apply(define=define, args=args):
                return f"{define}({self.exprs(args)})"
            case m.Arithmetic(op=op, left=left, right=right) | m.Compare(op=op, left=left, right=right):
                return f"{self.part(left)} {op} {self.part(right)}"
            case m.Logic(op=op, left=left, right=right):
                return f"{self.part(left)} {op} {self.part(right)}"
            case m.Not(value=value):
                return f"not {self.part(value)}"
            case m.Cases(cases=cases, otherwise=otherwise):
                said = [f"{self.part(value)} if {self.part(condition)}" for condition, value in cases]
                return f"{', '.join(said)}, else {self.part(otherwise)}"
            case m.Join(left=left, right=right):
                return f"{self.part(left)} + {self.part(right)}"
            case m.Without(left=left, right=right):
                return f"{self.part(left)} without {self.part(right)}"
            case m.SetOf(members=members):
                return f"{{{self.exprs(members)}}}"
            case m.Filter(of=of, var=var, condition=condition):
                return f"{{{var.name} in {self.expr(of)} where {self.expr(condition)}}}"
            case m.IsIn(member=member, of=of):
                return f"{self.part(member)} in {self.part(of)}"
            case m.Some(of=of):
                return f"some({self.expr(of)})"
            case m.Count(of=of):
                return f"count({self.expr(of)})"
            case m.Total(of=of, var=var, value=value):
                return f"sum({self.expr(value)} for {var.name} in {self.expr(of)})"
            case m.Extreme(direction=direction, of=of, var=var, value=value):
                return f"{direction}({self.expr(value)} for {var.name} in {self.expr(of)})"
            case m.First(of=of, start=start):
                return f"first({self.expr(of)} from {self.expr(start)})"
            case m.Best(of=of, var=var, keys=keys, all=every):
                return f"{'all best' if every else 'best'}({var.name} in {self.expr(of)} by {self.keys(keys)})"
            case m.PlaceOf(player=player, of=of, var=var, keys=keys, tied=tied):
                return f"place({self.expr(player)}, {var.name} in {self.expr(of)} by {self.keys(keys)}, then {tied})"
            case m.AnyOf(of=of):
                return f"any({self.expr(of)})"
            case m.RandomOf(of=of, each_face_alike=alike):
                return f"random({self.expr(of)}){', each face alike' if alike else ''}"
            case m.RandomNumber(low=low, high=high):
                return f"random({self.expr(low)}..{self.expr(high)})"
            case m.OwnerOf(of=of):
                return f"owner({self.expr(of)})"
            case m.SeatsAway(count=count, right=right, of=of):
                return f"{'right' if right else 'left'}({self.expr(count)}, {self.expr(of)})"
            case m.SeatNumber(of=of):
                return f"seat number({self.expr(of)})"
            case m.TeamOf(of=of):
                return f"team({self.expr(of)})"
            case m.Opponents(of=of):
                return f"opponents({self.expr(of)})"
            case m.Knows(player=player, of=of):
                return f"knows({self.expr(player)}, {self.expr(of)})"
            case m.ScoreOf(of=of, team=team, term=term):
                whole = "team score" if team else "score"
                return f"{whole}({self.expr(of)})" if term is None else f"{whole}.{term}({self.expr(of)})"
            case m.Winners():
                return "winners"
            case m.CellNamed():
                return node.span.text
            case m.CellsOf(grid=grid, owner=owner, empty=empty):
                return f"{'empty' if empty else 'all'} cells({grid}{self.of(owner)})"
            case m.CoveredBy(of=of):
                return f"cells({self.expr(of)})"
            case m.CellOf(of=of):
                return f"cell({self.expr(of)})"
            case m.LyingOn(cell=cell, type=type):
                return f"{type.of} on({self.expr(cell)})"
            case m.NextTo(of=of):
                return f"next to({self.expr(of)})"
            case m.Shifted(of=of, columns=columns, rows=rows, player=player):
                seen = "" if player is None else f" for {self.part(player)}"
                return f"shifted({self.expr(of)} by {columns} {rows}{seen})"
            case m.CellPlace(what=what, of=of):
                return f"{what}({self.expr(of)})"
            case m.HasLine(of=of, length=length, through=through):
                where = "" if through is None else f" through {self.part(through)}"
                return f"line of {self.part(length)} in({self.expr(of)}){where}"
            case m.HasPath(of=of, start=start, end=end):
                return f"path in({self.expr(of)}) from {self.part(start)} to {self.part(end)}"
            case m.LinesFrom(start=start, through=through, end=end):
                return f"lines from {self.part(start)} through {self.part(through)} to {self.part(end)}"
            case m.Bounds(what=what, of=of):
                return f"{what}({self.expr(of)})"
            case m.Touches(left=left, right=right):
                return f"touch({self.expr(left)}, {self.expr(right)})"
            case m.TouchesSame(of=of, attribute=attribute):
                return f"touches same {attribute}({self.expr(of)})"
            case m.Regions(of=of, attribute=attribute):
                return f"regions({self.expr(of)} by {attribute})"
            case m.Ways(piece=piece, grid=grid, owner=owner):
                return f"ways({self.expr(piece)} on {grid}{self.of(owner)})"
            case m.CellsOfWay(way=way):
                return f"cells({self.expr(way)})"
            case m.OwnedBy(player=player, type=type):
                return f"{type.of} of({self.expr(player)})"
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
            case m.GivenZone(spot=spot, things=things):
                return f"given {self.spot(spot)}: {self.exprs(things)}"
            case m.GivenLaid(laid=laid):
                return f"given {'; '.join(line for each in laid for line in self.statement(each))}"
            case m.GivenVariable(name=name, owner=owner, value=value):
                return f"given {name}{self.of(owner)} = {self.expr(value)}"
            case m.GivenKnown(player=player, what=what):
                return f"given {self.expr(player)} knows {self.expr(what)}"
            case m.RunSetup():
                return "setup"
            case m.Chance(outcomes=outcomes):
                return f"chance {self.exprs(outcomes)}"
            case m.Start(step=step, args=args):
                return f"start {step}({self.exprs(args)})"
            case m.Act():
                return self.act(node)
            case m.Expect(condition=condition):
                return f"expect {self.expr(condition)}"
            case m.ExpectCan(acts=acts):
                return f"expect can {'; '.join(self.act(act) for act in acts)}"
            case m.ExpectCannot(act=act, reason=reason):
                return f"expect cannot {self.act(act)}" + (f" because {reason!r}" if reason is not None else "")
            case m.ExpectFinding(code=code, text=text):
                return f"expect finding {code}" + (f" {text!r}" if text else "")
            case _:
                assert_never(node)

    def act(self, node: m.Act) -> str:
        return f"{self.expr(node.player)}: {node.verb}({self.exprs(node.arguments)})"
