"""An OpenSpiel game, written in Python and registered with pyspiel.

>>> from rulesrun.interpreter.adapters import openspiel
>>> game = openspiel.load("games/masti.rules", players=4)
>>> state = game.new_initial_state()

Chance is explicit: each of its events is a chance node, and an outcome is numbered from 0 within its event. Actions are the
numbers of options. Seats count from 0. Returns are those of the rules. Needs the package open_spiel (``rulesrun[openspiel]``).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from math import nan
from numbers import Real
from pathlib import Path
from random import Random
from threading import RLock
from typing import Any, cast

from attrs import frozen

from ..common.extras import extra
from ..machine.machine import Chance
from ..model.model import OptionDeclaration
from ..play.arguments import ArgumentError, function_given, seat_given, shown
from ..play.game import IllegalMove, State
from ..play.knowledge.views import view_text
from .adapted_tables import AdaptedTable, OtherRules, TableChoice, choice_of, read_table, remember, table_for, table_with
from .histories import DIGEST, Histories
from .moments import Moment
from .observation import Observations

numpy = extra("numpy", "openspiel", "the adapter for OpenSpiel")
pyspiel = extra("pyspiel", "openspiel", "the adapter for OpenSpiel")

PREFIX = "rulesrun_"  # OpenSpiel has games of its own by many names
SHOWN = 6  # outcomes of chance, where one is not possible
AND = "+"  # between variants: in what OpenSpiel writes of a game, a comma ends a parameter

Value = str | int | bool


@frozen
class _Entry:
    """A file that is registered. ``parameters``: with their defaults. ``rules``: the digest of what it said then."""

    path: str
    parameters: dict[str, Value]
    rules: str


_registered: dict[str, _Entry] = {}  # by short name
_turn = RLock()  # whoever looks for a name that is free registers it before another looks


def register(path: str | Path, name: str | None = None) -> str:
    """Register a file with pyspiel; its short name there, to be given to `pyspiel.load_game`.

    ``name``: the short name, of letters, digits and underscores; None: that of the game behind `PREFIX`, with a digest where
    another file has that name. The parameters of the game are ``players``, ``variants`` (their names, with + between them) and
    its options. A file is read anew when it is registered again. Raises `RulesError`; ArgumentError for a name that cannot be, or
    that is of a game of OpenSpiel's own.
    """
    if name is not None and not (isinstance(name, str) and name.isascii() and name.isidentifier()):
        raise ArgumentError(f"a short name has letters, digits and underscores, and begins with no digit; {shown(name)} is none")
    if name is not None and name not in _registered and name in pyspiel.registered_names():
        raise ArgumentError(f"OpenSpiel has a game `{name}` of its own: give this one another name, or none")
    default = read_table(choice_of(path))
    with _turn:
        return _register(default, default, name or _short_name(default))


def _short_name(default: AdaptedTable) -> str:
    """A name for a file that no other file has by now: states that are written down are found again by it."""
    name = PREFIX + default.game.name
    taken = name in _registered and _registered[name].path != default.choice.path
    return f"{name}_{default.game.rules_hash[:8]}" if taken else name


def load(
    path: str | Path, players: int | None = None, variants: Iterable[str] = (), options: Mapping[str, Value] | None = None
) -> SpielGame:
    """A game of pyspiel by the arguments of `rulesrun.load`, its file read anew and registered. Raises `RulesError`."""
    table = read_table(choice_of(path, players, variants, options))
    with _turn:
        return _game_of(table)


def state_of(state: State) -> SpielState:
    """A game in progress as OpenSpiel's bots know it, so that they can choose for a player from outside (`play/bots/seen.py`).

    ValueError where it is not known how the game came to this position; `OtherRules` if its file has changed.
    """
    game = state.game
    choice = choice_of(game.rules.path, game.players, game.variants, game.changed_options)
    table = table_with(choice, game.table_digest.hex()[:16])
    with _turn:
        found = _state_after(_game_of(table), state.history)
    if found.moment.state != state:
        raise ValueError("it is not known how the game came to this position: pass `events` where it is read from bytes")
    return found


def _register(default: AdaptedTable, table: AdaptedTable, short_name: str) -> str:
    """Register a file by its default table, which says what the parameters are, and the table that is told of it."""
    parameters: dict[str, Value] = {"players": default.game.players, "variants": ""}
    declared = [d for d in default.game.rules.required().declarations if isinstance(d, OptionDeclaration)]
    listed = {declaration.name for declaration in declared if declaration.domain.type.base == "word"}
    parameters |= {
        option: _quoted(words) if option in listed else _value(words) for option, words in default.game.options.items()
    }
    entry = _Entry(default.choice.path, parameters, default.game.rules_hash)
    if _registered.get(short_name) != entry:
        _registered[short_name] = entry
        creator = partial(SpielGame, short_name)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(creator))  # pyspiel lets go of it when Python has ended, and must not free it
        pyspiel.register_game(_game_type(table, short_name), creator)
    return short_name


def _game_of(table: AdaptedTable) -> SpielGame:
    path = table.choice.path
    default = table_for(TableChoice(path))
    if default.game.rules_hash != table.game.rules_hash:
        default = read_table(TableChoice(path))
    known = next((name for name, entry in _registered.items() if entry.path == path), None) or _short_name(default)
    parameters = _registered[_register(default, table, known)].parameters
    given: dict[str, Value] = {} if table.choice.players is None else {"players": table.choice.players}
    if table.choice.variants:
        given["variants"] = AND.join(table.choice.variants)
    for option, _ in table.choice.options:
        if option not in parameters:
            told = f"`{option}` comes with a variant"
            raise ArgumentError(f"{told}; OpenSpiel's parameters are the options of the rules without one")
        given[option] = _parameter(table, option, parameters)
    remember(_choice(known, given), table)
    return pyspiel.load_game(known, given)  # type: ignore[no-any-return]  # pyspiel has no types


def _choice(short_name: str, given: Mapping[str, Value]) -> TableChoice:
    """The table that parameters of pyspiel ask for. Those that are as by default are not asked for, as a variant may set them:
    pyspiel puts the defaults among what was given."""
    entry = _registered[short_name]
    chosen = {name: _unquoted(value) for name, value in given.items() if value != entry.parameters.get(name)}
    players, variants = chosen.pop("players", None), str(chosen.pop("variants", ""))
    assert isinstance(players, int | None)
    return TableChoice(entry.path, players, _names(variants), tuple(sorted(chosen.items())))


def _parameter(table: AdaptedTable, option: str, parameters: Mapping[str, Value]) -> Value:
    """What an option is at a table, as a parameter of pyspiel of the same type as its default."""
    words = table.game.options[option]
    return _quoted(words) if isinstance(parameters[option], str) else _value(words)


def _quoted(words: str) -> str:
    """A word of a list as a parameter of pyspiel: in quotes where pyspiel would read a number or a truth."""
    return words if isinstance(_value(words), str) else f"'{words}'"


def _unquoted(value: Value) -> Value:
    return value.strip("'") if isinstance(value, str) else value


def _names(variants: str) -> tuple[str, ...]:
    """The names of variants in a parameter, which may stand with commas, and twice, where somebody wrote it by hand."""
    return tuple(dict.fromkeys(name.strip() for name in variants.replace(",", AND).split(AND) if name.strip()))


def _value(words: str) -> Value:
    """The default of an option as a parameter of pyspiel, which has types."""
    if words in ("yes", "no"):
        return words == "yes"
    return int(words) if words.lstrip("-").isdecimal() else words


def _game_type(table: AdaptedTable, short_name: str) -> Any:
    kinds, whole = pyspiel.GameType, table.game.rules.required()
    total = table.bounds.total
    return kinds(
        short_name=short_name,
        long_name=table.game.title(),
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if table.chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION if table.is_open else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if total is None else kinds.Utility.CONSTANT_SUM if total else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(whole.players),
        min_num_players=min(whole.players),
        provides_information_state_string=True,
        provides_information_state_tensor=Histories(table).fits,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_registered[short_name].parameters,
    )


def _game_info(table: AdaptedTable) -> Any:
    bounds = table.bounds
    return pyspiel.GameInfo(
        num_distinct_actions=table.game.machine.options,
        max_chance_outcomes=max((len(event.domain.names) for event in table.chance), default=0),
        num_players=table.seats,
        min_utility=float(bounds.least),
        max_utility=float(max(bounds.most, bounds.least + 1)),  # OpenSpiel wants two that differ
        utility_sum=None if bounds.total is None else float(bounds.total),
        max_game_length=bounds.decisions,
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc,name-defined]  # pyspiel has no types
    """One table as a game of pyspiel. ``table``: its rules, for those who know rulesrun."""

    def __init__(self, short_name: str, given: Mapping[str, Value]) -> None:
        self.table = table_for(_choice(short_name, given))
        super().__init__(_game_type(self.table, short_name), _game_info(self.table), self._told(short_name, given))

    def _told(self, short_name: str, given: Mapping[str, Value]) -> dict[str, Value]:
        """The parameters as they are played: those among ``given`` that a variant sets are what it sets."""
        parameters = _registered[short_name].parameters
        told: dict[str, Value] = {"players": self.table.seats, "variants": AND.join(_names(str(given.get("variants", ""))))}
        return told | {name: _parameter(self.table, name, parameters) for name in self.table.game.options if name in parameters}

    def __reduce__(self) -> tuple[Any, ...]:
        return _saved_game, (self.table.choice, self.table.digest)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.table.bounds.chance

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> SpielObserver | None:
        """What pyspiel asks for observations: of all that a single seat sees, with perfect recall or without; of a part, None."""
        if params:
            raise ArgumentError(f"observations have no parameters here, not {shown(params)}")
        asked = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not asked.public_info or asked.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return SpielObserver(self.recall if asked.perfect_recall else self.sight)

    @property
    def observations(self) -> Observations:
        """The layout of observation tensors."""
        return self.table.observations

    @cached_property
    def beginning(self) -> Moment:
        """Where all its states begin."""
        return Moment.begun(self.table)

    @cached_property
    def histories(self) -> Histories:
        """The layout of information state tensors."""
        return Histories(self.table)

    @property
    def sight(self) -> _Sight:
        return _Sight(self.observations, self.table)

    @property
    def recall(self) -> _Recall:
        return _Recall(self.histories)


def _saved_game(choice: TableChoice, digest: str) -> SpielGame:
    table = table_with(choice, digest)
    with _turn:
        return _game_of(table)


class SpielState(pyspiel.State):  # type: ignore[misc,name-defined]  # pyspiel has no types
    """One game in progress. All that it is, is its ``moment``, which is never changed: copies share it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.moment = game.beginning

    @property
    def moment(self) -> Moment:
        return self.__dict__["moment"]  # type: ignore[no-any-return]  # there pyspiel looks for what it writes down

    @moment.setter
    def moment(self, moment: Moment) -> None:
        """Also what pyspiel has read goes this way. `OtherRules` where it is of other rules than the game that it found."""
        table, its = self.__dict__.setdefault("moment", moment).table, moment.table
        if its is not table and its.digest != table.digest:
            told = f"this state was written under rules with digest {its.digest}"
            raise OtherRules(f"{told}, and the game is {table.game.name} with digest {table.digest}")
        self.__dict__["moment"] = moment

    def current_player(self) -> int:
        moment = self.moment
        match moment.position.kind:
            case "decision":
                return moment.player
            case "chance":
                return int(pyspiel.PlayerId.CHANCE)
            case _:
                return int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.moment.position.answers)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the chance event, each with its probability. ValueError where there is none."""
        moment = self.moment
        if moment.position.kind != "chance":
            why = "the game is over" if self.is_terminal() else "somebody decides"
            raise ValueError(f"there is no chance event now: {why}")
        weights = moment.position.weights
        low, total = _low(moment), sum(weight for _, weight in weights)
        return [(value - low, weight / total) for value, weight in weights]

    def _apply_action(self, action: int) -> None:
        moment = self.moment
        taken = action + _low(moment)
        if self.is_chance_node() and taken not in moment.position.answers:
            possible = [outcome for outcome, _ in self.chance_outcomes()]
            named = [f"{each} ({self._action_to_string(pyspiel.PlayerId.CHANCE, each)})" for each in possible[:SHOWN]]
            more = f" and {len(possible) - SHOWN} more" if len(possible) > SHOWN else ""
            raise IllegalMove(f"{action} is not possible here; by chance comes {', '.join(named)}{more}")
        self.moment = moment.after(taken)

    def _action_to_string(self, player: int, action: int) -> str:
        """In the game's words. ArgumentError for a number that is none."""
        node = self.moment.position.node
        if player != pyspiel.PlayerId.CHANCE:
            return self.moment.table.game.option_text(action)
        if not isinstance(node, Chance) or not 0 <= action < len(node.domain.names):
            raise ArgumentError(f"there is no outcome of chance {action} here")
        return node.domain.names[action]

    def is_terminal(self) -> bool:
        return self.moment.position.kind == "over"

    def returns(self) -> list[float]:
        return [float(each) for each in self.moment.returns]

    def __str__(self) -> str:
        """What lies where, for somebody who sees everything."""
        return view_text(self.moment.state.view(), self.moment.table.game.seat_names)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A game that a seat cannot tell from this one. ``sampler``: numbers from 0 to 1. `NoWorld` where none is found."""
        seat, drawn = seat_given(player, self.moment.table.seats, 0), function_given(sampler, "a sampler")()
        number = cast(float, drawn) if isinstance(drawn, Real) else nan
        if not 0 <= number <= 1:
            raise ArgumentError(f"a sampler gives numbers from 0 to 1, not {shown(drawn)}")
        return _state_after(self.get_game(), self.moment.determinised(seat, Random(int(number * (1 << 53)))))

    def __deepcopy__(self, memo: object) -> SpielState:
        return self.clone()  # type: ignore[no-any-return]  # pyspiel has no types

    def __reduce__(self) -> tuple[Any, ...]:
        return _state_after, (self.get_game(), self.moment.history)


def _state_after(game: SpielGame, history: Iterable[int]) -> SpielState:
    """The state to which options and outcomes of chance lead, as the rules number them."""
    state = game.new_initial_state()
    for taken in history:
        state.apply_action(taken - _low(state.moment))
    return state


def _low(moment: Moment) -> int:
    """What is taken at a moment is the number of an action and this."""
    node = moment.position.node
    return node.domain.low if isinstance(node, Chance) else 0


class _Sight:
    """What a seat sees now."""

    def __init__(self, observations: Observations, table: AdaptedTable) -> None:
        self.observations, self.table = observations, table
        self.shapes = {part.name: part.shape for part in observations.parts}

    def write(self, state: SpielState, player: int, tensor: Any) -> None:
        moment = state.moment
        record = numpy.frombuffer(moment.record, dtype=numpy.uint8)[None]
        tensor[:] = self.observations.read(record, numpy.array([player]), numpy.array([moment.player]))[0]

    def text(self, state: SpielState, player: int) -> str:
        now, names = state.moment.state, self.table.game.seat_names
        lines = [f"you are {names[player]}", view_text(now.view(player + 1), names)]
        if now.player:
            asked = f": {now.about}" if now.about and now.player == player + 1 else ""
            lines.append(f"{names[now.player - 1]} decides{asked}")
        return "\n".join(lines)


class _Recall:
    """What a seat has observed from the beginning on."""

    def __init__(self, histories: Histories) -> None:
        self.histories, seats = histories, histories.table.seats
        rows = {"observed": (histories.rows, len(histories.columns)), "digest": (DIGEST,)}
        self.shapes: dict[str, tuple[int, ...]] = {"seat": (seats,), **rows} if histories.fits else {}

    def write(self, state: SpielState, player: int, tensor: Any) -> None:
        seats = self.histories.table.seats
        tensor[player] = 1
        rows = tensor[seats:-DIGEST].reshape(self.shapes["observed"])
        self.histories.write(state.moment, player, rows, tensor[-DIGEST:])

    def text(self, state: SpielState, player: int) -> str:
        table, moment = self.histories.table, state.moment
        digest = table.walker.digest(moment.position, player)
        return f"you are {table.game.seat_names[player]}{moment.observed(player)}\ndigest {digest:016x}"


class SpielObserver:
    """An observer as pyspiel wants it (``open_spiel/python/observation.py``): the numbers flat, and by the names of fields."""

    def __init__(self, source: _Sight | _Recall) -> None:
        self._source = source
        shapes = source.shapes
        sizes = {name: int(numpy.prod(shape)) for name, shape in shapes.items()}
        self.tensor = numpy.zeros(sum(sizes.values()), dtype=numpy.float32) if shapes else None
        self.dict: dict[str, Any] = {}
        start = 0
        for name, shape in shapes.items():
            assert self.tensor is not None
            self.dict[name] = self.tensor[start : start + sizes[name]].reshape(shape)
            start += sizes[name]

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player observes in a state into ``tensor``, which ``dict`` shows by fields."""
        seat = seat_given(player, state.num_players(), 0)
        if self.tensor is not None:
            self.tensor.fill(0)
            self._source.write(state, seat, self.tensor)

    def string_from(self, state: SpielState, player: int) -> str:
        return self._source.text(state, seat_given(player, state.num_players(), 0))
