"""Players from outside: real files in processes of their own, what they are told, and what becomes of those that fail."""

from __future__ import annotations

import gc
import json
import os
import time
from pathlib import Path
from random import Random

import pytest
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.play.bots import outside
from rulesrun.interpreter.play.bots.outside import OutsidePolicy
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.players.bots import bots_from

from ..cli.commands import rulesrun
from ..simulate.games import GAMES

KUHN = str(GAMES / "classics" / "kuhn_poker.rules")
TIC_TAC_TOE = str(GAMES / "classics" / "tic_tac_toe.rules")

PLAYERS = '''
import os
import sys
import zlib
from random import Random


def first(seen):
    return seen.options[0]


def by_text(seen):
    return seen.options[-1].text


def at_random(seen):
    return seen.random.choice(seen.options).number


def by_all_it_knows(seen):
    told = repr((seen.seat, seen.players, seen.view, seen.happened, seen.about, seen.options))
    return seen.options[zlib.crc32(told.encode()) % len(seen.options)]


class Remembers:
    """Counts its choices, so it must begin anew with each game."""

    def __init__(self):
        self.count = 0

    def choose(self, seen):
        self.count += 1
        return seen.options[self.count % len(seen.options)]


class Counts:
    """Fails if what happened does not grow from decision to decision, or has gaps."""

    def __init__(self):
        self.before = ()

    def choose(self, seen):
        assert seen.happened[: len(self.before)] == self.before and len(seen.happened) > len(self.before)
        assert sum(" on " in text for text in seen.happened) == 9 - len(seen.options), seen.happened
        self.before = seen.happened
        return seen.options[0]


class Looks:
    """Fails if it is told, or can imagine away, what it knows."""

    def choose(self, seen):
        hands = {zone.owner: zone for zone in seen.view.zones if zone.name == "hand"}
        own, other = hands[seen.seat], hands[3 - seen.seat]
        assert own.cards and not other.cards and len(other.may) == 2, hands
        assert f"player {seen.seat} draws {own.cards[0]}" in seen.happened, seen.happened
        assert f"player {3 - seen.seat} draws a card" in seen.happened, seen.happened
        met = set()
        for _ in range(12):
            world = seen.determinise()
            assert world.view(seen.seat) == seen.view
            assert [option.number for option in world.decision.legal] == [option.number for option in seen.options]
            met |= {zone.cards for zone in world.view(3 - seen.seat).zones if zone.name == "hand" and zone.owner == 3 - seen.seat}
            world.play(seen.options[0])
            while not world.is_over:
                world.play_at_random()
        assert met == {(card,) for card in other.may}, met
        return seen.options[0]


def prints(seen):
    print("thinking aloud")
    sys.stdout.write("and without an end of line")
    os.write(1, b"and past Python")
    return seen.options[0]


def reads(seen):
    return input()


def raises(seen):
    return helps(seen)


def helps(seen):
    return seen.option  # it is called `options`


def not_legal(seen):
    return next(number for number in range(9) if number not in [option.number for option in seen.options])


def far_off(seen):
    return 10**30


def no_text(seen):
    return "castle"


def nothing(seen):
    pass


def loops(seen):
    while True:
        pass


def leaves(seen):
    sys.exit("enough")


def dies(seen):
    os._exit(7)


class Needs:
    def __init__(self, strength):
        pass

    def choose(self, seen):
        return seen.options[0]


class Chooses_nothing:
    pass


NUMBER = 7
'''


@pytest.fixture
def players(tmp_path: Path) -> str:
    """A file with players."""
    path = tmp_path / "mine.py"
    path.write_text(PLAYERS, encoding="utf-8")
    return str(path)


def policy(game: Game, text: str) -> OutsidePolicy:
    return OutsidePolicy(bots_from(text, 1)[0], game)


# ---- What a player is told, and what it may answer


@pytest.mark.process
@pytest.mark.parametrize("name", ["first", "by_text", "Remembers"])
def test_a_player_plays_legal_games(players: str, name: str) -> None:
    game = load(TIC_TAC_TOE)
    choose = policy(game, f"{players}:{name}")
    for number in range(2):
        state = game.start(1, game=number, story=False)
        while state.player:
            legal = state.legal
            chosen = state.play_by(choose)
            assert len(legal) == 1 or name == "Remembers" or chosen == (legal[0] if name == "first" else legal[-1])


@pytest.mark.slow
def test_a_player_of_each_game_is_a_new_one(players: str) -> None:
    """So a game does not depend on those before it."""
    game = load(TIC_TAC_TOE)
    alone, after = policy(game, f"{players}:Remembers"), policy(game, f"{players}:Remembers")
    played = []
    for choose, numbers in ((alone, [1]), (after, [0, 1])):
        history: tuple[int, ...] = ()
        for number in numbers:
            state = game.start(1, game=number)
            while state.player:
                state.play_by(choose)
            history = state.history
        played.append(history)
    assert played[0] == played[1]


