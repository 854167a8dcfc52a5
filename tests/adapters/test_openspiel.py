"""Games of the rules in OpenSpiel: by its own tests, its own solvers, and published numbers.

``RULESRUN_WHOLE=1`` adds what takes minutes: whole games by bots, and liar's dice, a tree of 294,883 histories.
"""

from __future__ import annotations

import copy
import os
import pickle
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
import rulesrun
from rulesrun.interpreter.adapters.adapted_tables import OtherRules, choice_of, read_table
from rulesrun.interpreter.adapters.moments import Moment
from rulesrun.interpreter.machine.machine import DECISIONS_LIMIT
from rulesrun.interpreter.search.solving.solution import solution
from rulesrun.interpreter.simulate.engines.engine import ENGINES

pyspiel = pytest.importorskip("pyspiel")
np = pytest.importorskip("numpy")

from rulesrun.interpreter.adapters import openspiel  # noqa: E402  # which needs pyspiel

from ..shipped import GAMES, every  # noqa: E402

api_test = pytest.importorskip("open_spiel.integration_tests.api_test")
games_sim_test = pytest.importorskip("open_spiel.python.tests.games_sim_test")
get_all_states, ismcts, mcts = (
    pytest.importorskip(f"open_spiel.python.algorithms.{name}") for name in ("get_all_states", "ismcts", "mcts")
)

KUHN, LEDUC = GAMES / "classics" / "kuhn_poker.rules", GAMES / "classics" / "leduc_poker.rules"
WHOLE = bool(os.environ.get("RULESRUN_WHOLE"))
minutes = pytest.mark.skipif(not WHOLE, reason="takes minutes: RULESRUN_WHOLE=1 asks for it")
COUNTS = {  # histories at chance, at a decision, at the end; information states; what both lose by playing uniformly
    "kuhn_poker": (4, 24, 30, 12, 0.9166667),
    "leduc_poker": (157, 3780, 5520, 936, 4.7472222),
    "liars_dice": (7, 147_456, 147_420, 24_576, 1.5614886),
}


def published(name: str, options: Mapping[str, int] = MappingProxyType({})) -> Any:
    """A game as it is known by this name: with two players, and OpenSpiel's rules."""
    variants, dice = (["one_round"], {"dice_each": 1}) if name == "liars_dice" else ([], {})
    return openspiel.load(GAMES / "classics" / f"{name}.rules", 2, variants, {**dice, **options})


@pytest.mark.conformance
@pytest.mark.parametrize("path", [path for path in every(3) if "designs" not in path.parts], ids=lambda path: path.stem)
def test_a_shipped_game_passes_openspiels_own_tests_and_is_played_by_its_bot(path: Path) -> None:
    game = openspiel.load(path)
    np.random.seed(1)
    pyspiel.random_sim_test(game, 1, True, False)
    games_sim_test.GamesSimTest().sim_game(game)
    run_cases(api_test.EnforceAPIOnPartialTreeBase, game, game.table.game.name)
    play_with_a_bot(game)


