"""Games of the rules as environments of PettingZoo and Gymnasium: by their own tests, and the games that they play."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import rulesrun
from rulesrun.interpreter.adapters.adapted_tables import OtherRules

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from rulesrun.interpreter.adapters.aec import AECEnvironment  # noqa: E402  # which needs them
from rulesrun.interpreter.adapters.seat import SeatEnvironment  # noqa: E402
from rulesrun.interpreter.adapters.vector import VectorEnvironment  # noqa: E402

GAMES = Path(__file__).parent.parent.parent / "games"
KUHN, LEDUC, MASTI = GAMES / "classics" / "kuhn_poker.rules", GAMES / "classics" / "leduc_poker.rules", GAMES / "masti.rules"
GOOFSPIEL = GAMES / "classics" / "goofspiel.rules"
SHIPPED = sorted(path for folder in (GAMES, GAMES / "classics") for path in folder.glob("*.rules"))


def petting(module: str, name: str) -> Any:
    """A test of PettingZoo's."""
    return getattr(pytest.importorskip(f"pettingzoo.test.{module}"), name)


@pytest.mark.conformance
@pytest.mark.filterwarnings("ignore::UserWarning")  # that an observation is a dictionary with a mask
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_game_passes_pettingzoos_own_tests(path: Path) -> None:
    env = AECEnvironment(path)
    petting("api_test", "api_test")(env)
    petting("seed_test", "seed_test")(lambda: copy.deepcopy(env))
    petting("state_test", "test_state_space")(env)
    wrappers = pytest.importorskip("pettingzoo.utils.wrappers")  # the next one takes any action of the space
    petting("state_test", "test_state")(wrappers.TerminateIllegalWrapper(env, -1), num_cycles=10)


@pytest.mark.conformance
def test_pettingzoos_benchmark_runs_with_every_shipped_game(capsys: pytest.CaptureFixture[str]) -> None:
    """Side by side: it goes on for five seconds of the clock with each."""
    environments = [AECEnvironment(path) for path in SHIPPED]
    with ThreadPoolExecutor(len(SHIPPED)) as threads:
        list(threads.map(petting("performance_benchmark", "performance_benchmark"), environments))
    assert capsys.readouterr().out.count("turns per second") == len(SHIPPED)


def legal(mask: Any, random: Any) -> Any:
    """A legal option for each game, each with the same chance."""
    return (random.random(mask.shape) + mask).argmax(axis=1)


@pytest.mark.conformance
def test_many_games_are_those_that_rulesrun_plays() -> None:
    game = rulesrun.load(MASTI, players=3)
    games = VectorEnvironment(MASTI, 5, players=3)
    states = [game.start(9, game=number, story=False) for number in range(5)]
    following, random = 5, np.random.default_rng(1)
    seen, infos = games.reset(seed=9)
    for _ in range(120):
        for number, state in enumerate(states):
            assert np.flatnonzero(seen["action_mask"][number]).tolist() == state.legal
            assert infos["player"][number] == state.player - 1
        chosen = legal(seen["action_mask"], random)
        acted = infos["player"]
        seen, rewards, ended, truncated, infos = games.step(chosen)
        for number, state in enumerate(states):
            state.play(int(chosen[number]))
            assert ended[number] == state.is_over
            if state.is_over:
                assert infos["scores"][number].tolist() == state.scores
                assert rewards[number] == state.scores[acted[number]]
                states[number] = game.start(9, game=following, story=False)
                following += 1
    assert following > 5
    assert not truncated.any()


