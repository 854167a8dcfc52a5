"""Tables in a page: what `server/app.py` does over HTTP and WebSocket, done by messages of the page's worker.

There is one person, who may sit at several seats. Tables live as long as the page: where a worker had to be stopped, the next one
goes on with them (`keeping.py`).
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from ..interpreter.hosting.host import Host, Place
from ..interpreter.hosting.library import Library
from ..interpreter.hosting.messages import Data
from ..interpreter.hosting.refusals import Refused
from ..interpreter.hosting.session import Looking
from ..interpreter.packing.pack import PICTURE
from ..interpreter.words.words import marked
from .keeping import ToldStore

_TYPES: Final = {"svg": "svg+xml", "jpg": "jpeg"}  # of pictures, where they are not called like the ending


@frozen
class _Connection:
    place: Place
    looking: Looking
    tell: Callable[[Data], None]


class Tables:
    """``folder``: with the rules; tables are kept beside it. ``tell``: a message for the connection of a number. ``keep``: hears
    what is to be kept of the tables."""

    def __init__(self, folder: Path, tell: Callable[[int, Data], None], keep: Callable[[str], None]) -> None:
        self._store = ToldStore(folder.with_name("tables"), keep)
        self._host = Host(Library(folder), self._store)
        self._tell = tell
        self._connections: dict[int, _Connection] = {}
        self._count = 0

    def restore(self, kept: Iterable[str]) -> None:
        """Know the tables of a worker that was stopped, by what it had kept."""
        self._store.restore(kept)

    def watch_rules(self) -> None:
        """Tell tables about rules that have changed."""
        self._host.watch_rules()

    def request(self, path: str, body: Any) -> Any:
        """The answer to a request; paths are those of the server."""
        match path.strip("/").split("/"):
            case ["api", "games"]:
                return self._host.library.overview()
            case ["api", "words", language]:
                return self._host.words(language)
            case ["api", "tables"]:
                return self._host.make(body)
            case ["api", "tables", token, "transcript"]:
                return self._host.place(token).session.transcript()
            case ["api", "tables", token, "rules"]:
                return self._host.place(token).session.rules_data()
            case ["api", "replays"]:
                return self._host.replay(str(body))
            case ["looks", *id]:
                return self._look("/".join(id))
            case _:
                raise Refused("no page", marked("there is nothing at this address"), status=404)

    def _look(self, id: str) -> str:
        """The look of a game, with its pictures in it ("": it has none)."""
        rules = self._host.library.paths().get(id)
        if rules is None or not (file := rules.with_suffix(".look.css")).is_file():
            return ""

        def inside(match: re.Match[str]) -> str:
            picture, kind = rules.parent / match[1], match[2].lower()
            if not picture.is_file():
                return match[0]
            return f'url("data:image/{_TYPES.get(kind, kind)};base64,{b64encode(picture.read_bytes()).decode()}")'

        return PICTURE.sub(inside, file.read_text(encoding="utf-8", errors="replace"))

    def connect(self, token: str) -> int:
        """Look at a table from the seat of a token: the number of the connection. Its messages follow."""
        place = self._host.place(token)
        self._count += 1
        number = self._count

        def tell(message: Data) -> None:
            self._tell(number, message)

        self._connections[number] = _Connection(place, place.session.connect(place.seat, tell), tell)
        return number

    def say(self, number: int, message: Any) -> None:
        """What a client says to its table. What it is refused is told like everything else."""
        connection = self._connections.get(number)
        if connection is None:
            raise Refused("no table", marked("this connection is closed"))
        try:
            self._host.answer(connection.place, message, connection.tell)
        except Refused as refused:
            connection.tell({"type": "error", **refused.data})

    def leave(self, number: int) -> None:
        """Look no longer."""
        connection = self._connections.pop(number, None)
        if connection is not None:
            connection.place.session.leave(connection.looking)
