"""The faces and backs of components as HTML: the elements, classes and attributes of the page (`web/table/thing.js`).

So a look that is written for the page works on paper. What players read is said in the words of a language; attributes for looks
keep the words of the rules.
"""

from __future__ import annotations

import re
from math import ceil
from typing import Final

from ...machine.from_table.components.words import word_of
from ...words.words import Words
from .colours import colour_of, ink_on, mixed, seat_colour
from .markup import Markup, element, style
from .playing_cards import playing_card
from .sizes import Size
from .things import Part, Style, Thing

# Signs of words that have a usual one.
_SIGNS: Final = {
    "crown": "♛", "crowns": "♛", "king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟", "castle": "♜",
    "sun": "☀", "moon": "☾", "star": "★", "stars": "★", "gem": "◆", "gems": "◆", "gold": "●", "coin": "●", "coins": "●",
}  # fmt: skip
_PIPS: Final = ("", "4", "28", "048", "0268", "02468", "023568")  # places of a die's pips, counted by rows
_MAIN_NUMBER: Final = re.compile("rank|value|points|worth|number")
_ROOM: Final = 6.2  # letters of a bold word for which a card has room in a line
_LEAST: Final = 0.3  # how small the text of a card can become, as a share of its usual size
_GREY, _SAND, _STONE, _SLATE = "#8c8c8c", "#d8cfb8", "#b9b3a5", "#7d8790"


def face(thing: Thing, look: Style, size: Size, words: Words) -> Markup:
    """The face of a component, in the frame that the page gives it."""
    match look.form:
        case "tile":
            inside = _tile(thing, look, words)
        case "die":
            inside = die_face(thing.facts[0][1] if thing.facts else "", look, words)
        case "piece":
            inside = _piece(thing, look, words)
        case "playing-card":
            inside = playing_card(dict(thing.facts))
        case "card":
            inside = _card(thing, look, size, words)
    return element("span", {"class": f"thing {look.form}-thing", **_facts(thing)}, inside)


def back(kind: str, look: Style, title: str) -> Markup:
    """The back of all components of a kind: the title of the game on a pattern in the kind's colour."""
    form = look.form if look.form in ("tile", "die", "piece") else "card"
    colour = colour_of(kind)
    colours = {"--band": colour, "--light": mixed(colour, "#ffffff", 0.16), "--ink": ink_on(colour)}
    said = element("span", {"class": "title", "style": style({"--fit": f"{_fit(title):.3g}"})}, title)
    size = {"--across": look.across, "--down": look.down}
    frame = {"class": f"back of-{form}", "aria-hidden": "true", "style": style({**size, **colours})}
    inside = element("span", frame, said if form in ("card", "tile") else None)
    return element("span", {"class": f"thing {look.form}-thing", "data-kind": kind}, inside)


def _facts(thing: Thing) -> dict[str, str]:
    """Attributes of an element that say the facts of a component, for looks."""
    found = {"data-kind": thing.kind}
    for name, value in thing.facts:
        found["data-its-kind" if name == "kind" else f"data-{re.sub('[^a-z0-9_-]', '-', name.lower())}"] = value
    return found


def _fit(text: str) -> float:
    """How much smaller a text is written so that its longest word stays whole, down to a half."""
    return max(0.5, min(1.0, _ROOM / max(1, *(len(word) for word in text.split(" ")))))


def _card(thing: Thing, look: Style, size: Size, words: Words) -> Markup:
    """A card: its number in the corner, the word that tells most as a band of colour, the others as lines."""
    numbers = [(name, value) for name, value in thing.facts if (about := look.about(name)) and about.numbers]
    number = next((one for one in numbers if _MAIN_NUMBER.fullmatch(one[0])), numbers[0] if numbers else None)
    said = [(name, value) for name, value in thing.facts if (about := look.about(name)) and not about.numbers]
    many = (one for one in said if (about := look.about(one[0])) and len(about.values) > 3)
    band = next(many, said[0] if said else None)
    colour = look.colours.get(band[1], _GREY) if band else _SLATE
    main = word_of(band[1], words) if band else "" if number else thing.name
    rest = [*(one for one in said if one != band), *(one for one in numbers if one != number)]  # the page shows the last three
    sign = _SIGNS.get(band[1], "") if band else ""
    lines = []
    for name, value in rest:
        about = look.about(name)
        text = f"{words.name('attribute', name)} {value}" if about and about.numbers else word_of(value, words)
        lines.append((text, look.colours.get(value, _GREY)))
    shrink = _shrunk([main, *(text for text, _ in lines)], size)
    return element(
        "span",
        {"aria-hidden": "true", "class": f"face card {'' if main else 'bare'}".strip(),
         "style": style({"--band": colour, "--ink": ink_on(colour), **({"--shrink": f"{shrink:.2g}"} if shrink < 1 else {})})},
        element("span", {"class": "top"}, element("b", {}, number[1] if number else ""), element("i", {}, sign)),
        element("span", {"class": "band", "style": style({"--fit": f"{_fit(main):.3g}"})}, main),
        element("span", {"class": "rest"}, *(
            element("span", {"class": "more", "style": style({"--dot": dot, "--fit": f"{_fit(text):.3g}"})}, text)
            for text, dot in lines
        )),
    )  # fmt: skip


def _shrunk(texts: list[str], size: Size) -> float:
    """How much smaller a card's texts are written so that all lines have room on it, counted by letters."""
    share = 1.0
    while share > _LEAST and _height(texts, size, share) > size.height:
        share *= 0.93
    return share


