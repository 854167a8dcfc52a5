"""The look of a game on paper: its style sheet with its pictures in it, and written as a program that makes PDFs reads it.

Nothing is fetched from elsewhere. A picture that lies beside the rules becomes part of the style sheet; every other address is
taken out.
"""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path
from typing import Any, Final

from ...common.diagnostics import Diagnostic
from ...common.extras import extra
from ...common.files import read_bytes, read_text
from ...common.source import Source
from .colours import mixed

_TYPES: Final = {".svg": "svg+xml", ".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".gif": "gif"}
_URL: Final = re.compile(r"""url\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]*))\s*\)""", re.IGNORECASE)
_IMPORT: Final = re.compile(r"@import[^;{}]*;?", re.IGNORECASE)
_LIMIT: Final = 20_000_000
_STOPS: Final = ("linear-gradient", "radial-gradient", "repeating-linear-gradient", "repeating-radial-gradient")


def look_of(rules: str) -> Source | Diagnostic | None:
    """The look beside rules, ``NAME.look.css``; None where there is none."""
    place = Path(rules).with_suffix(".look.css")
    return read_text(place) if place.is_file() else None


def whole(look: Source) -> str:
    """A look as a style sheet for a document: with its pictures; nothing in it ends the style sheet or leads elsewhere."""
    folder = Path(look.path).parent

    def picture(found: re.Match[str]) -> str:
        name = found[1] or found[2] or found[3] or ""
        place = folder / name
        if name.startswith("data:image/"):
            return found[0]
        if "/" in name or "\\" in name or place.suffix.lower() not in _TYPES or not place.is_file():
            return "none"
        content = read_bytes(place, _LIMIT)
        if isinstance(content, Diagnostic) or len(content) > _LIMIT:
            return "none"
        return f'url("data:image/{_TYPES[place.suffix.lower()]};base64,{b64encode(content).decode()}")'

    return _URL.sub(picture, _IMPORT.sub("", look.text)).replace("</", "<\\/")


def plain_css(css: str) -> str:
    """A style sheet in which newer forms are written out in older ones, which mean the same.

    ``red 0 50%`` in a gradient becomes ``red 0, red 50%``; ``color-mix()`` of two colours becomes a colour, ``place-items`` two
    properties, and ``aspect-ratio: 1`` is left to the sizes of this program's own style sheet.
    """
    css2: Any = extra("tinycss2", "print", "a PDF")
    return str(css2.serialize([_rule(rule, css2) for rule in css2.parse_stylesheet(css)]))


def _rule(rule: Any, css2: Any) -> Any:
    if rule.type == "at-rule" and rule.content is not None:
        inside = css2.parse_rule_list(rule.content)
        if all(one.type != "error" for one in inside):
            rule.content = [_rule(one, css2) for one in inside]
    if rule.type == "qualified-rule":
        rule.content = [_declaration(one, css2) for one in css2.parse_blocks_contents(rule.content)]
        rule.content = css2.parse_component_value_list("".join(f"{one}; " for one in rule.content if one))
    return rule


def _declaration(one: Any, css2: Any) -> str:
    if one.type != "declaration":
        return "" if one.type == "error" else str(one.serialize()).rstrip(";")
    value = css2.serialize(_values(one.value, css2))
    name = one.name if one.name.startswith("--") else one.lower_name
    important = " !important" if one.important else ""
    if name == "place-items":
        return f"align-items:{value}{important}; justify-items:{value}{important}"
    return f"{name}:{value}{important}"


def _values(values: list[Any], css2: Any) -> list[Any]:
    found: list[Any] = []
    for one in values:
        if one.type == "function":
            one.arguments = _values(one.arguments, css2)
            if one.lower_name in _STOPS:
                one.arguments = _stops(one.arguments, css2)
            elif one.lower_name == "color-mix":
                mix = _mixed(css2.serialize(one.arguments))
                if mix is not None:
                    found += css2.parse_component_value_list(mix)
                    continue
        found.append(one)
    return found


def _stops(arguments: list[Any], css2: Any) -> list[Any]:
    """The stops of a gradient, each with one position."""
    groups: list[list[Any]] = [[]]
    for one in arguments:
        if one == ",":
            groups.append([])
        else:
            groups[-1].append(one)
    said: list[str] = []
    for group in groups:
        parts = [one for one in group if one.type not in ("whitespace", "comment")]
        ends = [
            one
            for one in parts[-2:]
            if one.type in ("percentage", "dimension", "number") or (one.type == "function" and one.lower_name == "calc")
        ]
        colour = parts[:-2]
        if (
            len(ends) == 2
            and len(colour) == 1
            and (colour[0].type in ("ident", "hash", "function"))
            and "at" not in css2.serialize(parts)
        ):
            said += [css2.serialize(colour) + " " + css2.serialize([end]) for end in ends]
        else:
            said.append(css2.serialize(group).strip())
    return list(css2.parse_component_value_list(", ".join(said)))


_NAMES: Final = {"white": "#ffffff", "black": "#000000", "transparent": "#ffffff"}
_MIX: Final = re.compile(r"in srgb\s*,\s*(#[0-9a-f]{6}|\w+)\s*([\d.]+)%\s*,\s*(#[0-9a-f]{6}|\w+)\s*", re.IGNORECASE)


def _mixed(said: str) -> str | None:
    """The colour that two colours make, where both are known."""
    found = _MIX.fullmatch(said.strip())
    if found is None:
        return None
    one, other = (_NAMES.get(colour.lower(), colour) for colour in (found[1], found[3]))
    return mixed(one, other, float(found[2]) / 100) if one.startswith("#") and other.startswith("#") else None


__all__ = ["look_of", "plain_css", "whole"]