@pytest.mark.conformance
def test_rewards_are_the_returns_of_the_rules() -> None:
    told: dict[str, Any] = {"players": 3, "variants": ["win_or_lose"], "options": {"ranks": 4}}
    game, games = rulesrun.load(GOOFSPIEL, **told), VectorEnvironment(GOOFSPIEL, 6, **told)
    env, states = AECEnvironment(GOOFSPIEL, **told), [game.start(9, game=number, story=False) for number in range(6)]
    random = np.random.default_rng(1)
    seen, infos = games.reset(seed=9)
    ended, rewards, acted = np.zeros(6, dtype=bool), np.zeros(6), infos["player"]
    while not ended.any():
        chosen, acted = legal(seen["action_mask"], random), infos["player"]
        seen, rewards, ended, _, infos = games.step(chosen)
        for state, option in zip(states, chosen, strict=True):
            state.play(int(option))
    returns = [state.returns for state in states]
    assert ended.all()
    assert infos["returns"].tolist() == returns
    assert infos["scores"].tolist() == [state.scores for state in states]
    assert rewards.tolist() == [gets[seat] for gets, seat in zip(returns, acted, strict=True)]
    env.reset(seed=9)
    while env.agents and not all(env.terminations.values()):
        env.step(env.playing.options[0])
    assert list(env.rewards.values()) == env.playing.state.returns
    assert set(env.rewards.values()) <= {-1.0, 0.0, 1.0}


@pytest.mark.conformance
def test_one_seat_learns_and_others_are_bots() -> None:
    def first(observations: Any, masks: Any) -> Any:
        assert (observations[:, 1] == 1).all()
        return masks.argmax(axis=1)

    random = np.random.default_rng(2)
    for bots in (None, first):
        games = VectorEnvironment(KUHN, 50, seat=0, bots=bots)
        seen, infos = games.reset(seed=1)
        finished = 0
        for _ in range(20):
            assert (infos["player"] == 0).all()
            assert (infos["action_mask"] == seen["action_mask"]).all()
            assert (seen["observation"][:, 0] == 1).all()
            seen, rewards, ended, _, infos = games.step(legal(seen["action_mask"], random))
            assert ((rewards != 0) == ended).all()
            finished += ended.sum()
        assert finished > 100


@pytest.mark.conformance
def test_gymnasiums_own_test_of_one_seat() -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker")

    checker.check_env(SeatEnvironment(LEDUC, seat=1), skip_render_check=True)


@pytest.mark.conformance
def test_an_illegal_option_ends_the_game_for_the_seat() -> None:
    for given, expected in ((None, -14.0), (-3, -3.0)):
        env = SeatEnvironment(LEDUC, seat=0, illegal_reward=given)
        seen, _ = env.reset(seed=3)
        illegal = int(seen["action_mask"].argmin())
        _, reward, over, truncated, info = env.step(illegal)
        assert (reward, over, truncated) == (expected, True, False)
        assert info["illegal"]
        with pytest.raises(rulesrun.IllegalMove, match="over"):
            env.step(illegal)
        env.reset(seed=4)
        with pytest.raises(rulesrun.IllegalMove, match="there is no option 99"):
            env.step(99)
    with pytest.raises(ValueError, match="illegal_reward is a number"):
        SeatEnvironment(LEDUC, illegal_reward=float("nan"))


@pytest.mark.conformance
def test_a_seat_plays_whole_games_of_several_acts_in_a_turn() -> None:
    env = SeatEnvironment(GAMES / "for_the_king.rules", seat=1, options={"highest_bid": 4})
    for seed in range(2):
        seen, info = env.reset(seed=seed)
        reward, over, truncated = 0.0, False, False
        while not over:
            assert (seen["action_mask"] == info["action_mask"]).all()
            seen, reward, over, truncated, info = env.step(int(seen["action_mask"].argmax()))
        assert not truncated
        assert reward == env._all.playing.state.scores[1]
        with pytest.raises(rulesrun.IllegalMove, match="over"):
            env.step(0)


