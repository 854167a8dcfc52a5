"""Places in a text as the protocol counts them, and back.

We count characters from the beginning of a text. The protocol has lines and columns from 0, and a column counts code units in an
encoding that editor and server agree on.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from attrs import frozen
from lsprotocol import types
from pygls.uris import to_fs_path

from ..interpreter.common.source import Source, Span

ENCODINGS = ("utf-8", "utf-16", "utf-32")


@frozen
class Places:
    """Counts in one encoding: "utf-8", "utf-16" or "utf-32"."""

    encoding: str

    def units(self, text: str) -> int:
        """How many code units a part of a line has."""
        if self.encoding == "utf-32" or text.isascii():
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode(errors="surrogatepass"))
        return len(text.encode("utf-16-le", errors="surrogatepass")) // 2

    def position(self, source: Source, offset: int) -> types.Position:
        """The position of an offset."""
        line, column = source.position(offset)
        start = source.line_starts[line - 1]
        return types.Position(line - 1, self.units(source.text[start : start + column - 1]))

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return types.Range(self.position(span.source, span.start), self.position(span.source, max(span.start, span.end)))

    def whole(self, source: Source) -> types.Range:
        """The range of a whole text."""
        return self.range(Span(source, 0, len(source.text)))

    def offset(self, source: Source, position: types.Position) -> int:
        """The offset of a position; the nearest one that there is, where an editor asks for more."""
        if position.line >= len(source.line_starts):
            return len(source.text)
        start = source.line_starts[max(position.line, 0)]
        line = source.line(max(position.line, 0) + 1)
        if line.isascii():
            return start + min(max(position.character, 0), len(line))
        units = 0
        for at, char in enumerate(line):
            if units >= position.character:
                return start + at
            units += self.units(char)
        return start + len(line)

    def changed(self, source: Source, changes: Iterable[types.TextDocumentContentChangeEvent]) -> str:
        """A text after what an editor changed in it, one change after the other."""
        for change in changes:
            text = change.text
            if isinstance(change, types.TextDocumentContentChangePartial):
                first, last = (self.offset(source, place) for place in (change.range.start, change.range.end))
                text = source.text[:first] + text + source.text[max(first, last) :]
            source = Source(source.path, text.replace("\r\n", "\n").replace("\r", "\n"))
        return source.text


class Addresses:
    """The files behind the addresses that an editor uses. What is in no file yet is taken for one in a folder of its own."""

    def __init__(self) -> None:
        self._uris: dict[Path, str] = {}

    def path(self, uri: str) -> Path:
        """The path of an address, which is answered under the same address from now on."""
        found = to_fs_path(uri) if uri.startswith("file:") else None
        path = Path(found) if found else Path("/", "not_saved", quote(uri, safe="") + ".rules")
        with suppress(OSError, RuntimeError, ValueError):
            path = path.resolve()
        self._uris[path] = uri
        return path

    def uri(self, path: Path) -> str:
        """The address of a path, as the editor writes it if it did."""
        path = path.resolve()
        return self._uris.get(path) or path.as_uri()