@pytest.mark.slow
def test_a_player_sees_what_its_seat_knows_and_no_more(players: str) -> None:
    """The assertions are in the player; one that fails is R810."""
    result = rulesrun("simulate", KUHN, "--bots", f"{players}:Looks", "--games", "4", "--seed", "1")
    assert result.exit_code == 0, result.stderr


@pytest.mark.slow
def test_a_player_is_told_all_that_happened(players: str) -> None:
    result = rulesrun("simulate", TIC_TAC_TOE, "--bots", f"random,{players}:Counts", "--games", "3", "--seed", "1")
    assert result.exit_code == 0, result.stderr


@pytest.mark.process
@pytest.mark.parametrize("name", ["leduc_poker", "hearts", "liars_dice"])
def test_a_choice_depends_on_nothing_that_the_seat_does_not_know(players: str, name: str) -> None:
    game = load(str(GAMES / "classics" / f"{name}.rules"))
    choose, random, compared = policy(game, f"{players}:by_all_it_knows"), Random(5), 0
    state = game.start(3)
    while state.player and compared < 4:
        if len(state.legal) > 1 and len(state.history) > 3:
            world = state.determinise(state.player, random)
            assert world.clone().play_by(choose) == state.clone().play_by(choose)
            compared += 1
        state.play_at_random()
    assert compared


@pytest.mark.slow
def test_the_seed_decides_what_its_random_numbers_are(players: str) -> None:
    def tally(*arguments: str) -> object:
        bots = ("--bots", f"{players}:at_random", "--games", "6", "--format", "json")
        return json.loads(rulesrun("simulate", TIC_TAC_TOE, *bots, *arguments).stdout)["tally"]

    assert tally("--seed", "11") == tally("--seed", "11", "--jobs", "2") != tally("--seed", "12")


@pytest.mark.slow
def test_what_it_prints_is_no_result(players: str, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ("--bots", f"{players}:prints,random", "--games", "1", "--seed", "1", "--format", "json")
    result = rulesrun("simulate", TIC_TAC_TOE, *arguments)
    assert json.loads(result.stdout)["games"] == 1
    found = capfd.readouterr()
    assert found.out == ""
    assert "thinking aloud\nand without an end of line" in found.err
    assert "and past Python" in found.err


# ---- Where it plays


@pytest.mark.slow
def test_a_tournament_of_several(players: str) -> None:
    bots = ["--bots", f"{players}:first", "--bots", f"{players}:at_random", "--bots", "random"]
    arguments = ["tournament", TIC_TAC_TOE, *bots, "--games", "12", "--seed", "1", "--format", "json"]
    one = json.loads(rulesrun(*arguments).stdout)
    two = json.loads(rulesrun(*arguments, "--jobs", "2").stdout)
    assert one["bots"] == two["bots"]
    assert one["engine"] == "reference"
    assert {entry["bot"] for entry in one["bots"]} == {f"{players}:first", f"{players}:at_random", "random"}


@pytest.mark.slow
def test_a_person_plays_against_it(players: str) -> None:
    arguments = ("--seat", "2", "--seed", "1", "--bots", f"{players}:first")
    result = rulesrun("play", TIC_TAC_TOE, *arguments, typed="1\nundo\n2\nquit\nno\n")
    assert result.exit_code == 0, result.stderr
    answers = [line.split()[-1] for line in result.stdout.splitlines() if "player 1: place" in line]
    assert answers == ["a1", "c1", "b1"]  # the last two after b1 was taken, and after c1 was taken instead


@pytest.mark.slow
def test_a_checkpoint_is_of_one_version_of_a_player(players: str, tmp_path: Path) -> None:
    checkpoint = str(tmp_path / "run.json")
    arguments = ["simulate", TIC_TAC_TOE, "--bots", f"{players}:first", "--games", "2", "--seed", "1", "--checkpoint", checkpoint]
    assert rulesrun(*arguments).exit_code == 0
    assert rulesrun(*arguments).exit_code == 0
    Path(players).write_text(PLAYERS + "# changed\n", encoding="utf-8")
    assert "error[R803]" in rulesrun(*arguments).stderr


# ---- Players that fail


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "said", "line"),
    [
        ("raises", "raised AttributeError: 'Seen' object has no attribute 'option'", "return seen.option "),
        ("reads", "raised EOFError", "return input()"),
        ("not_legal", "which is not legal", "def not_legal"),
        ("far_off", "is no option", "def far_off"),
        ("no_text", "chose `castle`, which is no legal option", "def no_text"),
        ("nothing", "chose None, which is no option", "def nothing"),
        ("leaves", "raised SystemExit: enough", 'sys.exit("enough")'),
        ("dies", "ended while it was choosing (exit code 7)", "def dies"),
        ("Needs", "raised TypeError", "class Needs"),
    ],
)
def test_a_player_that_fails(players: str, name: str, said: str, line: str) -> None:
    result = rulesrun("simulate", TIC_TAC_TOE, "--bots", f"random,{players}:{name}", "--games", "3", "--seed", "1")
    assert result.exit_code == 1
    assert result.stderr.count("error[R810]") == 1
    assert said in result.stderr
    assert line in result.stderr
    assert f"--> {players}:" in result.stderr
    assert result.stdout == ""


