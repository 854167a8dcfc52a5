"""Packs in a page: a pack is unpacked into the worker's folder or opened in the editor, and the rules there are packed."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

from ..interpreter.common.diagnostics import RulesError
from ..interpreter.hosting.refusals import Refused
from ..interpreter.packing.one_folder import in_one_folder
from ..interpreter.packing.pack import Pack, gathered, opened, written
from ..interpreter.rules import read_rules

TEXTS = (".rules", ".csv", ".css")  # that an editor can show


def unpacked(content: str, folder: Path) -> str:
    """Put the files of a pack, base64, into a folder: the path of the game. `Refused` for what is none."""
    pack = _pack_in(content)
    for name, data in pack.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return pack.main


def shown(content: str) -> dict[str, Any]:
    """The files of a pack, base64, as an editor holds them, all in one folder: ``files``, and the one to ``open``.

    ``left_out``: the names of files that are no texts, such as pictures. `Refused` for what is no pack, or fits no editor.
    """
    pack = _pack_in(content)
    texts = {name: data for name, data in pack.files.items() if name.endswith(TEXTS)}
    try:
        files, main = in_one_folder({name: data.decode("utf-8-sig") for name, data in texts.items()}, pack.main)
    except UnicodeDecodeError:
        raise Refused("pack", "a file in the pack is no text in UTF-8") from None
    except ValueError as error:
        raise Refused("pack", f"the pack cannot be opened here: {error}") from None
    return {"files": files, "open": main, "left_out": sorted(pack.files.keys() - texts.keys())}


def packed(rules: Path) -> str:
    """The pack of a game with all that belongs to it, base64. Raises `RulesError` where something is missing."""
    pack = gathered(read_rules(rules), None)
    if not isinstance(pack, Pack):
        raise RulesError(pack)
    return b64encode(written(pack)).decode()


def _pack_in(content: str) -> Pack:
    pack = opened("game.rulespack", b64decode(content))
    if not isinstance(pack, Pack):
        raise Refused("pack", pack.message, pack.help or "")
    return pack
