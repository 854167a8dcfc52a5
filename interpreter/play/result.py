"""The result of a game as a page: the table that was played, the score sheet, the ranking, and how ties were broken."""

from __future__ import annotations

from functools import reduce
from itertools import groupby

from ..machine.machine import RETURNS, Domain
from ..words.words import marked
from .game import Game, State
from .knowledge.views import grids_text
from .page import Grid, Line, Page


def heading(game: Game, seed: int | None = None, seat: int | None = None, language: str | None = None, number: int = 0) -> Page:
    """The title, in brackets its other languages, and what was chosen for this table. ``number``: of the game under its seed."""
    title = game.title(language)
    others = list(dict.fromkeys(t for _, t in game.table.titles if t != title and not game.words.is_translated))
    lines = [Line("title", title + (f" [{', '.join(others)}]" if others else ""))]
    words = game.words
    parts = [words.phrase_for(game.players, "{number} player", "{number} players"), *_variants(game)]
    parts += _changed(game)
    if seed is not None:
        told = words.phrase("seed {seed}, game {number}", seed=seed, number=number)
        parts.append(told if number else words.phrase("seed {seed}", seed=seed))
    if seat is not None:
        parts.append(words.phrase("as {player} sees it", player=game.seat_names[seat - 1]))
    lines.append(Line("table", words.row(parts)))
    if game.teams:
        teams = "; ".join(_together(game, team) for team in game.teams)
        lines.append(Line("table", words.phrase("teams: {teams}", teams=teams)))
    return tuple(lines)


def _variants(game: Game) -> list[str]:
    return [game.words.name("variant", name) if game.speaks else name for name in game.variants]


def _changed(game: Game) -> list[str]:
    """The options whose value is not their default: ``jokers = yes``."""
    if not game.speaks:
        return [f"{name} = {value}" for name, value in game.changed_options.items()]
    words = game.words
    said = {"yes": words.phrase("yes"), "no": words.phrase("no"), "none": words.phrase("none")}
    changed = game.changed_options.items()
    return [f"{words.name('option', name)} = {said.get(value) or words.name('word', value)}" for name, value in changed]


def _together(game: Game, seats: tuple[int, ...]) -> str:
    """``Ann and Bob``, for seats that play together."""
    names = _names(game, seats)
    return reduce(lambda first, last: game.words.phrase("{first} and {last}", first=first, last=last), names)


def result(state: State) -> Page:
    """What lies on the grids, the score sheet, term by term, and the ranking."""
    words = state.game.words
    drawn = [Line("text", f"  {line}") for line in grids_text(state.view(), state.game.seat_names)]
    grids = (Line("heading", words.phrase("On the table")), *drawn) if drawn else ()
    scores = Line("heading", words.phrase("Scores")), score_sheet(state)
    return (*grids, *scores, Line("heading", words.phrase("Ranking")), *ranking(state))


def score_sheet(state: State) -> Grid:
    """A row for each term (in a match, game by game), their sum, that of the team where there are teams, and other returns."""
    rows: list[tuple[str, ...]] = []
    values, words = state.terms, state.game.words
    for (game, said), lines in groupby(state.game.machine.terms, key=lambda line: (line.game, line.said)):
        if game:
            rows.append((said if state.game.speaks else game, *("" for _ in state.game.seat_names)))
        indent = "  " if game else ""
        rows += [(f"{indent}{words.name('score', line.name)}", *map(_number, values[line.title])) for line in lines]
    sums = [(words.phrase("sum"), *map(_number, state.scores))]
    if state.game.teams:
        sums.append((words.phrase("team"), *map(_number, state.team_scores)))
    if state.game.machine.returns == RETURNS:
        sums.append((words.phrase("returns"), *map(_number, state.returns)))
    return Grid(("", *state.game.seat_names), (*rows, *sums), len(sums))


def ranking(state: State) -> Page:
    """A line for each place (or the places that several share), and after it what decided a tie with the next."""
    game, words = state.game, state.game.words
    lines: list[Line] = []
    place = 1
    ranked = state.ranking
    totals = state.team_scores
    for index, seats in enumerate(ranked):
        sides = list(dict.fromkeys(team_of(game, seat) for seat in seats))
        together = [_together(game, side) for side in sides]
        who = "; ".join(together) if game.teams else words.listed(together)
        scores = list(dict.fromkeys(_number(totals[side[0] - 1]) for side in sides))
        score = words.row(scores)
        shown = words.phrase("{place}. {player} ({score})", place=place, player=who, score=score)
        if len(sides) > 1:
            last = place + len(sides) - 1
            tied = marked("{first}-{last}. {players}, tied ({score} each)")
            if len(scores) > 1:
                tied = marked("{first}-{last}. {players}, tied ({score})")
            shown = words.phrase(tied, first=place, last=last, players=who, score=score)
        shown = f"  {shown}"
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
    domains, words = {key.label: key.domain for key in state.game.machine.keys}, state.game.words
    for key, values in state.keys.items():
        said = [_value(values[seat], domains[key], state.game) for seat in (first, second)]
        name = words.key(key) if state.game.speaks else key
        if values[first] == values[second]:
            level.append(f"{name} ({said[0]})")
            continue
        if not level:
            return ""
        one, other = values[first], values[second]
        sign = "<" if one is not None and other is not None and one < other else ">"  # none comes last
        told = f"{said[0]} {sign} {said[1]}"
        return words.phrase("tie on {keys} broken by {key}: {values}", keys=words.row(level), key=name, values=told)
    return ""


def team_of(game: Game, seat: int) -> tuple[int, ...]:
    """The seats that play together with a seat (all from 1)."""
    return next((team for team in game.teams if seat in team), (seat,))


def _names(game: Game, seats: tuple[int, ...] | list[int]) -> list[str]:
    return [game.seat_names[seat - 1] for seat in seats]


def _number(value: int) -> str:
    return str(value).replace("-", "\N{MINUS SIGN}")


def _value(value: int | None, domain: Domain | None, game: Game) -> str:
    if value is None:
        return game.words.phrase("none")
    if domain is None:
        return _number(value)
    return domain.say(value) if game.speaks else domain.name(value)
