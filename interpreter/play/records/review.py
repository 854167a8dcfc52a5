"""A review of a game that was played: acts that gave away much of the win, by what a search thinks of each decision.

The search knows what the seat knew that acted, not what came of it. It first looks at all options, and names the one that it
would take; then it looks as long at the act alone, since it hardly tries what it finds bad. An act is *marked* if the share of
the win is estimated to be less by the threshold than after the better option, and if that is no accident: shares are means of so
many games that were imagined, and the difference must be twice its standard error (with one win and one loss added to each side,
so that few games prove little). What is proven has no error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Any

from attrs import asdict, frozen

from ...players.thoughts import Thinker, Thought, Worlds
from ...words.words import Words, marked
from ..bots.thinking import Effort, thought_of
from ..game import Game, State
from ..narration import headings
from ..page import Grid, Line, Page
from ..result import heading

CERTAIN = 2.0  # standard errors


@frozen
class Judged:
    """An option: its text, the estimated ``share`` of the win after it, how often it was tried, and whether that is proven."""

    option: int
    text: str
    share: float
    visits: int
    proved: bool


@frozen
class JudgedAct:
    """An act at a decision with several options. ``number``: among all acts and outcomes of chance, from 1. ``player``: the seat.

    ``best``: what the search would take. ``given_away``: how much less the share is after the act (0: none). ``place``: the phase
    and round, in words.
    """

    number: int
    player: int
    act: Judged
    best: Judged
    given_away: float
    marked: bool
    worlds: Worlds
    place: tuple[str, ...]


@frozen
class Review:
    """``seats``: those whose acts were looked at. ``decisions``: how many acts of theirs there are; ``acts``: those that were
    looked at until somebody interrupted."""

    game: Game
    seats: tuple[int, ...]
    iterations: int
    threshold: float
    acts: tuple[JudgedAct, ...]
    decisions: int


def decisions_of(game: Game, history: Sequence[int], seats: Sequence[int]) -> list[int]:
    """The places in a history at which one of the seats chose from several options."""
    state = game.start(story=False)
    found: list[int] = []
    for place, value in enumerate(history):
        if state.player in seats and len(state.legal) > 1:
            found.append(place)
        state.follow((value,))
    return found


def judged(
    game: Game, history: Sequence[int], places: Iterable[int], thinker: Thinker, iterations: int, threshold: float
) -> Iterator[JudgedAct]:
    """Look at the acts at these places of a history, one after the other."""
    state, effort = game.start(), Effort(iterations)
    for place in places:
        state.follow(history[len(state.history) : place])
        whole, _ = thought_of(thinker, state.history, state.player - 1, 0, effort)
        best = act = _side_of(state, whole, whole.choice)
        if history[place] != whole.choice:
            alone, _ = thought_of(thinker, state.history, state.player - 1, 0, effort, only=history[place])
            act = _side_of(state, alone, history[place])
        given_away = max(0.0, best.share - act.share) if act.visits and best.visits else 0.0
        marked = given_away >= threshold and given_away >= CERTAIN * sqrt(_variance(act) + _variance(best))
        where = tuple(line.text for line in headings(game, state.events, len(state.events))) if marked else ()
        yield JudgedAct(place + 1, state.player, act, best, given_away, marked, whole.worlds, where)


def _side_of(state: State, found: Thought, option: int) -> Judged:
    at = found.options.index(option)
    return Judged(option, state.told(option), found.shares[at], found.visits[at], found.proved[at])


def _variance(option: Judged) -> float:
    """The square of the standard error of a share."""
    share = (option.share * option.visits + 1) / (option.visits + 2)
    return 0.0 if option.proved else share * (1 - share) / max(1, option.visits)


# ---- How it is told


def page(review: Review, seed: int | None = None) -> Page:
    """The marked acts in order, and each seat's sums."""
    marked = [each for each in review.acts if each.marked]
    much = f"{100 * review.threshold:g} %"
    words = review.game.words
    search = words.phrase_for(
        review.iterations,
        "A search of {count} iteration looked at {acts} acts; {marked} of them gave away {much} of the win or more.",
        "A search of {count} iterations looked at {acts} acts; {marked} of them gave away {much} of the win or more.",
        count=f"{review.iterations:,}",
        acts=len(review.acts),
        marked=len(marked) or words.phrase("none"),
        much=much,
    )
    lines: list[Line | Grid] = [*heading(review.game, seed), Line("text", search)]
    before: tuple[str, ...] = ()
    for each in marked:
        if each.place != before:
            lines += [Line("heading" if not at else "round", text) for at, text in enumerate(each.place) if text not in before]
            before = each.place
        lines.append(Line("act", each.act.text, each.player, review.game.seat_names[each.player - 1]))
        lost = words.phrase("act {number} gave away {share} of the win", number=each.number, share=_percent(each.given_away))
        lines.append(Line("note", f"{lost}: {_side(each.act, words.phrase('after it'), words)}"))
        lines.append(Line("note", _side(each.best, words.phrase("after {act}", act=each.best.text), words)))
    lines += [Line("heading", words.phrase("By seat")), _by_seat(review)]
    loose = sum(each.worlds == "loose" for each in review.acts)
    if loose:
        lines.append(Line("text", words.phrase(UNFIT, number=loose)))
    return tuple(lines)


UNFIT = marked(
    "At {number} of the decisions, some of the games that it imagined fit what the seat knew, but not all that had happened."
)


def _side(option: Judged, after: str, words: Words) -> str:
    sure = words.phrase_for(option.visits, "in {count} game", "in {count} games", count=f"{option.visits:,}")
    if option.proved:
        sure = words.phrase("for sure")
    return words.phrase("{share} {after}, {sure}", share=_percent(option.share), after=after, sure=sure)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _by_seat(review: Review) -> Grid:
    words = review.game.words
    acts = {seat: [each for each in review.acts if each.player == seat] for seat in review.seats}
    rows = (
        (words.phrase("acts"), *(f"{len(mine)}" for mine in acts.values())),
        (words.phrase("as the search would"), *(f"{sum(each.act == each.best for each in mine)}" for mine in acts.values())),
        (words.phrase("gave away much"), *(f"{sum(each.marked for each in mine)}" for mine in acts.values())),
    )
    return Grid(("", *(review.game.seat_names[seat - 1] for seat in review.seats)), rows)


def to_json(review: Review, seed: int | None) -> dict[str, Any]:
    """See ``docs/schemas/review.json``."""
    game = review.game
    return {
        "game": game.name,
        "players": game.players,
        "variants": list(game.variants),
        "options": game.options,
        "seed": seed,
        "bots": f"search:{review.iterations}",
        "threshold": review.threshold,
        "decisions": review.decisions,
        "acts": [asdict(each) | {"place": list(each.place)} for each in review.acts],
    }