def _height(texts: list[str], size: Size, share: float) -> float:
    """How high the texts of a card are together, in millimetres, with the number in its corner."""
    letter = size.height * 0.12 * share
    high = letter * 3.4
    for text in texts:
        fitted = letter * _fit(text)
        wide = sum(1.0 if ord(each) > 0x2E7F else 0.62 for each in text) * fitted
        high += 1.25 * fitted * max(1, ceil(wide * 1.12 / max(1.0, size.width - 2 * letter)))
    return high


def _tile(thing: Thing, look: Style, words: Words) -> Markup:
    """A tile. Its parts lie at their places; those at an edge reach into the bleed, and what is written there stays inside."""
    left, top = min(part.x for part in thing.parts), max(part.y for part in thing.parts)
    wide, high = f"var(--w) / {look.across}", f"var(--h) / {look.down}"
    parts = []
    for part in thing.parts:
        column, row = part.x - left, top - part.y
        inside = {"left": column == 0, "right": column == look.across - 1, "top": row == 0, "bottom": row == look.down - 1}
        place = {
            "left": f"calc({wide} * {column}{'' if inside['left'] else ' + var(--bleed)'})",
            "top": f"calc({high} * {row}{'' if inside['top'] else ' + var(--bleed)'})",
            "width": f"calc({wide} + var(--bleed) * {inside['left'] + inside['right']})",
            "height": f"calc({high} + var(--bleed) * {inside['top'] + inside['bottom']})",
            **{f"--in-{side}": "var(--bleed)" if at_edge else "0mm" for side, at_edge in inside.items()},
        }
        parts.append(element("span", {"class": "part", "style": style(place)}, _part(part, look, words)))
    return element("span", {"aria-hidden": "true", "class": "face tile"}, *parts, _of_whole(thing, look, words))


def _of_whole(thing: Thing, look: Style, words: Words) -> Markup | None:
    """What is printed on a tile as a whole, such as its number, small in its lower corner. On the page, its name says it."""
    on_parts = {f"{name}_" for part in thing.parts for name, _ in part.facts}
    said = [
        value if (about := look.about(name)) and about.numbers else word_of(value, words)
        for name, value in thing.facts
        if not name.startswith(tuple(on_parts))
    ]
    return element("span", {"class": "whole"}, " · ".join(said)) if said else None


def _part(part: Part, look: Style, words: Words) -> Markup:
    """One half of a domino, or one cell of a tile."""
    word = next(((name, value) for name, value in part.facts if not re.fullmatch("[0-9]+", value)), None)
    colour = look.colours.get(word[1], _STONE) if word else _STONE
    shown = [(name, value) for name, value in part.facts if (name, value) != word and not (word and value == "0")]
    signs = [
        _SIGNS[name] * int(value) if name in _SIGNS and value.isdecimal() and int(value) <= 4 else value for name, value in shown
    ]
    data = {f"data-{name}": value for name, value in part.facts}
    label = word_of(word[1], words) if word else ""
    return element(
        "span",
        {"aria-hidden": "true", "class": "half", **data, "style": style({"--band": colour, "--ink": ink_on(colour)})},
        element("small", {"style": style({"--fit": f"{_fit(label):.3g}"})}, label) if word else None,
        *(element("b", {}, sign) for sign in signs),
    )


def _piece(thing: Thing, look: Style, words: Words) -> Markup:
    usual = {one.name: one.values[0] for one in look.attributes if one.values}
    other = next((one for one in thing.facts if one[0] != "owner" and usual.get(one[0]) != one[1]), None)
    if other is None and not thing.seat and thing.facts:
        other = thing.facts[0]
    if other is not None:
        label = _SIGNS.get(other[1]) or word_of(other[1], words)[:2]
    else:
        label = _SIGNS.get(thing.kind) or ("" if thing.seat else small(words.name("kind", thing.kind), _SAND))
    colour = seat_colour(thing.seat) if thing.seat else _SAND
    return token_face(label, colour, thing.seat)


def small(label: str, colour: str) -> Markup:
    """A name on a round piece, as small as its longest word needs. The page has room for two letters."""
    longest = max((1.6 * min(4, len(word)) if max(word) > "\u2e7f" else len(word) for word in label.split()), default=1)
    fit = max(0.3, min(1.0, 2.9 / longest))  # Japanese can be broken anywhere
    return element("small", {"style": style({"--fit": f"{fit:.3g}", "color": ink_on(colour)})}, label)


def token_face(label: str, colour: str, seat: int = 0) -> Markup:
    """A round piece in a colour, with a few letters."""
    shades = {
        "--band": colour,
        "--ink": ink_on(colour),
        "--light": mixed(colour, "#ffffff", 0.65),
        "--deep": mixed(colour, "#000000", 0.75),
    }
    return element(
        "span", {"aria-hidden": "true", "class": "face piece", "data-seat": seat or None, "style": style(shades)}, label
    )


def die_face(value: str, look: Style, words: Words) -> Markup:
    """One face of a die."""
    pips = _PIPS[int(value)] if re.fullmatch("[0-6]", value) else ""
    if not pips:
        colour = look.colours.get(value)
        said = style({"--band": colour, "--ink": ink_on(colour)}) if colour else None
        return element(
            "span",
            {"aria-hidden": "true", "class": "face die", "style": said},
            element("b", {}, _SIGNS.get(value) or word_of(value, words)),
        )
    places = ({"grid-column": int(at) % 3 + 1, "grid-row": int(at) // 3 + 1} for at in pips)
    return element(
        "span", {"aria-hidden": "true", "class": "face die"}, *(element("i", {"style": style(place)}) for place in places)
    )


__all__ = ["back", "die_face", "face", "small", "token_face"]
