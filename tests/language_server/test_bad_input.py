"""What editors and machines do to a server: odd encodings, odd files, odd orders, and processes that are killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import GAMES
from .editor import CAPABILITIES, MARK, Editor, Failed, editor, place, real_editor


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_are_counted_as_the_editor_counts(encoding: str, games: Path) -> None:
    """The fault stands behind a letter of two units in UTF-16 and four bytes in UTF-8."""
    path = games / "nim.rules"
    line = 'test "🂡" with nothing'
    text = path.read_text(encoding="utf-8").rstrip() + f"\n\n{line}\n"
    wanted = {**CAPABILITIES, "general": {"positionEncodings": [encoding]}}
    with editor(games, wanted) as one:
        assert one.capabilities["positionEncoding"] == encoding
        uri = one.open(path, text)
        one.until(lambda: one.shown.get(uri))
        (found,) = one.shown[uri]
        codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
        size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
        before = line[: line.index("with")]
        assert found["range"]["start"]["character"] == len(before.encode(codec)) // size


def test_lines_may_end_as_on_windows(one: Editor, games: Path) -> None:
    path = games / "masti.rules"
    text = path.read_text(encoding="utf-8").replace("\n", "\r\n")
    uri = one.open(path, text)
    one.until(lambda: uri in one.shown)
    assert one.shown[uri] == []
    line, column = place(text.replace("counter pot", f"counter p{MARK}ot", 1).replace("\r\n", "\n"))
    found = one.about("hover", uri, position={"line": line, "character": column})
    assert "**pot**" in found["contents"]["value"]
    edits = one.about("formatting", uri, options={"tabSize": 4, "insertSpaces": True})
    assert all("\r" not in each["newText"].replace("\r\n", "") for each in edits)


@pytest.mark.parametrize("separator", ["\u2028", "\x85", "\f", "\v"])
def test_lines_end_where_the_editor_ends_them(separator: str, one: Editor, games: Path) -> None:
    """Other characters that some programs take for line ends are characters of a line. Two changes come at once."""
    path, other = games / "odd.rules", games / "fresh.rules"
    uri = one.open(path, f"game x # a{separator}b\n    players 2\n")
    spots = [{"line": 1, "character": 4}, {"line": 1, "character": 5}]
    one.change(uri, *({"range": {"start": spot, "end": spot}, "text": "Z"} for spot in spots))
    fresh = one.open(other, f"game x # a{separator}b\n    ZZplayers 2\n")
    one.until(lambda: one.seen.get(uri) == 2 and one.shown.get(fresh))
    assert ranges(one, uri) == ranges(one, fresh)
    one.change(uri, {"range": {"start": {"line": 0, "character": 10}, "end": {"line": 0, "character": 11}}, "text": ""})
    one.until(lambda: one.seen.get(uri) == 3)
    assert {"line": 1, "character": 4} in [start for _, start, _ in ranges(one, uri)]


def ranges(one: Editor, uri: str) -> list[tuple[str, Any, Any]]:
    return [(each["code"], each["range"]["start"], each["range"]["end"]) for each in one.shown[uri]]


def test_a_text_that_has_no_file_yet(one: Editor, games: Path) -> None:
    uri = "untitled:Untitled-1"
    one.versions[uri] = 1
    one.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "rulesrun", "version": 1, "text": "game tiny\n"})
    one.until(lambda: one.shown.get(uri))
    assert one.about("hover", uri, position={"line": 0, "character": 1})["contents"]["value"]
    assert one.about("completion", uri, position={"line": 1, "character": 0})["items"]
    assert [each["name"] for each in one.about("documentSymbol", uri)] == ["tiny"]


def test_several_folders_at_once(games: Path, tmp_path: Path) -> None:
    """Two files of one name in two folders are two."""
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(games / "nim.rules", other)
    with editor(games) as one:
        both = [one.open(folder / "nim.rules") for folder in (games, other)]
        one.write(both[1], "game nim\n")
        one.until(lambda: one.shown.get(both[1]) and both[0] in one.shown)
        assert one.shown[both[0]] == []


@pytest.mark.parametrize("name", ["my games", "игры", "ゲーム #1", "a%20b", "e\u0301"])
def test_folders_of_any_name(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(GAMES / "data", folder / "data")
    shutil.copy(GAMES / "masti.rules", folder / f"{name}.rules")
    with editor(folder) as one:
        uri = one.open(folder / f"{name}.rules")
        one.until(lambda: uri in one.shown)
        assert one.shown[uri] == []
        (link,) = one.about("documentLink", uri)
        assert link["target"] == (folder / "data" / "masti.csv").as_uri()


def test_a_csv_is_no_rules(one: Editor, games: Path) -> None:
    """Nothing is offered in it, but its faults are shown."""
    table = games / "data" / "kingdomino.csv"
    uri = one.open(table, language="csv")
    options = {"tabSize": 4, "insertSpaces": True}
    start = {"line": 0, "character": 0}
    whole = {"start": start, "end": {"line": 99, "character": 0}}
    for feature in ("completion", "hover", "signatureHelp", "definition", "documentHighlight", "prepareRename"):
        assert one.about(feature, uri, position=start) is None, feature
    for feature in ("documentSymbol", "foldingRange", "documentLink", "codeLens", "semanticTokens/full"):
        assert one.about(feature, uri) is None, feature
    assert one.about("references", uri, position=start, context={"includeDeclaration": True}) is None
    assert one.about("rename", uri, position=start, newName="other") is None
    assert one.about("inlayHint", uri, range=whole) is None
    assert one.about("codeAction", uri, range=whole, context={"diagnostics": []}) is None
    assert one.about("formatting", uri, options=options) is None
    assert one.about("onTypeFormatting", uri, position={"line": 1, "character": 0}, ch="\n", options=options) is None
    rules = one.open(games / "kingdomino.rules")
    one.until(lambda: rules in one.shown)
    one.write(uri, table.read_text(encoding="utf-8").replace("wheat", "weat", 1))
    one.until(lambda: one.shown.get(uri))


def test_requests_in_any_order(one: Editor, games: Path) -> None:
    """About files that are not open, places that are not there, and methods that nobody knows."""
    unknown = (games / "nothing.rules").as_uri()
    for feature in ("hover", "definition", "completion", "signatureHelp", "prepareRename"):
        one.about(feature, unknown, position={"line": 3, "character": 3})
    for feature in ("documentSymbol", "foldingRange", "documentLink", "codeLens", "semanticTokens/full"):
        one.about(feature, unknown)
    uri = one.open(games / "nim.rules")
    for line, character in ((0, 10_000), (10_000, 0), (10_000, 10_000), (2**31 - 1, 2**31 - 1)):
        for feature in ("hover", "definition", "completion", "signatureHelp"):
            one.about(feature, uri, position={"line": line, "character": character})
    with pytest.raises(Failed):
        one.ask("textDocument/nonsense")
    with pytest.raises(Failed):
        one.ask("workspace/executeCommand", command="rulesrun.nonsense")
    one.ask("workspace/executeCommand", command="rulesrun.server.check", arguments=[unknown])
    one.tell("$/cancelRequest", id=12345)
    one.tell("textDocument/didClose", textDocument={"uri": uri})
    one.tell("textDocument/didClose", textDocument={"uri": uri})
    about = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 1}}
    numbers = [one.begin("textDocument/hover", **about) for _ in range(50)]
    for number in numbers[::2]:
        one.tell("$/cancelRequest", id=number)
    for number in numbers[1::2]:
        one.answer(number)


def test_files_that_vanish(one: Editor, games: Path) -> None:
    uri = one.open(games / "masti.rules")
    one.until(lambda: uri in one.shown)
    shutil.rmtree(games)
    one.tell("workspace/didChangeWatchedFiles", changes=[{"uri": (games / "data" / "masti.csv").as_uri(), "type": 3}])
    one.until(lambda: one.codes(uri) == ["R001"])
    assert one.about("documentSymbol", uri)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    one.about("codeAction", uri, range=whole, context={"diagnostics": []})


@pytest.mark.slow
def test_an_editor_that_can_do_little(games: Path) -> None:
    with editor(games, {}) as one:
        uri = one.open(games / "masti.rules", (games / "masti.rules").read_text(encoding="utf-8").replace("zone", "zoone", 1))
        one.until(lambda: one.shown.get(uri))
        assert one.heard == []
        titles = [lens["command"]["command"] for lens in one.about("codeLens", uri)]
        assert all(title.startswith("rulesrun.server.") for title in titles)
        items = one.about("completion", uri, position={"line": 2, "character": 0})["items"]
        (turns,) = [each for each in items if each["label"] == "step ..."]
        assert turns["textEdit"]["newText"] == "step turn of player\n    nothing"
        assert {each["insertTextFormat"] for each in items} == {1}
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
        (everything,) = one.about("codeAction", uri, range=whole, context={"diagnostics": [], "only": ["source.fixAll"]})
        (edit,) = everything["edit"]["changes"][uri]
        ends = edit["range"]["start"], edit["range"]["end"]
        assert (edit["newText"], ends[1]["character"] - ends[0]["character"]) == ("", 1)  # one letter goes


@pytest.mark.process
def test_a_server_process_ends_as_the_protocol_wants_it(games: Path) -> None:
    with real_editor(games) as (one, process):
        uri = one.open(games / "nim.rules", "game nim\n")
        one.until(lambda: one.shown.get(uri))
        one.ask("shutdown")
        one.tell("exit")
        assert process.wait(60) == 0


def children(process: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False).stdout
    return [int(each) for each in found.split()]


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_the_process_that_proves_may_be_killed(games: Path) -> None:
    path = games / "nim.rules"
    text = path.read_text(encoding="utf-8") + "\ncounter never: 0..3\n"
    with real_editor(games) as (one, process):
        uri = one.open(path, text)
        one.until(lambda: one.shown.get(uri))
        for each in children(process.pid):
            os.kill(each, signal.SIGKILL)
        one.write(uri, text.replace("never", "nobody"))
        one.until(lambda: any("nobody" in each["message"] for each in one.shown[uri]))


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_nothing_stays_when_the_server_is_killed(games: Path) -> None:
    with real_editor(games) as (one, process):
        uri = one.open(games / "masti.rules")
        one.until(lambda: uri in one.shown)
        while not (below := children(process.pid)):
            one.hear()
        process.kill()
        process.wait()
        for each in below:
            deadline = 100
            while alive(each) and deadline:
                deadline -= 1
                subprocess.run(["sleep", "0.1"], check=True)
            assert not alive(each)


def alive(process: int) -> bool:
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False).stdout
    return bool(shown.strip()) and not shown.strip().startswith("Z")


@pytest.mark.parametrize("text", ["", "\0", "\ufeffgame x\n", "game" * 100_000, "(" * 5_000, "\n" * 20_000, '"', "zone " * 3_000])
def test_texts_that_are_no_rules(text: str, one: Editor, games: Path) -> None:
    uri = one.open(games / "odd.rules", text)
    one.until(lambda: uri in one.shown)
    for feature in ("documentSymbol", "foldingRange", "documentLink", "codeLens", "semanticTokens/full"):
        one.about(feature, uri)
    for feature in ("hover", "completion", "signatureHelp"):
        one.about(feature, uri, position={"line": 0, "character": min(len(text), 3)})


def large(sets: int) -> str:
    """A game of many lines."""
    text = (GAMES / "masti.rules").read_text(encoding="utf-8")
    more: list[str] = []
    for number in range(sets):
        more += [f"counter extra_{number} of player: 0..9", f"define double_{number} of player: extra_{number} of player * 2", ""]
    return text.replace("# ---- How it is played", "\n".join(more) + "\n# ---- How it is played", 1)


@pytest.mark.slow
def test_a_file_of_three_thousand_lines(one: Editor, games: Path) -> None:
    text = large(950)
    assert text.count("\n") > 3000
    path = games / "large.rules"
    path.write_text(text, encoding="utf-8")
    uri = one.open(path)
    one.until(lambda: uri in one.shown)
    first: Any = next(line for line, each in enumerate(text.splitlines()) if each.startswith("define double_700"))
    spot = {"line": first, "character": 10}
    assert "double_700" in one.about("hover", uri, position=spot)["contents"]["value"]
    edit = {"range": {"start": spot, "end": {"line": first, "character": 11}}, "text": "(("}
    one.change(uri, edit)
    one.until(lambda: one.codes(uri))
