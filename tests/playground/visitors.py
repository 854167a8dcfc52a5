"""People who visit the playground, and the links that they get."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any, Final

from ..lamps import LAMPS as LAMPS

PATIENCE: Final = 90_000  # milliseconds: the machine may do other things at the same time
BRIGHT: Final = """\
extends "lamps.rules"

variant bright "Bright"
    add to score
        glow: 2 * total power of lit of player
"""


def packed(text: str | bytes) -> str:
    """Text as links hold it."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(text.encode() if isinstance(text, str) else text) + deflate.flush()
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def link(files: Any, shown: Any = None) -> str:
    """What stands behind `#` in a link to files."""
    return packed(json.dumps({"files": files, "open": next(iter(files)) if shown is None else shown}))


def unpacked(code: str) -> Any:
    """What a link holds."""
    return json.loads(zlib.decompress(urlsafe_b64decode(code + "=" * (-len(code) % 4)), -15))


class Visitor:
    """A browser of their own at the playground."""

    def __init__(self, address: str, context: Any) -> None:
        self.address = address
        self.context = context
        self.context.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.outside: list[str] = []
        self.context.on("request", self._requested)
        self.page = self._opened()

    def _opened(self) -> Any:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        return page

    def _requested(self, request: Any) -> None:
        """Note what any page of the browser asks another host."""
        if not request.url.startswith(self.host):
            self.outside.append(request.url)

    def leave(self) -> None:
        """Close the pages and forget what was written, but for the compiler."""
        for page in self.context.pages:
            page.close()
        page = self.context.new_page()
        page.goto(f"{self.address}games.json")
        page.evaluate("localStorage.clear()")
        page.close()
        self.context.remove_listener("request", self._requested)  # the browser has other visitors later

    @property
    def host(self) -> tuple[str, ...]:
        return (self.address.split("/playground/")[0], "blob:", "data:")

    def go(self, code: str = "") -> None:
        """Open the page anew, with something behind `#`."""
        self.page.goto("about:blank")
        self.page.goto(self.address + (f"#{code}" if code else ""))
        self.page.wait_for_selector(".cm-content", state="attached")

    def text(self) -> str:
        """What stands in the editor, as far as it is drawn."""
        return "\n".join(self.page.locator(".cm-line").all_inner_texts())

    def files(self) -> list[str]:
        return [tab.get_attribute("data-tab") for tab in self.page.locator(".files [role=tab]").all()]

    def line(self, text: str) -> Any:
        return self.page.locator(".cm-line", has_text=text).first

    def write_behind(self, line: str, text: str, delete: int = 0) -> None:
        """Write at the end of a line, after some letters of it were deleted."""
        self.line(line).click(position={"x": 60, "y": 8})
        self.page.keyboard.press("End")
        for _ in range(delete):
            self.page.keyboard.press("Backspace")
        self.page.keyboard.type(text)

    def pane(self, name: str) -> Any:
        """Choose a pane of results."""
        self.page.get_by_role("tab", name=name).and_(self.page.locator("[aria-controls=results]")).click()
        return self.page.locator(f".pane-{name.lower()}")

    def helped(self) -> None:
        """Wait for the language server."""
        self.page.locator(".status-line", has_text="ound").or_(self.page.locator(".status-line", has_text="finding")).wait_for()

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        for _ in range(PATIENCE // 100):
            if holds():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError("this took too long")

    def kept(self) -> None:
        """Wait until the browser has kept what was written."""
        self.page.wait_for_timeout(700)
