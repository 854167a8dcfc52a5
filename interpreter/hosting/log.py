"""The log of a table: the only truth about it. All else follows from it.

Each entry has a number, from 0, and the time at which it was made. What happened in the game are its acts and its outcomes of
chance; an ``undo`` takes the last of these back, and after ``rules`` the game goes on under other rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from attrs import field, frozen

from ..play.game import Game, IllegalMove, State
from ..play.records.transcript import Act

EntryKind = Literal["act", "chance", "undo", "rules", "note", "refused", "name", "over", "chosen"]


@frozen
class Entry:
    """``seat``: who did it (0: nobody). ``data``: of an act and of chance, ``option`` and ``text``; of an undo, ``kept``, the
    number of acts and outcomes that are left; of rules, ``rules``, which hold from here on, ``acts``, those that fit them, and
    ``same``, whether the position is the same under them, so that chance goes on as it would have.
    ``over``: the game has come to its end, with these scores. ``chosen``: what a seat has chosen while others choose, too, for as
    long as not all have: the ``options``, and whether they are ``whole``."""

    kind: EntryKind
    seat: int
    time: float
    data: dict[str, Any] = field(factory=dict)


def acts_in(log: Iterable[Entry]) -> tuple[list[Act], list[int]]:
    """The acts and outcomes that are left; and after how many of them chance began anew, since the rules had changed."""
    acts: list[Act] = []
    anew: list[int] = []
    for entry in log:
        match entry.kind:
            case "act" | "chance":
                acts.append(Act(entry.seat, entry.data["option"], entry.data["text"]))
            case "undo":
                del acts[entry.data["kept"] :]
                anew = [number for number in anew if number <= entry.data["kept"]]
            case "rules":
                acts = [Act(act["player"], act["option"], act["text"]) for act in entry.data["acts"]]
                before = [number for number in anew if number < len(acts) or entry.data.get("same")]
                anew = before if entry.data.get("same") else [*before, len(acts)]
            case "name" | "note" | "over" | "refused" | "chosen":
                pass
    return acts, anew


def replayed(game: Game, seed: int | None, acts: Sequence[Act], anew: Iterable[int] = ()) -> State:
    """The game to which these acts and outcomes lead. `IllegalMove` where one does not fit.

    Chance goes on behind them as it would have under a seed. ``anew``: after how many of them its streams began anew.
    """
    state = game.start(seed or 0, by_hand=True)
    begun = set() if seed is None else set(anew)
    if 0 in begun:
        state = state.reseeded(seed or 0, 0, by_hand=True)
    for number, act in enumerate(acts, 1):
        state = after(state, act)
        if number in begun:
            state = state.reseeded(seed or 0, number, by_hand=True)
    return state


def after(state: State, act: Act) -> State:
    """The game after one act or outcome of a log; the given one may have gone on. `IllegalMove` where it does not fit."""
    if act.player != state.player:
        raise IllegalMove(f"`{act.text}` is not what comes here")
    if act.player:
        state.play(act.option)
        return state
    drawn = state.clone()
    if drawn.draw() == act.option:
        return drawn
    state.happen(act.option)  # the outcome is not of this seed: it comes from a replay, or the rules have changed since
    return state
