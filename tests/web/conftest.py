"""A server for the tests of the page, and people in front of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ..serving import Server, served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture
def person(server: Server, browser: Any) -> Iterator[Any]:
    """Makes people, each with a browser of their own: ``person(width=360)`` is somebody with a phone."""
    from .people import Person

    made: list[Person] = []

    def make(**more: Any) -> Person:
        made.append(Person(server, browser, **more))
        return made[-1]

    yield make
    for each in made:
        each.context.close()
        assert each.errors == [], "the page made mistakes"