def play_with_a_bot(game: Any) -> None:
    """A game of which some decisions (all, where all is wanted) are those of OpenSpiel's bot for games of its sort in Python.

    That for imperfect information asserts that it plays no others.
    """
    state, random = game.new_initial_state(), Random(1)
    draws = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, draws)
    if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        bot = mcts.MCTSBot(game, 2.0, 2, evaluator, random_state=draws)
    else:
        bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 2, random_state=draws)
    thoughts = 8
    while not state.is_terminal():
        if state.is_chance_node() or not (thoughts or WHOLE):
            state.apply_action(random.choice(state.legal_actions()))
        else:
            state.apply_action(int(bot.step(state)))
            thoughts -= 1


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", pytest.param("liars_dice", marks=minutes)])
def test_the_whole_tree_has_the_published_numbers(name: str) -> None:
    game = published(name)
    chance, decisions, ends, known, uniform = COUNTS[name]
    states = get_all_states.get_all_states(game, include_chance_states=True).values()
    assert len(states) == chance + decisions + ends
    assert sum(state.is_terminal() for state in states) == ends
    to_decide = [state for state in states if state.current_player() >= 0]
    assert len(to_decide) == decisions
    assert len({state.information_state_string() for state in to_decide}) == known
    assert len({tuple(state.information_state_tensor()) for state in to_decide}) == known
    assert max(len(state.full_history()) for state in states) == game.max_history_length()
    assert pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)) == pytest.approx(uniform)
    ends_seen = [state.returns() for state in states if state.is_terminal()]
    assert (min(map(min, ends_seen)), max(map(max, ends_seen))) == (game.min_utility(), game.max_utility())


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("name", "least", "most", "length", "utility_sum"),
    [
        ("connect_four", -1, 1, 42, 0),
        ("hex", -1, 1, 121, 0),
        ("othello", -1, 1, 64, 0),
        ("breakthrough", -1, 1, DECISIONS_LIMIT, 0),  # that pieces only ever go forward is not seen
        ("blackjack", -1, 1, 53, None),
        ("hearts", -26, 26, 64, None),
        ("goofspiel", 0, 273, 26, None),
        ("crazy_eights", -544, 0, 1007, None),
    ],
)
def test_a_large_game_is_told_by_what_is_proved(name: str, least: int, most: int, length: int, utility_sum: int | None) -> None:
    game = openspiel.load(GAMES / "classics" / f"{name}.rules")
    assert (game.min_utility(), game.max_utility()) == (least, most)
    assert game.max_game_length() == length
    assert game.utility_sum() == utility_sum
    zero = pyspiel.GameType.Utility.ZERO_SUM
    assert (game.get_type().utility == zero) == (utility_sum == 0)


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["connect_four", "hearts", "hex", "spades"])
def test_a_game_is_as_long_as_openspiels_own(name: str) -> None:
    ours = openspiel.load(GAMES / "classics" / f"{name}.rules")
    assert ours.max_game_length() == pyspiel.load_game(name).max_game_length()


def test_utilities_are_the_returns_of_the_rules() -> None:
    small = openspiel.load(GAMES / "classics" / "goofspiel.rules", variants=["win_or_lose"], options={"ranks": 2})
    assert (small.min_utility(), small.max_utility(), small.utility_sum()) == (-1, 1, 0)
    states = get_all_states.get_all_states(small, include_chance_states=True).values()
    assert {tuple(state.returns()) for state in states if state.is_terminal()} == {(0, 0), (1, -1), (-1, 1)}


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("name", "rounds", "value", "near", "exploitable"),
    [
        ("kuhn_poker", 200, -1 / 18, 0.01, 0.02),
        pytest.param("leduc_poker", 500, -0.085606424, 0.005, 0.05, marks=minutes),
        pytest.param("liars_dice", 15, -7 / 258, 0.02, 0.3, marks=minutes),
    ],
)
def test_cfr_finds_the_published_value(name: str, rounds: int, value: float, near: float, exploitable: float) -> None:
    game = published(name)
    solver = pyspiel.CFRSolver(game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.nash_conv(game, policy) < exploitable
    found, _ = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert found == pytest.approx(value, abs=near)


@pytest.mark.conformance
@pytest.mark.parametrize(("name", "sides", "rounds"), [("kuhn_poker", None, 20), ("leduc_poker", None, 3), ("liars_dice", 3, 20)])
def test_cfr_goes_the_way_that_it_goes_with_openspiels_own_game(name: str, sides: int | None, rounds: int) -> None:
    own = pyspiel.load_game(name, {} if sides is None else {"dice_sides": sides})
    ours = published(name, {} if sides is None else {"sides": sides})
    solvers = [(game, pyspiel.CFRSolver(game)) for game in (own, ours)]
    for _ in range(rounds):
        found = []
        for game, solver in solvers:
            solver.evaluate_and_update_policy()
            policy = solver.average_policy()
            values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
            found.append((*values, pyspiel.nash_conv(game, policy)))
        assert found[0] == pytest.approx(found[1])


def run_cases(base: Any, game: Any, name: str) -> None:
    """Run the tests of a class of OpenSpiel's, which knows numbers of some games by name."""
    made: Any = type(base.__name__, (base,), {"game": game, "game_name": name})
    found = [made(each) for each in dir(made) if each.startswith("test_")]
    assert found
    made.setUpClass()
    for case in found:
        case.debug()


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", pytest.param("liars_dice", marks=minutes)])
def test_openspiels_tests_of_a_whole_tree_with_its_own_numbers(name: str) -> None:
    run_cases(api_test.EnforceAPIOnFullTreeBase, published(name), name)


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("kuhn_poker", 3, {}),
        ("hex", 2, {"columns": 2, "rows": 2}),
        ("nim", 2, {"size_of_C": 0, "size_of_D": 0}),
        ("goofspiel", 2, {"ranks": 3}),
    ],
)
def test_openspiels_tests_of_a_whole_tree_with_the_numbers_of_a_solution(
    name: str, players: int, options: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = openspiel.load(GAMES / "classics" / f"{name}.rules", players, options=options)
    found = solution(game.table.game, "wasm", 60, 0.1)
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, "this", (found.chance, found.decisions, found.ends))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, "this", sum(found.information_states))
    run_cases(api_test.EnforceAPIOnFullTreeBase, game, "this")


