"""Cuts a text into logical lines, nested by their indentation.

A line's block is what follows it with a deeper indentation. A line whose brackets are still open goes on below. Comments are kept
beside the line that they belong to. Nothing here knows what a line means.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from attrs import Factory, define, frozen

from ...common.diagnostics import Diagnostic, fault
from ...common.source import Source, Span
from ..tree import Comments

# A game is about 10 KB and 200 lines. These limits are a hundred times that; they keep the time and memory that a hostile
# file can cost small, and each has its own message.
MAX_FILE = 1_000_000
MAX_LINES = 20_000
# Five is deep for a rulebook. Later stages walk blocks recursively, and Python gives up at a thousand calls.
MAX_NESTING = 30

MARKS = re.compile(r'"[^"]*"?|[#()\[\]]')
# Everything below the space but tab and line end, and half a surrogate pair: no editor writes them, so this is not text.
_NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@define(eq=False)
class LogicalLine:
    """One sentence: ``source.text[start:end]``, where ``text`` is the same with comments and line ends blanked out.

    ``unclosed`` is the offset of a bracket that is never closed. ``children`` is the block under it; ``cut_off``: there is
    one, but it is nested too deep to be read.
    """

    start: int
    end: int
    text: str
    indent: int
    comments: Comments
    unclosed: int | None = None
    cut_off: bool = False
    children: list[LogicalLine] = Factory(list)


@frozen(eq=False)
class Layout:
    """The lines of a text without indentation, the comments after the last line, and what is wrong with the layout."""

    lines: list[LogicalLine]
    closing: tuple[str, ...]
    diagnostics: list[Diagnostic]


@frozen
class _Physical:
    """One line of the file: where its content begins and ends, how far it is indented, its comment."""

    start: int
    end: int
    indent: int
    comment: str | None
    brackets: tuple[tuple[str, int], ...]


def refusal(source: Source) -> Diagnostic | None:
    """Why this cannot be read as rules at all: too large, empty, or not text."""
    text = source.text
    if len(text) > MAX_FILE:
        size = f"{len(text) / 1_000_000:.1f} million characters"
        # No place is marked: to find it, the whole text would have to be searched.
        return fault("R003", f"`{source.path}` is too large to be the rules of a game: {size}", help="at most 1 million are read")
    if bad := _NOT_TEXT.search(text.replace("\r\n", " \n")):
        offset = bad.start()
        return fault(
            "R006",
            f"this is not a text: there is a character with the number {ord(bad.group())} in it",
            Span(source, offset, offset + 1),
            help="save the file as plain text (UTF-8)",
        )
    if text.count("\n") > MAX_LINES:
        return fault(
            "R003",
            f"`{source.path}` is too large to be the rules of a game: {text.count(chr(10)):,} lines",
            help=f"at most {MAX_LINES:,} are read",
        )
    return None


def layout(source: Source) -> Layout:
    """Cut the text into nested logical lines. ``refusal(source)`` must have been None."""
    diagnostics: list[Diagnostic] = []
    root = LogicalLine(0, 0, "", -1, Comments())
    open_lines = [root]  # the line above, the one above that, ... up to the root
    before: list[str] = []
    odd_indents: list[Span] = []
    taken_for: dict[int, int] = {}  # indentations that fit nothing, and for which one each was taken while its block lasts
    too_deep: int | None = None  # lines with at least this indentation are left out
    starts = source.line_starts
    every = [_physical(source, number) for number in range(len(starts))]
    number = 0
    while number < len(starts):
        physical = every[number]
        number += 1
        if physical.start == physical.end:
            before.append("" if physical.comment is None else physical.comment)
            continue
        blank = Span(source, starts[number - 1], physical.start)
        if odd := blank.text.lstrip("\ufeff").strip(" "):
            offset = blank.start + blank.text.index(odd[0])
            odd_indents.append(Span(source, offset, offset + 1))
        line, number = _logical(source, every, number, before)
        if odd:
            line.indent = _guessed_indent(line, open_lines, _next_indent(every, number))
        if too_deep is not None and line.indent >= too_deep:
            continue
        too_deep = None
        before = []
        line.indent = taken_for.get(line.indent, line.indent)
        if line.indent < open_lines[-1].indent:
            shallower = open_lines.pop()
            while line.indent < open_lines[-1].indent:
                shallower = open_lines.pop()
            if line.indent != open_lines[-1].indent:
                outer = open_lines[-1]
                inside = outer.indent < 0 or shallower.indent - line.indent <= line.indent - outer.indent
                meant = shallower if inside else outer  # the nearer of the two
                diagnostics.append(_fits_no_block(source, line, meant))
                taken_for[line.indent] = meant.indent
                line.indent = meant.indent
                if inside:
                    open_lines.append(shallower)
            taken_for = {odd_one: meant_one for odd_one, meant_one in taken_for.items() if meant_one <= line.indent}
        if line.indent == open_lines[-1].indent:
            open_lines.pop()
        if not root.children and line.indent > 0:
            span = Span(source, line.start, line.end)
            diagnostics.append(fault("R103", "the first line is indented", span, help="begin it at the left edge"))
            line.indent = 0
        if len(open_lines) > MAX_NESTING:
            span = Span(source, line.start, line.end)
            diagnostics.append(
                fault(
                    "R005",
                    f"this stands under {len(open_lines) - 1} others; more than {MAX_NESTING} blocks in one another are not read",
                    span,
                    help="give a part of it a name: a `step` of its own at the left edge, called by `do`",
                )
            )
            too_deep = line.indent
            open_lines[-1].cut_off = True
            continue
        open_lines[-1].children.append(line)
        open_lines.append(line)
    if odd_indents:
        diagnostics.append(_odd_indent(odd_indents))
    while before and not before[-1]:
        before.pop()
    return Layout(root.children, tuple(before), diagnostics)


def _physical(source: Source, number: int) -> _Physical:
    start = source.line_starts[number]
    begin, end, indent, comment, brackets = _content(source.line(number + 1))
    return _Physical(start + begin, start + end, indent, comment, tuple((bracket, start + at) for bracket, at in brackets))


@lru_cache(16_384)  # while a file is written, most of its lines stay as they are
def _content(text: str) -> tuple[int, int, int, str | None, tuple[tuple[str, int], ...]]:
    """Of a line of the file: where its content begins and ends, how far it is indented, its comment and its brackets."""
    comment, end = None, len(text)
    brackets: list[tuple[str, int]] = []
    for mark in MARKS.finditer(text):
        char = mark.group()
        if char == "#":
            comment = text[mark.end() :].removeprefix(" ").rstrip() or " "
            end = mark.start()
            break
        if char[0] != '"':
            brackets.append((char, mark.start()))
    content = text[:end].strip("\ufeff \t\u3000\xa0" if not text.isascii() else None)
    if not content.strip():
        return 0, 0, 0, comment, ()
    begin = text.index(content)
    # A tab counts as the way to the next fourth column, as most editors show it.
    indent = len(text[:begin].lstrip("\ufeff").expandtabs(4))
    return begin, begin + len(content.rstrip()), indent, comment, tuple(brackets)


def _logical(source: Source, every: Sequence[_Physical], number: int, before: list[str]) -> tuple[LogicalLine, int]:
    """The logical line that begins with the physical line before ``number`` (from 0), and the number of the one after it."""
    first = every[number - 1]
    parts = [first]
    notes = [first.comment] if first.comment is not None else []
    open_brackets = _still_open([], first)
    after = number
    while after < len(every):
        physical = every[after]
        empty = physical.start == physical.end
        goes_on = source.text[parts[-1].end - 1] == "," and not empty and physical.indent > first.indent
        if not open_brackets and not goes_on:
            break
        # Only a deeper line can go on with a sentence (or the closing bracket itself): an open bracket must not swallow
        # the rest of the file.
        if not empty and physical.indent <= first.indent and source.text[physical.start] not in ")]":
            break
        after += 1
        if physical.comment is not None:
            notes.append(physical.comment)
        if not empty:
            parts.append(physical)
            open_brackets = _still_open(open_brackets, physical)
    unclosed = None
    if open_brackets:
        unclosed, parts, notes, after = open_brackets[0][1], [first], notes[:1], number
        if unclosed > first.end:
            unclosed = first.start
    text = ""
    for part in parts:
        text += " " * (part.start - first.start - len(text)) + source.text[part.start : part.end]
    comments = Comments(tuple(before), " ".join(notes) if notes else None)
    return LogicalLine(first.start, parts[-1].end, text, first.indent, comments, unclosed), after


def _still_open(already: list[tuple[str, int]], line: _Physical) -> list[tuple[str, int]]:
    result = list(already)
    for bracket, offset in line.brackets:
        if bracket in "([":
            result.append((bracket, offset))
        elif result:
            result.pop()
    return result


def _fits_no_block(source: Source, line: LogicalLine, meant: LogicalLine) -> Diagnostic:
    return fault(
        "R103",
        f"this line is indented by {line.indent}, which fits no line above",
        Span(source, line.start, line.end),
        (Span(source, meant.start, meant.end), f"this one is indented by {meant.indent}"),
        help=f"lines that belong together are indented alike: begin this one with {meant.indent} spaces, too",
    )


def _next_indent(every: Sequence[_Physical], number: int) -> int:
    """The indentation of the first line that is not empty, from line ``number`` (from 0) on; 0 at the end."""
    return next((physical.indent for physical in islice(every, number, None) if physical.start != physical.end), 0)


def _guessed_indent(line: LogicalLine, open_lines: list[LogicalLine], following: int) -> int:
    """How far a line with tabs is probably meant to be indented, by the lines around it: one fault is enough for it."""
    above = open_lines[-1].indent
    levels = {max(one.indent, 0) for one in open_lines} | {max(above, 0) + 4}
    for guess in (line.indent, 2 * line.indent, following - 4, following, above):
        if guess in levels and (following - guess in (0, 4) or following < guess):
            return guess
    return line.indent


def _odd_indent(places: list[Span]) -> Diagnostic:
    what = "a tab" if places[0].text == "\t" else "an unusual kind of space"
    more = f" ({len(places)} lines)" if len(places) > 1 else ""
    return fault(
        "R104", f"this line is indented with {what}{more}", places[0], help="use spaces only; four for each level look best"
    )