@pytest.mark.conformance
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_is_stepped_apart_from_its_original(again: Any) -> None:
    env = AECEnvironment(MASTI)
    env.reset(seed=4)
    games = VectorEnvironment(LEDUC, 8)
    seen, _ = games.reset(seed=4)
    for _ in range(3):
        env.step(env.playing.options[0])
        seen, *_ = games.step(seen["action_mask"].argmax(axis=1))
    alone = SeatEnvironment(KUHN, seat=1)
    alone.reset(seed=2)
    other, others, another = again(env), again(games), again(alone)
    before = alone._all.playing.record
    again(alone).step(0)
    assert alone._all.playing.record == before
    mine, its = (each.step(1) for each in (alone, another))
    assert (mine[0]["observation"] == its[0]["observation"]).all()
    assert mine[1:4] == its[1:4]
    before = env.playing.record
    other.step(other.playing.options[-1])
    assert env.playing.record == before
    env.step(env.playing.options[-1])
    assert env.playing.record == other.playing.record
    assert env.last()[1:4] == other.last()[1:4]
    first, second = (each.step(seen["action_mask"].argmax(axis=1)) for each in (games, others))
    assert (first[0]["observation"] == second[0]["observation"]).all()
    assert (first[1] == second[1]).all()


@pytest.mark.conformance
def test_what_was_saved_under_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.rules"
    text = KUHN.read_text()
    path.write_text(text)
    env, games = AECEnvironment(path), VectorEnvironment(path, 4)
    env.reset(seed=1)
    games.reset(seed=1)
    manifest = json.loads(json.dumps(env.manifest))
    assert manifest["actions"] == ["pass", "bet"]
    assert manifest == games.manifest
    env.table.agree_with(manifest)
    saved = pickle.dumps(env), pickle.dumps(games)
    path.write_text(text.replace("players + 1", "players + 2"))
    other = AECEnvironment(path)
    for each in saved:
        with pytest.raises(OtherRules, match="saved under other rules"):
            pickle.loads(each)
    with pytest.raises(OtherRules, match="the manifest is of kuhn_poker"):
        other.table.agree_with(manifest)


@pytest.mark.conformance
@pytest.mark.parametrize("seat", [None, 1])
def test_saved_games_go_on_as_they_did(seat: int | None) -> None:
    """In the same places, in others, and in another environment."""
    games = VectorEnvironment(MASTI, 6, players=3, seat=seat)
    random = np.random.default_rng(1)
    seen, infos = games.reset(seed=4)
    for _ in range(5):
        seen, *_, infos = games.step(masked(random, seen))
    saved, chosen = games.save(), masked(random, seen)
    again = games.step(chosen)
    for env in (games, VectorEnvironment(MASTI, 6, players=3, seat=seat)):
        back, told = env.restore(saved)
        assert all((back[name] == seen[name]).all() for name in seen)
        assert (told["player"] == infos["player"]).all()
        once_more = env.step(chosen)
        assert all((once_more[0][name] == again[0][name]).all() for name in seen)
        assert (once_more[1] == again[1]).all()
    order = np.array([3, 3, 0, 5, 5, 5])
    mixed, _ = games.restore(saved[order])
    assert (mixed["observation"] == seen["observation"][order]).all()


def masked(random: np.random.Generator, seen: dict[str, Any]) -> Any:
    """A legal action for each game."""
    return (random.random(seen["action_mask"].shape) + seen["action_mask"]).argmax(axis=1)


def test_restored_games_have_the_same_luck_or_their_own() -> None:
    games = VectorEnvironment(LEDUC, 64)
    games.reset(seed=1)
    one = games.save()[np.zeros(64, dtype=int)]

    def came_to(seed: int | None) -> set[bytes]:
        games.restore(one, seed=seed)
        for _ in range(2):
            seen, *_ = games.step([1] * 64)  # both call, and a card comes
        return {row.tobytes() for row in seen["observation"]}

    assert len(came_to(None)) == 1
    assert len(came_to(5)) > 1
    assert came_to(5) == came_to(5)


