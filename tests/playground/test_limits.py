"""What the page and its worker say of files: the same limits, and the same names, on both sides."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from rulesrun.browser import files
from rulesrun.interpreter.packing import link, pack

WEB = Path(__file__).parents[2] / "web"
NAMES = [
    "game.rules", "names.csv", "game.look.css", "гра.rules", "a b.rules", "a$'$&.rules", f"{'n' * 74}.rules",
    "", ".rules", "a/b.rules", "a\\b.rules", "notes.txt", "game.css", "a?.rules", "a\n.rules", "a\x00.rules", " a.rules",
    "a:b.csv", f"{'n' * 75}.rules", "../a.rules",
]  # fmt: skip


def constants(name: str) -> dict[str, float]:
    """The numbers that a script of the page gives a name."""
    found = re.findall(r"^(?:export )?const (\w+) = ([\d_.e]+);", (WEB / name).read_text(encoding="utf-8"), re.MULTILINE)
    return {name: float(value) for name, value in found}


def test_the_limits_are_the_same() -> None:
    page = constants("playground/files.js")
    assert page["MOST_FILES"] == files.FILES_LIMIT
    assert page["MOST_BYTES"] == files.SIZE_LIMIT == link.SIZE_LIMIT
    assert page["MOST_LETTERS"] == files.LETTERS_LIMIT
    assert constants("playground/desk.js")["MOST_PACK"] == pack.SIZE_LIMIT


@pytest.mark.browser
def test_the_names_are_the_same() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here to run the page's scripts")
    script = f"import {{ wrongName }} from {json.dumps((WEB / 'playground/files.js').as_uri())};"
    script += f"console.log(JSON.stringify({json.dumps(NAMES)}.filter((name) => wrongName(name) === '')));"
    run = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == [name for name in NAMES if files.is_name(name)]


def test_bots_are_called_alike_everywhere() -> None:
    def bots(name: str) -> dict[str, str]:
        text = (WEB / name).read_text(encoding="utf-8").partition("const BOTS = [")[2].partition("];")[0]
        return dict(re.findall(r'\["([^"]+)", (?:\(\) => t\()?"([^"]+)"\)?\]', text))

    at_tables = bots("pages/set_up.js")
    assert bots("playground/panes/statistics.js").items() <= at_tables.items()
