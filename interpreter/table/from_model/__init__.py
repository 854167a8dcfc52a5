"""Model -> table: fix the number of players, the options and the variants, and fold what follows from them.

The order matters. Options may depend on the number of players; which variants are in play may depend on both; what variants
change is changed before anything is folded. Two variants that would change the same thing are a fault that names both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod

from attrs import evolve, frozen

from ...common.diagnostics import Diagnostic, did_you_mean
from ...common.giving_up import giving_up
from ...common.nouns import is_for
from ...common.source import Span
from ...model import model
from ...model.model import Const
from ...model.visitor import walk, with_parts
from ..table import Column, Range, Table, Variable
from .circles import check_steps, check_words
from .components import check_instances, grid_of, kind_of, range_of, said, widest_range, with_joint, zones_of
from .edits import check_compatible, edited, lines_taken_out
from .fold import Settled
from .limit_counters import counted, counters
from .matches import games_played, match_at
from .options import settle_options
from .triggers import with_triggers

ROWS_LIMIT = 100_000  # of one table: what a machine keeps of it must stay small


@frozen
class Specialised:
    """A table (None when there are errors), what was found, the settled values, to fold more expressions with, and the
    declarations as the variants in play leave them, before anything is folded."""

    table: Table | None
    diagnostics: tuple[Diagnostic, ...]
    settled: Settled
    declarations: tuple[model.Declaration, ...] = ()


@giving_up(lambda found: Specialised(None, found, Settled(0)))
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


@giving_up(lambda found: Specialised(None, found, Settled(0)))
def with_open_options(
    game: model.Model, players: int, variants: Iterable[str] = (), options: Mapping[str, str | int | bool] | None = None
) -> Specialised:
    """A table for all values of the options at once, for what is proved without play: each is a marker that nothing sets.

    One that a variant or ``options`` sets has that value. A counter up to an option goes up to its largest value. One on which
    more depends than what is asked in a game (the components, say) has its default for that; such are in ``settled.needed``.
    """
    return _Specialiser(game, players, tuple(dict.fromkeys(variants)), dict(options or {}), options_stay=True).run()


class _Specialiser:
    def __init__(
        self,
        game: model.Model,
        players: int,
        named: tuple[str, ...],
        given: dict[str, str | int | bool],
        options_stay: bool = False,
    ) -> None:
        self.game = game
        self.named = named
        self.given = given
        self.options_stay = options_stay
        self.settled = Settled(players, lists=game.lists)
        self.found = self.settled.found
        self.declarations: list[model.Declaration] = list(game.declarations)

    def run(self) -> Specialised:
        low, high = self.game.players
        players = self.settled.players
        if not low <= players <= high:
            count = f"{low}" if low == high else f"{low} to {high}"
            self.settled.complain("R406", f"{self.game.game} is for {count} players, not for {players}", None)
            return self._failed()
        by_name = {v.name: v for v in self.game.variants}
        for name in self.named:
            if name not in by_name:
                known = ", ".join(by_name) or "none"
                self.settled.complain(
                    "R401", f"there is no variant `{name}`", None, help=did_you_mean(name, by_name, f"variants: {known}")
                )
        if self.found:
            return self._failed()
        self.chosen = [by_name[n] for n in by_name if n in self.named]
        self._settle()
        if self.found:
            check_compatible(self.game, self.chosen, self.named, self.settled)
            return self._failed()
        always = [v for v in self.game.variants if v.always and v.name not in self.named and self._all_hold(v.always)]
        if always:
            in_play = {v.name for v in (*self.chosen, *always)}
            self.chosen = [v for v in self.game.variants if v.name in in_play]
            self._settle()
        check_compatible(self.game, self.chosen, self.named, self.settled)
        if self.found:
            return self._failed()
        self.declarations = edited(self.game, self.chosen, self.settled)
        if self.found:
            return self._failed()
        self._teams()
        self._columns([d for d in self._tables() if not _of_things(d)])
        grids = [d for d in self.declarations if isinstance(d, model.Grid)]
        kinds = [d for d in self.declarations if isinstance(d, model.Kind)]
        self.settled.kinds = with_joint([(d, kind_of(d, grids, self.settled)) for d in kinds], self.settled)
        for grid in grids:
            self.settled.grids[grid.name] = grid_of(grid, self.settled)
        if self.found:
            return self._failed()
        self._columns([d for d in self._tables() if _of_things(d)])
        if self.found:
            return self._failed()
        table = self._table()
        until = () if table.match is None or table.match.until is None else (table.match.until,)
        asking = (*table.all_steps, *table.defines.values(), *table.terms, table.winner, *until)
        self.found += dict.fromkeys(lines_taken_out(asking, self.chosen, table))
        check_instances(table, self.settled)
        if not self.found:
            check_words(table, self.settled)
            check_steps(table, self.settled)
        return self._failed() if self.found else Specialised(table, (), self.settled, tuple(self.declarations))

    def _failed(self) -> Specialised:
        return Specialised(None, tuple(self.found), self.settled)

    def _all_hold(self, conditions: tuple[model.Expr, ...]) -> bool:
        return all(self.settled.value(c) == 1 for c in conditions)

    def _settle(self) -> None:
        """Settle the options of the game and of the variants in play."""
        self.option_declarations = {
            d.name: d
            for source in (self.game.declarations, *(v.adds for v in self.chosen))
            for d in source
            if isinstance(d, model.OptionDeclaration)
        }
        settle_options(self.option_declarations, self.chosen, self.given, self._asked_column, self.settled)

    # -- values

    def _teams(self) -> None:
        players = self.settled.players
        line = next((d for d in self.declarations if isinstance(d, model.Teams)), None)
        size = 1 if line is None else line.size
        if line is not None and (size < 1 or players % size):
            needs = [need for variant in self.chosen if line in variant.adds for need in variant.needs]
            low, high = self.game.players
            admitted = [number for number in range(low, high + 1) if all(self._holds_with(need, number) for need in needs)]
            sizes = [number for number in range(2, players) if players % number == 0]
            fitting = [f"`teams of {number}`" for number in sizes if not any(each % number for each in admitted)]
            help = "change for how many players this is"
            help = f"write {' or '.join(fitting)}, or {help}" if fitting else help
            counting = [need.span for need in needs if any(isinstance(part, model.PlayerCount) for part in walk(need))]
            places = [(span, "for so many players") for span in counting]
            self.settled.complain("R405", f"{players} players cannot form teams of {size}", line.span, *places, help=help)
            size = 1
        self.settled.teams = tuple(seat % (players // size) for seat in range(players))

    def _holds_with(self, need: model.Expr, players: int) -> bool:
        """Whether a variant could be in play with so many players, the options being as they are."""
        return evolve(self.settled, players=players, found=[]).value(need) == 1

    def _asked_column(self, table_name: str, column: str) -> Column:
        """A column that an option, or another column, asks for before all columns are settled."""
        declared = (d for source in (self.declarations, *(v.adds for v in self.chosen)) for d in source)
        table = next(d for d in declared if isinstance(d, model.TableDeclaration) and d.name == table_name)
        return self._column(table, table.columns.index(column))

    def _tables(self) -> list[model.TableDeclaration]:
        return [d for d in self.declarations if isinstance(d, model.TableDeclaration)]

    def _columns(self, tables: list[model.TableDeclaration]) -> None:
        for table in tables:
            if self._too_large(table):
                continue
            for index, name in enumerate(table.columns):
                self.settled.columns[table.name, name] = self._column(table, index)
            if table.by == "players":
                rows = [r.key.value for r in table.rows if isinstance(r.key, Const)]
                players = self.settled.players
                if players not in rows and all(r.key is not None for r in table.rows):
                    listed = f"it has {'rows' if len(rows) > 1 else 'a row'} only for {', '.join(map(str, rows))}"
                    self.settled.complain(
                        "R207",
                        f"the table `{table.name}` has no row for {players} players",
                        table.span,
                        (self.game.players_span, f"the game says it can be played by {players}"),
                        label=listed,
                        help=f"add a row `{players} | ...` with its {' and '.join(table.columns)}, or change the `players` line",
                    )

    def _too_large(self, table: model.TableDeclaration) -> bool:
        """Whether a table could have too many rows, after a finding about it."""
        sizes = [(part.type.noun, self.settled.size(part.type)) for part in table.parameters]
        count = prod(size for _, size in sizes)
        if count > ROWS_LIMIT:
            self.settled.complain(
                "R216",
                f"there would be {count:,} rows of `{table.name}`; {ROWS_LIMIT:,} are allowed",
                table.span,
                label=" times ".join(f"{size:,} for each {noun}" for noun, size in sizes),
                help="let it be asked for fewer things",
            )
        return count > ROWS_LIMIT

    def _key(self, row: model.TableRow) -> int | None:
        """The number of a row's key; None of a row `otherwise`, and of one for a player who does not take part."""
        if row.key is None or isinstance(row.key, Const):
            return None if row.key is None else row.key.value
        number = 0
        for part in row.key.parts if isinstance(row.key, model.Index) else (row.key,):
            if isinstance(part, Const) and part.type == model.PLAYER and part.value >= self.settled.players:
                if part.value >= self.game.players[1]:
                    help = f"{is_for(self.game.players)}: take the row out, or let more play"
                    self.settled.complain("R406", f"there is no player {part.value + 1}", part.span, help=help)
                return None
            value = self.settled.value(part)
            if value is None:
                return None
            number = number * self.settled.size(part.type.required) + value
        return number

    def _column(self, table: model.TableDeclaration, index: int) -> Column:
        values: dict[int, int] = {}
        rows: dict[int, Span] = {}
        otherwise: int | None = None
        for row in table.rows:
            if table.by == "players" and isinstance(row.key, Const) and row.key.value != self.settled.players:
                continue
            cell = row.values[index]
            value, key = self.settled.value(cell), self._key(row)
            if value is not None and value < 0 and table.types[index].optional and cell.type == model.NUMBER:
                said = f"`{table.columns[index]}` can be none, and it can be a number below 0"
                help = "let its numbers begin at 0, so that the two can be told apart"
                self.settled.complain("R229", said, cell.span, help=help)
            if row.key is None:
                otherwise = value
            elif key is not None and key in rows:
                there = row.key.span.text
                said = f"the table `{table.name}` has two rows for {there}"
                self.settled.complain("R202", said, row.span, (rows[key], "here first"))
            elif key is not None and value is not None:
                values[key], rows[key] = value, row.span
        return Column(values, otherwise, table.types[index], rows)

    # -- the whole

    def _open_options(self) -> list[model.OptionDeclaration]:
        """The options that stay as they are, since nothing sets them."""
        closed = {*self.given, *(name for variant in self.chosen for name, _ in variant.options)}
        return [d for d in self.option_declarations.values() if self.options_stay and d.name not in closed]

    def _range_of(self, line: model.Variable) -> Range | None:
        """Between which numbers a counter or marker is: with options that stay open, whatever their values are."""
        options = {option.name: option.domain for option in self._open_options()}
        return widest_range(line.domain, options, self.settled) or range_of(line.domain, line.span, self.settled)

    def _table(self) -> Table:
        settled, declarations = self.settled, self.declarations
        in_play = evolve(settled, left_open=frozenset(option.name for option in self._open_options()))
        fold, fold_body = in_play.fold, in_play.fold_body
        steps = tuple(
            evolve(d, fitting=None if d.fitting is None else fold(d.fitting), body=fold_body(d.body))
            for d in declarations
            if isinstance(d, model.Step)
        )
        steps = counted(with_triggers(steps, settled), settled)
        terms = [with_parts(d, in_play.fold_part) for d in declarations if isinstance(d, model.Term)]
        winner = next(d for d in declarations if isinstance(d, model.Winner))
        defines = {d.name: evolve(d, value=fold(d.value)) for d in declarations if isinstance(d, model.Define)}
        variables = {
            d.name: Variable(d.name, d.form, d.owner, d.domain.type, self._range_of(d), d.visibility, d.span)
            for d in declarations
            if isinstance(d, model.Variable)
        } | counters(steps)
        variables |= {
            d.name: Variable(d.name, "option", None, d.domain.type, range_of(d.domain, d.span, settled), "open", d.span)
            for d in self._open_options()
        }
        declared = next((d for d in declarations if isinstance(d, model.Match)), None)
        match = None
        if declared is not None:
            match = match_at(declared, winner, defines, settled)
            winner = declared.winner or winner
            variables[model.GAMES_PLAYED] = games_played(match)
        return Table(
            game=self.game.game,
            files=tuple(dict.fromkeys((self.game.span.source.path, *(v.span.source.path for v in self.game.variants)))),
            titles=self.game.titles,
            players=settled.players,
            variants=tuple(v.name for v in self.chosen),
            options=dict(settled.options),
            option_words={n: said(o.domain.type, settled.options[n], settled) for n, o in self.option_declarations.items()},
            lists=settled.lists,
            kinds=settled.kinds,
            zones=zones_of(declarations, settled),
            grids=settled.grids,
            variables=variables,
            columns=settled.columns,
            table_spans={d.name: d.span for d in declarations if isinstance(d, model.TableDeclaration)},
            defines=defines,
            steps={s.name: s for s in steps if s.form == "step"},
            flow=tuple(sorted((s for s in steps if s.form != "step"), key=lambda s: s.form != "setup")),
            terms=tuple(terms),
            winner=with_parts(winner, in_play.fold_part),
            match=match,
            teams=settled.teams,
            position=next((d for d in declarations if isinstance(d, model.Position)), None),
            span=self.game.span,
            option_spans={name: option.span for name, option in self.option_declarations.items()}
            | {name: value.span for variant in self.chosen for name, value in variant.options},
        )


def _of_things(table: model.TableDeclaration) -> bool:
    """Whether a table is asked for components or cells, so that these are made before it."""
    return any(part.type.base in ("component", "cell") for part in table.parameters)
