"""Refusals: what goes wrong at a table, said to the person whom it concerns."""

from __future__ import annotations


class Refused(Exception):
    """What somebody asked for is not done. ``code``: for programs. ``text``: why, for people; ``help``: what to do instead.

    ``status``: the status of HTTP that fits best, for shells that need one.
    """

    def __init__(self, code: str, text: str, help: str = "", status: int = 400) -> None:
        super().__init__(text)
        self.code, self.text, self.help, self.status = code, text, help, status