@pytest.mark.conformance
def test_junk_is_no_saved_game_and_changes_nothing() -> None:
    games = VectorEnvironment(LEDUC, 4)
    with pytest.raises(ValueError, match="call reset first"):
        games.save()
    games.reset(seed=1)
    saved = games.save()
    bent = saved.copy()
    bent[2, 20] ^= 1
    wide = saved.astype(np.int8)
    others = VectorEnvironment(LEDUC, 4, seat=0)
    others.reset(seed=1)
    junk: list[Any] = [
        None, b"", saved[:3], saved[0], wide, saved.tolist(), np.zeros_like(saved), saved[:, 1:], bent, others.save(),
    ]  # fmt: skip
    for each in junk:
        with pytest.raises(rulesrun.ArgumentError, match=r"restore takes 4 rows|row \d is damaged, or of another table"):
            games.restore(each)
        assert (games.save() == saved).all()
    with pytest.raises(rulesrun.ArgumentError, match="seed"):
        games.restore(saved, seed=-1)
    assert (games.save() == saved).all()


@pytest.mark.conformance
def test_actions_that_are_not_possible_are_refused_and_nothing_moves() -> None:
    games = VectorEnvironment(LEDUC, 4)
    with pytest.raises(ValueError, match="reset"):
        games.step([1, 1, 1, 1])
    seen, _ = games.reset(seed=1)
    known = (([1, 1, 7, 1], "game 2: .* no option 7"), ([1, -1, 1, 1], "no option -1"), ([0, 1, 1, 1], "no bet to answer"))
    for wrong, why in known:
        with pytest.raises(rulesrun.IllegalMove, match=why):
            games.step(wrong)
    for odd in ([1, 1], [1.5, 1.0, 1.0, 1.0]):
        with pytest.raises(ValueError, match="4 whole numbers"):
            games.step(odd)
    assert (games.step([1, 1, 1, 1])[0]["observation"] != seen["observation"]).any()
    env = AECEnvironment(LEDUC)
    known_before: list[Callable[[AECEnvironment], Any]] = [
        lambda env: env.step(1),
        lambda env: env.observe("player_0"),
        lambda env: env.last(),
        lambda env: env.state(),
        *(attrgetter(name) for name in ("agent_selection", "rewards", "terminations", "truncations", "infos")),
    ]
    for ask in known_before:
        with pytest.raises(ValueError, match="call reset before the first step") as before:
            ask(env)
        assert type(before.value) is ValueError
    with pytest.raises(AttributeError, match="no attribute 'reward'"):
        _ = env.reward
    env.reset(seed=1)
    of_agents: list[Callable[[str], Any]] = [env.observe, env.observation_space, env.action_space]
    for of in of_agents:
        with pytest.raises(ValueError, match="agents are player_0, player_1; there is no 'player_9'"):
            of("player_9")
    for action, why in ((0, "no bet to answer"), (9, "no option 9"), (None, "has to choose")):
        with pytest.raises(rulesrun.IllegalMove, match=why):
            env.step(action)
    alone = SeatEnvironment(LEDUC)
    alone.reset(seed=1)
    wrong_types: list[Any] = ["1", "x", 1.7, np.float32(2.9), float("nan"), True, np.True_, [1], np.array([1])]
    for each in wrong_types:
        for one in (env, alone):
            with pytest.raises(ValueError, match="step takes a whole number, an action of player_0"):
                one.step(each)
        with pytest.raises(ValueError, match="4 whole numbers"):
            games.step([each] * 4)
    alone.step(np.array(1))
    while env.agents:
        env.step(None if env.terminations[env.agent_selection] else env.playing.options[0])
    with pytest.raises(rulesrun.IllegalMove, match="over"):
        env.step(0)


@pytest.mark.conformance
def test_a_seat_that_never_decides_is_told() -> None:
    options = {"size_of_B": 0, "size_of_C": 0, "size_of_D": 0}
    nim = GAMES / "classics" / "nim.rules"
    for env in (VectorEnvironment(nim, 2, options=options, seat=1), SeatEnvironment(nim, options=options, seat=1)):
        with pytest.raises(ValueError, match="player 2 has nothing to decide in nim"):
            env.reset(seed=1)


