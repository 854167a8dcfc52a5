"""How pages are prepared: links, anchors, and the files that a page makes step by step."""

from __future__ import annotations

import pytest
from rulesrun.website.examples import Game, PageFiles
from rulesrun.website.fences import DOCS, ROOT, Fence, fences
from rulesrun.website.games import shipped_games
from rulesrun.website.links import LostLinkError, Places, anchor, with_anchors
from rulesrun.website.pages import finished

PLACES = Places(
    {
        "README.md": "index.md",
        "docs/check.md": "check.md",
        "docs/language.md": "language/index.md",
        "docs/codes/R001.md": "codes/R001.md",
        "games/hex.rules": "games/hex.md",
        "games/classics": "games/index.md#classics",
    },
    {("docs/language.md", "grids"): "language/grids.md"},
)


@pytest.mark.parametrize(
    ("link", "file", "page", "there"),
    [
        ("docs/check.md", "README.md", "index.md", "check.md"),
        ("docs/check.md#a-b", "README.md", "index.md", "check.md#a-b"),
        ("../README.md#install", "docs/check.md", "check.md", "index.md#install"),
        ("#install", "README.md", "index.md", "#install"),
        ("#grids", "docs/language.md", "language/index.md", "grids.md#grids"),
        ("#grids", "docs/language.md", "language/grids.md", "#grids"),
        ("language.md#grids", "docs/check.md", "check.md", "language/grids.md#grids"),
        ("../language.md", "docs/codes/R001.md", "codes/R001.md", "../language/index.md"),
        ("../games/classics", "docs/check.md", "check.md", "games/index.md#classics"),
        ("../games/hex.rules", "docs/check.md", "check.md", "games/hex.md"),
        ("https://example.org/a.md", "README.md", "index.md", "https://example.org/a.md"),
    ],
)
def test_a_link_leads_to_the_same_thing_on_the_site(link: str, file: str, page: str, there: str) -> None:
    assert PLACES.rewritten(f"[so]({link})", file, page) == f"[so]({there})"


def test_a_link_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(LostLinkError, match=r"README.md: `docs/chekc.md` is not on the site"):
        PLACES.rewritten("See [this](docs/chekc.md).", "README.md", "index.md")


def test_code_is_left_as_it_is() -> None:
    text = "```text\n# no heading\n[no](link)\n```\n"
    assert with_anchors(PLACES.rewritten(text, "README.md", "index.md")) == text


def test_headings_have_the_anchors_of_code_hosts() -> None:
    assert anchor("R207: a `table` has no row") == "r207-a-table-has-no-row"
    assert with_anchors("# One\n## One\n### Two, three\n") == (
        "# One { #one }\n## One { #one-1 }\n### Two, three { #two-three }\n"
    )


def followed(text: str) -> list[Game | None]:
    """What each fenced block of a page leaves the reader with."""
    files = PageFiles.of(text)
    return [files.follow(fence) for fence in fences(text)]


def test_a_file_is_made_step_by_step() -> None:
    page = (
        "```rules file=a.rules\ngame a\n    players 2\n```\n"
        "```rules append=a.rules\nphase only: nothing\n```\n"
        "```diff file=a.rules\n-    players 2\n+    players 3\n```\n"
    )
    games = followed(page)
    assert [game.files["a.rules"] for game in games if game] == [
        "game a\n    players 2\n",
        "game a\n    players 2\nphase only: nothing\n",
        "game a\n    players 3\nphase only: nothing\n",
    ]


def test_a_game_has_the_files_that_it_names_and_no_others() -> None:
    page = (
        "```csv file=cards.csv\nrank\n1\n```\n```csv file=other.csv\nrank\n1\n```\n"
        '```rules\ngame a\n    players 2\ncards card from "cards.csv"\n```\n```text\nanything\n```\n'
    )
    text = 'game a\n    players 2\ncards card from "cards.csv"\n'
    assert followed(page)[2:] == [Game({"example.rules": text, "cards.csv": "rank\n1\n"}, "example.rules"), None]


def test_a_game_beside_the_readers_folder_is_found() -> None:
    page = '```rules file=lands.rules\nextends "../rulesrun/games/kingdomino.rules"\n```\n'
    (game,) = followed(page)
    assert game is not None
    assert list(game.files) == ["lands.rules", "kingdomino.rules", "kingdomino.csv"]
    assert game.open == "lands.rules"
    assert game.files["lands.rules"] == 'extends "kingdomino.rules"\n'
    original = (ROOT / "games" / "kingdomino.rules").read_text(encoding="utf-8")
    assert game.files["kingdomino.rules"] == original.replace('"data/kingdomino.csv"', '"kingdomino.csv"') != original


def test_files_that_name_one_another_are_all_there() -> None:
    page = '```rules file=a.rules\nextends "b.rules"\n```\n```rules file=b.rules\nextends "a.rules"\n```\n'
    assert [sorted(game.files) for game in followed(page) if game] == [["a.rules", "b.rules"]] * 2


def test_a_part_of_a_file_stands_in_its_frame() -> None:
    for fence in fences((DOCS / "language.md").read_text(encoding="utf-8")):
        game = PageFiles().follow(fence)
        assert (game is None) == (fence.language != "rules"), fence.line
    part = PageFiles().follow(Fence(("rules", "part", "players=4"), "phase a: nothing\n", "", 0))
    assert part is not None
    assert part.files["example.rules"].startswith("game example\n    players 4\n\nphase a: nothing\n")


def test_a_shipped_game_comes_with_its_tables_and_its_look() -> None:
    (game,) = (game.game for game in shipped_games() if game.file.stem == "kingdomino")
    assert set(game.files) == {"kingdomino.rules", "kingdomino.csv", "kingdomino.look.css"}
    assert game.open == "kingdomino.rules"


def test_lines_that_are_no_game_are_not_offered() -> None:
    assert followed("```rules\nphase a: nothing\n```\n") == [None]


def test_lists_in_lists_are_set_in_by_four_spaces() -> None:
    text = "1. a\n   - b\n     1. c\n   - d\n- e\n  - f\n\n1. g\n2. h\n"
    assert finished(text, "page.md") == "1. a\n    - b\n        1. c\n    - d\n\n- e\n    - f\n\n\n1. g\n2. h\n"
