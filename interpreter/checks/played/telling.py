"""How is a game that shows a fault told? Its last acts in words, a transcript of it, and the command that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import evolve, frozen

from ...diagnostics import Diagnostic, fault
from ...machine.machine import Fault
from ...play.game import Game, State
from ...play.narration import narrate
from ...play.page import begun
from ...play.transcript import to_data, to_text, transcript_of
from ...reports.told import title
from ...simulate.bots import Bot
from ...simulate.simulation import Plan
from ...simulate.stops import command, what_stopped
from ..combinations import Choice
from .endless import CANNOT_END, NEED_NOT_END, ends_at
from .spotted import Shown
from .walking import Walker

ACTS = 8  # lines that are told of a game
LAST = 40  # events before its end, of which they are told


@frozen
class Transcript:
    """A game that shows a finding, for `rulesrun replay`. ``place``: the path of its file; ``text``: what that holds."""

    place: str
    text: str


def told(walker: Walker, course: Sequence[int], shown: Fault) -> Diagnostic:
    """The finding of a course that runs into a fault, with its last acts."""
    last = max(0, len(course) - LAST)
    position = walker.walk(course[:last])
    state = walker.game.from_record(walker.record(position), by_hand=True) if last else walker.game.start()
    _play(state, course[last:])
    stopped = what_stopped(state)
    if stopped is None:
        stopped = in_brief(walker.game, shown)
    lines = [begun(line) for line in narrate(walker.game, state.events) if line.style in ("act", "chance", "note")]
    return evolve(stopped, acts=tuple(lines[-ACTS:]))


def in_brief(game: Game, shown: Fault) -> Diagnostic:
    """The finding of a fault without the game that shows it; a message that depends on that is only a title."""
    texts = [part for part in shown.message.parts if isinstance(part, str)]
    message = "".join(texts) if len(texts) == len(shown.message.parts) else title(shown.code)
    places = ends_at(shown.span, game.table) if shown.code in (CANNOT_END, NEED_NOT_END) else shown.places
    severity: Literal["error", "warning"] = "warning" if shown.code == NEED_NOT_END else "error"
    return evolve(fault(shown.code, message, shown.span, *places, help=shown.help), severity=severity)


def transcript(walker: Walker, course: Sequence[int], place: str) -> Transcript:
    """The transcript of a course, as far as it goes."""
    state = walker.game.start()
    _play(state, course)
    return Transcript(place, to_text(to_data(transcript_of(state, None))))


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
