"""Refusals: what goes wrong at a table, said to the person whom it concerns."""

from __future__ import annotations

from typing import Any

from ..words.words import filled


class Refused(Exception):
    """What somebody asked for is not done. ``code``: for programs. ``text``: why, for people; ``help``: what to do instead.

    ``status``: the status of HTTP that fits best, for shells that need one. ``places``: what stands in the places of the text.
    The page says both in the reader's language, if they are sentences that the program marks as such.
    """

    def __init__(self, code: str, text: str, help: str = "", status: int = 400, **places: object) -> None:
        self.code, self.help, self.status = code, help, status
        self.text = filled(text, places) if places else text
        self._sentence, self._places = text, places
        super().__init__(self.text)

    @property
    def data(self) -> dict[str, Any]:
        """What a client gets. ``sentence``, ``places``: the text of which ``text`` was made, where it has places."""
        found: dict[str, Any] = {"code": self.code, "text": self.text, "help": self.help}
        if self._places:
            found |= {"sentence": self._sentence, "places": {name: str(value) for name, value in self._places.items()}}
        return found
