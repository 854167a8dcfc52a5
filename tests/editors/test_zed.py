"""The extension for Zed, which is not at hand here: its files can be read, and agree with the settings of other editors."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from rulesrun.language_server.answers import COLOURS

from ..docs.markdown import fences

ROOT = Path(__file__).parents[2]
ZED, VSCODE = ROOT / "editors" / "zed", ROOT / "editors" / "vscode"
PAGE = ROOT / "docs" / "editors.md"
# Token types that Zed's own rules give a colour.
COLOURED = {
    *("keyword", "comment", "string", "number", "class", "enum", "enumMember", "property", "variable", "parameter", "function")
}


def settings(file: str) -> dict[str, Any]:
    return tomllib.loads((ZED / file).read_text(encoding="utf-8"))


def of_vscode(file: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((VSCODE / file).read_text(encoding="utf-8"))
    return read


LANGUAGE = settings("languages/rulesrun/config.toml")


def test_the_server_is_that_of_the_language() -> None:
    extension = settings("extension.toml")
    assert extension["language_servers"] == {"rulesrun": {"name": "rulesrun", "languages": [LANGUAGE["name"]]}}
    assert extension["schema_version"] == 1
    assert LANGUAGE["name"].lower() == "rulesrun"  # Zed sends a language's name in small letters as its id
    assert "grammar" not in LANGUAGE
    assert "grammars" not in extension
    package = settings("Cargo.toml")
    assert package["lib"]["crate-type"] == ["cdylib"]
    versions = {extension["version"], package["package"]["version"], of_vscode("package.json")["version"]}
    assert versions == {tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]}


def test_files_comments_and_indentation_are_those_of_helix_and_vscode() -> None:
    (helix,) = (
        tomllib.loads(fence.text)["language"][0] for fence in fences(PAGE.read_text(encoding="utf-8")) if fence.language == "toml"
    )
    (vscode,) = of_vscode("package.json")["contributes"]["languages"]
    assert LANGUAGE["path_suffixes"] == helix["file-types"] == [each.removeprefix(".") for each in vscode["extensions"]]
    assert [each.strip() for each in LANGUAGE["line_comments"]] == [helix["comment-tokens"]]
    assert not LANGUAGE["hard_tabs"]
    assert LANGUAGE["tab_size"] == helix["indent"]["tab-width"] == 4


def test_pairs_and_word_characters_are_those_of_vscode() -> None:
    vscode = of_vscode("language-configuration.json")
    pairs = [(each["open"], each["close"]) for each in vscode["autoClosingPairs"]]
    assert [(each["start"], each["end"]) for each in LANGUAGE["brackets"]] == pairs
    assert all(each["close"] and not each["newline"] for each in LANGUAGE["brackets"])
    # Letters and digits are word characters in Zed anyway.
    escaped = re.findall(r"\\u([0-9a-f]{4})", vscode["wordPattern"]["pattern"])
    assert LANGUAGE["word_characters"] == ["_", *(chr(int(each, 16)) for each in escaped)]


def test_enter_indents_after_the_same_lines_as_in_vscode() -> None:
    pattern = LANGUAGE["increase_indent_pattern"]
    assert not re.search(r"\(\?[=!<]", pattern), "Zed's patterns cannot look around"
    zed = re.compile(pattern)
    vscode = [re.compile(rule["beforeText"]["pattern"]) for rule in of_vscode("language-configuration.json")["onEnterRules"]]
    lines = {line for file in (ROOT / "games").rglob("*.rules") for line in file.read_text(encoding="utf-8").splitlines()}
    indented = {line for line in lines if zed.search(line)}
    assert indented == {line for line in lines if any(each.search(line) for each in vscode)}
    assert len(indented) > 500


def test_zed_has_a_colour_for_every_kind_of_word() -> None:
    assert set(COLOURS) <= COLOURED


def test_the_page_names_the_language() -> None:
    section = PAGE.read_text(encoding="utf-8").split("\n## Zed\n")[1].split("\n## ")[0]
    shown = [json.loads(fence.text) for fence in fences(section) if fence.language == "json"]
    (colours,) = (each["languages"] for each in shown if "languages" in each)
    assert list(colours) == [LANGUAGE["name"]]
    assert colours["rulesrun"]["semantic_tokens"] == "full"
    (server,) = (each["lsp"] for each in shown if "lsp" in each)
    assert set(server) == set(settings("extension.toml")["language_servers"])
    assert server["rulesrun"]["binary"]["arguments"] == ["lsp"]
