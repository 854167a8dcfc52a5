"""Components have the elements of the page, so that a look draws both: `web/table/thing.js` in Chromium against ours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from rulesrun.interpreter.hosting.messages import Facts, table_facts
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.printing.components.faces import back, face
from rulesrun.interpreter.printing.components.sizes import Size
from rulesrun.interpreter.printing.components.things import kinds_of, styles_of, things_of
from rulesrun.interpreter.words.words import ENGLISH

from ...serving import Server, served
from .games import GAMES

COLOURS = ("--band", "--ink", "--dot")
DRAW = """async ([table, things]) => {
  const { html, render } = await import("/web/vendor/preact-htm.js");
  const { Face, stylesOf } = await import("/web/table/thing.js");
  const styles = stylesOf(table);
  return things.map((thing) => {
    const root = document.createElement("div");
    render(html`<${Face} thing=${thing} style=${styles.get(thing.kind)} />`, root);
    return root.innerHTML;
  });
}"""


class Structure(HTMLParser):
    """What looks can see of some elements: tags, classes, data, colours and texts; not what only paper has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.skipped = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        classes = given.get("class", "").split()
        if self.skipped or {"whole", "title"} & set(classes):
            self.skipped += tag not in ("path", "rect", "circle")
            return
        data = [f"{name}={value}" for name, value in given.items() if name.startswith("data-")]
        styled = dict(part.split(": ", 1) for part in re.split(r";\s*", given.get("style", "")) if ": " in part)
        colours = [f"{name}={styled[name]}" for name in COLOURS if name in styled]
        shape = [given["d"]] if "d" in given else []
        self.found.append(" ".join([tag, *classes, *data, *colours, *shape]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self.skipped and tag not in ("path", "rect", "circle"):
            self.skipped -= 1

    def handle_data(self, data: str) -> None:
        if data.strip() and not self.skipped:
            self.found.append(data.strip())


@pytest.fixture(scope="module")
def drawn(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Draws things as the page does."""
    server: Server
    with served(tmp_path_factory.mktemp("tables")) as server:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/")
        yield lambda table, things: page.evaluate(DRAW, [json.loads(json.dumps(table)), things])
        page.close()


@pytest.mark.process
@pytest.mark.parametrize(
    "game",
    ["masti", "kingdomino", "for_the_king", "classics/hearts", "classics/draughts", "designs/attic_sale", "designs/thin_ice"],
)
def test_components_are_drawn_with_the_elements_of_the_page(game: str, drawn: Any) -> None:
    loaded = load(GAMES / f"{game}.rules")
    facts = Facts(loaded)
    styles = styles_of(loaded.table)
    ours = []
    things = []
    backs = []
    for kind in kinds_of(loaded.table):
        for number, thing in enumerate(things_of(kind, loaded.players, ENGLISH)):
            things.append(facts.reference(kind.name, number, f"{kind.name} {number}"))
            ours.append(face(thing, styles[kind.name], Size(63, 88, 88), ENGLISH))
        backs.append((kind.name, back(kind.name, styles[kind.name], "")))
    table = table_facts(loaded)
    for mine, theirs in zip(ours, drawn(table, things), strict=True):
        here, there = Structure(mine).found[1:], Structure(theirs).found  # ours stands in the frame of a thing
        if there.count("span more") < here.count("span more"):
            continue  # the page has room for three lines
        assert here == there
    for (_, mine), theirs in zip(backs, drawn(table, [{"kind": name} for name, _ in backs]), strict=True):
        assert [each.split(" --")[0] for each in Structure(mine).found[1:]] == Structure(theirs).found
