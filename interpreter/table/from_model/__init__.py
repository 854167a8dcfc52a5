"""Model -> table: fix the number of players, the options and the variants, and fold what follows from them.

The order matters. Options may depend on the number of players; which variants are in play may depend on both; what variants
change is changed before anything is folded. Two variants that would change the same thing are a fault that names both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product

from attrs import evolve, frozen

from ...diagnostics import Diagnostic, did_you_mean, fault
from ...model import model
from ...model.from_tree.declarations.components import COMPONENTS_LIMIT
from ...model.model import Const, Type
from ...model.rebuild import walk, with_bodies, with_parts
from ...source import Span
from ..table import Column, Face, Grid, Kind, Range, Table, Variable
from .circles import check_words
from .fold import Settled
from .limits import counted, counters
from .matches import games_played, match_at
from .triggers import with_triggers

CELLS_LIMIT = 1_024  # of one grid: its sets stay a few words of memory; the largest boards in print have some hundreds


@frozen
class Specialised:
    """A table (None when there are errors), what was found, the settled values, to fold more expressions with, and the
    declarations as the variants in play leave them, before anything is folded."""

    table: Table | None
    diagnostics: tuple[Diagnostic, ...]
    settled: Settled
    declarations: tuple[model.Declaration, ...] = ()


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
        return self._failed() if self.found else Specialised(table, (), self.settled, tuple(self.declarations))

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
                    (option.span, f"{self.said(option.domain.type, value)} is asked for"), label=f"here by `{setting[0]}`",
                    help=f"leave `{option.name}` alone, or play without `{setting[0]}`",
                )  # fmt: skip
        else:
            value = self.settled.value(setting[1] if setting else option.default)
        if value is None:
            return 0
        if not self._admits(option.domain, value):
            values = self._said_range(option.domain)
            if option.name in self.given:
                self.complain("R405", f"`{option.name}` is {values}, not {value}", None)
            elif setting is not None:
                self.complain("R405", f"`{option.name}` is {values}, not {value}", setting[1].span)
            else:  # said without the value, so that it is one finding where the default depends on the number of players
                self.complain("R405", f"`{option.name}` is {values}, and its default is not", option.default.span)
        return value

    def _admits(self, domain: model.Domain, value: int) -> bool:
        """Whether an option of this domain can have a value."""
        if domain.low is None or domain.high is None or (value == -1 and domain.type.optional):
            return True
        low, high = self.settled.value(domain.low) or 0, self.settled.value(domain.high) or 0
        return value in domain.values if domain.values else low <= value <= high

    def _said_range(self, domain: model.Domain) -> str:
        """``10 to 50``, ``24, 36 or 48``."""
        if domain.low is None or domain.high is None or not domain.values:
            ends = (domain.low, domain.high)
            return " to ".join(str(self.settled.value(end) or 0) for end in ends if end is not None)
        *most, last = map(str, domain.values)
        return " or ".join(filter(None, (", ".join(most), last)))

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
        in_play = {v.name: v for v in self.chosen}
        for variant in self.chosen:
            for condition in variant.needs:
                if self.settled.value(condition) == 0:
                    self.complain(
                        "R402", f"`{variant.name}` cannot be played here", condition.span, (variant.span, "the variant"),
                        label="this does not hold", help=f"this table has {self.settled.players} players",
                    )  # fmt: skip
            for exclusion in variant.excludes:
                if exclusion.variant in in_play:
                    other = in_play[exclusion.variant]
                    named = other.name in self.named
                    always = f"`{other.name}` is always in play with {self.settled.players} players"
                    self.complain(
                        "R402", f"`{variant.name}` excludes `{other.name}`", exclusion.span,
                        (other.span if named else other.always[0].span, "this is in play too"),
                        help="leave one of them out" if named else always,
                    )  # fmt: skip

    def _edit(self) -> None:
        """Change the declarations as the variants in play say, in file order."""
        claims: list[_Claim] = []
        steps: dict[str, model.NamedBlock] = {}
        names = {_named(d): d.span for d in self.declarations}
        for variant in self.chosen:
            for removal in variant.removes:  # before anything is added: a line of the score may come back as another
                if not self._is_claimed(_Claim(removal.source, removal.name, variant.name, removal.span), claims):
                    self._remove(removal)
                    names.pop(_named_term(removal.name), None)
            for new in variant.adds:
                if isinstance(new, model.Define) and isinstance(new.value, model.PlaceOf):
                    self.declarations.append(new)  # of a majority: its term is what can be there twice
                elif _named(new) in names:
                    self.complain(
                        "R403", f"`{_named(new)}` is declared twice by the variants in play", new.span,
                        (names[_named(new)], "here first"), help="give one of them another name",
                    )  # fmt: skip
                else:
                    names[_named(new)] = new.span
                    self.declarations.append(new)
            for replaced in variant.replaces:
                name = replaced.name if isinstance(replaced, model.NamedBlock) else _named(replaced)
                if self._is_claimed(_Claim(name, None, variant.name, replaced.span), claims):
                    continue
                if isinstance(replaced, model.NamedBlock):
                    steps[name] = replaced
                else:
                    self.declarations = [replaced if _same_place(d, replaced) else d for d in self.declarations]
                    if isinstance(replaced, model.Step) and not any(d is replaced for d in self.declarations):
                        self.declarations.append(replaced)  # a setup where there was none
        for name, block in steps.items():

            def instead(old: model.NamedBlock, new: model.NamedBlock = block) -> model.Body | None:
                return (evolve(old, body=new.body),) if old.name == new.name else None

            if not self._edit_steps(instead):
                self._no_step(name, f"there is no step `{name}` to replace in this game", block.span)
        self._insert()

    def _remove(self, removal: model.Removal) -> None:
        """Take a line from the score sheet, or a key from the winner line."""
        if removal.source == "score":
            self.declarations = [d for d in self.declarations if not (isinstance(d, model.Term) and d.name == removal.name)]
        else:
            self.declarations = [
                evolve(d, keys=tuple(k for k in d.keys if k.label != removal.name)) if isinstance(d, model.Winner) else d
                for d in self.declarations
            ]

    def _is_claimed(self, claim: _Claim, earlier: list[_Claim]) -> bool:
        """Whether a variant in play has changed this thing, or a part of it, already (a finding); else it is noted."""
        for other in earlier:
            if other.thing == claim.thing and (other.part == claim.part or None in (other.part, claim.part)):
                if other.variant == claim.variant:
                    message, help = f"`{claim.variant}` changes `{claim.name}` twice", "leave one of the two out"
                else:
                    message = f"`{other.variant}` and `{claim.variant}` both change `{claim.name}`"
                    help = "leave one of them out, or let one say `excludes` the other"
                self.complain(
                    "R403", message, claim.span, (other.span, f"here by `{other.variant}`"), label=f"here by `{claim.variant}`",
                    help=help,
                )  # fmt: skip
                return True
        earlier.append(claim)
        return False

    def _no_step(self, name: str, message: str, span: Span) -> None:
        """Complain about a step that is not there, and name the line that took the place of what it stood in."""
        steps = [d for d in self.game.declarations if isinstance(d, model.Step)]
        around = {d.name for d in steps if name in _blocks_in(d)} | {b for d in steps for b in _blocks_in(d, name)}
        replaced = [r for v in self.chosen for r in v.replaces if isinstance(r, model.Step | model.NamedBlock)]
        gone = [r.span for r in replaced if r.name in around]
        self.complain("R226", message, span, *((at, "it stood in what this replaces") for at in gone))

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
                self._no_step(name, f"there is no step `{name}` in this game", (before or after)[0].span)

    def _edit_steps(self, edit: Callable[[model.NamedBlock], model.Body | None]) -> bool:
        """Change steps in place: ``edit`` gives the statements that stand for a block, or None to leave it alone."""
        hit = False

        def in_body(body: model.Body) -> model.Body:
            nonlocal hit
            found: list[model.Statement] = []
            for statement in body:
                edited = edit(statement) if isinstance(statement, model.NamedBlock) else None
                hit = hit or edited is not None
                found.extend((statement,) if edited is None else edited)
            return tuple(found)

        self.declarations = [
            with_bodies(d, in_body) if isinstance(d, model.Step | model.Trigger) else d for d in self.declarations
        ]
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
            if not is_left_out(row, kind, self.settled):
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
        return [*(attribute.domain.values or range(found.low, found.high + 1)), *none]

    def _range(self, domain: model.Domain, span: Span) -> Range | None:
        if domain.low is None or domain.high is None:
            return None
        low, high = self.settled.value(domain.low), self.settled.value(domain.high)
        if low is None or high is None:
            return None
        if low > high:
            self.complain("R215", f"there is no number from {low} to {high}", span)
            high = low
        if low < 0 and domain.type.optional:
            self.complain("R215", f"this begins at {low}, and what can be none has no numbers below 0", span)
        return Range(low, high)

    # -- the whole

    def _table(self) -> Table:
        settled, declarations = self.settled, self.declarations
        fold, fold_body = settled.fold, settled.fold_body
        steps = tuple(evolve(d, body=fold_body(d.body)) for d in declarations if isinstance(d, model.Step))
        triggers = tuple(
            evolve(d, condition=fold(d.condition), body=fold_body(d.body)) for d in declarations if isinstance(d, model.Trigger)
        )
        steps = counted(with_triggers(steps, triggers, settled, self.complain), self.complain)
        terms = [with_parts(d, settled.fold_part) for d in declarations if isinstance(d, model.Term)]
        winner = next(d for d in declarations if isinstance(d, model.Winner))
        defines = {d.name: evolve(d, value=fold(d.value)) for d in declarations if isinstance(d, model.Define)}
        variables = {
            d.name: Variable(d.name, d.form, d.owner, d.domain.type, self._range(d.domain, d.span), d.visibility, d.span)
            for d in declarations
            if isinstance(d, model.Variable)
        } | counters(steps)
        declared = next((d for d in declarations if isinstance(d, model.Match)), None)
        match = None
        if declared is not None:
            match = match_at(declared, winner, defines, settled, self.complain)
            winner = declared.winner or winner
            variables[model.GAMES_PLAYED] = games_played(match)
        return Table(
            game=self.game.game,
            files=tuple(dict.fromkeys((self.game.span.source.path, *(v.span.source.path for v in self.game.variants)))),
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
            match=match,
            teams=settled.teams,
            span=self.game.span,
        )

    def said(self, type: Type, value: int) -> str:
        """An option's value in words."""
        words = self._words(type)
        return "none" if value == -1 and type.optional else words[value] if words is not None else str(value)


