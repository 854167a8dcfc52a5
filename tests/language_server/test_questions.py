"""What an editor asks about a text that is not changed: each feature over the protocol, on shipped games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import GAMES
from .editor import MARK, Editor, Failed, editor, place

MASTI = GAMES / "masti.rules"


@pytest.fixture(scope="module")
def reader() -> Iterator[Editor]:
    with editor(GAMES, commands=True) as opened:
        opened.uri = opened.open(MASTI)  # type: ignore[attr-defined]
        yield opened


def at(words: str) -> dict[str, Any]:
    """The place of the `MARK` in words of Masti."""
    text = MASTI.read_text(encoding="utf-8")
    assert text.count(words.replace(MARK, "")) >= 1
    line, column = place(text.replace(words.replace(MARK, ""), words, 1))
    return {"position": {"line": line, "character": column}}


def ask(reader: Editor, feature: str, words: str | None = None, **more: Any) -> Any:
    return reader.about(feature, reader.uri, **({} if words is None else at(words)), **more)  # type: ignore[attr-defined]


def lines(found: list[dict[str, Any]]) -> list[str]:
    """The lines of places in Masti."""
    text = MASTI.read_text(encoding="utf-8").splitlines()
    assert all(each["uri"].endswith("masti.rules") for each in found)
    return [text[each["range"]["start"]["line"]].strip() for each in found]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("counter g§ems of player", ["**gems**: a counter", "0 to 4"]),
        ("option jokers_opt§ional", ["**jokers_optional**: an option", "now no"]),
        ("cards charact§er from", ["52 components"]),
        ("crown, mi§tre", ["a word of `person`"]),
        ("\n  §  players 3", None),
        ("winner high§est score", ["```rules"]),
        ("for each player w§ith", ["**with** (Sets)", "```rules"]),
        ("# in ha§nd", None),
    ],
)
def test_what_a_word_is(reader: Editor, words: str, said: list[str] | None) -> None:
    if words.replace(MARK, "") not in MASTI.read_text(encoding="utf-8"):
        pytest.fail(f"{words} is not in Masti")
    found = ask(reader, "hover", words)
    if said is None:
        assert found is None
    else:
        assert all(each in found["contents"]["value"] for each in said), found


def test_where_a_name_is_declared(reader: Editor) -> None:
    assert lines(ask(reader, "definition", "if joker§s_optional otherwise")) == [
        "option jokers_optional: yes or no, default no        # MV-E1: may a joker be thrown away that could be placed?"
    ]
    assert ask(reader, "definition", "# ---- What the wor§ds mean") == []


def test_where_a_name_is_used(reader: Editor) -> None:
    declared, used = (
        ask(reader, "references", "counter p§ot:", context={"includeDeclaration": declaration}) for declaration in (True, False)
    )
    assert len(declared) == len(used) + 1
    assert all("pot" in line for line in lines(declared))
    assert [each["kind"] for each in ask(reader, "documentHighlight", "counter p§ot:")].count(3) == 1


def test_the_outline_and_what_folds(reader: Editor) -> None:
    entries = ask(reader, "documentSymbol")
    names = [entry["name"] for entry in entries]
    assert names[:2] == ["masti", "jokers_optional"]
    rounds = next(entry for entry in entries if entry["name"] == "rounds")
    assert "take" in [entry["name"] for entry in rounds["children"]]
    for entry in entries:
        assert inside(entry["selectionRange"], entry["range"])
    folds = ask(reader, "foldingRange")
    assert {fold.get("kind") for fold in folds} >= {"region"}
    assert all(fold["startLine"] < fold["endLine"] for fold in folds)
    found = reader.ask("workspace/symbol", query="POT")
    assert [each["name"] for each in found] == ["pot"]


def inside(inner: dict[str, Any], outer: dict[str, Any]) -> bool:
    first, last = ([(each[end]["line"], each[end]["character"]) for end in ("start", "end")] for each in (inner, outer))
    return last[0] <= first[0] and first[1] <= last[1]


def test_colours(reader: Editor) -> None:
    """Every name of the file has one; what they are is in the legend that was announced."""
    legend = reader.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = ask(reader, "semanticTokens/full")["data"]
    text, line, column = MASTI.read_text(encoding="utf-8").splitlines(), 0, 0
    seen: dict[str, str] = {}
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, column = line + down, right if down else column + right
        seen[text[line][column : column + length]] = legend[kind]
    assert seen["joker"] == "function"
    assert seen["character"] == "class"
    assert seen["crown"] == "enumMember"


def test_an_editor_with_a_grammar_is_told_of_names_only(games: Path) -> None:
    with editor(games, grammar=True) as opened:
        uri = opened.open(games / "masti.rules")
        legend = opened.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
        kinds = {legend[kind] for kind in opened.about("semanticTokens/full", uri)["data"][3::5]}
    assert kinds >= {"class", "variable", "function", "enumMember"}
    assert not kinds & {"keyword", "comment", "string", "number"}


def test_links_lead_to_other_files(reader: Editor) -> None:
    (link,) = ask(reader, "documentLink")
    assert link["target"].endswith("/games/data/masti.csv")
    below = reader.open(GAMES / "refused" / "more.rules", 'extends "../masti.rules"\n')
    (link,) = reader.about("documentLink", below)
    assert link["target"] == MASTI.as_uri()
    assert (link["range"]["start"]["character"], link["range"]["end"]["character"]) == (9, 23)
    reader.tell("textDocument/didClose", textDocument={"uri": below})


def test_hints_and_lenses(reader: Editor) -> None:
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}}
    (hint,) = ask(reader, "inlayHint", range=whole)
    assert (hint["label"], hint["position"]["line"]) == ("52 cards", at(f"cards {MARK}character from")["position"]["line"])
    path = GAMES / "kingdomino.rules"
    (first, *_) = reader.about("inlayHint", reader.open(path), range=whole)  # of an option whose default is worked out
    rounds = "option rounds: 1..12, default usual_rounds"
    line, column = place(path.read_text(encoding="utf-8").replace(rounds, rounds + MARK, 1))
    assert (first["label"], first["position"]) == ("= 6", {"line": line, "character": column})
    lenses = ask(reader, "codeLens")
    assert [lens["command"]["title"] for lens in lenses[:4]] == ["Run", "Play", "Check", "Simulate"]
    assert {lens["command"]["command"] for lens in lenses[4:]} == {"rulesrun.server.test"}


def test_what_a_name_wants(reader: Editor) -> None:
    found = ask(reader, "signatureHelp", "count of held of player for §guild")
    (signature,) = found["signatures"]
    assert (signature["label"], found["activeParameter"]) == ("held of player for guild", 1)
    assert [each["label"] for each in signature["parameters"]] == ["of player", "for guild"]
    assert ask(reader, "signatureHelp", "# ---- How it is pl§ayed") is None


def test_what_can_follow(games: Path, one: Editor) -> None:
    """Names, words of the rules, words of the list that is wanted, and whole constructs; each is a text that can be put there."""
    text = MASTI.read_text(encoding="utf-8")
    uri = one.open(games / "masti.rules")

    def follows(line: str) -> dict[str, dict[str, Any]]:
        found = one.at("completion", uri, text.replace("phase rounds\n", f"phase rounds\n    {line}\n", 1))
        return {each["label"]: each for each in found["items"]}

    assert {"hand", "won", "trumps"} <= set(follows("move every §"))
    assert "pot" in follows("pay 1 from p§ to pot")
    assert {"crown", "mitre", "purse", "dagger"} <= set(follows("if person of top of trumps is §"))
    assert any(each.get("insertTextFormat") == 2 for each in follows("§").values())
    pot = follows("take 1 from po§")["pot"]
    resolved = one.ask("completionItem/resolve", **pot)
    assert "0 to 5" in resolved["documentation"]["value"]


def test_a_name_is_changed_wherever_it_is_used(games: Path, one: Editor) -> None:
    """In files that extend this one, too."""
    child = games / "more.rules"
    child.write_text('extends "nim.rules"\n\nvariant quick "Fewer stones"\n    set size_of_D to 2\n', encoding="utf-8")
    uri = one.open(games / "nim.rules")
    below = one.open(child)
    text = (games / "nim.rules").read_text(encoding="utf-8")
    line, column = place(text.replace("option size_of_D", f"option size_{MARK}of_D", 1))
    where = {"position": {"line": line, "character": column}}
    assert one.about("prepareRename", uri, **where)["placeholder"] == "size_of_D"
    changes = one.about("rename", uri, **where, newName="fourth")["changes"]
    assert {name.rpartition("/")[2] for name in changes} == {"nim.rules", "more.rules"}
    assert len(changes[uri]) == text.count("size_of_D")
    assert [each["newText"] for each in changes[below]] == ["fourth"]
    for name in ("players", "stones", "two words", ""):
        with pytest.raises(Failed):
            one.about("rename", uri, **where, newName=name)


def test_files_in_other_folders_are_changed_as_well(games: Path, tmp_path: Path) -> None:
    """In folders below, and in a second one that is opened later; not in those that nobody wrote."""
    written = 'extends "{}"\n\nvariant quick "Fewer stones"\n    set size_of_D to 2\n'
    second = tmp_path / "second"
    for file, above in (
        (games / "variants" / "deep" / "more.rules", "../../nim.rules"),
        (second / "house.rules", "../games/nim.rules"),
        (games / "node_modules" / "package.rules", "../nim.rules"),
        (games / ".hidden" / "hidden.rules", "../nim.rules"),
    ):
        file.parent.mkdir(parents=True)
        file.write_text(written.format(above), encoding="utf-8")
    text = (games / "nim.rules").read_text(encoding="utf-8")
    line, column = place(text.replace("option size_of_D", f"option size_{MARK}of_D", 1))
    where = {"position": {"line": line, "character": column}}
    with editor(games) as one:
        uri = one.open(games / "nim.rules")

        def renamed() -> set[str]:
            return {name.rpartition("/")[2] for name in one.about("rename", uri, **where, newName="fourth")["changes"]}

        assert renamed() == {"nim.rules", "more.rules"}
        folder = {"uri": second.as_uri(), "name": "second"}
        root = {"uri": games.as_uri(), "name": "games"}
        one.tell("workspace/didChangeWorkspaceFolders", event={"added": [folder, root], "removed": []})
        assert renamed() == {"nim.rules", "more.rules", "house.rules"}
        used = one.about("references", uri, **where, context={"includeDeclaration": False})
        assert {each["uri"].rpartition("/")[2] for each in used} == {"nim.rules", "more.rules", "house.rules"}
        one.tell("workspace/didChangeWorkspaceFolders", event={"added": [], "removed": [folder]})
        assert renamed() == {"nim.rules", "more.rules"}
