"""A PettingZoo environment (AEC), in which learners play a game seat by seat.

>>> from rulesrun.interpreter.adapters.aec import AECEnvironment
>>> game = AECEnvironment("games/masti.rules", players=4)
>>> game.reset(seed=1)

Agents are ``player_0``, ``player_1``, ... A player may act several times in a turn, as the rules have it: who acts is
``agent_selection``. Rewards are the returns, and come at the end. Chance and seeds are those of `rulesrun.load(...).start(seed)`;
``reset()`` without a seed begins the next game of the last one. Needs the packages of ``rulesrun[rl]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from pathlib import Path
from random import Random
from typing import Any
from warnings import warn

from ..common.extras import extra
from ..play.arguments import ArgumentError, seed_given, shown, whole
from ..play.game import IllegalMove
from ..play.knowledge.views import view_text
from .adapted_tables import choice_of, read_table, table_saved
from .observation import Array
from .playing import Playing
from .spaces import actions_of, no_options, says_something, space_of

numpy = extra("numpy", "rl", "the environment")
gymnasium = extra("gymnasium", "rl", "the environment")
pettingzoo = extra("pettingzoo", "rl", "the environment")


RESET = "call reset before the first step"


class AECEnvironment(pettingzoo.AECEnv):  # type: ignore[misc,name-defined]  # it is there only with the extra
    """One game of one table. The arguments are those of `rulesrun.load`; raises `RulesError`.

    An observation has the numbers of `observation.py` and, in ``action_mask``, a 1 for each legal option; the mask stands in the
    infos as well. `state()` is what all seats see together.
    """

    def __init__(
        self,
        path: str | Path,
        players: int | None = None,
        variants: Iterable[str] = (),
        options: Mapping[str, str | int | bool] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and not (isinstance(render_mode, str) and render_mode == "ansi"):
            raise ArgumentError(f"games are rendered as text: render_mode is 'ansi', not {shown(render_mode)}")
        self.table = read_table(choice_of(path, players, variants, options))
        self.render_mode = render_mode
        self.metadata = {"name": self.table.game.name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.seats)]
        self.agents: list[str] = []
        self._spaces()
        self._seed, self._game = Random().getrandbits(64), -1
        self._playing: Playing | None = None

    def _spaces(self) -> None:
        self.action_spaces = {agent: actions_of(self.table) for agent in self.possible_agents}
        self.observation_spaces = {agent: space_of(self.table) for agent in self.possible_agents}
        everything = self.table.observations.limits
        self.state_space = gymnasium.spaces.Box(*everything, dtype=numpy.float32)

    @property
    def manifest(self) -> dict[str, Any]:
        """What the numbers stand for (see `AdaptedTable.manifest`)."""
        return self.table.manifest

    @property
    def playing(self) -> Playing:
        """The game in progress. ValueError before the first `reset`."""
        if self._playing is None:
            raise ValueError(RESET)
        return self._playing

    def __getattr__(self, name: str) -> Any:
        """What a game in progress has: `reset` makes it."""
        if name in ("agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards"):
            raise ValueError(RESET)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def _seat(self, agent: str) -> int:
        if not isinstance(agent, str) or agent not in self.possible_agents:
            raise ArgumentError(f"agents are {', '.join(self.possible_agents)}; there is no {shown(agent)}")
        return self.possible_agents.index(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the first of a seed, or the next of the last one.

        ``options``: none are known. This is a warning, and no error, as PettingZoo's own tests give some.
        """
        if says_something(options):
            warn(no_options(options), stacklevel=2)
        self._seed, self._game = (self._seed, self._game + 1) if seed is None else (seed_given(seed), 0)
        self._playing = Playing.begun(self.table, self._seed, self._game)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._skip_agent_selection: str | None = None
        self._tell()

    def step(self, action: int | None) -> None:
        """Take an option. `IllegalMove` for one that is not legal; of an agent that is out, only None."""
        if not self.agents:
            _ = self.playing
            raise IllegalMove("the game is over")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalMove(f"{self.agent_selection} has to choose an option, not None")
        option = whole(action)
        if option is None:
            raise ArgumentError(f"step takes a whole number, an action of {self.agent_selection}, not {shown(action)}")
        self.playing.play(option)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._tell()
        self._accumulate_rewards()

    def _tell(self) -> None:
        """Say who acts, and how it ended."""
        playing = self.playing
        if playing.is_over:
            self.rewards = dict(zip(self.agents, map(float, playing.returns), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[playing.player]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> Array:
        mask = numpy.zeros(self.table.game.machine.options, dtype=numpy.int8)
        if self.playing.player == self.possible_agents.index(agent):
            mask[self.playing.options] = 1
        return mask

    def observe(self, agent: str) -> dict[str, Array]:
        seat = numpy.array([self._seat(agent)])
        seen = self.table.observations.read(self._record(), seat, numpy.array([self.playing.player]))[0]
        return {"observation": seen, "action_mask": self._mask(agent)}

    def state(self) -> Array:
        return self.table.observations.read_all(self._record(), numpy.array([self.playing.player]))[0]

    def _record(self) -> Array:
        return numpy.frombuffer(self.playing.record, dtype=numpy.uint8)[None]

    def render(self) -> str | None:
        """What lies where, for somebody who sees everything; None without a render mode."""
        return None if self.render_mode is None else view_text(self.playing.state.view(), self.table.game.seat_names)

    def close(self) -> None:
        """There is nothing to release."""

    def __copy__(self) -> AECEnvironment:
        other = object.__new__(type(self))
        other.__dict__.update(
            self.__dict__ | {name: value.copy() for name, value in self.__dict__.items() if isinstance(value, (dict, list))},
            infos={agent: {"action_mask": self._mask(agent)} for agent in self.agents},
            _playing=None if self._playing is None else self._playing.copy(),
        )
        other._spaces()
        return other

    def __deepcopy__(self, memo: object) -> AECEnvironment:
        return copy(self)

    def __getstate__(self) -> dict[str, Any]:
        made = ("observation_spaces", "action_spaces", "state_space")
        kept = {name: value for name, value in self.__dict__.items() if name not in made}
        return kept | {"table": (self.table.choice, self.table.digest)}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        if not isinstance(saved, dict) or not isinstance(saved.get("possible_agents"), list) or "_playing" not in saved:
            raise ArgumentError(f"this is no environment that was saved: {shown(saved)}")
        self.__dict__.update(saved, table=table_saved(saved.get("table")))
        self._spaces()
