"""The games to look at: the closest, the biggest comeback, and others, each with its command and its story."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from shlex import join

from attrs import frozen

from ..machine.columns import DECISIONS
from ..play.narration import narrate
from ..play.page import plain
from ..play.result import result
from .measures import SCORE, SEARCH, lead
from .playing.course import Course
from .playing.study import Side, SidePlayed, shares_by_side
from .words import decimal, percent

STORY_LIMIT = 200_000  # characters of a story that a page holds


@frozen
class Highlight:
    """``why``: what is remarkable; ``command``: plays it again; ``expected``: for each side what search expected."""

    title: str
    why: str
    game: int
    command: str
    course: Course


def highlights(played: SidePlayed, seed: int) -> tuple[Highlight, ...]:
    """Remarkable games, each once."""
    courses = [course for _, course in sorted(played.courses.items())]
    phrase = played.side.game.words.phrase
    found: dict[int, Highlight] = {}

    def best(title: str, value: Callable[[Course], float | None], told: Callable[[float], str]) -> None:
        rated = [(each, course) for course in courses if (each := value(course)) is not None and course.game not in found]
        if rated:
            most, course = max(rated, key=lambda item: (item[0], -item[1].game))
            words = command(played.side, seed, course.game)
            found[course.game] = Highlight(title, told(most), course.game, words, course)

    def comeback(basis: str) -> Callable[[Course], float | None]:
        def of(course: Course) -> float | None:
            found = lead(course, basis)
            return None if found is None or not found.comeback else found.comeback

        return of

    searched = any(course.by_search is not None for course in courses)
    basis = SEARCH if searched else SCORE
    best(
        phrase("The biggest comeback"),
        comeback(basis),
        lambda gap: (
            phrase("search saw the winner {share} of the win behind", share=percent(gap, 0))
            if searched
            else phrase("the winner was {number} points behind", number=decimal(gap, 0))
        ),
    )
    best(
        phrase("The closest game"),
        lambda c: _closeness(played, c),
        lambda gap: phrase("{number} points between the first two", number=decimal(-gap, 0)),
    )
    best(
        phrase("The most changes of the lead"),
        lambda c: float(each.changes) if (each := lead(c, basis)) is not None and each.changes else None,
        lambda changes: phrase("the lead changed {number} times", number=f"{changes:.0f}"),
    )
    best(
        phrase("The clearest win"),
        lambda c: _margin(played, c),
        lambda gap: phrase("{number} points ahead", number=decimal(gap, 0)),
    )
    if len({course.row[DECISIONS] for course in courses}) > 1:

        def decisions(length: float) -> str:
            return phrase("{number} decisions", number=f"{abs(length):,.0f}")

        best(phrase("The longest game"), lambda c: float(c.row[DECISIONS]), decisions)
        best(phrase("The shortest game"), lambda c: -float(c.row[DECISIONS]), decisions)
    return tuple(found.values())


def command(side: Side, seed: int, game: int) -> str:
    """The command that plays a game again."""
    words = ["rulesrun", "run", *side.arguments, "--seed", str(seed), *(["--game", str(game)] if game else [])]
    named = list(map(str, side.bots))
    if set(named) != {"random"}:
        words += ["--bots", named[0] if len(set(named)) == 1 else ",".join(named)]
    return join(words)


def story(side: Side, history: Sequence[int]) -> str:
    """A game in words, with its result."""
    state = side.game.start()
    state.follow(history)
    lines = plain(narrate(side.game, state.events))
    ended = plain(result(state)) if state.is_over and state.fault is None else ""
    text = f"{lines}\n{ended}"
    return text if len(text) <= STORY_LIMIT else f"{text[:STORY_LIMIT]}\n... {side.game.words.phrase('(cut off here)')}"


def _margin(played: SidePlayed, course: Course) -> float | None:
    """By how much the winner's score is ahead of the best of the others; None where the win is shared, or no score differs."""
    columns = played.side.columns
    shares = shares_by_side(played.side, course)
    if sum(share > 0 for share in shares) != 1 or len(shares) < 2:
        return None
    teams = played.side.game.teams or tuple((seat + 1,) for seat in range(columns.seats))
    score = columns.team_score if columns.in_teams else columns.score
    keys = played.side.game.machine.keys
    sign = -1 if keys and not keys[0].highest else 1
    values = [sign * course.row[score(team[0] - 1)] for team in teams]
    winner = next(side for side, share in enumerate(shares) if share > 0)
    return float(values[winner] - max(value for side, value in enumerate(values) if side != winner))


def _closeness(played: SidePlayed, course: Course) -> float | None:
    margin = _margin(played, course)
    return None if margin is None or margin < 0 else -margin
