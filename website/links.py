"""Where the files of the project are on the site, and links between them, rewritten to lead there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Final

from attrs import frozen

from .fences import FENCE

_LINK: Final = re.compile(r"\]\(([^()\s]+)\)")
_HEADING: Final = re.compile(r"^(#{1,6}) (.*)$", re.M)
_ELSEWHERE: Final = re.compile(r"[a-z][a-z+.-]*:")


class LostLinkError(Exception):
    """A link that leads to something that is not on the site."""


def anchor(heading: str) -> str:
    """The name that code hosts give to a heading in links."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@frozen
class Places:
    """Where everything stands. ``pages``: the path on the site for each file or folder of the project. ``sections``: for a file
    that is cut into several pages, the path of the page with an anchor, by file and anchor."""

    pages: Mapping[str, str]
    sections: Mapping[tuple[str, str], str]

    def rewritten(self, text: str, file: str, page: str) -> str:
        """A text from a file of the project with links that are right on a page of the site.

        Raises `LostLinkError` if a link leads to something else.
        """

        def link(match: re.Match[str]) -> str:
            return f"]({self._target(match[1], file, page)})"

        return outside_of_fences(text, lambda part: _LINK.sub(link, part))

    def _target(self, target: str, file: str, page: str) -> str:
        if _ELSEWHERE.match(target):
            return target
        path, _, name = target.partition("#")
        goal = posixpath.normpath(posixpath.join(posixpath.dirname(file), path)) if path else file
        there = self.sections.get((goal, name)) or self.pages.get(goal)
        if there is None:
            raise LostLinkError(f"{file}: `{target}` is not on the site")
        there, _, within = there.partition("#")
        name = name or within
        return relative(there, page) + (f"#{name}" if name else "") if there != page or not name else f"#{name}"


def relative(path: str, page: str) -> str:
    """The path of something on the site as seen from a page."""
    return posixpath.relpath(path, posixpath.dirname(page) or ".")


def with_anchors(text: str) -> str:
    """A text whose headings state their anchors, so that these do not depend on what makes the site."""
    seen: dict[str, int] = {}

    def heading(match: re.Match[str]) -> str:
        name = anchor(match[2])
        seen[name] = seen.get(name, -1) + 1
        return f"{match[1]} {match[2]} {{ #{name}{f'-{seen[name]}' if seen[name] else ''} }}"

    return outside_of_fences(text, lambda part: _HEADING.sub(heading, part))


def outside_of_fences(text: str, change: Callable[[str], str]) -> str:
    """A text with its parts between fenced blocks changed."""
    at = 0
    done: list[str] = []
    for match in FENCE.finditer(text):
        done += [change(text[at : match.start()]), match[0]]
        at = match.end()
    return "".join([*done, change(text[at:])])