@pytest.mark.conformance
def test_parameters_choose_the_table() -> None:
    name = openspiel.register(GAMES / "masti.rules")
    game = pyspiel.load_game(name, {"players": 4, "variants": "partners"})
    assert (game.num_players(), game.table.game.variants) == (4, ("partners",))
    assert str(openspiel.load(GAMES / "masti.rules", players=4, variants=["partners"])) == str(game)
    assert pickle.loads(pickle.dumps(game)).table.digest == game.table.digest


TWO_VARIANTS = """game two_variants
    players 2
counter coins of player: 0..9
setup
    for each player: add 2 to coins of player
phase play
    for each player
        player chooses
            keep: nothing
            spend: set coins of player to 1
score of player
    coins: coins of player
winner highest score, then shared
variant rich "two more"
    option gift: 1..3, default 2
    add to score
        gift: gift
variant thrifty "one more for who has kept all"
    add to score
        kept: 1 if coins of player is 2
"""


def test_several_variants_survive_openspiels_parameters(tmp_path: Path) -> None:
    path = tmp_path / "two_variants.rules"
    path.write_text(TWO_VARIANTS)
    game = openspiel.load(path, variants=["rich", "thrifty"])
    pyspiel.random_sim_test(game, 1, True, False)
    by_hand = pyspiel.load_game(openspiel.register(path), {"variants": "rich, thrifty"})
    assert str(by_hand) == str(game)
    again, _ = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(by_hand, by_hand.new_initial_state()))
    assert again.table.digest == game.table.digest
    with pytest.raises(ValueError, match="`gift` comes with a variant"):
        openspiel.load(path, variants=["rich"], options={"gift": 3})


@pytest.mark.conformance
def test_words_that_look_like_numbers_survive_openspiels_parameters() -> None:
    path = GAMES / "classics" / "oh_hell.rules"
    for rank in ("4", "jack"):
        game = openspiel.load(path, options={"last_rank": rank})
        assert pyspiel.load_game(str(game)).table.game.options["last_rank"] == rank
        pyspiel.random_sim_test(game, 1, True, False)