@pytest.mark.slow
def test_a_player_may_say_how_long_it_may_think(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("def slow(seen):\n    while True: pass\n\nslow.seconds = 0.5\n")
    result = rulesrun("run", TIC_TAC_TOE, "--bots", f"{tmp_path / 'slow.py'}:slow", "--seed", "1")
    assert result.exit_code == 1
    assert "was still choosing after 0.5 seconds" in result.stderr
    assert "help: let it think less, or let it say how long it may think: `seconds = 1`" in result.stderr


@pytest.mark.slow
def test_a_choice_without_an_end(players: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "SECONDS", 2.0)
    result = rulesrun("run", TIC_TAC_TOE, "--bots", f"{players}:loops", "--seed", "1")
    assert result.exit_code == 1
    assert "error[R810]" in result.stderr
    assert "was still choosing after 2 seconds" in result.stderr


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "name", "said", "help"),
    [
        ("", "first", "there is no `first` in the file", "a player is a class with a method"),
        ("class first:\n seconds = 0\n def choose(self): ...", "first", "`first.seconds` is 0", "write a number of seconds"),
        ("class first:\n seconds = 'ten'\n def choose(self): ...", "first", "`first.seconds` is 'ten'", "at most 3,600"),
        ("def forst(seen): ...", "first", "there is no `first` in the file", "did you mean `forst`?"),
        ("first = 7", "first", "`first` is no class and no function", "a player is a class with a method"),
        ("class First: ...", "First", "`First` has no method `choose`", "a player is a class with a method"),
        ("def first(seen)\n    return 1", "first", "the file is no Python: expected ':'", ""),
        ("x = 1\nimport not_there", "first", "raised ModuleNotFoundError: No module named 'not_there'", "import not_there"),
        ("import os\nos._exit(3)", "first", "ended while it was loading the file (exit code 3)", ""),
    ],
)
def test_a_file_without_a_player(text: str, name: str, said: str, help: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    result = rulesrun("simulate", TIC_TAC_TOE, "--bots", f"{path}:{name}", "--games", "2", "--seed", "1")
    assert result.exit_code == 2
    assert "error[R808]" in result.stderr
    assert said in result.stderr
    assert help in result.stderr


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ("nowhere.py:first", "there is no file `nowhere.py`"),
        ("nowhere.py", "it is not said who plays in `nowhere.py`"),
        ("nowhere.py:", "it is not said who plays in `nowhere.py`"),
        ("nowhere.py:a b", "it is not said who plays in `nowhere.py`"),
        ("first:mine", "the bots are `random`, `casual`, `rollouts:N`, `search:N`, and `FILE.py:NAME` for one of your own"),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "tournament", "run", "play"])
def test_a_player_that_is_not_there(command: str, bots: str, said: str) -> None:
    result = rulesrun(command, TIC_TAC_TOE, "--bots", f"random,{bots}")
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.process
def test_its_process_ends_with_the_games(players: str) -> None:
    game = load(TIC_TAC_TOE)
    choose = policy(game, f"{players}:first")
    game.start(1).play_by(choose)
    assert choose._process is not None
    number = choose._process._child.pid
    os.kill(number, 0)
    del choose
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.process
def test_a_looping_player_does_not_outlive_its_host(players: str) -> None:
    """The host is killed, and cannot end anything."""
    import subprocess
    import sys

    code = f"""
import os
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.play.bots.outside import OutsidePolicy
from rulesrun.interpreter.players.bots import bots_from
import threading
game = load({TIC_TAC_TOE!r})
choose = OutsidePolicy(bots_from({players + ":loops"!r}, 1)[0], game)
threading.Thread(target=lambda: game.start(1).play_by(choose), daemon=True).start()
while choose._process is None or choose._process._line is None:
    pass
print(choose._process._child.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    host = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=False, timeout=60)
    number, deadline = int(host.stdout), time.monotonic() + 30
    while Path(f"/proc/{number}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.slow
def test_a_player_that_failed_is_not_asked_again(players: str) -> None:
    game = load(TIC_TAC_TOE)
    choose = policy(game, f"{players}:nothing")
    for _ in range(2):
        with pytest.raises(RulesError, match="chose None"):
            game.start(1).play_by(choose)
