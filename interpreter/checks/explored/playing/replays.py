"""Findings from games: the message with the last acts, the transcript, and the command that replays the game."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from ....common.codes import CODES
from ....common.diagnostics import Diagnostic, fault, warning
from ....machine.machine import Fault
from ....play.game import Event, Game, State
from ....play.narration import narrate
from ....play.page import begun
from ....play.records.replay import COMES_AGAIN, HERE_AGAIN
from ....play.records.transcript import to_data, to_text, transcript_of
from ....players.bots import Bot
from ....search.walker import Walker
from ....simulate.simulation import Plan
from ....simulate.stops import command, what_stopped
from ....table.sampling.combinations import Choice
from .endless import CANNOT_END, NEED_NOT_END, ends_at, moves_instead
from .spotted import Shown

ACTS = 8  # lines that are told of a game
CUT = "..."  # stands for what happened before
LAST = 40  # events before its end, of which they are told


@frozen
class Transcript:
    """A game that shows a finding, for `rulesrun replay`. ``place``: the path of its file; ``text``: what that holds."""

    place: str
    text: str


def with_course(walker: Walker, course: Sequence[int], shown: Fault) -> Diagnostic:
    """The finding of a course that runs into a fault, with its last acts."""
    last = max(0, len(course) - LAST)
    position = walker.walk(course[:last])
    state = walker.game.from_record(walker.record(position), by_hand=True) if last else walker.game.start()
    again = _where_it_was(walker, course) if shown.code == NEED_NOT_END else len(course)
    _play(state, course[last : max(last, again)])
    before = len(state.events)
    _play(state, course[max(last, again) :])
    stopped = what_stopped(state)
    if stopped is None:
        stopped = in_brief(walker.game, shown)
    lines = _lines(walker.game, state.events[:before])
    if again < len(course):
        once_round = [COMES_AGAIN, *_lines(walker.game, state.events, before), HERE_AGAIN]
        shown_lines = max(ACTS, min(len(once_round), 2 * ACTS))
        lines += once_round
    else:
        shown_lines = ACTS
    cut = last > 0 or len(lines) > shown_lines
    return evolve(stopped, acts=(*([CUT] if cut else []), *lines[-shown_lines:]))


def _where_it_was(walker: Walker, course: Sequence[int]) -> int:
    """How much of a course leads to the position that its end comes back to; all of it where that is not known."""
    position = walker.begin()
    seen = [walker.identity(position)]
    for value in course:
        position = walker.after(position, value)
        seen.append(walker.identity(position))
    earlier = [number for number, identity in enumerate(seen[:-1]) if identity == seen[-1]]
    return earlier[-1] if earlier else len(course)


def _lines(game: Game, events: Sequence[Event], start: int = 0) -> list[str]:
    return [begun(line) for line in narrate(game, events, start=start) if line.style in ("act", "chance", "note")]


def in_brief(game: Game, shown: Fault) -> Diagnostic:
    """The finding of a fault without the game that shows it; a message that depends on that is only a title."""
    texts = [part for part in shown.message.parts if isinstance(part, str)]
    message = "".join(texts) if len(texts) == len(shown.message.parts) else CODES[shown.code].title
    places, help = shown.places, shown.help
    if shown.code in (CANNOT_END, NEED_NOT_END):
        moving = moves_instead(shown.span, game.table)
        places = (*ends_at(shown.span, game.table), *moving.items())
        help = f"let there be more pieces, or forbid this where none is left; or {help}" if moving else help
    complain = warning if CODES[shown.code].is_warning else fault
    return complain(shown.code, message, shown.span, *places, help=help)


def transcript(walker: Walker, course: Sequence[int], place: str, shown: Fault) -> Transcript:
    """The transcript of a course that runs into a fault, as far as it goes."""
    state = walker.game.start()
    _play(state, course)
    again = _where_it_was(walker, course) if shown.code == NEED_NOT_END else len(course)
    return transcript_at(state, place, again if again < len(course) else None)


def transcript_at(state: State, place: str, comes_again: int | None = None) -> Transcript:
    """The transcript of a game that kept its story, as far as it goes."""
    return Transcript(place, to_text(to_data(evolve(transcript_of(state, None), comes_again=comes_again))))


def _play(state: State, course: Sequence[int]) -> None:
    for value in course:
        if state.player:
            state.play(value)
        else:
            state.happen(value)


def by_seed(game: Game, choice: Choice, shown: Shown, seed: int) -> str:
    """The command that shows a game of bots by its seed; "" where bots did not play it."""
    if shown.by not in ("random", "casual"):
        return ""
    bots = (Bot(shown.by),) * game.players
    words = [game.rules.path, "--players", str(choice.players)]
    for name in choice.variants:
        words += ["--variant", name]
    for option, value in choice.options:
        words += ["--set", f"{option}={value}"]
    return command(Plan(game, bots, seed, shown.number + 1, "reference", tuple(words)), shown.number)
