"""`rulesrun replay`: the same game again, and every way in which a transcript can be bad."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .commands import PAIRS, rulesrun


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.rules"
    path.write_text(Path(PAIRS).read_text(encoding="utf-8"), encoding="utf-8")
    return path


@pytest.fixture
def transcript(rules: Path) -> Path:
    path = rules.parent / "game.json"
    assert rulesrun(str(rules), "--seed", "1", "--players", "3", "--save", str(path)).exit_code == 0
    return path


def edited(transcript: Path, **changes: Any) -> Path:
    data = json.loads(transcript.read_text(encoding="utf-8")) | changes
    transcript.write_text(json.dumps({k: v for k, v in data.items() if v != "(gone)"}), encoding="utf-8")
    return transcript


def acts(transcript: Path) -> list[dict[str, Any]]:
    return list(json.loads(transcript.read_text(encoding="utf-8"))["acts"])


def test_the_same_game_again(rules: Path, transcript: Path) -> None:
    again = rulesrun("replay", str(transcript))
    assert again.exit_code == 0
    assert again.stdout == rulesrun(str(rules), "--seed", "1", "--players", "3").stdout


def test_as_a_seat_saw_it(rules: Path, transcript: Path) -> None:
    again = rulesrun("replay", str(transcript), "--seat", "2")
    assert again.stdout == rulesrun(str(rules), "--seed", "1", "--players", "3", "--seat", "2").stdout


@pytest.mark.slow
def test_a_game_that_goes_round_in_a_circle_shows_where(rules: Path, transcript: Path) -> None:
    """The page is the same, with a line where the circle begins and one where all is as it was there."""
    plain = rulesrun("replay", str(transcript)).stdout.splitlines()
    number = len(acts(transcript)) - 3
    shown = rulesrun("replay", str(edited(transcript, comes_again=number))).stdout.splitlines()
    first, last = shown.index("-- from this position on:"), shown.index("-- all is as it was there")
    assert [line for line in shown if not line.startswith("--")] == plain
    assert not any(act["text"] in line for line in shown[last:] for act in acts(transcript)[number:])
    assert acts(transcript)[number]["text"] in "\n".join(shown[first:last])
    rules.write_text(rules.read_text(encoding="utf-8").replace("players 2..", "players 1.."), encoding="utf-8")
    assert "-- from" not in rulesrun("replay", str(transcript)).stdout  # by other rules nobody knows


def test_cut_off_anywhere(transcript: Path) -> None:
    whole = transcript.read_bytes()
    for length in range(0, len(whole) - 2, 50):
        transcript.write_bytes(whole[:length])
        result = rulesrun("replay", str(transcript))
        assert result.exit_code == 2
        assert result.stderr.startswith("error[R701]") or "error[R002]" in result.stderr
        assert result.stdout == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"acts": "(gone)"}, "`acts` is missing"),
        ({"acts": 7}, "`acts` is no list"),
        ({"acts": [{"player": 1, "text": ""}]}, "`acts`, item 1 has no `option`"),
        ({"acts": [{"player": 1, "option": "3", "text": ""}]}, "`acts`, item 1 is no whole number"),
        ({"players": True}, "`players` is no whole number"),
        ({"players": 2}, "a number for each of the 2 players"),
        ({"options": {"bonus_for_low": 3}}, "`options`, `bonus_for_low` is no text"),
        ({"ranking": [[1, 1], [2]]}, "`ranking` needs each seat once"),
        ({"format": 9}, "its format is 9"),
        ({"position": "xyz"}, "hexadecimal"),
        ({"seat": 8}, "`seat` is 8"),
        ({"comes_again": 999}, "`comes_again` is 999, and there are"),
        ({"comes_again": "soon"}, "`comes_again` is no whole number"),
        ({"seen_by": 1}, "what one seat saw"),
    ],
)
def test_data_that_is_wrong(changes: dict[str, Any], said: str, transcript: Path) -> None:
    result = rulesrun("replay", str(edited(transcript, **changes)))
    assert result.exit_code == 2
    assert "[R701]" in result.stderr
    assert said in result.stderr


@pytest.mark.slow
def test_another_result_than_the_acts_lead_to(transcript: Path) -> None:
    data = json.loads(transcript.read_text(encoding="utf-8"))
    terms = {name: [9 for _ in values] for name, values in data["terms"].items()}
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"scores": [9, 9, 9]}, "the score is 3, 0, 6 now, and was 9, 9, 9"),
        ({"terms": terms}, "the score sheet is"),
        ({"ranking": data["ranking"][::-1]}, "the ranking is"),
        ({"acts": data["acts"][:-1]}, "the acts end before the game does"),
        ({"acts": []}, "the acts end before the game does"),
    )
    for changes, said in wrong:
        transcript.write_text(json.dumps(data | changes), encoding="utf-8")
        result = rulesrun("replay", str(transcript))
        assert result.exit_code == 1
        assert "error[R704]" in result.stderr
        assert said in result.stderr


def test_a_transcript_cannot_name_any_file_as_its_rules(transcript: Path) -> None:
    result = rulesrun("replay", str(edited(transcript, file=str(transcript))))
    assert result.exit_code == 2
    assert "error[R702]" in result.stderr


@pytest.mark.parametrize("text", ["[" * 100_000, "[]", "3", '{"a": ' + "9" * 5000 + "}", '"\\ud800"'])
def test_json_that_is_none_of_ours(text: str, transcript: Path) -> None:
    transcript.write_text(text)
    result = rulesrun("replay", str(transcript))
    assert result.exit_code == 2
    assert "error[R701]" in result.stderr


def test_rules_that_cannot_be_found(rules: Path, transcript: Path) -> None:
    moved = rules.rename(rules.parent / "moved.rules")
    result = rulesrun("replay", str(transcript))
    assert result.exit_code == 2
    assert "error[R702]" in result.stderr
    assert rulesrun("replay", str(transcript), "--rules", str(moved)).exit_code == 0


def test_rules_beside_the_transcript(rules: Path, transcript: Path) -> None:
    assert rulesrun("replay", str(edited(transcript, file="pairs.rules"))).exit_code == 0


def test_another_game(rules: Path, transcript: Path) -> None:
    rules.write_text(rules.read_text(encoding="utf-8").replace("game pairs", "game others"), encoding="utf-8")
    result = rulesrun("replay", str(transcript))
    assert result.exit_code == 2
    assert "error[R702]: this is a transcript of `pairs`" in result.stderr


def test_changed_rules_with_acts_that_still_fit(rules: Path, transcript: Path) -> None:
    text = rules.read_text(encoding="utf-8").replace("score of player\n", "score of player\n    more: 2\n")
    rules.write_text(text.replace("has a card with rank 1", "has a card with rank 2"), encoding="utf-8")
    result = rulesrun("replay", str(transcript))
    assert result.exit_code == 1
    assert "warning[R703]" in result.stderr
    assert "changed: `score low`; added: `score more`" in result.stderr
    assert "the score is 5, 2, 8 now, and was 3, 0, 6" in result.stderr
    assert "Ranking" in result.stdout


def test_comments_do_not_count(rules: Path, transcript: Path) -> None:
    rules.write_text("# changed\n\n" + rules.read_text(encoding="utf-8"), encoding="utf-8")
    result = rulesrun("replay", str(transcript))
    assert (result.exit_code, result.stderr) == (0, "")


def test_cards_that_moved_in_the_list_are_found_by_their_names(rules: Path, transcript: Path) -> None:
    rules.write_text(rules.read_text(encoding="utf-8").replace("red, blue", "green, red, blue"), encoding="utf-8")
    result = rulesrun("replay", str(transcript))
    assert result.exit_code == 1
    assert "[R704]" not in result.stderr


def test_changed_rules_with_an_act_that_fits_no_more(rules: Path, transcript: Path) -> None:
    condition = "                    only if rank of card > 2\n"
    take = "                    move card to played"
    rules.write_text(rules.read_text(encoding="utf-8").replace(take, condition + take), encoding="utf-8")
    result = rulesrun("replay", str(transcript))
    assert result.exit_code == 1
    assert "warning[R703]" in result.stderr
    assert "error[R704]: act" in result.stderr or "error[R601]" in result.stderr


@pytest.mark.slow
def test_an_edited_act(transcript: Path) -> None:
    listed = acts(transcript)
    number = next(n for n, act in enumerate(listed) if act["player"])
    player = listed[number]["player"]
    other = next(act for act in listed if act["player"] not in (0, player))
    wrong = [
        ({"option": other["option"]}, "is `play"),
        ({"option": other["option"], "text": other["text"]}, "is not possible here: it is not in hand of"),
        ({"option": 99, "text": "play green 9"}, "there is no option 99"),
        ({"option": -1, "text": "play green 9"}, "there is no option -1"),
        ({"player": 0}, "an outcome of chance, but here player"),
        ({"player": player % 3 + 1}, "has to choose"),
    ]
    for change, said in wrong:
        changed = [*listed[:number], listed[number] | change, *listed[number + 1 :]]
        result = rulesrun("replay", str(edited(transcript, acts=changed)))
        assert result.exit_code == 1
        assert f"error[R704]: act {number + 1} " in result.stderr
        assert said in result.stderr
        assert "= help: possible: play " in result.stderr


def test_an_edited_outcome_and_acts_after_the_end(transcript: Path) -> None:
    listed = acts(transcript)
    twice = [listed[0], listed[0], *listed[2:]]
    assert "error[R704]: act 2 " in rulesrun("replay", str(edited(transcript, acts=twice))).stderr
    more = [*listed, listed[-1]]
    assert "comes after the end of the game" in rulesrun("replay", str(edited(transcript, acts=more))).stderr


def test_a_game_without_its_end(transcript: Path) -> None:
    half = edited(transcript, acts=acts(transcript)[:-2], scores=[], terms={}, ranking=[])
    result = rulesrun("replay", str(half))
    assert result.exit_code == 0
    assert "Ranking" not in result.stdout
