"""Writes the file of translations of a game anew, with what has been translated so far.

An entry whose text has changed keeps the translation of the old one that is most like it, among those of the same context, and
is marked as fuzzy until somebody has looked at it. What the rules no longer have is kept at the end as obsolete. The entries
stand in the order of the rules; the header and translators' comments stay. To write it twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import denormalize, write_po

from .catalogues import Catalogue, said_in, text_of
from .entries import Entry

WIDTH: Final = 100  # of lines that are broken
PLACES_SHOWN: Final = 5  # of an entry that stands in many


def written(entries: Sequence[Entry], language: str, before: Catalogue | None) -> str:
    """The text of the file with these entries; with what ``before`` has translated."""
    now = Catalog(locale=language)
    if before is not None:
        now.mime_headers = before.catalog.mime_headers
    left = {} if before is None else {key: each for key, each in _all_of(before).items() if any(said_in(each))}
    known = {entry.key: left.pop(entry.key) for entry in entries if entry.key in left}
    guessed = _guessed([entry for entry in entries if entry.key not in known], left, language)
    for entry in entries:
        message = _message(entry)
        old = known.get(entry.key) or guessed.get(entry.key)
        if old is not None:
            _take_over(message, old, now.num_plurals)
        now[message.id] = message
    used = {text for message in guessed.values() for text in message.previous_id[:1]}
    for key, each in left.items():
        if key[1] not in used:
            each.user_comments = [text for text in each.user_comments if not text.startswith("|")]
            now.obsolete[key] = each
    for message in (*now, *now.obsolete.values()):
        message.flags.discard("python-format")  # a `%` in a text is a `%`
    body = BytesIO()
    write_po(body, now, omit_header=True, include_previous=True, width=WIDTH)
    header = before.header if before is not None and before.header else _header(now, entries)
    return f"{header}\n{body.getvalue().decode('utf-8').rstrip()}\n"


def _all_of(catalogue: Catalogue) -> dict[tuple[str, str], Message]:
    return {**catalogue.obsolete, **catalogue.messages}


def _message(entry: Entry) -> Message:
    comments = [entry.about, *([entry.comment] if entry.comment else [])]
    places = [(Path(span.source.path).name, span.line) for span in entry.places[:PLACES_SHOWN]]
    text = (entry.text, entry.many) if entry.many else entry.text
    return Message(text, locations=places, auto_comments=comments, context=entry.role)


def _take_over(message: Message, old: Message, forms: int) -> None:
    """Let an entry have the translation of another one, and what translators have written beside it."""
    said = list(said_in(old))
    flags = old.flags - {"python-format", "python-brace-format"}
    if isinstance(message.id, tuple):
        whole = len(said) == forms
        message.string = tuple(said[:forms] + [""] * (forms - len(said)))
    else:
        whole = len(said) == 1
        message.string = said[0]
    message.flags |= flags if whole else flags | {"fuzzy"}
    message.user_comments = [text for text in old.user_comments if not text.startswith("|")]
    if message.fuzzy:
        message.previous_id = list(old.previous_id) or _previous(old.user_comments)


def _previous(comments: Iterable[str]) -> list[str]:
    """The text of which a fuzzy translation was made. Babel reads these lines (``#| msgid "..."``) as comments of translators."""
    found: list[str] = []
    for comment in comments:
        said = comment.removeprefix("|").strip()
        if comment.startswith("|") and said.startswith(('msgid "', 'msgid_plural "')):
            found.append(denormalize(said.partition(" ")[2]))
        elif comment.startswith("|") and said.startswith('"') and found:
            found[-1] += denormalize(said)
    return found


def _guessed(new: Sequence[Entry], left: Mapping[tuple[str, str], Message], language: str) -> dict[tuple[str, str], Message]:
    """For entries without a translation those that may fit, of entries that the rules no longer have."""
    found: dict[tuple[str, str], Message] = {}
    for role in dict.fromkeys(entry.role for entry in new):
        old = Catalog(locale=language)
        for (context, _), message in left.items():
            if context == role:
                old[message.id] = message
        wanted = Catalog(locale=language)
        for entry in new:
            if entry.role == role:
                made = _message(entry)
                wanted[made.id] = made
        old.update(wanted)
        found |= {(role, text_of(each)): each for each in old if each.fuzzy and each.id}
    return found


def _header(catalog: Catalog, entries: Sequence[Entry]) -> str:
    name = next((entry.text for entry in entries if entry.role == "title"), "")
    lines = (
        f"Project-Id-Version: {name}".rstrip(),
        f"Language: {catalog.locale}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=UTF-8",
        "Content-Transfer-Encoding: 8bit",
        f"Plural-Forms: {catalog.plural_forms}",
    )
    quoted = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return 'msgid ""\nmsgstr ""\n' + "".join(f'"{line}\\n"\n' for line in quoted)


__all__ = ["written"]
