"""A server and a browser for the tests of the page. Without a browser they are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from ..serving import Server, served

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


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
