"""The result of a game as a page: the table that was played, the score sheet, the ranking, and how ties were broken."""

from __future__ import annotations

from itertools import groupby

from ..common.nouns import listed
from ..machine.machine import RETURNS, Domain
from .game import Game, State
from .knowledge.views import grids_text
from .page import Grid, Line, Page


def heading(game: Game, seed: int | None = None, seat: int | None = None, language: str | None = None, number: int = 0) -> Page:
    """The title, in brackets its other languages, and what was chosen for this table. ``number``: of the game under its seed."""
    title = game.title(language)
    others = list(dict.fromkeys(t for _, t in game.table.titles if t != title))
    lines = [Line("title", title + (f" [{', '.join(others)}]" if others else ""))]
    parts = [f"{game.players} player{'s' if game.players != 1 else ''}", *game.variants]
    parts += [f"{name} = {value}" for name, value in game.changed_options.items()]
    if seed is not None:
        parts.append(f"seed {seed}" + (f", game {number}" if number else ""))
    if seat is not None:
        parts.append(f"as {game.seat_names[seat - 1]} sees it")
    lines.append(Line("table", ", ".join(parts)))
    if game.teams:
        lines.append(Line("table", "teams: " + "; ".join(" and ".join(_names(game, team)) for team in game.teams)))
    return tuple(lines)


def result(state: State) -> Page:
    """What lies on the grids, the score sheet, term by term, and the ranking."""
    drawn = [Line("text", f"  {line}") for line in grids_text(state.view(), state.game.seat_names)]
    grids = (Line("heading", "On the table"), *drawn) if drawn else ()
    return (*grids, Line("heading", "Scores"), score_sheet(state), Line("heading", "Ranking"), *ranking(state))


def score_sheet(state: State) -> Grid:
    """A row for each term (in a match, game by game), their sum, that of the team where there are teams, and other returns."""
    rows: list[tuple[str, ...]] = []
    values = state.terms
    for game, lines in groupby(state.game.machine.terms, key=lambda line: line.game):
        if game:
            rows.append((game, *("" for _ in state.game.seat_names)))
        rows += [(f"{'  ' if game else ''}{line.name.replace('_', ' ')}", *map(_number, values[line.title])) for line in lines]
    sums = [("sum", *map(_number, state.scores))]
    if state.game.teams:
        sums.append(("team", *map(_number, state.team_scores)))
    if state.game.machine.returns == RETURNS:
        sums.append((RETURNS, *map(_number, state.returns)))
    return Grid(("", *state.game.seat_names), (*rows, *sums), len(sums))


def ranking(state: State) -> Page:
    """A line for each place (or the places that several share), and after it what decided a tie with the next."""
    game = state.game
    lines: list[Line] = []
    place = 1
    ranked = state.ranking
    totals = state.team_scores
    for index, seats in enumerate(ranked):
        sides = list(dict.fromkeys(team_of(game, seat) for seat in seats))
        together = [" and ".join(_names(game, side)) for side in sides]
        who = "; ".join(together) if game.teams else listed(together)
        scores = list(dict.fromkeys(_number(totals[side[0] - 1]) for side in sides))
        places, tied, each = f"{place}.", "", ""
        if len(sides) > 1:
            places, tied, each = f"{place}-{place + len(sides) - 1}.", ", tied", " each" if len(scores) == 1 else ""
        shown = f"  {places} {who}{tied} ({', '.join(scores)}{each})"
        lines.append(Line("winner" if index == 0 else "text", shown))
        if broken := tie_broken(state, index):
            lines.append(Line("note", f" {broken}"))
        place += len(sides)
    return tuple(lines)


def tie_broken(state: State, place: int) -> str:
    """By which key those of a place of the ranking (from 0) came before the next who were level with them, key by key; "" where
    there was no tie.

    Raises `RulesError` where the rules cannot say who won.
    """
    ranked = state.ranking
    if place + 1 >= len(ranked):
        return ""
    first, second = ranked[place][0] - 1, ranked[place + 1][0] - 1
    level: list[str] = []
    domains = {key.label: key.domain for key in state.game.machine.keys}
    for key, values in state.keys.items():
        said = [_value(values[seat], domains[key]) for seat in (first, second)]
        if values[first] == values[second]:
            level.append(f"{key} ({said[0]})")
            continue
        if not level:
            return ""
        sign = ">" if values[first] > values[second] else "<"
        return f"tie on {', '.join(level)} broken by {key}: {said[0]} {sign} {said[1]}"
    return ""


def team_of(game: Game, seat: int) -> tuple[int, ...]:
    """The seats that play together with a seat (all from 1)."""
    return next((team for team in game.teams if seat in team), (seat,))


def _names(game: Game, seats: tuple[int, ...] | list[int]) -> list[str]:
    return [game.seat_names[seat - 1] for seat in seats]


def _number(value: int) -> str:
    return str(value).replace("-", "\N{MINUS SIGN}")


def _value(value: int, domain: Domain | None) -> str:
    if value == -1:
        return "none"
    return _number(value) if domain is None else domain.name(value)
