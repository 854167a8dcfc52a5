"""Transcripts: games written down so that they can be played again without their seed, and their JSON.

A transcript names the table and lists what happened: the acts of players and the outcomes of chance, in order. With a
``position`` it is also a saved game: the record, random streams included, so that the game goes on as it would have.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from attrs import field, frozen

from ...common.diagnostics import Diagnostic, RulesError, fault
from ...common.source import Source, Span
from ..game import State

FORMAT = 1
SIZE_LIMIT = 64_000_000  # bytes; the longest games there can be (100,000 decisions) write a tenth of it

_Value = TypeVar("_Value")


@frozen
class Act:
    """One act of a player (a seat from 1), or one outcome of chance (``player`` 0). ``option``: its number."""

    player: int
    option: int
    text: str


@frozen
class Transcript:
    """One game as it was played, whole or up to now.

    ``file``: the path of the rules, as the user wrote it. ``rules_hash`` and ``declarations``: digests of the rules' meaning.
    ``seed``: None where chance had none. ``scores`` to ``ranking``: empty for a game that did not come to its end.
    ``seat``, ``position``: of a saved game, who plays it and its record. ``comes_again``: of a game that goes round in a circle,
    how many acts lead to the position to which the last act comes back.
    """

    game: str
    rules_hash: str
    players: int
    variants: tuple[str, ...]
    options: dict[str, str]
    seed: int | None
    acts: tuple[Act, ...]
    scores: tuple[int, ...]
    terms: dict[str, tuple[int, ...]]
    ranking: tuple[tuple[int, ...], ...]
    file: str
    declarations: dict[str, str]
    seat: int | None = None
    position: bytes | None = field(default=None, repr=False)
    comes_again: int | None = None


class _Wrong(Exception):
    """A part of the data is missing or is not what it should be."""


def transcript_of(state: State, seed: int | None, seat: int | None = None, save: bool = False) -> Transcript:
    """The transcript of a game that kept its story. ``save``: with the position, for the player at ``seat``."""
    state = state.written
    game = state.game
    acts = tuple(Act(e.player, e.number, e.text) for e in state.events if e.kind in ("act", "chance"))
    scores, terms, ranking = _result(state)
    return Transcript(
        game=game.name,
        rules_hash=game.rules_hash,
        players=game.players,
        variants=game.variants,
        options=game.options,
        seed=seed,
        acts=acts,
        scores=scores,
        terms=terms,
        ranking=ranking,
        file=game.rules.path,
        declarations=game.rules.digests(),
        seat=seat,
        position=state.to_bytes() if save else None,
    )


_Result = tuple[tuple[int, ...], dict[str, tuple[int, ...]], tuple[tuple[int, ...], ...]]


def _result(state: State) -> _Result:
    """Scores, terms and ranking; all empty for a game that is not over, was stopped, or whose rules cannot score it."""
    if not state.is_over or state.fault is not None:
        return (), {}, ()
    try:
        terms = {name: tuple(values) for name, values in state.terms.items()}
        return tuple(state.scores), terms, tuple(map(tuple, state.ranking))
    except RulesError:
        return (), {}, ()


def seen_by(state: State, seed: int | None, seat: int) -> dict[str, Any]:
    """What a seat may know of a game, in the form of a transcript; what it did not see has no option (it cannot be replayed)."""
    state = state.written
    data = to_data(transcript_of(state, seed))
    told = [(e, e.text_for(seat)) for e in state.events if e.kind in ("act", "chance")]
    data["acts"] = [
        {"player": e.player, "option": e.number if e.seen >> (seat - 1) & 1 else None, "text": text}
        for e, text in told
        if text is not None
    ]
    return data | {"seen_by": seat}


# ---- As JSON


def to_data(transcript: Transcript) -> dict[str, Any]:
    """A transcript as JSON data; seats are counted from 1."""
    data: dict[str, Any] = {
        "game": transcript.game,
        "rules_hash": transcript.rules_hash,
        "players": transcript.players,
        "variants": list(transcript.variants),
        "options": transcript.options,
        "seed": transcript.seed,
        "acts": [{"player": a.player, "option": a.option, "text": a.text} for a in transcript.acts],
        "scores": list(transcript.scores),
        "terms": {name: list(values) for name, values in transcript.terms.items()},
        "ranking": [list(seats) for seats in transcript.ranking],
        "format": FORMAT,
        "file": transcript.file,
        "declarations": transcript.declarations,
    }
    if transcript.seat is not None:
        data["seat"] = transcript.seat
    if transcript.position is not None:
        data["position"] = transcript.position.hex()
    if transcript.comes_again is not None:
        data["comes_again"] = transcript.comes_again
    return data


def to_text(data: dict[str, Any]) -> str:
    """JSON data of a transcript as a file's text: an act a line, so that it can be read, compared and edited."""
    lines = []
    for key, value in data.items():
        text = json.dumps(value, ensure_ascii=False)
        if key == "acts" and value:
            acts = ",\n".join(f"    {json.dumps(act, ensure_ascii=False)}" for act in value)
            text = f"[\n{acts}\n  ]"
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_text(source: Source) -> Transcript | Diagnostic:
    """The transcript in a file's text, or what is wrong with it (code R701)."""
    try:
        data = json.loads(source.text)
    except json.JSONDecodeError as error:
        where = Span(source, min(error.pos, max(0, len(source.text) - 1)), error.pos + 1)
        cut = not source.text[error.pos :].strip()
        reason = "the file ends too early: it has been cut off" if cut else "this is no JSON"
        return _bad(reason, where if source.text else None)
    except (ValueError, RecursionError):
        return _bad("this is no JSON")
    try:
        return _transcript(data)
    except _Wrong as wrong:
        return _bad(str(wrong))