NO_CHOICE = """game no_choice
    players 2
phase only
    nothing
score of player
    points: 0
winner highest score, then shared
"""


def test_rules_without_a_choice_are_told(tmp_path: Path) -> None:
    path = tmp_path / "no_choice.rules"
    path.write_text(NO_CHOICE)
    for make in (partial(VectorEnvironment, num_envs=4), AECEnvironment, SeatEnvironment):
        with pytest.raises(ValueError, match="nobody has anything to decide in no_choice: its rules offer no choice"):
            make(path)


BY_CHANCE = """game by_chance
    players 2
cards card, 1 of each
    rank: 1..3
zone deck: pile of card, hidden
zone shown: slot of card, open
setup
    shuffle every card into deck
    draw 1 from deck to shown
phase play
    for each player
        if player is player 1 or total rank of shown is 3
            if total rank of shown > 1
                player chooses
                    pass: nothing
score of player
    rank: total rank of shown
winner highest score, then shared
"""


@pytest.mark.conformance
def test_games_in_which_a_learner_decides_nothing_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "by_chance.rules"
    path.write_text(BY_CHANCE)
    for seat, ranks in ((None, {2, 3}), (0, {2, 3}), (1, {3})):
        games = VectorEnvironment(path, 8, seat=seat)
        seen, _ = games.reset(seed=1)
        scores = set()
        for _ in range(20):
            assert (seen["action_mask"].sum(axis=1) == 1).all()
            seen, rewards, ended, _, infos = games.step([0] * 8)
            if ended.any():
                assert (rewards[ended] == infos["scores"][ended, 0]).all()
                scores |= set(rewards[ended])
        assert scores == ranks
    alone = SeatEnvironment(path, seat=1)
    for seed in range(4):
        assert alone.reset(seed=seed)[0]["action_mask"].sum() == 1
        assert alone.step(0)[1:3] == (3.0, True)


def test_who_writes_into_a_mask_changes_nothing() -> None:
    games = VectorEnvironment(LEDUC, 2)
    seen, infos = games.reset(seed=1)
    seen["action_mask"][:] = infos["action_mask"][:] = 1
    with pytest.raises(rulesrun.IllegalMove, match="no bet to answer"):
        games.step([0, 0])
    games.step([1, 1])


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("chosen", "why"),
    [(-1, "no option -1"), (99, "no option 99"), (0, "no bet to answer"), (1.0, "whole numbers"), ([1, 1], "whole numbers")],
)
def test_bots_are_checked_as_learners_are(chosen: Any, why: str) -> None:
    def bot(observations: Any, masks: Any) -> Any:
        masks[:] = 1
        return [chosen] * len(masks)

    for env in (VectorEnvironment(LEDUC, 3, seat=1, bots=bot), SeatEnvironment(LEDUC, seat=1, bots=bot)):
        with pytest.raises(ValueError, match=why):
            env.reset(seed=1)


STUCK = """game stuck
    players 2
counter coins of player: 0..5
phase only
    for each player: set coins of player to 1
    repeat 2 times
        player 1 chooses
            wait
                only if coins of player 1 > 0 otherwise "you have no coin"
            buy
                only if coins of player 1 > 0 otherwise "you have no coin"
                take 1 from coins of player 1
score of player
    points: 0
winner highest score, then shared
"""


