"""A saved game that goes on, also under rules that have changed since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from attrs import evolve

from ..common.diagnostics import Diagnostic, RulesError, fault
from ..play.bots.thinking import Advisor, play_again
from ..play.game import SEAL, Game, State
from ..play.records.replay import Replayed, acts_of, replay, with_streams_of
from ..play.records.transcript import Act, Transcript
from ..players.policies import Policy
from .seat import Session


def resumed(
    transcript: Transcript, game: Game, path: str, policies: Sequence[Policy] = (), advisor: Advisor | None = None
) -> tuple[Session, tuple[Diagnostic, ...]]:
    """The game that was saved in the file at a path, ready to go on; and what has changed since (R703).

    Where the rules have changed, the acts are played again as far as they fit. If they lead to the same position, chance and the
    bots go on as they would have; else with new random streams. Raises `RulesError` where `position_of` does.
    """
    spoken, game = game, game.written

    def session(state: State, seed: int | None, before: Sequence[State], path: str) -> Session:
        earlier = [each.in_game(spoken) for each in before]
        return Session(state.in_game(spoken), seat, seed, earlier, path, policies, advisor)

    again = replay(transcript, game)
    seat = transcript.seat or 1
    if transcript.position is None or transcript.rules_hash == game.rules_hash:
        state = position_of(transcript, again)
        before = decisions_before(transcript, state, seat, policies)
        return session(state, transcript.seed, before, path), ()
    acts = acts_of(again.state)
    same = with_streams_of(again.state, transcript.position[SEAL:]) if len(acts) == len(transcript.acts) else None
    if same is not None:
        before = decisions_before(evolve(transcript, acts=tuple(acts)), same, seat, policies)
        return session(same, transcript.seed, before, path), again.diagnostics
    state = _anew(again.state, transcript)
    warnings = (*map(_left_out, again.diagnostics), *_kept(again, transcript))
    return session(state, None, list(_decisions(transcript, game, acts, seat)), ""), warnings


def _anew(state: State, transcript: Transcript) -> State:
    """A state of a saved game whose chance and bots begin anew."""
    return state.reseeded(transcript.seed or 0, len(state.history))


def _decisions(transcript: Transcript, game: Game, acts: Sequence[Act], seat: int) -> Iterator[State]:
    """The game at each choice of a seat among these acts, each with new random streams."""
    state = game.start()
    for act in acts:
        if act.player == seat and len(state.legal) > 1:
            yield _anew(state, transcript)
        state.follow((act.option,))


def _left_out(found: Diagnostic) -> Diagnostic:
    """What a replay under other rules found, said of a game that goes on: an act that does not fit ends what is kept of it."""
    if found.code != "R704":
        return found
    return evolve(found, code="R703", severity="warning", message=f"{found.message}; the game goes on from before it")


def _kept(again: Replayed, transcript: Transcript) -> Iterator[Diagnostic]:
    """How much of a saved game is kept under other rules."""
    kept, whole = (sum(act.player > 0 for act in acts) for acts in (acts_of(again.state), transcript.acts))
    told = "chance and the bots begin anew from here"
    if kept < whole:
        told = f"of the {whole} acts of this game the first {kept} fit the rules as they are now, and are kept; {told}"
    yield Diagnostic("R703", told, severity="warning")


def decisions_before(transcript: Transcript, state: State, seat: int, policies: Sequence[Policy] = ()) -> list[State]:
    """The game at each choice of a seat that led to a saved game, each with the random streams that it had then.

    The game is played again from its seed: chance and the bots do again what they did. In a game without a seed, and where what
    they do is no longer the same, the streams begin anew instead.
    """
    found = None if transcript.seed is None else _played_again(transcript, state, seat, policies)
    return found or list(_decisions(transcript, state.game, transcript.acts, seat))


def _played_again(transcript: Transcript, state: State, seat: int, policies: Sequence[Policy]) -> list[State]:
    again = state.game.start(transcript.seed)
    found: list[State] = []
    for act in transcript.acts:
        if act.player == 0 or again.player != act.player:
            continue  # chance happens by itself
        if act.option not in again.legal:
            return []
        if act.player == seat:
            if len(again.legal) > 1:
                found.append(again.clone())
            again.play(act.option)
        elif policies:
            play_again(again, policies[act.player - 1], act.option)
        else:
            again.play_at_random()
    return found if again.to_bytes() == state.to_bytes() else []


def position_of(transcript: Transcript, again: Replayed) -> State:
    """The game that was saved: its acts were played ``again``, and now its random streams are put back.

    Raises `RulesError`: R701 for no saved game or a position that is not the one to which the acts lead, R704 for an act that
    does not fit.
    """
    found, game = [*again.diagnostics], again.state.game
    if transcript.position is None:
        found = [fault("R701", "this is no saved game: it has no position to go on from", help="`rulesrun replay` shows it")]
    elif not found:
        if with_streams_of(again.state, transcript.position[SEAL:]) is not None:
            with suppress(ValueError):
                return game.from_bytes(transcript.position, events=again.state.events)
        found = [fault("R701", "this saved game is damaged: its position is not the one to which its acts lead")]
    raise RulesError(found)
