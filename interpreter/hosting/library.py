"""The library: the games in a folder, read again when their files change."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import Any

from attrs import frozen

from ..common.diagnostics import Diagnostic, RulesError, render
from ..common.files import Stamp, stamp
from ..common.nouns import spoken
from ..model.model import Const, Grid, Kind, Model, OptionDeclaration
from ..overview.variants import OptionOverview, overview
from ..play.game import Game, table_of
from ..play.language import languages_for, words_for
from ..rules import Rules, read_rules
from ..translation.beside import has_english, languages_of_rules
from ..words.words import Role, Words
from .refusals import Refused

Stamps = tuple[tuple[str, Stamp | None], ...]  # of each file, by its path

GAMES_LIMIT = 500  # files of rules in a folder; a library of more is no list that somebody reads
ABOUT_LIMIT = 140  # characters of what is said of a game
VALUES_LIMIT = 100  # values of an option that are offered one by one
_OF_VALUES: tuple[Role, ...] = ("word", "column", "define", "table", "option")
SKIPPED = frozenset({"node_modules", "build", "dist", "__pycache__"})  # folders in which nobody keeps rules
UNPLAYED = frozenset({"refused", "templates"})  # folders of rules that are there to be read

# Not behind an initial ("by C. L. Dodgson") or a common short form.
_END_OF_SENTENCE = re.compile(r"(?<=[.!?])(?<!\b[A-ZА-ЯҐЄІЇ]\.)(?<!\b(?:No|St|Dr|Mr|vs)\.)(?<!\bMrs\.) +(?=[A-ZА-ЯҐЄІЇ0-9])")


@frozen
class Entry:
    """A file of rules as it was read. ``stamp``: by which it is seen that one of its files has changed."""

    id: str
    path: Path
    rules: Rules
    stamp: Stamps


class Library:
    """``root``: a folder, or one file of rules. ``without``: names of folders in it that are left out."""

    def __init__(self, root: Path, without: frozenset[str] = frozenset()) -> None:
        self.root = root
        self._skipped = SKIPPED | without
        self._entries: dict[str, Entry] = {}
        self._games: dict[tuple[object, ...], Game] = {}
        self._turn = Lock()

    @property
    def folder(self) -> Path:
        return self.root.parent if self.root.is_file() else self.root

    def paths(self) -> dict[str, Path]:
        """The files of rules by the names of their games in addresses: the path below the folder, without its ending."""
        if self.root.is_file():
            return {self.root.stem: self.root}
        found = {}
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in self._skipped)
            for name in sorted(files):
                if name.endswith(".rules"):
                    path = Path(folder, name)
                    found[path.relative_to(self.root).with_suffix("").as_posix()] = path
                    if len(found) == GAMES_LIMIT:
                        return found
        return found

    def entry(self, id: str) -> Entry:
        """A game as its files are now. `Refused` for an unknown one."""
        known = self._entries.get(id)
        path = known.path if known is not None and known.path.is_file() else self.paths().get(id)
        if path is None:
            raise Refused("no game", f"there is no game `{id[:60]}` here", "its file may have been moved or deleted", 404)
        with self._turn:
            known = self._entries.get(id)
            if known is None or known.path != path or known.stamp != stamp_of(known.rules, path):
                rules = read_rules(path)
                known = self._entries[id] = Entry(id, path, rules, stamp_of(rules, path))
        return known

    def table(self, id: str, players: int | None, variants: Iterable[str], options: Mapping[str, str]) -> Game:
        """One table of a game. `Refused` with the findings when its rules or the choice are at fault."""
        entry = self.entry(id)
        wanted = (id, entry.stamp, players, tuple(variants), tuple(sorted(options.items())))
        with self._turn:
            if wanted not in self._games:
                try:
                    self._games[wanted] = table_of(entry.rules, players, wanted[3], options)
                except RulesError as error:
                    raise Refused("rules", *told(error.diagnostics)) from None
                except ValueError as error:
                    raise Refused("table", str(error)) from None
            return self._games[wanted]

    def overview(self) -> list[dict[str, Any]]:
        """All games, for the page that lists them."""
        return [self.overview_of(id) for id in self.paths()]

    def overview_of(self, id: str) -> dict[str, Any]:
        """What the page shows of one game. `Refused` for an unknown one."""
        entry = self.entry(id)
        rules = entry.rules
        found: dict[str, Any] = {"id": entry.id, "file": entry.path.name}
        if rules.model is None:
            text, help = told(rules.diagnostics)
            return {**found, "title": entry.path.stem, "titles": {}, "error": {"code": "rules", "text": text, "help": help}}
        whole, found_out, translated = rules.model, overview(rules), _translations(rules)
        titles = dict(whole.titles)
        english = titles.get("en") or titles.get("") or next(iter(titles.values()), whole.game)
        return {
            **found,
            "title": english,
            "titles": titles | _titles("title", english, translated),
            "about": about(rules),
            "abouts": _abouts(rules, translated),
            "made_of": _made_of(whole),
            "languages": list(languages_for(rules)),
            "players": list(whole.players),
            "variants": [
                {
                    "name": v.name,
                    "title": _in_english(dict(v.texts), v.name),
                    "titles": dict(v.texts) | _titles("variant", _in_english(dict(v.texts), v.name), translated),
                    "about": _said(said := each.comment.lstrip("# ")),
                    "abouts": _texts("note", said, translated),
                    "needs": [other.variant for other in v.builds_on],
                    "excludes": [other.variant for other in v.excludes],
                }
                for v, each in zip(whole.variants, found_out.variants, strict=True)
            ],
            "options": [_option(option, whole, translated) for option in found_out.options],
        }


def _translations(rules: Rules) -> dict[str, Words]:
    """The words of a game in each language in which there are translations beside its rules."""
    found = {}
    for language in (*languages_of_rules(rules), *(["en"] if has_english(rules) else [])):
        with suppress(RulesError):  # a file that is damaged; `check` says so
            found[language] = words_for(rules, language)
    return found


def _titles(role: Role, title: str, translated: Mapping[str, Words]) -> dict[str, str]:
    return {language: said for language, words in translated.items() if (said := words.name(role, title)) != title}


def _texts(role: Role, text: str, translated: Mapping[str, Words]) -> dict[str, str]:
    return {language: said for language, words in translated.items() if (said := words.text(role, text)) != text}


def _abouts(rules: Rules, translated: Mapping[str, Words]) -> dict[str, str]:
    """What a game's stories say of it, in each language in which all of them are translated."""
    stories = [text for text in rules.tree.stories if text] if rules.tree is not None else []
    found = {language: [words.text("note", text) for text in stories] for language, words in translated.items()}
    return {
        language: _begin(" ".join(said), [translated[language].name("title", rules.model.game)] if rules.model else [])
        for language, said in found.items()
        if stories and all(one != text for one, text in zip(said, stories, strict=True))
    }


