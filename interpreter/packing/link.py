"""Links that hold a game: its files, packed into the part of an address behind ``#``.

The playground of the documentation opens them (``playground/#PACKED``). A browser sends nothing behind ``#`` to a server, so a
link is all that is needed, and whoever shares it needs no place to store the game.

The packed text is base64url without padding of raw deflate of this JSON in UTF-8, with its keys in this order and no spaces::

    {"files": {"NAME.rules": "..."}, "open": "NAME.rules"}

``open`` is the file that is shown first. A link from elsewhere is trusted in nothing. The names of its files are only names here:
check them before you write to a disk.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping
from typing import Final

SIZE_LIMIT: Final = 1_000_000  # bytes of the JSON, as for a file of rules: no link makes anybody hold more in memory

_RAW: Final = -15  # of zlib: the largest window, with neither header nor checksum
_PACKED: Final = re.compile(r"[A-Za-z0-9_-]+")


def link_of(files: Mapping[str, str], open: str) -> str:
    """The packed text for files by name; equal files in the same order give the same text.

    ``open``: the name of the file to show. Raises `ValueError` if it is not among the files, if they need more than `SIZE_LIMIT`
    bytes, or if a text cannot be written in UTF-8.
    """
    content = {"files": dict(files), "open": open}
    _checked(content)
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    if len(data) > SIZE_LIMIT:
        raise ValueError(f"the files need more than {SIZE_LIMIT:,} bytes, which is the limit of a link")
    packing = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    return base64.urlsafe_b64encode(packing.compress(data) + packing.flush()).decode("ascii").rstrip("=")


def files_of(link: str) -> tuple[dict[str, str], str]:
    """The files in a link by name, and the name of the one to show.

    ``link``: the packed text, or a whole address that ends in ``#`` and it. Raises `ValueError` if the link is damaged or cut
    off, or holds something else or more than `SIZE_LIMIT` bytes.
    """
    packed = link.rpartition("#")[2]
    if not _PACKED.fullmatch(packed) or len(packed) % 4 == 1:
        raise ValueError("the link is damaged: this is no base64url")
    data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    unpacking = zlib.decompressobj(_RAW)
    try:
        text = unpacking.decompress(data, SIZE_LIMIT + 1)
    except zlib.error as error:
        raise ValueError("the link is damaged: it cannot be unpacked") from error
    if len(text) > SIZE_LIMIT:
        raise ValueError(f"the link holds more than {SIZE_LIMIT:,} bytes, which is the limit")
    if not unpacking.eof:
        raise ValueError("the link is cut off")
    if unpacking.unused_data:
        raise ValueError("the link is damaged: something stands behind its end")
    try:
        content = json.loads(text.decode("utf-8"))
    except RecursionError as error:
        raise ValueError("the link holds something else than a game") from error
    return _checked(content)


def _checked(content: object) -> tuple[dict[str, str], str]:
    """The two parts of the content of a link. Raises `ValueError` if it is something else."""
    if not isinstance(content, dict) or content.keys() != {"files", "open"}:
        raise ValueError("the link holds something else than a game")
    files, shown = content["files"], content["open"]
    if not isinstance(files, dict) or not isinstance(shown, str):
        raise ValueError("the link holds something else than a game")
    for name, text in files.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise ValueError("the link holds something else than files of text")
        (name + text).encode("utf-8")  # raises, too: half a character can be written in JSON
    if shown not in files:
        raise ValueError("the link names a file to show that it does not hold")
    return files, shown