@pytest.mark.conformance
def test_parameters_say_what_is_played() -> None:
    path = GAMES / "classics" / "liars_dice.rules"
    game = openspiel.load(path, variants=["one_round", "one_round"])
    assert game.table.game.options == {"dice_each": "5", "faces_first": "no", "sides": "6", "wild_face": "6"}
    assert str(game) == "rulesrun_liars_dice(dice_each=5,faces_first=False,players=2,sides=6,variants=one_round,wild_face=6)"
    again = pyspiel.load_game(str(game))
    assert (str(again), again.table.digest) == (str(game), game.table.digest)
    assert str(pyspiel.load_game("rulesrun_liars_dice(variants=one_round+one_round,wild_face=1)")) == str(game)
    with_option = openspiel.load(path, options={"wild_face": 0})
    assert str(with_option) == "rulesrun_liars_dice(dice_each=5,faces_first=False,players=2,sides=6,variants=,wild_face=0)"
    assert "players=4," in str(pyspiel.load_game(openspiel.register(GAMES / "masti.rules"), {"variants": "partners"}))


@pytest.mark.conformance
def test_a_short_name_is_a_name_and_no_game_of_openspiels() -> None:
    for name in ("a(b,c)", "", "two words", "1st"):
        with pytest.raises(ValueError, match="a short name has letters, digits and underscores"):
            openspiel.register(KUHN, name)
    with pytest.raises(ValueError, match="5 is none"):
        openspiel.register(KUHN, 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="OpenSpiel has a game `tic_tac_toe` of its own"):
        openspiel.register(KUHN, "tic_tac_toe")
    assert pyspiel.load_game("tic_tac_toe").num_distinct_actions() == 9
    assert [openspiel.register(KUHN, "my_poker") for _ in range(2)] == ["my_poker", "my_poker"]


@pytest.mark.conformance
def test_an_option_may_be_given_as_a_word_or_a_number() -> None:
    games = [openspiel.load(GAMES / "for_the_king.rules", options={"highest_bid": value}) for value in (4, "4")]
    assert [game.table.game.options["highest_bid"] for game in games] == ["4", "4"]
    assert str(games[0]) == str(games[1])


@pytest.mark.conformance
def test_a_file_that_was_edited_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "edited.rules"
    path.write_text(KUHN.read_text().replace("game kuhn_poker", "game edited_poker"))
    before = openspiel.load(path)
    with_option = path.read_text().replace("players 2..10\n", "players 2..10\n\noption stake: 2..3, default 3\n")
    path.write_text(with_option.replace("1..2 ", "1..3 ").replace("paid of player to 2", "paid of player to stake"))
    for players in (None, 2):
        after = openspiel.load(path, players)
        assert after.get_parameters()["stake"] == 3
        assert (before.max_utility(), after.max_utility()) == (2, 3)
        assert after.table.digest != before.table.digest
    assert openspiel.load(path, options={"stake": 2}).table.game.options == {"stake": "2"}


@pytest.mark.conformance
def test_an_edited_copy_is_another_game(tmp_path: Path) -> None:
    paths = [tmp_path / "one.rules", tmp_path / "other.rules"]
    for path, coins in zip(paths, (2, 3), strict=True):
        path.write_text(TWO_VARIANTS.replace("game two_variants", "game copied").replace("add 2", f"add {coins}"))
    one, other = (openspiel.load(path) for path in paths)
    assert openspiel.register(paths[0]) == "rulesrun_copied"
    assert openspiel.register(paths[1]) == other.get_type().short_name
    for game, coins in ((one, 2), (other, 3)):
        state = game.new_initial_state()
        written = pyspiel.serialize_game_and_state(game, state)
        again, _ = pyspiel.deserialize_game_and_state(written)
        assert again.new_initial_state().moment.record == state.moment.record
        assert again.table.choice.path == str(paths[coins - 2])
    openspiel.register(paths[0], other.get_type().short_name)
    with pytest.raises(OtherRules, match="written under rules with digest"):
        pyspiel.deserialize_game_and_state(written)