def _bad(reason: str, where: Span | None = None) -> Diagnostic:
    help = "transcripts are written by `rulesrun run --save FILE`"
    return fault("R701", f"this is no transcript of a game: {reason}", where, help=help)


def _transcript(data: Any) -> Transcript:
    if not isinstance(data, dict):
        raise _Wrong("it is not an object with `game`, `players`, `acts` and so on")
    form = _get(data, "format", _number)
    if form != FORMAT:
        raise _Wrong(f"its format is {form}, and this version reads format {FORMAT}")
    if "seen_by" in data:
        raise _Wrong("it holds only what one seat saw")
    players = _get(data, "players", _number)
    found = Transcript(
        game=_get(data, "game", _text),
        rules_hash=_get(data, "rules_hash", _text),
        players=players,
        variants=_get(data, "variants", lambda v: _list(v, _text)),
        options=_get(data, "options", lambda v: _mapping(v, _text)),
        seed=_get(data, "seed", lambda v: None if v is None else _seed(v)),
        acts=_get(data, "acts", lambda v: _list(v, _act)),
        scores=_get(data, "scores", lambda v: _list(v, _number)),
        terms=_get(data, "terms", lambda v: _mapping(v, lambda values: _list(values, _number))),
        ranking=_get(data, "ranking", lambda v: _list(v, lambda seats: _list(seats, _number))),
        file=_get(data, "file", _text),
        declarations=_get(data, "declarations", lambda v: _mapping(v, _text)),
        seat=_get(data, "seat", _number) if "seat" in data else None,
        position=_get(data, "position", _bytes) if "position" in data else None,
        comes_again=_get(data, "comes_again", _number) if "comes_again" in data else None,
    )
    for values in (found.scores, *found.terms.values()):
        if len(values) != players and found.scores:
            raise _Wrong(f"`scores` and `terms` need a number for each of the {players} players")
    if sorted(seat for seats in found.ranking for seat in seats) != list(range(1, len(found.scores) + 1)):
        raise _Wrong("`ranking` needs each seat once")
    if found.seat is not None and not 1 <= found.seat <= players:
        raise _Wrong(f"`seat` is {found.seat}, and there are {players} players")
    if found.comes_again is not None and not 0 <= found.comes_again < len(found.acts):
        raise _Wrong(f"`comes_again` is {found.comes_again}, and there are {len(found.acts)} acts")
    return found


def _get(data: dict[str, Any], key: str, read: Callable[[Any], _Value]) -> _Value:
    if key not in data:
        raise _Wrong(f"`{key}` is missing")
    try:
        return read(data[key])
    except _Wrong as wrong:
        raise _Wrong(f"`{key}`{wrong}") from None


def _number(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 64:
        return value
    raise _Wrong(" is no whole number")


def _seed(value: Any) -> int:
    seed = _number(value)
    if seed < 0:
        raise _Wrong(" is less than 0")
    return seed


def _text(value: Any) -> str:
    if isinstance(value, str) and not re.search("[\ud800-\udfff]", value):
        return value
    raise _Wrong(" is no text")


def _bytes(value: Any) -> bytes:
    try:
        return bytes.fromhex(_text(value))
    except ValueError:
        raise _Wrong(" is not written in hexadecimal digits") from None


def _list(value: Any, read: Callable[[Any], _Value]) -> tuple[_Value, ...]:
    if not isinstance(value, list):
        raise _Wrong(" is no list")
    found = []
    for number, item in enumerate(value, 1):
        try:
            found.append(read(item))
        except _Wrong as wrong:
            raise _Wrong(f", item {number}{wrong}") from None
    return tuple(found)


def _mapping(value: Any, read: Callable[[Any], _Value]) -> dict[str, _Value]:
    if not isinstance(value, dict):
        raise _Wrong(" is no object")
    found = {}
    for name, item in value.items():
        try:
            found[_text(name)] = read(item)
        except _Wrong as wrong:
            raise _Wrong(f", `{name[:40]}`{wrong}") from None
    return found


def _act(value: Any) -> Act:
    if not isinstance(value, dict):
        raise _Wrong(" is no object with `player`, `option` and `text`")
    for key in ("player", "option", "text"):
        if key not in value:
            raise _Wrong(f" has no `{key}`")
    return Act(_number(value["player"]), _number(value["option"]), _text(value["text"]))
