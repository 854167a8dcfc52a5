"""Somebody in front of a browser, who clicks on what glows."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Any

from ..serving import Server

PATIENCE = 120.0  # seconds after which a game is given up
SOON = 2.0  # seconds
MINE, OVER = '[data-turn="mine"]', '[data-over="yes"]'

SEEN = """share => {  // where one of the things that glow is not covered; in one look, since an answer may change them
    const able = [...document.querySelectorAll("button.can")], node = able[Math.floor(share * able.length)];
    if (!node) return null;
    node.scrollIntoView({block: "center"});
    const box = node.getBoundingClientRect();
    for (const y of [0.5, 0.3, 0.7, 0.15, 0.85])
        for (const x of [0.5, 0.3, 0.7, 0.15, 0.85, 0.05]) {
            const point = [box.left + box.width * x, box.top + box.height * y];
            if (node.contains(document.elementFromPoint(...point))) return {point};
        }
    const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return {covered: [node.outerHTML.slice(0, 200), JSON.stringify(box), over && over.outerHTML.slice(0, 200)].join(" under ")};
}"""


class Person:
    """``frames``: all that the server sent. ``errors``: what the browser complained about."""

    def __init__(self, server: Server, browser: Any, width: int = 1280, height: int = 800, **more: Any) -> None:
        self.base = f"http://127.0.0.1:{server.port}"
        self.context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **more)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.frames: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._console)
        self.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self.frames.append(str(frame))))

    def _console(self, message: Any) -> None:
        if message.type == "error" and "ERR_" not in message.text and "WebSocket" not in message.text:
            self.errors.append(message.text)

    def go(self, address: str) -> None:
        self.page.goto(f"{self.base}/{address}")

    def sit(self, token: str) -> None:
        self.go(f"#table/{token}")
        self.page.wait_for_selector(".at-table")

    def wait(self) -> bool:
        """Wait until it is this person's turn (True) or the game is over."""
        self.page.wait_for_selector(f"{MINE}, {OVER}", timeout=30_000)
        return bool(self.page.query_selector(OVER) is None)

    def step(self, luck: Random) -> None:
        """Click on something that glows, until an act is done."""
        before = self.number()
        for _ in range(60):  # a click may also take back the one before
            if (point := self._seen(luck.random())) is None:
                break
            self.page.mouse.click(*point)
            if self.number() != before or self.page.query_selector(MINE) is None:
                break

    def _seen(self, share: float) -> list[float] | None:
        """Where somebody sees one of the things that glow: soon, since a thing that moves can cover it for a moment."""
        until = monotonic() + SOON
        while (seen := self.page.evaluate(SEEN, share)) and "covered" in seen:
            assert monotonic() < until, f"something that glows cannot be seen: {seen['covered']}"
            self.page.wait_for_timeout(50)
        return seen and list(seen["point"])

    def number(self) -> str:
        return str(self.page.get_attribute(".at-table", "data-position"))

    def play(self, seed: int = 1) -> int:
        """Play a game to its end; the number of turns that it took."""
        luck, until, turns = Random(seed), monotonic() + PATIENCE, 0
        while self.wait():
            assert monotonic() < until, "the game does not end"
            before = self.number()
            self.step(luck)
            turns += 1
            self.page.wait_for_function(
                "before => document.querySelector('.at-table').dataset.position !== before || document.querySelector('.trouble')",
                arg=before,
                timeout=20_000,
            )
            assert self.page.query_selector(".trouble") is None, self.page.inner_text(".trouble")
        return turns