def test_a_table_that_there_is_not_is_told_before_pyspiel_is_asked() -> None:
    wrong: list[dict[str, Any]] = [{"players": 9}, {"variants": ["partnrs"]}, {"options": {"jokers": 1}}]
    for asked in wrong:
        with pytest.raises(rulesrun.RulesError):
            openspiel.load(GAMES / "masti.rules", **asked)
    with pytest.raises(TypeError):
        openspiel.load(GAMES / "masti.rules", variants="partners")


@pytest.mark.conformance
def test_unknown_actions_and_actions_after_the_end_are_refused() -> None:
    state = openspiel.load(KUHN).new_initial_state()
    known = r"0 \(card 1\), 1 \(card 2\), 2 \(card 3\)"
    with pytest.raises(rulesrun.IllegalMove, match=f"^7 is not possible here; by chance comes {known}$"):
        state.apply_action(7)
    ohs = openspiel.load(GAMES / "classics" / "oh_hell.rules").new_initial_state()
    with pytest.raises(rulesrun.IllegalMove, match=r"^40 is not possible here; by chance comes 0 \(1\), 1 \(2\)"):
        ohs.apply_action(40)
    for action in (0, 1):
        state.apply_action(action)
    with pytest.raises(ValueError, match="there is no chance event now: somebody decides"):
        state.chance_outcomes()
    observer = state.get_game().make_py_observer()
    of_seats: list[Callable[[int], Any]] = [
        lambda seat: state.resample_from_infostate(seat, lambda: 0.5),
        *(partial(ask, state) for ask in (observer.set_from, observer.string_from)),
    ]
    for of in of_seats:
        with pytest.raises(ValueError, match="seats go from 0 to 1 here; there is no seat 9"):
            of(9)
    wrong: list[Any] = ["0.5", float("nan"), -1.0, 2, None]
    for drawn in wrong:
        with pytest.raises(ValueError, match="a sampler gives numbers from 0 to 1"):
            state.resample_from_infostate(0, partial(next, iter([drawn])))
    with pytest.raises(rulesrun.IllegalMove, match="there is no option 9"):
        state.apply_action(9)
    with pytest.raises(ValueError, match="no option 9"):
        state.action_to_string(0, 9)
    for action in (0, 0):
        state.apply_action(action)
    with pytest.raises(rulesrun.IllegalMove, match="the game is over"):
        state.apply_action(0)


@pytest.mark.conformance
def test_an_option_that_is_not_legal_says_why() -> None:
    state = openspiel.load(LEDUC).new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(rulesrun.IllegalMove, match="fold: there is no bet to answer"):
        state.apply_action(0)


def test_a_copy_is_stepped_apart_from_its_original() -> None:
    state = openspiel.load(KUHN).new_initial_state()
    state.apply_action(0)
    copies = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    before = state.information_state_string(0)
    for number, other in enumerate(copies):
        other.apply_action(other.legal_actions()[number % 2])
        assert other.history() != state.history()
        assert state.information_state_string(0) == before


@pytest.mark.conformance
def test_threads_play_one_game_as_one_thread_does() -> None:
    game = openspiel.load(LEDUC)

    def played(seed: int) -> list[Any]:
        random = Random(seed)
        found: list[tuple[Any, ...]] = []
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))
            found.append((state.history(), state.returns(), state.information_state_string(0)))
        return found

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as threads:
            together = list(threads.map(played, range(4)))
    finally:
        sys.setswitchinterval(before)
    assert together == [played(seed) for seed in range(4)]


@pytest.mark.conformance
def test_what_was_saved_under_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.rules"
    text = KUHN.read_text()
    path.write_text(text)
    choice = choice_of(path)
    table = read_table(choice)
    moment = Moment.begun(table).after(1)
    state = openspiel.load(path).new_initial_state()
    state.apply_action(1)
    saved = pickle.dumps(moment), pickle.dumps(state), pickle.dumps(state.get_game())
    again = pickle.loads(saved[0])
    assert isinstance(again, Moment)
    assert again.record == moment.record
    path.write_text(text.replace("set paid of player to 2", "set paid of player to 1"))
    read_table(choice)
    for each in saved:
        with pytest.raises(OtherRules, match="saved under other rules"):
            pickle.loads(each)


