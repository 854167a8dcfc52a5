"""People at a table, as tests need them: each takes in messages, and acts on nothing else."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from rulesrun.interpreter.hosting.host import Host, Place
from rulesrun.interpreter.hosting.library import Library

from ..serving import GAMES


class Person:
    """Somebody who sits at a table or watches. ``frames``: all that came to them, as texts."""

    def __init__(self, host: Host, seat: int, token: str) -> None:
        self.host, self.seat, self.token = host, seat, token
        self.frames: list[str] = []
        self.told: list[Any] = []  # what was said to this connection alone
        self.place: Place = host.place(token)
        self.looking = self.place.session.connect(self.place.seat, lambda message: self.frames.append(json.dumps(message)))

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(frame) for frame in self.frames]

    def last(self, kind: str) -> dict[str, Any]:
        return next(message for frame in reversed(self.frames) if (message := json.loads(frame))["type"] == kind)

    @property
    def position(self) -> dict[str, Any]:
        return self.last("position")

    def options(self, legal: bool = True) -> list[dict[str, Any]]:
        return [option for option in self.position["decision"]["options"] if option["legal"] is legal]

    def ask(self, type: str, **more: Any) -> None:
        self.host.answer(self.place, {"type": type, **more}, self.told.append)

    def act(self, option: int) -> None:
        self.ask("act", position=self.position["number"], option=option)


class Table:
    """A table at which a person sits at each seat, and somebody watches."""

    def __init__(self, host: Host, game: str, players: int, **more: Any) -> None:
        asked = {"game": game, "players": players, "seed": 1, "seats": [{"kind": "open"}] * players, **more}
        self.made = host.make(asked)
        self.host = host
        self.people = [Person(host, seat["seat"], seat["token"]) for seat in self.made["seats"] if "token" in seat]
        self.watcher = Person(host, 0, self.made["watch"])

    @property
    def session(self) -> Any:
        return self.watcher.place.session

    def deciding(self) -> Person | None:
        """The person who has to choose, as they are told."""
        waited_for = self.watcher.position["deciding"]
        asked = [self.people[seat - 1] for seat in waited_for] or self.people
        return next((person for person in asked if person.position["decision"] is not None), None)

    def play(self, acts: int, random: Random) -> int:
        """So many acts, or up to the end; how many there were."""
        for done in range(acts):
            person = self.deciding()
            if person is None:
                return done
            person.act(random.choice(person.options())["number"])
        return acts


@contextmanager
def host_of(folder: Path, games: Path = GAMES) -> Generator[Host]:
    host = Host(Library(games), folder)
    try:
        yield host
    finally:
        host.close()