def about(rules: Rules) -> str:
    """What a game's story says of it, else the comment at its beginning, as far as a line or two hold that ("": nothing)."""
    if rules.tree is None:
        return ""
    comments = rules.tree.game.comments
    lines = (comments.before or (comments.after or "",)) if comments is not None else ()
    commented = _said(" ".join(line.strip() for line in takewhile(lambda line: line.strip(), lines)))
    text = " ".join(rules.tree.stories) or commented
    return _begin(text, [title for _, title in rules.model.titles] if rules.model is not None else [])


def _said(comment: str) -> str:
    """A comment as people read it, who see no code."""
    return comment.replace("`", "")


def _begin(text: str, titles: Sequence[str]) -> str:
    """The first sentences of a text, as far as a line or two hold them; without one that only names the game."""
    first, *more = _END_OF_SENTENCE.split(text)
    if more and first.removesuffix(".") in titles:
        first, *more = more
    while more and len(first) + len(more[0]) < ABOUT_LIMIT:
        first = f"{first} {more.pop(0)}"
    return first if len(first) <= 2 * ABOUT_LIMIT else first[:ABOUT_LIMIT] + " …"


def _made_of(whole: Model) -> list[dict[str, Any]]:
    """The components and boards of a game, for a picture of it."""
    found: list[dict[str, Any]] = []
    for declared in whole.declarations:
        if isinstance(declared, Kind) and not declared.joint:
            found.append({"form": declared.form, "attributes": [attribute.name for attribute in declared.attributes]})
        if isinstance(declared, Grid):
            found.append({"form": "points" if declared.board else "hexagons" if declared.hexagonal else "squares"})
    return found


def _in_english(texts: dict[str, str], otherwise: str) -> str:
    return texts.get("en") or next(iter(texts.values()), otherwise)


def _option(option: OptionOverview, whole: Model, translated: Mapping[str, Words]) -> dict[str, Any]:
    """An option of a game. ``values``: those that it can have, in words, where these are few and known; else empty. ``said``: in
    each language in which it has another name its values with their names."""
    title = option.comment.lstrip("# ") or spoken(option.name)
    values = _values(option, whole)
    return {
        "name": option.name,
        "title": title,
        "titles": _titles("option", spoken(option.name), translated),
        "domain": option.domain,
        "default": option.default,
        "values": values,
        "said": {
            language: {value: said for value in (*values, option.default) if (said := _value_in(words, value)) != value}
            for language, words in translated.items()
        },
    }


def _value_in(words: Words, value: str) -> str:
    """A value of an option, or what it is taken from: a column of a table, or a word that the rules define."""
    said = (words.name(role, value) for role in _OF_VALUES)
    return next((each for each in said if each != spoken(value)), value)


def _values(option: OptionOverview, whole: Model) -> list[str]:
    declared = (variant.adds for variant in whole.variants)
    found = (d for body in (whole.declarations, *declared) for d in body if isinstance(d, OptionDeclaration))
    domain = next((each.domain for each in found if each.name == option.name), None)
    if domain is None or domain.type.optional:
        return []
    if domain.values:
        return [str(value) for value in domain.values]
    match domain.type.base, domain.low, domain.high:
        case "truth", _, _:
            return ["no", "yes"]
        case "word", _, _:
            return [spoken(word) for word in whole.lists[domain.type.of]]
        case "number", Const(value=low), Const(value=high) if high - low <= VALUES_LIMIT:
            return [str(value) for value in range(low, high + 1)]
        case _:
            return []


def stamp_of(rules: Rules, path: Path) -> Stamps:
    """What changes when one of the files changes that rules were read from."""
    return tuple((name, stamp(Path(name))) for name in (str(path), *(source.path for source in rules.beside)))


def told(diagnostics: Iterable[Diagnostic]) -> tuple[str, str]:
    """Findings as a text and a help for people."""
    found = list(diagnostics)
    return "\n\n".join(render(each) for each in found[:3]), ""