@pytest.mark.conformance
def test_a_game_that_a_fault_stops_stays_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "stuck.rules"
    path.write_text(STUCK)
    env = AECEnvironment(path)
    env.reset(seed=1)
    before = env.playing.record
    with pytest.raises(rulesrun.RulesError, match="R601") as stopped:
        env.step(1)
    assert "you have no coin" in str(stopped.value)
    games = VectorEnvironment(path, 2)
    games.reset(seed=1)
    with pytest.raises(rulesrun.RulesError) as also:
        games.step([0, 1])
    assert str(also.value) == str(stopped.value)
    with pytest.raises(rulesrun.RulesError) as by_a_bot:
        VectorEnvironment(path, 20, seat=1).reset(seed=1)
    assert str(by_a_bot.value) == str(stopped.value)
    assert env.playing.record == before
    env = pickle.loads(pickle.dumps(env))
    env.step(0)
    assert env.playing.options == [0, 1]


@pytest.mark.conformance
def test_after_a_bot_failed_the_learner_does_not_act_for_it() -> None:
    def bot(observations: Any, masks: Any) -> Any:
        return [-1] * len(masks)

    tried: list[tuple[Any, Any]] = [
        (VectorEnvironment(LEDUC, 2, seat=0, bots=bot), [1, 1]),
        (SeatEnvironment(LEDUC, seat=0, bots=bot), 1),
    ]
    for env, action in tried:
        env.reset(seed=1)
        for why in ("no option -1", "call reset"):
            with pytest.raises(ValueError, match=why):
                env.step(action)


@pytest.mark.conformance
def test_what_is_asked_for_wrongly_is_told() -> None:
    with pytest.raises(rulesrun.RulesError):
        VectorEnvironment(LEDUC, 4, players=11)
    with pytest.raises(rulesrun.RulesError):
        AECEnvironment(LEDUC, options={"stakes": 3})
    with pytest.raises(ValueError, match="no seat 2"):
        VectorEnvironment(LEDUC, 4, seat=2)
    for count in (0, 10**8):
        with pytest.raises(ValueError, match=rf"has 1 to \d+ games, not {count}"):
            VectorEnvironment(LEDUC, count)
    for odd in (2.5, "4", True):
        with pytest.raises(ValueError, match=f"num_envs is a whole number, not {odd!r}"):
            VectorEnvironment(LEDUC, odd)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(ValueError, match="say which one learns"):
        VectorEnvironment(LEDUC, 4, bots=lambda observations, masks: masks.argmax(axis=1))
    wrong_seats: list[Any] = [1.0, "0", True]
    for seat in wrong_seats:
        for make in (partial(VectorEnvironment, num_envs=4), SeatEnvironment):
            with pytest.raises(ValueError, match=f"seats go from 0 to 1 here; there is no seat {seat!r}"):
                make(LEDUC, seat=seat)
    environments: list[Any] = [AECEnvironment(LEDUC), SeatEnvironment(LEDUC), VectorEnvironment(LEDUC, 2)]
    for env in environments:
        for seed in (-1, 2**64, 1.5, "a", True):
            with pytest.raises(ValueError, match=r"a seed is a whole number from 0 to 2\*\*64 - 1"):
                env.reset(seed=seed)
        env.reset(seed=np.int64(4))
    for env in (SeatEnvironment(LEDUC), VectorEnvironment(LEDUC, 2)):
        with pytest.raises(ValueError, match="reset has no options"):
            env.reset(options={"columns": 4})
    with pytest.warns(UserWarning, match="reset has no options"):
        AECEnvironment(LEDUC).reset(options={"columns": 4})
    with pytest.raises(TypeError, match="a manifest is a dictionary"):
        AECEnvironment(LEDUC).table.agree_with(None)  # type: ignore[arg-type]  # on purpose


@pytest.mark.conformance
def test_numbers_of_numpy_make_the_same_environment() -> None:
    env = SeatEnvironment(MASTI, np.int64(4), seat=np.int64(2))
    assert env.manifest == SeatEnvironment(MASTI, 4).manifest
    assert env.manifest == VectorEnvironment(MASTI, np.int8(4), np.uint8(4)).manifest
    assert pickle.loads(pickle.dumps(env)).manifest == env.manifest
