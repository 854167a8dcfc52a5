"""Rules to lay out: those of the shipped games, of the documentation and of the tests, as far as their sentences are right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.syntax.parsing.layout import LogicalLine, layout
from rulesrun.interpreter.syntax.reading.from_text import parse

from ..docs.markdown import DOCS, ROOT, fences

SHIPPED = sorted((ROOT / "games").rglob("*.rules"))


@cache
def texts() -> tuple[str, ...]:
    """All of them, the shortest first."""
    found = set()
    for file in (*SHIPPED, *(ROOT / "tests").rglob("*.rules")):
        found.add(file.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n"))
    for page in (ROOT / "README.md", *DOCS.rglob("*.md")):
        found.update(fence.text for fence in fences(page.read_text(encoding="utf-8")) if fence.language == "rules")
    return tuple(sorted((text for text in found if not parse(Source("example.rules", text)).diagnostics), key=len))


def comments(text: str) -> list[tuple[tuple[str, ...], str | None]]:
    """The comments above and behind each sentence, and last those at the end of the file."""
    arranged = layout(Source("example.rules", text))

    def walk(lines: list[LogicalLine]) -> Iterator[tuple[tuple[str, ...], str | None]]:
        for line in lines:
            yield tuple(above for above in line.comments.before if above), line.comments.after
            yield from walk(line.children)

    return [*walk(arranged.lines), (tuple(comment for comment in arranged.closing if comment), None)]