def is_left_out(row: model.WrittenRow, kind: model.Kind, settled: Settled) -> bool:
    """Whether a row of a component list is not used at this table."""
    return any(_fits(row, entry, settled) for entry in kind.left_out)


def _fits(row: model.WrittenRow, entry: model.LeftOut, settled: Settled) -> bool:
    have, value = row.values[entry.column], settled.value(entry.value)
    if have == -1 or value is None:
        return False
    return {
        "=": have == value, "!=": have != value, "<": have < value, "<=": have <= value, ">": have > value,
        ">=": have >= value,
    }[entry.op]  # fmt: skip


@frozen
class _Claim:
    """What a variant changes: a thing by its name, or a part of it (a line of the score, a key of the winner line)."""

    thing: str
    part: str | None
    variant: str
    span: Span

    @property
    def name(self) -> str:
        return self.thing if self.part is None else f"{self.part} of the {self.thing}"


def _blocks_in(node: model.Step | model.NamedBlock, around: str | None = None) -> set[str]:
    """The names of the steps written inside a step; with ``around``, of those that hold a step of that name."""
    inside = [n for part in node.body for n in walk(part) if isinstance(n, model.NamedBlock)]
    return {n.name for n in inside if around is None or around in _blocks_in(n)}


def _named(declaration: model.Declaration) -> str:
    """A name that only one declaration of a table may have; terms of the score have names of their own."""
    match declaration:
        case model.Term(name=name):
            return _named_term(name)
        case model.Winner():
            return "winner"
        case model.Teams():
            return "teams"
        case model.Match():
            return "match"
        case _:
            return declaration.name


def _named_term(name: str) -> str:
    return f"{name} of the score"


def _same_place(old: model.Declaration, new: model.Declaration) -> bool:
    if isinstance(new, model.Winner | model.Match):
        return type(old) is type(new)
    if isinstance(new, model.Step) and new.form == "setup":
        return isinstance(old, model.Step) and old.form == "setup"
    return isinstance(old, model.Declared) and type(old) is type(new) and isinstance(new, model.Declared) and old.name == new.name
