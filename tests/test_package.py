"""The package contains everything that belongs there. (`.ci/run` installs the wheel elsewhere and plays.)"""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]


def test_every_package_is_listed() -> None:
    rooms = ("interpreter", "commands", "server", "language_server", "browser")
    files = [path for room in rooms for path in (ROOT / room).rglob("__init__.py")]
    folders = {file.parent.relative_to(ROOT) for file in files}
    assert set(SETUP["packages"]) == {"rulesrun"} | {".".join(("rulesrun", *folder.parts)) for folder in folders}


def test_every_data_file_is_listed() -> None:
    listed = {file.relative_to(ROOT) for pattern in SETUP["package-data"]["rulesrun"] for file in ROOT.glob(pattern)}
    wanted = [*ROOT.glob("grammar/*"), *ROOT.glob("docs/codes/*"), *ROOT.glob("games/templates/*"), ROOT / "py.typed"]
    assert {file.relative_to(ROOT) for file in wanted if not file.name.startswith("__")} <= listed