@pytest.mark.conformance
def test_both_engines_lead_to_the_same() -> None:
    path = GAMES / "masti.rules"
    fast, slow = (read_table(choice_of(path, engine=engine)) for engine in ENGINES)
    random = Random(5)
    one, other = Moment.begun(fast), Moment.begun(slow)
    while one.position.answers:
        assert one.position.answers == other.position.answers
        assert one.record == other.record
        taken = random.choice(one.position.answers)
        one, other = one.after(taken), other.after(taken)
    assert one.returns == other.returns


@pytest.mark.conformance
def test_a_seat_cannot_tell_a_resampled_state_from_its_own() -> None:
    game = openspiel.load(GAMES / "masti.rules")
    state, random = game.new_initial_state(), Random(3)
    while len(state.history()) < 60 or state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    seat = state.current_player()
    other = state.resample_from_infostate(seat, Random(4).random)
    assert other.history() != state.history()
    assert other.information_state_string(seat) == state.information_state_string(seat)
    assert other.observation_string(seat) == state.observation_string(seat)
    assert other.observation_tensor(seat) == state.observation_tensor(seat)
    assert other.legal_actions() == state.legal_actions()


# ---- Its bots at our tables


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["classics/leduc_poker", "classics/hearts", "kingdomino", "masti", "classics/tic_tac_toe"])
def test_a_game_in_progress_is_a_state_of_openspiel(name: str) -> None:
    ours = rulesrun.load(GAMES / f"{name}.rules").start(5)
    for _ in range(9):
        if ours.player:
            theirs = openspiel.state_of(ours)
            assert theirs.current_player() == ours.player - 1
            assert theirs.legal_actions() == ours.legal
            texts = [ours.game.option_text(number) for number in ours.legal]
            assert [theirs.action_to_string(action) for action in theirs.legal_actions()] == texts
            ours.play_at_random()


@pytest.mark.conformance
def test_options_and_variants_come_along() -> None:
    table = rulesrun.load(GAMES / "classics" / "goofspiel.rules", 3, ["by_difference"], {"ranks": 5})
    theirs = openspiel.state_of(table.start(1))
    assert theirs.get_game().num_players() == 3
    assert theirs.get_game().get_parameters()["ranks"] == 5
    assert theirs.get_game().get_parameters()["variants"] == "by_difference"


@pytest.mark.conformance
def test_a_position_without_its_history_is_none_of_openspiel() -> None:
    state = rulesrun.load(LEDUC).start(1)
    state.play_at_random()
    with pytest.raises(ValueError, match="it is not known how the game came to this position"):
        openspiel.state_of(state.game.from_bytes(state.to_bytes()))


@pytest.mark.conformance
def test_its_search_sits_at_our_table(tmp_path: Path) -> None:
    """It knows no more than its seat: the state it gets is a determinisation."""
    from ..cli.commands import rulesrun as command

    path = tmp_path / "theirs.py"
    path.write_text(
        """
import numpy
from open_spiel.python.algorithms import mcts
from rulesrun.interpreter.adapters import openspiel

class Mcts:
    def choose(self, seen):
        state = openspiel.state_of(seen.determinise())
        random = numpy.random.RandomState(seen.random.getrandbits(32))
        bot = mcts.MCTSBot(state.get_game(), 2, 30, mcts.RandomRolloutEvaluator(1, random), random_state=random)
        return bot.step(state)
""",
        encoding="utf-8",
    )
    table = str(GAMES / "classics" / "tic_tac_toe.rules")
    bots = ("--bots", f"{path}:Mcts,random", "--games", "2", "--seed", "1")
    result = command("simulate", table, *bots, "--fail-if", "win_share[seat 1] < 0.5")
    assert result.exit_code == 0, result.stderr
