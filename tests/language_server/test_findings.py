"""What an editor shows as wrong, while somebody types: in rules, in their tables, in what they are made from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from rulesrun.cli import cli
from rulesrun.interpreter.common.codes import CODES

from ..lamps import LAMPS
from .editor import Editor, real_editor

EXTENT = ("line", "column", "end_line", "end_column")


def shown(one: Editor, uri: str, *codes: str) -> None:
    one.until(lambda: uri in one.shown and one.codes(uri) == sorted(codes))


def test_findings_come_and_go_with_the_keys(one: Editor, games: Path) -> None:
    path = games / "masti.rules"
    uri = one.open(path)
    shown(one, uri)
    text = path.read_text(encoding="utf-8")
    one.write(uri, text.replace("zone trumps:", "zone trumps", 1))
    one.until(lambda: "R101" in one.codes(uri))
    one.write(uri, text)
    shown(one, uri)


def test_a_finding_says_its_code_its_place_and_its_page(one: Editor, games: Path) -> None:
    path = games / "masti.rules"
    uri = one.open(path, path.read_text(encoding="utf-8").replace("    players 3..6", "    playrs 3..6", 1))
    one.until(lambda: one.shown.get(uri))
    (found,) = one.shown[uri]
    assert (found["code"], found["severity"], found["source"]) == ("R102", 1, "rulesrun")
    assert found["range"] == {"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": 10}}
    assert "R102" in found["codeDescription"]["href"]
    assert "did you mean `players`?" in found["message"]
    assert found["code"] in CODES


def test_a_word_is_written_letter_by_letter(one: Editor, games: Path) -> None:
    """Each letter is a change of its own; what is shown at the end is right."""
    path = games / "nim.rules"
    text = path.read_text(encoding="utf-8")
    uri = one.open(path)
    last = text.count("\n")
    line = "define nothing_left: every heap is empty"
    for column, letter in enumerate(line):
        place = {"line": last, "character": column}
        one.change(uri, {"range": {"start": place, "end": place}, "text": letter})
    end = {"line": last, "character": len(line)}
    one.change(uri, {"range": {"start": {"line": last, "character": 7}, "end": end}, "text": ""})  # and taken back
    one.until(lambda: "R101" in one.codes(uri))
    one.change(uri, {"range": {"start": {"line": last, "character": 0}, "end": {"line": last, "character": 7}}, "text": ""})
    shown(one, uri)


def test_what_is_wrong_with_a_test_is_shown_while_the_game_is_written(one: Editor, games: Path) -> None:
    """The game is looked at first; what was said of tests stays until they are looked at, too."""
    text = LAMPS.replace("score of player", "define sum of player: total power of lit of player\n\nscore of player")
    uri = one.open(games / "lamps.rules", text + "    expect sun of Ann is 9\n")
    shown(one, uri, "R201")
    place = one.shown[uri][0]["range"]["start"]
    for count in range(1, 4):
        one.write(uri, text.replace("1..9", f"1..9{count * ' '}# a comment") + "    expect sun of Ann is 9\n")
        one.until(lambda: one.seen[uri] == one.versions[uri])
        assert [(each["code"], each["range"]["start"]) for each in one.shown[uri]] == [("R201", place)]
    one.write(uri, text.replace("sum", "sun") + "    expect sun of Ann is 9\n")
    shown(one, uri)


def test_a_csv_beside_the_rules_is_checked_as_it_is_typed(one: Editor, games: Path) -> None:
    uri = one.open(games / "masti.rules")
    shown(one, uri)
    table = games / "data" / "masti.csv"
    text = table.read_text(encoding="utf-8")
    broken = one.open(table, text.replace("crown", "crwn", 1), "csv")
    one.until(lambda: one.shown.get(broken))
    (found,) = one.shown[broken]
    assert "crwn" in found["message"]
    assert "crown" in text.splitlines()[found["range"]["start"]["line"]]
    one.write(broken, text)
    one.until(lambda: one.shown[broken] == [])


def test_a_parent_that_is_not_saved_counts(one: Editor, games: Path) -> None:
    child = games / "more_nim.rules"
    child.write_text('extends "nim.rules"\n', encoding="utf-8")
    uri = one.open(child)
    shown(one, uri)
    parent = games / "nim.rules"
    text = parent.read_text(encoding="utf-8")
    above = one.open(parent, text + "\nzone heap: slot\n")
    one.until(lambda: one.shown.get(above))
    one.write(above, text)
    one.until(lambda: one.shown[above] == [])
    one.tell("textDocument/didClose", textDocument={"uri": uri})


def test_a_file_that_changes_on_the_disk_is_read_again(one: Editor, games: Path) -> None:
    uri = one.open(games / "masti.rules")
    shown(one, uri)
    table = games / "data" / "masti.csv"
    table.unlink()
    one.tell("workspace/didChangeWatchedFiles", changes=[{"uri": table.as_uri(), "type": 3}])
    shown(one, uri, "R001")


def test_what_only_proofs_find_comes_after_a_pause(one: Editor, games: Path) -> None:
    """And stays while its line stays as it was."""
    path = games / "nim.rules"
    text = path.read_text(encoding="utf-8") + "\ncounter never: 0..3\n"
    uri = one.open(path, text)
    one.until(lambda: one.shown.get(uri))
    (found,) = one.shown[uri]
    assert found["severity"] == 2
    assert "never" in found["message"]
    one.write(uri, "# a line above\n" + text)
    one.until(lambda: one.shown[uri] and one.shown[uri][0]["range"]["start"]["line"] == found["range"]["start"]["line"] + 1)


@pytest.mark.process
def test_tests_run_and_games_are_played_with_progress(games: Path) -> None:
    """The lenses say how the tests ended; a bar shows how far playing is; the next key ends it."""
    with real_editor(games) as (one, _):
        uri = one.open(games / "masti.rules")
        shown(one, uri)
        one.ask("workspace/executeCommand", command="rulesrun.server.check", arguments=[uri])
        one.until(lambda: any(each.get("method") == "$/progress" for each in one.heard))
        lenses = one.about("codeLens", uri)
        assert any("Passed" in lens["command"]["title"] for lens in lenses)
        one.change(uri, {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "#\n"})
        one.until(
            lambda: any(each.get("method") == "$/progress" and each["params"]["value"]["kind"] == "end" for each in one.heard)
        )


def test_a_file_that_is_closed_shows_nothing(one: Editor, games: Path) -> None:
    uri = one.open(games / "nim.rules", "game nim\n")
    one.until(lambda: one.shown.get(uri))
    one.tell("textDocument/didClose", textDocument={"uri": uri})
    shown(one, uri)


def test_the_same_findings_as_check(one: Editor, games: Path) -> None:
    """Of a file with several faults, on the disk and in the editor."""
    path = games / "hearts.rules"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("players", "playrs", 1) + "\nzone hand: pile\n", encoding="utf-8")
    uri = one.open(path)
    one.until(lambda: one.shown.get(uri))
    report = json.loads(CliRunner().invoke(cli, ["check", str(path), "--format", "json"]).output)
    told = [(each["code"], *(each["places"][0][end] - 1 for end in EXTENT)) for each in report["findings"]]
    ends = [(each["code"], each["range"]["start"], each["range"]["end"]) for each in one.shown[uri]]
    assert sorted(told) == sorted((code, *start.values(), *end.values()) for code, start, end in ends)
