"""A Gymnasium environment, in which a learner plays one seat and bots play the others.

>>> from rulesrun.interpreter.adapters.seat import SeatEnvironment
>>> game = SeatEnvironment("games/masti.rules", players=4, seat=2)
>>> seen, info = game.reset(seed=1)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from ..common.extras import extra
from ..play.arguments import LARGEST, ArgumentError, seat_given, seed_given, shown
from ..play.game import IllegalMove
from .aec import AECEnvironment
from .observation import Array
from .spaces import GAMES_LIMIT, Bots, array_of, check_bots, check_no_options, check_whole, nothing_to_decide

numpy = extra("numpy", "rl", "the environment")
gymnasium = extra("gymnasium", "rl", "the environment")


class SeatEnvironment(gymnasium.Env):  # type: ignore[misc,name-defined]  # it is there only with the extra
    """One seat of a game, the others played by ``bots``: a function of observations and masks (`spaces.Bots`); None: at random.

    ``seat`` counts from 0; the other arguments are those of `rulesrun.load`. The reward is what the seat gets, at the end.
    An option that is not legal ends the game for the seat, with a reward of 1 less than any seat can get (or with
    ``illegal_reward``): so a learner that does not mask its actions can learn which are legal.
    """

    def __init__(
        self,
        path: str | Path,
        players: int | None = None,
        variants: Iterable[str] = (),
        options: Mapping[str, str | int | bool] | None = None,
        *,
        seat: int = 0,
        bots: Bots | None = None,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_bots(bots)
        known = isinstance(illegal_reward, int | float) and not isinstance(illegal_reward, bool)
        if illegal_reward is not None and not (known and abs(illegal_reward) < LARGEST):
            raise ArgumentError(f"illegal_reward is a number or None, not {shown(illegal_reward)}")
        self._all = AECEnvironment(path, players, variants, options, render_mode)
        learner = seat_given(seat, self._all.table.seats, 0)
        self.metadata, self.render_mode = self._all.metadata, render_mode
        self._agent, self._bots = self._all.possible_agents[learner], bots
        self._illegal_reward, self._was_illegal = illegal_reward, False
        self.observation_space = self._all.observation_space(self._agent)
        self.action_space = self._all.action_space(self._agent)

    @property
    def manifest(self) -> dict[str, Any]:
        """What the numbers stand for (see `AdaptedTable.manifest`)."""
        return self._all.manifest

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Array], dict[str, Any]]:
        """Begin a game, as `AECEnvironment.reset` does, and play on to the seat's first decision.

        A game without one is passed over. ValueError where `GAMES_LIMIT` games have none.
        """
        check_no_options(options)
        super().reset(seed=None if seed is None else seed_given(seed))
        self._was_illegal = False
        for number in range(GAMES_LIMIT):
            self._all.reset(None if number else seed)
            self._play_others()
            if not self._over:
                return self._all.observe(self._agent), self._all.infos[self._agent]
        raise nothing_to_decide(self._all.table, self._all.possible_agents.index(self._agent))

    def step(self, action: int) -> tuple[dict[str, Array], float, bool, bool, dict[str, Any]]:
        """Take an option, and play on to the seat's next decision.

        An option of the game that is not legal ends the game, and ``info["illegal"]`` says why it is not allowed. `IllegalMove`
        for a number that is no option of the game, and where the game is over.
        """
        if self._over:
            raise IllegalMove("the game is over")
        if self._all.agent_selection != self._agent:
            raise ValueError("call reset before the next step: the last one failed where another seat decides")
        try:
            self._all.step(action)
        except IllegalMove as error:
            if not self.action_space.contains(action):
                raise
            self._was_illegal = True
            info = {**deepcopy(self._all.infos[self._agent]), "illegal": str(error)}
            return self._all.observe(self._agent), self._worst, True, False, info
        self._play_others()
        info = self._all.infos[self._agent]
        return self._all.observe(self._agent), self._all.rewards[self._agent] if self._over else 0.0, self._over, False, info

    @property
    def _over(self) -> bool:
        return self._was_illegal or self._all.playing.is_over

    @property
    def _worst(self) -> float:
        """The reward for an option that is not legal."""
        return self._all.table.bounds.least - 1.0 if self._illegal_reward is None else float(self._illegal_reward)

    def _play_others(self) -> None:
        game = self._all
        while not self._over and game.agent_selection != self._agent:
            if self._bots is None:
                game.step(int(self.np_random.choice(game.playing.options)))
                continue
            seen = game.observe(game.agent_selection)
            chosen = array_of(self._bots(seen["observation"][None], seen["action_mask"][None]), "bots give")
            check_whole(chosen, 1, "bots give")
            game.step(int(chosen[0]))

    def render(self) -> str | None:
        return self._all.render()

    def __copy__(self) -> SeatEnvironment:
        """Another one with the same bots, which only a deep copy copies, too."""
        other = object.__new__(type(self))
        other.__dict__.update(deepcopy(self.__dict__, {id(self._bots): self._bots}))
        return other
