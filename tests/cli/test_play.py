"""`rulesrun play`: a person in a seat, through a pipe and on a real terminal."""

from __future__ import annotations

import re
import time
from pathlib import Path
from random import Random

import pytest
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.play.page import plain
from rulesrun.interpreter.simulate.engines import interface
from rulesrun.interpreter.terminal.screen import HEIGHT, WIDTH, screen
from rulesrun.interpreter.terminal.seat import COMMANDS, Session

from ..goldens import check_golden
from .commands import HERE, MASTI, PAIRS, rulesrun
from .terminal import Terminal

ROOT = HERE.parent.parent


def test_a_whole_session() -> None:
    typed = "help\nall\nwhy 1\nwhy blue 6\nwhy nonsense\n9\nplay rad 3\n\n1\nview\nundo\nundo\n2\n1\n1\n"
    result = rulesrun("play", PAIRS, "--seed", "4", "--seat", "2", typed=typed)
    assert result.exit_code == 0
    check_golden(HERE / "goldens" / "play.txt", result.stdout)


def test_the_end_of_the_input_is_quit() -> None:
    result = rulesrun("play", PAIRS, "--seed", "4", typed="1\n")
    assert result.exit_code == 0
    assert "save the game" in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("game", [PAIRS, MASTI])
def test_a_continued_game_goes_on_as_it_would_have(game: str, tmp_path: Path) -> None:
    save = str(tmp_path / "mine.json")
    whole = rulesrun("play", game, "--seed", "4", typed="1\n" * 40).stdout
    begun = rulesrun("play", game, "--seed", "4", typed=f"1\nundo\n1\nquit\n{save}\n").stdout
    assert f"rulesrun play --continue {save}" in begun
    rest = rulesrun("play", "--continue", save, typed="1\n" * 40).stdout
    assert whole.partition("Your turn")[2].endswith(rest.partition("Your turn")[2])
    assert rulesrun("replay", save).exit_code == 0


@pytest.mark.slow
def test_damaged_saves(tmp_path: Path) -> None:
    save = tmp_path / "mine.json"
    assert "saved to" in rulesrun("play", PAIRS, "--seed", "4", typed=f"1\nsave {save}\nquit\n").stdout
    whole = save.read_text(encoding="utf-8")
    position = re.search(r'"position": "(\w+)"', whole)
    assert position is not None
    for damaged in ("ff" + position[1][2:], position[1][:-2], ""):
        save.write_text(whole.replace(position[1], damaged), encoding="utf-8")
        result = rulesrun("play", "--continue", str(save), typed="")
        assert result.exit_code == 2
        assert "error[R701]" in result.stderr
    assert rulesrun("play", "--continue", str(save), "--players", "3").exit_code == 2
    assert rulesrun("play").exit_code == 2


