"""Bad arguments to adapters: a call works, or raises one of the errors that are documented."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import rulesrun
from hypothesis import given, settings
from rulesrun.interpreter.adapters.adapted_tables import OtherRules, choice_of
from rulesrun.interpreter.simulate.engines.engine import ENGINES

from ..junk import JUNK, SAID, may_be_refused

np = pytest.importorskip("numpy")
pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from rulesrun.interpreter.adapters.aec import AECEnvironment  # noqa: E402  # which needs them
from rulesrun.interpreter.adapters.seat import SeatEnvironment  # noqa: E402
from rulesrun.interpreter.adapters.vector import VectorEnvironment  # noqa: E402

PATH = Path(__file__).parents[2] / "games" / "classics" / "kuhn_poker.rules"
KINDS: dict[type, dict[str, Any]] = {AECEnvironment: {}, SeatEnvironment: {}, VectorEnvironment: {"num_envs": 2}}
ASKED = ("reset.seed", "step.action", "step.actions", "observation_space.agent", "action_space.agent", "observe.agent")


def taken(of: type) -> Iterator[tuple[type, str]]:
    """What an environment of a kind is made with."""
    return ((of, name) for name in list(inspect.signature(of.__init__).parameters)[1:])


def asked(of: type) -> Iterator[tuple[type, str, str]]:
    """What can be asked of it, with what is given then."""
    for name in ASKED:
        method, argument = name.split(".")
        if argument in inspect.signature(getattr(of, method, lambda: None)).parameters:
            yield of, method, argument


@cache
def made(kind: type) -> Any:
    return kind(PATH, **KINDS[kind])


@pytest.mark.conformance
@pytest.mark.parametrize(("kind", "name"), [each for kind in KINDS for each in taken(kind)])
@settings(max_examples=4)  # rules are read each time
@given(junk=JUNK)
def test_making(kind: type, name: str, junk: Any) -> None:
    with may_be_refused():
        kind(**{"path": PATH, **KINDS[kind], name: junk})


@pytest.mark.conformance
@pytest.mark.parametrize(("kind", "method", "argument"), [each for kind in KINDS for each in asked(kind)])
@settings(max_examples=40)
@given(junk=JUNK)
def test_asking(kind: type, method: str, argument: str, junk: Any) -> None:
    env = made(kind)
    env.reset(seed=1)
    with may_be_refused():
        getattr(env, method)(**{argument: junk})


@pytest.mark.parametrize("kind", [AECEnvironment, VectorEnvironment])
@settings(max_examples=40)
@given(junk=JUNK)
def test_what_was_never_saved(kind: type, junk: Any) -> None:
    with pytest.raises(rulesrun.ArgumentError):
        object.__new__(kind).__setstate__(junk)


@settings(max_examples=25)
@given(junk=JUNK)
@pytest.mark.parametrize(
    "name", ["num_envs", "_seat", "_bots", "_observe", "_seed", "_next", "_begun", "table", "records", "results"]
)
def test_a_vector_environment_that_was_changed_while_it_was_saved(name: str, junk: Any) -> None:
    env = made(VectorEnvironment)
    env.reset(seed=1)
    saved = env.__getstate__() | {name: junk}
    other = object.__new__(VectorEnvironment)
    try:
        other.__setstate__(saved)
    except (*SAID, OtherRules):
        return
    actions = [int(np.flatnonzero(mask)[0]) for mask in other._observations()["action_mask"]]
    if other._begun:
        other.step(actions)
    else:  # that can be so, too
        with pytest.raises(ValueError, match="call reset before the first step"):
            other.step(actions)


@pytest.mark.parametrize("fill", [0, 7, 255])
@pytest.mark.parametrize("name", ["records", "results"])
def test_games_that_are_none(name: str, fill: int) -> None:
    env = made(VectorEnvironment)
    env.reset(seed=1)
    saved = env.__getstate__()
    saved[name] = np.full_like(saved[name], fill)
    other = object.__new__(VectorEnvironment)
    if name == "results":
        with pytest.raises(rulesrun.ArgumentError, match="not every game that was saved stands at a decision"):
            other.__setstate__(saved)
    else:
        other.__setstate__(saved)


def test_an_engine_that_there_is_not() -> None:
    for engine in ENGINES:
        assert choice_of(PATH, engine=engine).engine == engine
    wrong: tuple[Any, ...] = ("fast", 1, [], {})
    for junk in wrong:
        with pytest.raises(rulesrun.ArgumentError, match="an engine is wasm or reference"):
            choice_of(PATH, engine=junk)


@settings(max_examples=60)
@given(junk=JUNK)
def test_manifests(junk: Any) -> None:
    with pytest.raises((rulesrun.ArgumentError, OtherRules)):
        made(AECEnvironment).table.agree_with(junk)


@pytest.mark.parametrize("argument", ["path", "players", "variants", "options", "name"])
@settings(max_examples=4)
@given(junk=JUNK)
def test_games_of_openspiel(argument: str, junk: Any) -> None:
    pytest.importorskip("pyspiel")
    from rulesrun.interpreter.adapters import openspiel

    call = openspiel.register if argument == "name" else openspiel.load
    arguments: dict[str, Any] = {"path": PATH, argument: junk}
    with may_be_refused():
        call(**arguments)


@pytest.mark.conformance
@settings(max_examples=60)
@given(junk=JUNK)
def test_states_of_openspiel(junk: Any) -> None:
    pytest.importorskip("pyspiel")
    from rulesrun.interpreter.adapters import openspiel

    state, random = cache(openspiel.load)(PATH).new_initial_state(), Random(1)
    while not state.is_terminal() and state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    for player, sampler in ((junk, random.random), (0, junk), (0, lambda: junk)):
        with may_be_refused():
            state.resample_from_infostate(player, sampler)
