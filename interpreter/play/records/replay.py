"""Replays a transcript act by act, with chance by hand, and reports the first act that does not fit.

If the rules have changed since, acts are found by their text (numbers may have moved), and the finding R703 says which
declarations changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path

from attrs import frozen

from ...common.diagnostics import Diagnostic, fault
from ...rules import Rules, read_rules
from ...words.words import marked
from ..game import SEAL, Game, IllegalMove, State, table_of
from ..narration import narrate
from ..page import Line
from .transcript import Act, Transcript

SHOWN = 6  # possible acts that a message lists
COMES_AGAIN, HERE_AGAIN = marked("-- from this position on:"), marked("-- all is as it was there")


@frozen
class Replayed:
    """``state``: after the last act that fits. ``diagnostics``: what does not fit, or has changed. ``circle``: of a game that
    comes back to an earlier position, the number of events that lead there."""

    state: State
    diagnostics: tuple[Diagnostic, ...]
    circle: int | None = None

    @property
    def failed(self) -> bool:
        """Whether an act did not fit."""
        return any(d.severity == "error" for d in self.diagnostics)

    def told(self, seat: int | None = None, spoken: Game | None = None) -> list[Line]:
        """What happened, as a seat (None: somebody who sees everything) is told it, and where it begins to come again.

        ``spoken``: the game in the language in which it is told.
        """
        state = self.state if spoken is None else self.state.in_game(spoken)
        game, events = state.game, state.events
        if self.circle is None:
            return narrate(game, events, seat)
        before, after = narrate(game, events[: self.circle], seat), narrate(game, events, seat, self.circle)
        return [*before, Line("text", game.words.phrase(COMES_AGAIN)), *after, Line("text", game.words.phrase(HERE_AGAIN))]


REPLAY_WITH = "rulesrun replay FILE.json --rules GAME.rules"


def find_rules(transcript: Transcript, beside: Path, given: str | None = None, command: str = REPLAY_WITH) -> Rules | Diagnostic:
    """The rules of a transcript: at the path given, else at its own, from here or from the folder ``beside``.

    ``command``: how the user can say where they are, for the message when they are not there.
    """
    if given is not None:
        rules = read_rules(given)
    else:
        places = [Path(transcript.file), beside / transcript.file]
        found = next((place for place in places if place.suffix == ".rules" and _is_file(place)), None)
        if found is None:
            return fault(
                "R702",
                f"the rules of this game, `{transcript.file}`, are not here",
                help=f"say where they are: `{command}`",
            )
        rules = read_rules(found)
    if rules.model is not None and rules.model.game != transcript.game:
        return fault(
            "R702",
            f"this is a transcript of `{transcript.game}`, and `{rules.path}` is the game `{rules.model.game}`",
            help=f"say where its rules are: `{command}`",
        )
    return rules


def _is_file(place: Path) -> bool:
    try:
        return place.is_file()
    except (OSError, ValueError):
        return False


def table_for(transcript: Transcript, rules: Rules) -> Game:
    """The table at which a transcript was played. Raises `RulesError` where the rules have it no more."""
    return table_of(rules, transcript.players, transcript.variants, transcript.options)


def replay(transcript: Transcript, game: Game) -> Replayed:
    """Play a transcript again, to its end or to the first act that does not fit."""
    game = game.written
    state = game.start()
    changed, edited = changes(transcript, game.rules), transcript.rules_hash != game.rules_hash
    found = [changed] if changed else []
    circle = None
    for number, act in enumerate(transcript.acts, 1):
        if number - 1 == transcript.comes_again and not edited:
            circle = len(state.events)
        wrong = _refusal(state, act, number, by_text=edited)
        if wrong is not None:
            return Replayed(state, (*found, wrong))
    return Replayed(state, (*found, *_other_result(transcript, state, edited)), circle)


def acts_of(state: State) -> list[Act]:
    """The acts and outcomes that led to a position, with the numbers that they have under its rules."""
    return [Act(event.player, event.number, event.text) for event in state.events if event.kind in ("act", "chance")]


def with_streams_of(state: State, record: bytes) -> State | None:
    """A state with the random streams of a bare record of the same position, so that luck goes on as it would have.

    None where the record is of another position, or of one under rules by which a position is written otherwise.
    """
    start, end = state.game.machine.layout.regions["run"]
    reached = state.to_bytes()[SEAL:]
    if len(reached) != len(record) or reached[:start] + reached[end:] != record[:start] + record[end:]:
        return None
    with suppress(ValueError):
        return state.game.from_record(record, events=state.events)
    return None


def _other_result(transcript: Transcript, state: State, changed: bool) -> list[Diagnostic]:
    """Where the end is not as the transcript says."""
    if not transcript.scores or state.fault is not None:
        return []
    if not state.is_over:
        missing = "the acts end before the game does, and the transcript has its scores"
        return [fault("R704", missing, help="some acts are missing")]
    code = "R703" if changed else "R704"
    return [
        Diagnostic(code, f"the {what} is {_plain(now)} now, and was {_plain(was)}", severity="warning" if changed else "error")
        for what, now, was in (
            ("score", tuple(state.scores), transcript.scores),
            ("score sheet", {name: tuple(values) for name, values in state.terms.items()}, transcript.terms),
            ("ranking", tuple(map(tuple, state.ranking)), transcript.ranking),
        )
        if now != was
    ]


def _plain(value: object) -> str:
    """A result as a line of text."""
    return str(value).translate(str.maketrans("()[]", "    ")).replace(" ,", ",").strip(" ,{}").replace("  ", " ")


def changes(transcript: Transcript, rules: Rules) -> Diagnostic | None:
    """The finding R703: what changed in the rules since the game was played; None when nothing did that is in play.

    A variant that was not chosen is not in play.
    """
    if rules.digest() == transcript.rules_hash:
        return None
    old, new = transcript.declarations, rules.digests()
    idle = {name for name in (*old, *new) if name.startswith("variant ") and name.split()[1] not in transcript.variants}
    if old != new:
        old, new = ({name: digest for name, digest in found.items() if name not in idle} for found in (old, new))
        if old == new:
            return None
    parts = [
        ("changed", [name for name in new if name in old and old[name] != new[name]]),
        ("added", [name for name in new if name not in old]),
        ("gone", [name for name in old if name not in new]),
    ]
    said = "; ".join(f"{what}: {_some(f'`{name}`' for name in names)}" for what, names in parts if names)
    message = f"the rules have changed since this game was played ({said or 'the name or the number of players'})"
    return Diagnostic("R703", message, severity="warning")


def _refusal(state: State, act: Act, number: int, by_text: bool) -> Diagnostic | None:
    """Let one act happen; or say why it cannot."""
    where = f"act {number} (`{act.text}`)"
    if state.fault is not None:
        return state.fault
    if state.is_over:
        return fault("R704", f"{where} comes after the end of the game")
    if act.player != state.player:
        wanted = f"player {state.player} has to choose" if state.player else "something comes by chance"
        given = f"an act of player {act.player}" if act.player else "an outcome of chance"
        return fault("R704", f"{where} is {given}, but here {wanted}", help=_possible(state))
    try:
        if act.player:
            state.play(_option(state, act, by_text))
        else:
            state.happen(_outcome(state, act, by_text))
    except IllegalMove as error:
        return fault("R704", f"{where} is not possible here: {error}", help=_possible(state))
    return None


def _option(state: State, act: Act, by_text: bool) -> int:
    """The number of the option that an act means."""
    if by_text:
        found = [number for number in state.legal if state.game.option_text(number) == act.text]
        if found:
            return found[0]
    if 0 <= act.option < state.game.machine.options:
        said = state.game.option_text(act.option)
        if said != act.text:
            raise IllegalMove(f"option {act.option} is `{said}`")
    return act.option


def _outcome(state: State, act: Act, by_text: bool) -> int:
    """The number of the outcome that an act of chance means: its text ends in (or, for a set-up line, has) its name."""
    event = state.chance
    assert event is not None
    named = {outcome.number: outcome.text for outcome in event.outcomes}
    if act.option in named and named[act.option] in act.text:
        return act.option
    if by_text:
        fitting = [number for number, name in named.items() if name in act.text]
        if fitting:
            return max(fitting, key=lambda number: len(named[number]))
    if act.option in named:
        raise IllegalMove(f"outcome {act.option} is `{named[act.option]}`")
    raise IllegalMove(f"{event.text}, and outcome {act.option} is not possible")


def _possible(state: State) -> str:
    event = state.chance
    if event is not None:
        return f"possible: {_some(f'{o.text} ({o.number})' for o in event.outcomes)}"
    return f"possible: {_some(f'{state.game.option_text(n)} ({n})' for n in state.legal)}"


def _some(texts: Iterable[str]) -> str:
    listed = list(texts)
    more = [f"and {len(listed) - SHOWN} more"] if len(listed) > SHOWN + 1 else []
    return ", ".join(chain(listed[: SHOWN if more else None], more))