def test_a_transcript_of_a_run_is_no_save(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    rulesrun(PAIRS, "--seed", "4", "--save", str(path))
    result = rulesrun("play", "--continue", str(path), typed="")
    assert result.exit_code == 2
    assert "no position to go on from" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("game", [PAIRS, MASTI])
def test_undo_reaches_back_past_continue(game: str, tmp_path: Path) -> None:
    save = str(tmp_path / "mine.json")
    rulesrun("play", game, "--seed", "4", typed=f"1\nsave {save}\nquit\n")
    undone = rulesrun("play", "--continue", save, typed="undo\nundo\n").stdout
    assert undone.count("back at your previous decision") == 1
    assert "there is no earlier decision of yours" in undone
    again = rulesrun("play", "--continue", save, typed="undo\n1\n" + "1\n" * 40).stdout
    straight = rulesrun("play", game, "--seed", "4", typed="1\n" * 41).stdout
    assert again.rpartition("Your turn")[2] == straight.rpartition("Your turn")[2]


@pytest.mark.slow
def test_a_continued_game_tells_on_from_the_last_decision(tmp_path: Path) -> None:
    save = str(tmp_path / "mine.json")
    rulesrun("play", PAIRS, "--seed", "4", "--seat", "2", typed=f"1\nsave {save}\nquit\n")
    shown = rulesrun("play", "--continue", save).stdout
    assert "\n\nRounds\n\nRound 1\n  player 2: play red 5\n" in shown
    assert "\n\nRound 2\n" in shown
    assert "Setup" not in shown
    assert shown.count("Rounds") == 1
    unmoved = str(tmp_path / "unmoved.json")
    rulesrun("play", PAIRS, "--seed", "4", "--seat", "2", typed=f"save {unmoved}\nquit\n")
    assert rulesrun("play", "--continue", unmoved).stdout.count("Setup") == 1


def test_a_game_that_is_saved_can_be_left_at_once(tmp_path: Path) -> None:
    save = str(tmp_path / "mine.json")
    left = rulesrun("play", PAIRS, "--seed", "4", typed=f"save {save}\nview\nquit\n").stdout
    assert "save the game to which file" not in left
    assert left.endswith(f"continue with: rulesrun play --continue {save}\n")
    assert "save the game" not in rulesrun("play", "--continue", save, typed="quit\n").stdout
    assert "save the game" in rulesrun("play", "--continue", save, typed="1\nquit\nno\n").stdout


@pytest.mark.slow
def test_the_question_at_leaving(tmp_path: Path) -> None:
    back = rulesrun("play", PAIRS, "--seed", "4", typed="quit\n\nview\nquit\nno\n").stdout
    assert back.count("your hand") == 2
    assert back.count("save the game to which file") == 2
    assert "the game is not saved" in rulesrun("play", PAIRS, "--seed", "4", typed="quit\n").stdout
    missed = rulesrun("play", PAIRS, "--seed", "4", typed=f"quit\n{tmp_path}/no/such/place\nyes\n{tmp_path}/a b.json\n").stdout
    assert "cannot be written" in missed
    assert "type the name of a file" in missed
    assert missed.endswith(f"continue with: rulesrun play --continue '{tmp_path}/a b.json'\n")


@pytest.mark.slow
def test_rules_that_are_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tmp_path / "pairs.rules"
    rules.write_text(Path(PAIRS).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    rulesrun("play", "pairs.rules", "--seed", "4", typed="1\nsave mine.json\nquit\n")
    for folder in ("saves", "rules"):
        (tmp_path / folder).mkdir()
    (tmp_path / "mine.json").rename("saves/mine.json")
    rules.rename("rules/pairs.rules")
    missing = rulesrun("play", "--continue", "saves/mine.json")
    assert missing.exit_code == 2
    assert "help: say where they are: `rulesrun play GAME.rules --continue saves/mine.json`" in missing.stderr
    assert rulesrun("play", "rules/pairs.rules", "--continue", "saves/mine.json").exit_code == 0
    missing = rulesrun("replay", "saves/mine.json")
    assert "help: say where they are: `rulesrun replay saves/mine.json --rules GAME.rules`" in missing.stderr
    assert rulesrun("replay", "saves/mine.json", "--rules", "rules/pairs.rules").exit_code == 0


@pytest.mark.slow
def test_help_speaks_of_this_game() -> None:
    shown = rulesrun("play", MASTI, "--players", "4", "--seed", "7", typed="help\n").stdout
    assert "take that option: `1` or `play crown 4 (artists)` or just `crown 4 (artists)`" in shown
    for command, does in COMMANDS:
        assert command in shown
        assert does in shown
        assert command in rulesrun("play", "--help").stdout


@pytest.mark.slow
def test_all_names_every_option() -> None:
    shown = rulesrun("play", MASTI, "--players", "4", "--seed", "7", typed="1\nall\n").stdout.rpartition("> ")[0]
    refused = shown.rpartition("it is not in hand of player 1:\n")[2]
    assert re.match(r" +play crown 1, crown 2, crown 3, crown 4", refused)
    assert "more" not in refused
    assert len(set(re.findall(r"(?:crown|mitre|purse|dagger) \d+", shown.rpartition("Your turn")[2]))) == 52


@pytest.mark.slow
def test_an_act_that_is_hidden_says_what_was_taken() -> None:
    shown = rulesrun("play", MASTI, "--players", "6", "--seed", "7").stdout
    assert re.search(r"player \d: add a character, face down\n", shown)


def test_saving_over_the_rules_is_refused(tmp_path: Path) -> None:
    rules = tmp_path / "pairs.rules"
    rules.write_text(Path(PAIRS).read_text(encoding="utf-8"), encoding="utf-8")
    result = rulesrun("play", str(rules), "--seed", "4", typed=f"save {rules}\nquit\n\n")
    assert "nothing was written" in result.stdout


@pytest.mark.process
def test_on_a_terminal() -> None:
    terminal = Terminal(["play", PAIRS, "--seed", "4", "--seat", "2"], ROOT)
    shown = terminal.until("> ")
    assert "\x1b[" in shown
    assert "Your turn" in shown
    terminal.type("1\n")
    assert "player 2" in terminal.until("> ")
    terminal.type("undo\n")
    terminal.until("back at your previous decision")
    terminal.until("> ")
    for _ in range(3):
        terminal.type("1\n")
    code, shown = terminal.end()
    assert code == 0
    assert "Ranking" in shown


@pytest.mark.process
def test_ctrl_c_and_ctrl_d_end_quietly() -> None:
    terminal = Terminal(["play", PAIRS, "--seed", "4"], ROOT, NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3\d", terminal.until("> "))
    terminal.type("\x04")
    terminal.until("save the game")
    terminal.type("\x04")
    assert terminal.end()[0] == 0
    terminal = Terminal(["play", PAIRS, "--seed", "4"], ROOT)
    terminal.until("> ")
    time.sleep(0.5)  # between the prompt and its reading Python does not hear it
    terminal.type("\x03")
    terminal.until("save the game")
    terminal.type("\n")
    terminal.until("> ")
    time.sleep(0.5)
    terminal.type("\x03")
    terminal.until("save the game")
    time.sleep(0.5)
    terminal.type("\x03")
    code, shown = terminal.end()
    assert code == 130
    assert "the game is not saved" in shown
    assert "Traceback" not in shown


@pytest.mark.process
def test_names_stay_on_one_line() -> None:
    for columns in ("40", "53", "61"):
        terminal = Terminal(["play", MASTI, "--players", "4", "--seed", "7", "--scroll"], ROOT, NO_COLOR="1", COLUMNS=columns)
        shown = terminal.until("> ")
        assert "crown 4 (artists)" in shown
        view = shown.partition("Your turn")[2].partition("   1  ")[0]
        assert re.search(r"\n  your hand \(10\): .*\r?\n {6}\w", view)
        assert not re.search(r"(crown|mitre|purse|dagger|player|\d)\r?\n +(\d|\()", view)
        terminal.type("\x04\x04")
        terminal.until("the game is not saved")
        assert terminal.end()[0] == 0


def changed(rules: Path, old: str, new: str) -> None:
    text = rules.read_text(encoding="utf-8")
    assert old in text
    rules.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A saved game beside its rules, ``pairs.rules``, in which a choice was made."""
    monkeypatch.chdir(tmp_path)
    Path("pairs.rules").write_text(Path(PAIRS).read_text(encoding="utf-8"), encoding="utf-8")
    rulesrun("play", "pairs.rules", "--seed", "4", typed="1\nsave mine.json\nquit\n")
    return tmp_path


@pytest.mark.slow
def test_a_game_goes_on_after_its_rules_have_changed(saved: Path) -> None:
    before = rulesrun("play", "--continue", "mine.json", typed="view\n").stdout
    changed(saved / "pairs.rules", "winner highest score", "winner lowest score")
    after = rulesrun("play", "--continue", "mine.json", typed="view\nsave new.json\nquit\n")
    assert after.exit_code == 0
    assert "warning[R703]: the rules have changed since this game was played (changed: `winner`)" in after.stderr
    assert re.findall("your hand.*", after.stdout) == re.findall("your hand.*", before)
    onwards = rulesrun("play", "--continue", "new.json", typed="1\n" * 40)
    assert onwards.exit_code == 0
    assert "Ranking" in onwards.stdout
    assert "R703" not in onwards.stderr


@pytest.mark.slow
def test_a_change_that_is_not_in_play_loses_nothing(saved: Path) -> None:
    """The draws to come, the way back and the file that holds the game stay."""
    typed = "undo\nundo\n1\n" + "1\n" * 40
    before = rulesrun("play", "--continue", "mine.json", typed=typed)
    changed(saved / "pairs.rules", '"Two against two"', '"Pairs"')
    after = rulesrun("play", "--continue", "mine.json", typed=typed)
    assert after.output == before.output
    assert "save the game" not in rulesrun("play", "--continue", "mine.json", typed="quit\n").stdout


@pytest.mark.slow
def test_a_change_of_the_score_keeps_the_luck_and_the_way_back(saved: Path) -> None:
    typed = "undo\nundo\n1\n" + "1\n" * 40
    before = rulesrun("play", "--continue", "mine.json", typed=typed)
    changed(saved / "pairs.rules", "count of won", "2 * count of won")
    after = rulesrun("play", "--continue", "mine.json", typed=typed)
    assert after.stderr.startswith("warning[R703]: the rules have changed since this game was played (changed: `score cards`)")
    assert after.stdout.partition("Scores")[0] == before.stdout.partition("Scores")[0]


def test_a_game_goes_on_from_the_last_act_that_fits(saved: Path) -> None:
    changed(saved / "pairs.rules", "play a card", "lay a card")
    after = rulesrun("play", "--continue", "mine.json", typed="1\n" * 40)
    assert after.exit_code == 0
    assert re.search(r"warning\[R703\]: act \d+ \(`play .*; the game goes on from before it", after.stderr)
    assert re.search(r"of the \d acts of this game the first 0 fit the rules as they are now, and are kept", after.stderr)
    assert "Ranking" in after.stdout


def test_undo_reaches_back_to_the_acts_that_were_kept(saved: Path) -> None:
    """With a further counter, a position is written otherwise; what can be taken back are the acts that fit."""
    changed(saved / "pairs.rules", "zone won of player:    set", "counter spare of player: 0..9\nzone won of player:    set")
    after = rulesrun("play", "--continue", "mine.json", typed="undo\nundo\n" + "1\n" * 9)
    assert after.stdout.count("back at your previous decision") == 1
    assert "chance and the bots begin anew from here" in after.stderr


def test_what_cannot_be_otherwise_is_played_and_told() -> None:
    shown = rulesrun("play", PAIRS, "--seed", "4", typed="1\n1\n").stdout
    assert shown.count("Your turn") == 2
    assert "nothing else was possible for you: play" in shown
    assert "Ranking" in shown


@pytest.mark.slow
def test_tiles_are_laid_by_square_and_direction() -> None:
    """The numbered list would have a line for each of the 24 ways."""
    session = Session(load(ROOT / "games" / "kingdomino.rules", players=2).start(4), 1, 4)
    session.answer("1")
    (way,) = [line for line in plain(session.question()).splitlines() if "24  place " in line]
    assert "c5: east," in way
    assert "e4: east south west," in way
    assert "could be d4 east, d4 north" in plain(session.answer("d4").page)
    for typed in ("c5 east", "c5 e", "place c5 east", "place on c5 d5", "c5"):
        option = session.offer.allowed(typed)
        assert getattr(option, "text", option) == "place on c5 d5", typed
    assert "something lies on e5 already" in plain(session.answer("e5 east").page)
    assert "c5 east" in session.completions("c5")
    session.answer("c5 east")
    assert "on c5 d5" in plain(session.recent)


SCREENS = ["kingdomino", "masti", "for_the_king", *(f"classics/{name}" for name in (
    "connect_four", "hearts", "go", "hex", "draughts", "chinese_checkers", "backgammon", "gin_rummy", "cribbage"))]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
def test_a_table_fits_on_one_screen(name: str) -> None:
    """Whatever happens; and its task is on it, and the grids are whole."""
    random = Random(name)
    session = Session(load(ROOT / "games" / f"{name}.rules").start(4), 1, 4)
    for _ in range(12):
        if session.is_over:
            break
        for width, height in ((80, 24), (120, 50)):
            lines = screen(session, width, height)
            assert len(lines) < height
            assert all(line.cell_len < width for line in lines)
            assert any(line.plain.startswith("Your turn") for line in lines)
        assert screen(session, WIDTH, HEIGHT)
        session.answer(str(random.randrange(len(session.offer.legal)) + 1))


@pytest.mark.process
def test_a_screen_is_drawn_anew(tmp_path: Path) -> None:
    terminal = Terminal(["play", TIC_TAC_TOE, "--seed", "4"], tmp_path, COLUMNS="80", LINES="24")
    terminal.until("\x1b[2J")
    terminal.until("> ")
    terminal.type("b\t2\n")
    terminal.until("\x1b[2J")
    assert "player 1: " in terminal.until("> ")
    terminal.type("log\n")
    terminal.until("> ")
    terminal.type("quit\n")
    terminal.until("save the game")
    terminal.type("no\n")
    assert terminal.end()[0] == 0


@pytest.mark.process
def test_arrow_keys_bring_back_what_was_typed() -> None:
    terminal = Terminal(["play", PAIRS, "--seed", "4"], ROOT, NO_COLOR="1")
    terminal.until("> ")
    terminal.type("why blue 9\n")
    terminal.until("there is no option `blue 9`")
    terminal.until("> ")
    terminal.type("\x1b[A\n")
    terminal.until("there is no option `blue 9`")
    assert "^[[A" not in terminal.until("> ")
    terminal.type("quit\n")
    terminal.until("save the game")
    terminal.type("no\n")
    assert terminal.end()[0] == 0


def test_acts_are_typed_as_tests_write_them(tmp_path: Path) -> None:
    rules = tmp_path / "moods.rules"
    rules.write_text(MOODS, encoding="utf-8")
    shown = rulesrun("play", str(rules), typed="take [blue 1]\nname merry\n").stdout
    assert "player 1: pick up blue 1\n" in shown
    assert "player 1: say that you are merry\n" in shown


MOODS = """
game moods
    players 1
list mood: calm, merry
cards card, 1 of each
    colour: red, blue
    rank: 1..2
zone row: set of card, open
zone hand: set of card, open
marker feeling: mood or none
setup
    move every card to row
phase only
    player 1 chooses
        take a card from row "pick up"
            move card to hand
    player 1 chooses
        name a mood "say that you are"
            set feeling to mood
score of player
    merry: 1 if feeling is merry
winner highest score, then shared
"""


SLOW = """game slow
    players 1
counter turns: 0..3
counter weight: 0..1000
phase rounds
    repeat until turns is 3
        add 1 to turns
        player 1 chooses
            work
                repeat 900000 times
                    set weight to (weight * 7 + 13) mod 1000
            rest: nothing
score of player
    points: turns
winner highest score, then shared
"""


@pytest.mark.clock
def test_a_game_is_kept_when_an_act_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, save = tmp_path / "slow.rules", str(tmp_path / "mine.json")
    file.write_text(SLOW, encoding="utf-8")
    monkeypatch.setattr(interface, "PATIENCE", 0.3)
    begun = rulesrun("play", str(file), "--seed", "4", typed=f"rest\nwork\nview\nquit\n{save}\n")
    assert begun.exit_code == 1
    assert "error[R820]" in begun.stderr
    assert "`work` was not done, the game stands where it was: choose something else, or `quit` to save it" in begun.stderr
    assert "turns: 2" in begun.stdout.partition("save the game")[0].rpartition("Your turn")[2]
    rest = rulesrun("play", "--continue", save, typed="undo\nrest\nrest\nrest\n")
    assert rest.exit_code == 0, rest.output
    assert "back at your previous decision" in rest.stdout
    assert re.search(r"points +3", rest.stdout)


# ---- Against bots that think

TIC_TAC_TOE = str(ROOT / "games" / "classics" / "tic_tac_toe.rules")
CONNECT_FOUR = str(ROOT / "games" / "classics" / "connect_four.rules")


@pytest.mark.slow
def test_a_game_against_a_search_depends_on_its_seed_alone() -> None:
    typed = "1\n" * 12
    once, again = (rulesrun("play", MASTI, "--seed", "4", "--bots", "search:30", typed=typed).stdout for _ in range(2))
    assert once == again
    assert once != rulesrun("play", MASTI, "--seed", "4", "--bots", "random", typed=typed).stdout
    asked = rulesrun("play", MASTI, "--seed", "4", "--bots", "search:30", typed=f"hint\n1\nhint 20\n{typed[2:]}").stdout
    assert "A search of 1,000 iterations thinks:" in asked
    assert "A search of 20 iterations thinks:" in asked
    assert asked.rpartition("Your turn")[2] == once.rpartition("Your turn")[2], "a hint changes nothing"


@pytest.mark.slow
def test_a_hint_names_what_is_sure() -> None:
    """Player 2 has just failed to stop two in a row."""
    state = load(TIC_TAC_TOE).start()
    for cell in ("a1", "a2", "b1", "b2"):
        state.play(next(number for number in state.legal if state.game.option_text(number).endswith(cell)))
    page = plain(Session(state, 1, 1).answer("hint").page).splitlines()
    assert re.fullmatch(r"A search of \d+ iterations? thinks:", page[0])
    assert page[1].split() == ["share", "of", "the", "win", "visits"]
    number, sure, share, percent, _, *text = page[2].split()
    assert (sure, share, percent) == ("sure", "100", "%")
    assert " ".join(text).endswith("c1")
    assert state.game.option_text(state.legal[int(number) - 1]) == " ".join(text)


@pytest.mark.slow
def test_a_hint_is_the_same_in_games_that_the_seat_cannot_tell_apart() -> None:
    game = load(MASTI)
    state, random = game.start(3), Random(1)
    for _ in range(5):
        state.play_at_random()
    seat = state.player
    worlds = [state, *(state.determinise(seat, random) for _ in range(3))]
    assert len({plain(Session(world, seat, 1).answer("hint 60").page) for world in worlds}) == 1


@pytest.mark.slow
def test_odd_hints() -> None:
    said = rulesrun("play", MASTI, "--seed", "4", typed="hint 0\nhint 99999999999\nhint me\nhint 1\n").stdout
    assert said.count("a hint has 1 to 1,000,000 iterations") == 2
    assert "there is no option `hint me`" in said
    assert re.search(r"\d+ not tried: ", said)


@pytest.mark.slow
def test_a_continued_game_need_not_be_thought_again(tmp_path: Path) -> None:
    """Bots take again what they took, and their seats' random numbers go on: so undo reaches back, and the game goes on."""
    save, bots = str(tmp_path / "mine.json"), ("--bots", "search:20")
    left = rulesrun("play", MASTI, "--seed", "4", *bots, typed=f"1\n1\nquit\n{save}\n").stdout
    assert f"rulesrun play --continue {save} --bots search:20" in left
    undone = rulesrun("play", "--continue", save, *bots, typed="undo\nundo\nundo\n").stdout
    assert undone.count("back at your previous decision") == 2
    rest = rulesrun("play", "--continue", save, *bots, typed="1\n" * 40).stdout
    whole = rulesrun("play", MASTI, "--seed", "4", *bots, typed="1\n" * 42).stdout
    assert whole.partition("Your turn")[2].endswith(rest.partition("Your turn")[2])


@pytest.mark.slow
def test_a_time_that_is_too_short_still_gives_an_act(tmp_path: Path) -> None:
    save = str(tmp_path / "mine.json")
    said = rulesrun("play", MASTI, "--seed", "4", "--think", "0.001ms", typed=f"1\n1\nquit\n{save}\n")
    assert said.exit_code == 0
    assert re.search(r"\(0.000001s is too short for player \d, who acted after 1 iteration\)", said.stdout)
    command = said.stdout.rpartition("continue with: rulesrun ")[2].split()
    assert rulesrun(*command, typed="").exit_code == 0


@pytest.mark.slow
def test_what_is_said_of_bots_is_in_the_language_of_the_game() -> None:
    said = rulesrun("play", MASTI, "--seed", "4", "--think", "0.001ms", "--language", "uk", typed="1\n1\n").stdout
    assert re.search(r"\(гравець \d: 0.000001s — замало часу, хід зроблено після 1 ітерації\)", said), said


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--think", "soon"], "`soon` is no time to think"),
        (["--think", "0s"], "`0s` is no time to think"),
        (["--think", "2s", "--bots", "search:50"], "`search:50` says how many iterations, and --think how long"),
        (["--think", "2s", "--bots", "casual"], "none of `casual` does"),
        (["--bots", "search"], "it is not said how many iterations"),
        (["--bots", "search:0"], "`0` is no number of iterations"),
    ],
)
def test_odd_times_and_bots(arguments: list[str], told: str) -> None:
    result = rulesrun("play", MASTI, *arguments, typed="")
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.slow
def test_a_player_in_python_can_be_mended_and_go_on(tmp_path: Path) -> None:
    player, save = tmp_path / "mine.py", str(tmp_path / "mine.json")
    player.write_text("def mine(seen): return seen.options[99]\n")
    result = rulesrun("play", TIC_TAC_TOE, "--seed", "4", "--bots", f"{player}:mine", typed=f"1\nquit\n{save}\n")
    assert "raised IndexError" in result.stderr
    assert "`1` was not done, the game stands where it was: `quit` saves it, and a player that is mended" in result.stderr
    player.write_text("def mine(seen): return seen.options[0]\n")
    assert "Your turn" in rulesrun("play", "--continue", save, "--bots", f"{player}:mine", typed="1\n").stdout


@pytest.mark.process
def test_a_bar_is_shown_and_ctrl_c_lets_a_bot_act(tmp_path: Path) -> None:
    terminal = Terminal(["play", CONNECT_FOUR, "--seed", "4", "--bots", "search:1000000", "--seat", "2"], tmp_path, NO_COLOR="1")
    terminal.until("player 1 thinks")
    terminal.type("\x03")
    terminal.until("player 1 was hurried, and acted after")
    terminal.until("> ")
    terminal.type("quit\n")
    terminal.until("save the game")
    terminal.type("no\n")
    assert terminal.end()[0] == 0


@pytest.mark.process
def test_an_interrupted_player_in_python_is_asked_anew(tmp_path: Path) -> None:
    """What it would have answered to the act that was not done is no answer to the next one."""
    (tmp_path / "slow.py").write_text(
        "import os, time\nclass Slow:\n    def choose(self, seen):\n        if not os.path.exists('asked'):\n"
        "            open('asked', 'w').close()\n            time.sleep(1)\n"
        "        return seen.options[0 if len(seen.happened) and 'a1' in seen.happened[-1] else -1]\n"
    )
    terminal = Terminal(["play", TIC_TAC_TOE, "--seed", "4", "--bots", "slow.py:Slow"], tmp_path, NO_COLOR="1")
    terminal.until("> ")
    terminal.type("a1\n")
    terminal.until("player 2 thinks")
    while not (tmp_path / "asked").exists():
        time.sleep(0.05)
    terminal.type("\x03")
    terminal.until("interrupted: `a1` was not done")
    terminal.until("> ")
    terminal.type("b2\n")
    assert "place mark of player 2 on c3" in terminal.until("Your turn")
    terminal.until("> ")
    terminal.type("quit\n")
    terminal.until("save the game")
    terminal.type("no\n")
    assert terminal.end()[0] == 0


@pytest.mark.slow
def test_a_finished_game_can_be_saved_and_reviewed(tmp_path: Path) -> None:
    save = str(tmp_path / "mine.json")
    ended = rulesrun("play", TIC_TAC_TOE, "--seed", "4", "--save", save, typed="1\n" * 9)
    assert ended.exit_code == 0
    assert f"saved to {save}\nwhat gave away much: rulesrun review {save}\n" in ended.stdout
    assert "A search of 50 iterations looked at" in rulesrun("review", save, "--bots", "search:50").stdout
    assert "saved to" not in rulesrun("play", TIC_TAC_TOE, "--seed", "4", "--save", save, typed="1\nquit\nno\n").stdout
    assert rulesrun("play", TIC_TAC_TOE, "--save", TIC_TAC_TOE, typed="1\n" * 9).exit_code == 2
