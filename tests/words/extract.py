"""The program's catalogues, renewed from its sentences: ``python -m tests.words.extract``.

It finds all sentences that the program says (`sentences`) and writes each file ``interpreter/words/catalogues/AREA.LANG.po``
anew: new sentences without a translation, those that resemble an older one with its translation and marked as fuzzy, and none
that the program no longer says. Translate what is empty, check what is fuzzy and take the mark away: `test_catalogues.py` fails
as long as something is left.

A sentence that moves from one area to another takes its translation along.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Final

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from rulesrun.interpreter.words.languages import languages

ROOT: Final = Path(__file__).parents[2]
CATALOGUES: Final = ROOT / "interpreter" / "words" / "catalogues"
AREAS: Final = ("play", "page", "rulebook", "print", "simulate", "balance")  # the first of them has what several say

_OF_FOLDERS: Final = (  # the area of what stands below a path; the first that fits counts
    ("interpreter/printing/rulebook", "rulebook"),
    ("interpreter/printing", "print"),
    ("web", "page"),
    ("interpreter/simulate", "simulate"),
    ("interpreter/balance", "balance"),
    ("", "play"),
)
_PYTHON: Final = ("browser", "commands", "interpreter", "server")
_METHODS: Final = ("phrase", "parts")  # of `Words`, beside `phrase_for`
_PAGE_CALLS: Final = {"t": None, "tn": (1, 2)}
_NO_PAGES: Final = ("web/vendor", "web/playground")  # not ours, and for designers

Sentence = str | tuple[str, str]
"""What is said; of two, the first is for one thing and the second for several."""


def area_of(path: PurePosixPath) -> str:
    """The area to which the sentences of a file belong. ``path``: below the root."""
    return next(area for start, area in _OF_FOLDERS if path.as_posix().startswith(start))


@cache
def sentences() -> dict[str, dict[Sentence, list[str]]]:
    """For each area the program's sentences, each with the files that say it, in the order of files and lines."""
    found: dict[str, dict[Sentence, list[str]]] = {area: {} for area in AREAS}
    for path in sorted(_files(), key=lambda path: AREAS.index(area_of(path))):
        for sentence in _said_in(path):
            home = next((area for area in AREAS if sentence in found[area]), area_of(path))
            files = found[home].setdefault(sentence, [])
            if path.as_posix() not in files:
                files.append(path.as_posix())
    return found


def _files() -> list[PurePosixPath]:
    python = (path for folder in _PYTHON for path in (ROOT / folder).rglob("*.py"))
    found = [PurePosixPath(path.relative_to(ROOT).as_posix()) for path in (*python, *(ROOT / "web").rglob("*.js"))]
    return sorted(path for path in found if not path.as_posix().startswith(_NO_PAGES))


def _said_in(path: PurePosixPath) -> Iterator[Sentence]:
    if path.suffix == ".py":
        yield from _said_in_python(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    else:
        with (ROOT / path).open("rb") as file:
            calls = extract("javascript", file, _PAGE_CALLS, options={"template_string": True, "parse_template_string": True})
            yield from (said if isinstance(said, str) else (said[0], said[1]) for _, said, *_ in calls)


def _said_in_python(module: ast.Module) -> Iterator[Sentence]:
    """The literal sentences in calls of the methods of `Words`, and in ``marked("...")``; a method may have been given the name
    ``phrase`` first. A sentence may be one of two: ``phrase("a" if few else "b")``.

    Babel's own reading of Python goes by names of functions alone, and other things are called ``parts``, too.
    """
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=[said, *_]) if name in _METHODS:
                yield from _literals(said)
            case ast.Call(func=ast.Name(id="phrase" | "marked"), args=[said]):
                yield from _literals(said)
            case ast.Call(
                func=ast.Attribute(attr="phrase_for"),
                args=[_, ast.Constant(value=str(one)), ast.Constant(value=str(many)), *_],
            ):
                yield one, many


def _literals(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(said)):
            yield said
        case ast.IfExp():
            yield from _literals(node.body)
            yield from _literals(node.orelse)


def template(said: dict[Sentence, list[str]]) -> Catalog:
    """The sentences of an area without translations."""
    found = Catalog()
    for sentence, files in said.items():
        found.add(sentence, locations=[(file, 0) for file in files])
    return found


def kept(language: str) -> dict[str, Catalog]:
    """What is translated into a language now, by area."""
    found = {}
    for area in AREAS:
        path = CATALOGUES / f"{area}.{language}.po"
        if path.exists():
            with path.open("rb") as file:
                found[area] = read_po(file, locale=language, abort_invalid=True)
    return found


def sentence_of(message: Message) -> Sentence:
    """What a message translates."""
    return (message.id[0], message.id[1]) if isinstance(message.id, (tuple, list)) else message.id


def written(language: str, area: str, said: dict[str, dict[Sentence, list[str]]], before: dict[str, Catalog]) -> str:
    """The text of the catalogue of an area. ``before``: the catalogues of all areas.

    A translation that may fit a new sentence is one of this area whose own sentence is gone.
    """
    everywhere = {sentence for each in said.values() for sentence in each}
    now = Catalog(locale=language)
    for home, catalog in before.items():
        for message in catalog:
            sentence = sentence_of(message)
            if message.id and (sentence in said[area] or (home == area and sentence not in everywhere)):
                now[message.id] = message.clone()
    now.update(template({sentence: _of_area(area, files) for sentence, files in said[area].items()}))
    for message in now:
        message.flags.discard("python-format")
    body = BytesIO()
    write_po(body, now, omit_header=True, ignore_obsolete=True, include_lineno=False, width=120)
    return _header(now) + body.getvalue().decode("utf-8")


def _of_area(area: str, files: list[str]) -> list[str]:
    """The files of an area: a catalogue does not change with other rooms."""
    return [file for file in files if area_of(PurePosixPath(file)) == area]


def _header(catalog: Catalog) -> str:
    lines = (
        f"Language: {catalog.locale}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        f"Plural-Forms: {catalog.plural_forms}",
    )
    return 'msgid ""\nmsgstr ""\n' + "".join(f'"{line}\\n"\n' for line in lines) + "\n"


def is_whole(message: Message) -> bool:
    """Whether a sentence is translated, in each form that it needs."""
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def main() -> None:
    said = sentences()
    for language in languages():
        if language != "en":
            before = kept(language)
            for area in AREAS:
                path = CATALOGUES / f"{area}.{language}.po"
                if not said[area] and not path.exists():
                    continue
                text = written(language, area, said, before)
                path.write_text(text, encoding="utf-8")
                now = [message for message in read_po(BytesIO(text.encode())) if message.id]
                fuzzy = sum(message.fuzzy for message in now)
                missing = sum(not is_whole(message) for message in now)
                name = Locale.parse(language).english_name
                print(f"{path.name}: {len(now)} sentences in {name}, {missing} missing, {fuzzy} fuzzy")


if __name__ == "__main__":
    main()
