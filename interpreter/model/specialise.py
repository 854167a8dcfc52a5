"""Model -> table: fix the number of players, the options and the variants, and fold what follows from them.

The order matters. Options may depend on the number of players; which variants are in play may depend on both; what variants
change is changed before anything is folded. Two variants that would change the same thing are a fault that names both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

from attrs import evolve, frozen

from ..diagnostics import Diagnostic, did_you_mean, fault
from ..source import Span
from . import model
from .circles import check_words
from .fold import Settled
from .from_tree.components import COMPONENTS_LIMIT
from .model import Const, Type
from .rebuild import with_parts
from .table import Column, Face, Grid, Kind, Range, Table, Variable

CELLS_LIMIT = 1_024  # of one grid: its sets stay a few words of memory; the largest boards in print have some hundreds


@frozen
class Specialised:
    """A table (None when there are errors), what was found, and the settled values, to fold more expressions with."""

    table: Table | None
    diagnostics: tuple[Diagnostic, ...]
    settled: Settled


def specialise(
    game: model.Model,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
) -> Specialised:
    """One table of a game.

    ``players``: None for the smallest number that the game and the variants' conditions admit. ``variants``: by name, those
    always in play may be left out. ``options``: by name; words and yes/no as text, numbers as numbers or text.
    """
    named = tuple(dict.fromkeys(variants))
    if players is None:
        low, high = game.players
        for count in range(low, high + 1):
            found = _Specialiser(game, count, named, dict(options or {})).run()
            if found.table is not None:
                return found
        return _Specialiser(game, low, named, dict(options or {})).run()
    return _Specialiser(game, players, named, dict(options or {})).run()


class _Specialiser:
    def __init__(self, game: model.Model, players: int, named: tuple[str, ...], given: dict[str, str | int | bool]) -> None:
        self.game = game
        self.named = named
        self.given = given
        self.settled = Settled(players)
        self.found = self.settled.found
        self.declarations: list[model.Declaration] = list(game.declarations)

    def complain(
        self, code: str, message: str, span: Span | None, *others: tuple[Span, str], label: str = "", help: str = ""
    ) -> None:
        diagnostic = fault(code, message, span, *others, label=label, help=help)
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    def run(self) -> Specialised:
        low, high = self.game.players
        players = self.settled.players
        if not low <= players <= high:
            count = f"{low}" if low == high else f"{low} to {high}"
            self.complain("R406", f"{self.game.game} is for {count} players, not for {players}", None)
            return self._failed()
        by_name = {v.name: v for v in self.game.variants}
        for name in self.named:
            if name not in by_name:
                known = ", ".join(by_name) or "none"
                self.complain(
                    "R401", f"there is no variant `{name}`", None, help=did_you_mean(name, by_name, f"variants: {known}")
                )
        if self.found:
            return self._failed()
        self.chosen = [by_name[n] for n in by_name if n in self.named]
        self._options()
        if self.found:
            return self._failed()
        always = [v for v in self.game.variants if v.always and v.name not in self.named and self._all_hold(v.always)]
        if always:
            self.chosen = [v for v in self.game.variants if v in self.chosen or v in always]
            self.settled.options = {}
            self._options()
        self._compatible()
        if self.found:
            return self._failed()
        self._edit()
        if self.found:
            return self._failed()
        self._teams()
        self._columns()
        self._kinds()
        self._grids()
        if self.found:
            return self._failed()
        table = self._table()
        if not self.found:
            check_words(table, lambda code, message, span, help: self.complain(code, message, span, help=help))
        return self._failed() if self.found else Specialised(table, (), self.settled)

    def _failed(self) -> Specialised:
        return Specialised(None, tuple(self.found), self.settled)

    def _all_hold(self, conditions: tuple[model.Expr, ...]) -> bool:
        return all(self.settled.value(c) == 1 for c in conditions)

    # -- options

    def _options(self) -> None:
        """Settle every option: what the user gave, else what a variant sets, else the default."""
        declared = {
            d.name: d
            for source in ([self.game.declarations, *(v.adds for v in self.chosen)])
            for d in source
            if isinstance(d, model.OptionDeclaration)
        }
        self.option_declarations = declared
        self.words = self.game.lists
        for name in self.given:
            if name not in declared:
                known = ", ".join(declared) or "none"
                self.complain(
                    "R404", f"there is no option `{name}`", None, help=did_you_mean(name, declared, f"options: {known}")
                )
        setting: dict[str, tuple[str, model.Expr]] = {}
        for variant in self.chosen:
            for name, value in variant.options:
                if name in setting and self.settled.value(value) != self.settled.value(setting[name][1]):
                    other, earlier = setting[name]
                    self.complain(
                        "R403", f"`{other}` and `{variant.name}` both set `{name}`", value.span,
                        (earlier.span, f"here by `{other}`"),
                        label=f"here by `{variant.name}`",
                    )  # fmt: skip
                setting[name] = (variant.name, value)
        asked: set[str] = set()

        def option_of(name: str) -> int:
            option = declared[name]
            if name in self.settled.options:
                return self.settled.options[name]
            if name in asked:
                self.complain("R221", f"the default of `{name}` depends on itself", option.default.span)
                return 0
            asked.add(name)
            value = self._option(option, setting.get(name))
            self.settled.options[name] = value
            return value

        self.settled.option_of = option_of
        self.settled.column_of = self._asked_column
        for name in declared:
            option_of(name)

    def _option(self, option: model.OptionDeclaration, setting: tuple[str, model.Expr] | None) -> int:
        value: int | None
        if option.name in self.given:
            value = self._given(option)
            if setting is not None and value is not None and value != self.settled.value(setting[1]):
                self.complain(
                    "R407", f"the variant `{setting[0]}` sets `{option.name}` itself", setting[1].span,
                    help=f"leave `{option.name}` alone, or play without `{setting[0]}`",
                )  # fmt: skip
        else:
            value = self.settled.value(setting[1] if setting else option.default)
        if value is None:
            return 0
        domain = option.domain
        if domain.low is not None and domain.high is not None:
            low, high = self.settled.value(domain.low) or 0, self.settled.value(domain.high) or 0
            if not low <= value <= high and not (value == -1 and domain.type.optional):
                where = None if option.name in self.given else (setting[1] if setting else option.default).span
                self.complain("R405", f"`{option.name}` is {low} to {high}, not {value}", where)
        return value

    def _given(self, option: model.OptionDeclaration) -> int | None:
        """The value of an option as a user wrote it; a finding and None when it is none of the domain's."""
        value = self.given[option.name]
        text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        type = option.domain.type
        if text == "none" and type.optional:
            return -1
        match type.base:
            case "truth":
                known: tuple[str, ...] = ("no", "yes")
            case "word":
                known = self.words[type.of]
            case _:
                digits = text[1:] if text.startswith("-") else text
                if digits.isdecimal() and len(digits) < 10:
                    return int(text)
                self.complain("R405", f"`{option.name}` is a number, and `{text[:40]}` is none", None)
                return None
        if text in known:
            return known.index(text)
        self.complain(
            "R405", f"`{text[:40]}` is no value of `{option.name}`", None, help=did_you_mean(
                text, known, f"values: {', '.join(known[:20])}"
            )
        )
        return None

    # -- variants

    def _compatible(self) -> None:
        in_play = {v.name for v in self.chosen}
        for variant in self.chosen:
            for condition in variant.needs:
                if self.settled.value(condition) == 0:
                    self.complain(
                        "R402", f"`{variant.name}` cannot be played here", condition.span, label="this does not hold",
                        help=f"this table has {self.settled.players} players",
                    )  # fmt: skip
            for name, span in variant.excludes:
                if name in in_play:
                    always = f"`{name}` is always in play with {self.settled.players} players"
                    help = "leave one of them out" if name in self.named else always
                    self.complain("R402", f"`{variant.name}` excludes `{name}`", span, help=help)

    def _edit(self) -> None:
        """Change the declarations as the variants in play say, in file order."""
        changed: dict[str, tuple[str, Span]] = {}
        steps: dict[str, tuple[model.NamedBlock, ...]] = {}
        names = {_named(d): d.span for d in self.declarations}
        for variant in self.chosen:
            for new in variant.adds:
                if _named(new) in names:
                    self.complain(
                        "R403", f"`{_named(new)}` is declared twice by the variants in play", new.span,
                        (names[_named(new)], "here first"), help="give one of them another name",
                    )  # fmt: skip
                else:
                    names[_named(new)] = new.span
                    self.declarations.append(new)
            for replaced in variant.replaces:
                name = "winner" if isinstance(replaced, model.Winner) else getattr(replaced, "name", "")
                if self._claimed(changed, name, variant, replaced.span):
                    continue
                if isinstance(replaced, model.NamedBlock):
                    steps[name] = (replaced,)
                else:
                    self.declarations = [replaced if _same_place(d, replaced) else d for d in self.declarations]
                    if isinstance(replaced, model.Step) and not any(d is replaced for d in self.declarations):
                        self.declarations.append(replaced)  # a setup where there was none
            for name, source, span in variant.removes:
                if self._claimed(changed, f"{name} of the {source}", variant, span):
                    continue
                self.declarations = [
                    evolve(
                        d, keys=tuple(k for k in d.keys if k.label != name)
                    ) if isinstance(d, model.Winner) and source == "winner" else d
                    for d in self.declarations
                    if not (source == "score" and isinstance(d, model.Term) and d.name == name)
                ]
        for name, (block,) in steps.items():

            def instead(old: model.NamedBlock, new: model.NamedBlock = block) -> model.Body | None:
                return (evolve(old, body=new.body),) if old.name == new.name else None

            if not self._edit_steps(instead):
                self.complain("R226", f"there is no step `{name}` to replace in this game", block.span)
        self._insert()

    def _claimed(self, changed: dict[str, tuple[str, Span]], name: str, variant: model.Variant, span: Span) -> bool:
        """Whether another variant has changed this thing already (a finding)."""
        if name in changed:
            other, earlier = changed[name]
            self.complain(
                "R403", f"`{other}` and `{variant.name}` both change `{name}`", span, (earlier, f"here by `{other}`"),
                label=f"here by `{variant.name}`", help="leave one of them out, or let one say `excludes` the other",
            )  # fmt: skip
            return True
        changed[name] = (variant.name, span)
        return False

    def _insert(self) -> None:
        """Put what variants add before and after steps there."""
        wanted: dict[str, tuple[list[model.Insertion], list[model.Insertion]]] = {}
        for variant in self.chosen:
            for insertion in variant.insertions:
                before, after = wanted.setdefault(insertion.step, ([], []))
                (before if insertion.where == "before" else after).append(insertion)
        for name, (before, after) in wanted.items():
            head = tuple(s for i in before for s in i.body)
            tail = tuple(s for i in after for s in i.body)

            def around(
                block: model.NamedBlock, name: str = name, head: model.Body = head, tail: model.Body = tail
            ) -> model.Body | None:
                return (*head, block, *tail) if block.name == name else None

            hit = self._edit_steps(around)
            for index, step in enumerate(self.declarations):
                if isinstance(step, model.Step) and step.name == name and step.form != "setup":
                    self.declarations[index] = evolve(step, body=(*head, *step.body, *tail))
                    hit = True
            if not hit:
                self.complain("R226", f"there is no step `{name}` in this game", (before or after)[0].span)

    def _edit_steps(self, edit: Callable[[model.NamedBlock], model.Body | None]) -> bool:
        """Change steps in place: ``edit`` gives the statements that stand for a block, or None to leave it alone."""
        hit = False

        def change(node: object) -> object:
            if isinstance(node, tuple):
                return node
            assert isinstance(node, model.Node)
            return in_bodies(with_parts(node, change))

        def in_bodies(node: model.Node) -> model.Node:
            nonlocal hit
            changes: dict[str, Any] = {}
            for name in ("body", "then", "otherwise", "impossible"):
                body = getattr(node, name, None)
                if isinstance(body, tuple) and any(isinstance(s, model.NamedBlock) for s in body):
                    new: list[model.Statement] = []
                    for statement in body:
                        edited = edit(statement) if isinstance(statement, model.NamedBlock) else None
                        hit = hit or edited is not None
                        new.extend([statement] if edited is None else edited)
                    changes[name] = tuple(new)
            return evolve(node, **changes) if changes else node

        self.declarations = [change(d) if isinstance(d, model.Step) else d for d in self.declarations]  # type: ignore[misc]
        return hit

    # -- values

    def _teams(self) -> None:
        players = self.settled.players
        size = next(((d.size, d.span) for d in self.declarations if isinstance(d, model.Teams)), (1, self.game.span))
        if size[0] < 1 or players % size[0]:
            self.complain("R405", f"{players} players cannot form teams of {size[0]}", size[1])
            size = (1, size[1])
        self.settled.teams = tuple(seat % (players // size[0]) for seat in range(players))

    def _asked_column(self, table_name: str, column: str) -> Column:
        """A column that an option, or another column, asks for before all columns are settled."""
        declared = (d for source in (self.declarations, *(v.adds for v in self.chosen)) for d in source)
        table = next(d for d in declared if isinstance(d, model.TableDeclaration) and d.name == table_name)
        return self._column(table, table.columns.index(column))

    def _columns(self) -> None:
        for table in self.declarations:
            if not isinstance(table, model.TableDeclaration):
                continue
            for index, name in enumerate(table.columns):
                self.settled.columns[table.name, name] = self._column(table, index)
            if table.by == "players":
                rows = [r.key.value for r in table.rows if isinstance(r.key, Const)]
                players = self.settled.players
                if players not in rows and all(r.key is not None for r in table.rows):
                    listed = ", ".join(str(r) for r in rows)
                    self.complain(
                        "R207", f"the table `{table.name}` has no row for {players} players", table.span,
                        (self.game.players_span, f"the game says it can be played by {players}"), label=f"rows for {listed}",
                        help=f"add a row `{players} | ...`, or change the `players` line",
                    )  # fmt: skip

    def _column(self, table: model.TableDeclaration, index: int) -> Column:
        values: dict[int, int] = {}
        otherwise: int | None = None
        for row in table.rows:
            if table.by == "players" and isinstance(row.key, Const) and row.key.value != self.settled.players:
                continue
            value = self.settled.value(row.values[index])
            if row.key is None:
                otherwise = value
            elif isinstance(row.key, Const) and value is not None:
                values[row.key.value] = value
        return Column(values, otherwise, table.types[index])

    def _kinds(self) -> None:
        self.settled.kinds = {
            d.name: self._kind(d) for d in self.declarations if isinstance(d, model.Kind)
        }

    def _grids(self) -> None:
        """The sizes of all grids; a finding for one that is too large, and for a tile that can never lie on its grid."""
        for grid in (d for d in self.declarations if isinstance(d, model.Grid)):
            width, height = self.settled.value(grid.width) or 0, self.settled.value(grid.height) or 0
            if min(width, height) < 1:
                self.complain("R215", f"a grid of {width} x {height} has no cells", grid.span)
                width = height = 1
            if max(width, height, width * height) > CELLS_LIMIT:
                self.complain("R216", f"`{grid.name}` has {width * height} cells; {CELLS_LIMIT} are allowed", grid.span)
                width = height = 1
            for name in grid.kinds:
                parts = self.settled.kinds[name].parts
                across, up = (max(each) - min(each) + 1 for each in zip(*((p.column, p.row) for p in parts), strict=True))
                if not self.found and (max(across, up) > max(width, height) or min(across, up) > min(width, height)):
                    sizes = f"a {name} is {across} x {up} cells, and `{grid.name}` is {width} x {height}"
                    help = "make the grid larger, or the shape smaller"
                    self.complain("R248", f"{sizes}: it can never lie there", grid.span, help=help)
            self.settled.grids[grid.name] = Grid(grid.name, grid.owned, grid.kinds, width, height, grid.span)

    def _zones(self) -> dict[str, model.Zone]:
        """The zones by name, and those of the grids: one for each kind."""
        found = {d.name: d for d in self.declarations if isinstance(d, model.Zone)}
        for grid in self.settled.grids.values():
            for kind in grid.kinds:
                name = f"{kind} on {grid.name}"  # no name of a file has spaces
                found[name] = model.Zone(name, grid.owned, "set", kind, "open", grid.name, span=grid.span)
        return found

    def _owned(self, kind: model.Kind) -> Kind:
        """A kind of which each player has some."""
        copies = self.settled.value(kind.each) if kind.each is not None else 0
        if copies is None or copies < 1 or copies * self.settled.players > COMPONENTS_LIMIT:
            self.complain("R215", f"there cannot be {copies or 0} {kind.name}s for each player", kind.span)
            copies = 1
        if kind.marked and copies > 1:
            self.complain("R227", f"some {kind.name}s are equal, and something is marked on them", kind.span)
        faces = tuple(Face((seat,), copies) for seat in range(self.settled.players))
        return Kind(kind.name, ("owner",), (None,), faces, kind.span, kind.parts, owned=True)

    def _kind(self, kind: model.Kind) -> Kind:
        if kind.owned:
            return self._owned(kind)
        names = tuple(a.name for a in kind.attributes)
        words = tuple(self._words(a.domain.type) for a in kind.attributes)
        found: dict[tuple[int, ...], int] = {}
        for row in kind.rows or ():
            if not any(self._left_out(row, entry) for entry in kind.left_out):
                key = tuple(row.values[name] for name in names)
                found[key] = found.get(key, 0) + row.copies
        if kind.each is not None:
            copies = self.settled.value(kind.each) or 0
            spaces = [self._space(a) for a in kind.attributes]
            total = copies
            for space in spaces:
                total *= len(space)
            if total > COMPONENTS_LIMIT:
                self.complain("R216", f"these are {total} {kind.name}s; {COMPONENTS_LIMIT} are allowed", kind.span)
                copies = 0
            if copies < 0:
                self.complain("R215", f"there cannot be {copies} of each {kind.name}", kind.span)
                copies = 0
            found = dict.fromkeys(product(*spaces), copies) if copies and total <= COMPONENTS_LIMIT else {}
        if kind.marked and any(n > 1 for n in found.values()):
            twice = [row.span for row in kind.rows or () if found.get(tuple(row.values[name] for name in names), 0) > 1]
            self.complain(
                "R227", f"some {kind.name}s are equal, and something is marked on them", kind.span,
                *((span, "one of these") for span in twice[:2]),
                help="give each row a number of its own, so that a marked one can be told from the others",
            )  # fmt: skip
        if len(kind.parts) > 1 and any(n > 1 for n in found.values()):
            self.complain(
                "R227", f"some {kind.name}s are equal, and each covers several cells", kind.span,
                help="give each row a number of its own, so that it can be told which of them lies where",
            )  # fmt: skip
        faces = tuple(Face(key, n) for key, n in found.items() if n)
        if not faces and not self.found:
            self.complain("R215", f"there is no {kind.name} in this game", kind.span)
        return Kind(kind.name, names, words, faces, kind.span, kind.parts, tuple(a.name for a in kind.part_attributes))

    def _left_out(self, row: model.WrittenRow, entry: model.LeftOut) -> bool:
        have, value = row.values[entry.column], self.settled.value(entry.value)
        if have == -1 or value is None:
            return False
        return {
            "=": have == value, "!=": have != value, "<": have < value, "<=": have <= value, ">": have > value,
            ">=": have >= value,
        }[entry.op]  # fmt: skip

    def _words(self, type: Type) -> tuple[str, ...] | None:
        match type.base:
            case "word":
                return self.words[type.of]
            case "truth":
                return ("no", "yes")
            case _:
                return None

    def _space(self, attribute: model.Attribute) -> list[int]:
        words = self._words(attribute.domain.type)
        none = [-1] if attribute.domain.type.optional else []
        if words is not None:
            return [*range(len(words)), *none]
        found = self._range(attribute.domain, attribute.span)
        if found is None or found.high - found.low > COMPONENTS_LIMIT:
            return list(range(COMPONENTS_LIMIT + 1))
        return [*range(found.low, found.high + 1), *none]

    def _range(self, domain: model.Domain, span: Span) -> Range | None:
        if domain.low is None or domain.high is None:
            return None
        low, high = self.settled.value(domain.low), self.settled.value(domain.high)
        if low is None or high is None:
            return None
        if low > high:
            self.complain("R215", f"there is no number from {low} to {high}", span)
            high = low
        return Range(low, high)

    # -- the whole

    def _table(self) -> Table:
        settled, declarations = self.settled, self.declarations
        fold, fold_body = settled.fold, settled.fold_body
        steps = [evolve(d, body=fold_body(d.body)) for d in declarations if isinstance(d, model.Step)]
        terms = [with_parts(d, settled.fold_part) for d in declarations if isinstance(d, model.Term)]
        winner = next(d for d in declarations if isinstance(d, model.Winner))
        defines = {d.name: evolve(d, value=fold(d.value)) for d in declarations if isinstance(d, model.Define)}
        variables = {
            d.name: Variable(d.name, d.form, d.owner, d.domain.type, self._range(d.domain, d.span), d.visibility, d.span)
            for d in declarations
            if isinstance(d, model.Variable)
        }
        return Table(
            game=self.game.game,
            titles=self.game.titles,
            players=settled.players,
            variants=tuple(v.name for v in self.chosen),
            options=dict(settled.options),
            option_words={n: self.said(o.domain.type, settled.options[n]) for n, o in self.option_declarations.items()},
            lists=self.words,
            kinds=settled.kinds,
            zones=self._zones(),
            grids=settled.grids,
            variables=variables,
            columns=settled.columns,
            table_spans={d.name: d.span for d in declarations if isinstance(d, model.TableDeclaration)},
            defines=defines,
            steps={s.name: s for s in steps if s.form == "step"},
            flow=tuple(sorted((s for s in steps if s.form != "step"), key=lambda s: s.form != "setup")),
            terms=tuple(terms),
            winner=with_parts(winner, settled.fold_part),
            teams=settled.teams,
            span=self.game.span,
        )

    def said(self, type: Type, value: int) -> str:
        """An option's value in words."""
        words = self._words(type)
        return "none" if value == -1 and type.optional else words[value] if words is not None else str(value)


def _named(declaration: model.Declaration) -> str:
    """A name that only one declaration of a table may have; terms of the score have names of their own."""
    match declaration:
        case model.Term(name=name):
            return f"{name} of the score"
        case model.Winner():
            return "winner"
        case model.Teams():
            return "teams"
        case _:
            return declaration.name


def _same_place(old: model.Declaration, new: model.Declaration) -> bool:
    if isinstance(new, model.Winner):
        return isinstance(old, model.Winner)
    if isinstance(new, model.Step) and new.form == "setup":
        return isinstance(old, model.Step) and old.form == "setup"
    return isinstance(old, model.Declared) and type(old) is type(new) and isinstance(new, model.Declared) and old.name == new.name
