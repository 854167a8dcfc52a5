"""The playground as it is written for any web host, and visitors. Without a browser or Pyodide the tests are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from rulesrun.browser.bundle import playground

from ..browser.pages import GAMES, hosted, runtime
from .visitors import Visitor


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    files = {f"playground/{name}": content for name, content in playground(runtime(), GAMES).items()}
    with hosted(tmp_path_factory.mktemp("site"), files) as host:
        yield f"http://127.0.0.1:{host.port}/playground/"


@pytest.fixture(scope="session")
def idle() -> dict[str, list[Any]]:
    """Browsers whose visitors have left. They have kept the compiler, which others would have to load anew."""
    return {}


@pytest.fixture
def visitor(address: str, browser: Any, idle: dict[str, list[Any]]) -> Iterator[Any]:
    """Makes visitors, each with a browser of their own: ``visitor(width=360)`` is somebody with a phone."""
    made: list[tuple[str, Visitor]] = []

    def make(*, width: int = 1280, height: int = 800, dark: bool = False, **more: Any) -> Visitor:
        kind = f"{width} {height} {dark} {more}"
        if not idle.setdefault(kind, []):
            scheme, size = "dark" if dark else "light", {"width": width, "height": height}
            idle[kind].append(browser.new_context(viewport=size, color_scheme=scheme, accept_downloads=True, **more))
        made.append((kind, Visitor(address, idle[kind].pop())))
        return made[-1][1]

    yield make
    for kind, each in made:
        each.leave()
        idle[kind].append(each.context)
        assert each.errors == [], "the page made mistakes"
        assert each.outside == [], "the page asked another host"
