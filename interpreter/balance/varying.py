"""The numbers of the rules that may vary, and the rules with another one.

| written | the number |
|---|---|
| `highest_bid` | the default of an option |
| `deal.hand_size for 4` | a cell of a table; `worth for 3` where the table has one column |
| `bonus` | the one number in a line of the score |
| `reward` | the one number in a line that ends with the comment `# tunable reward` |
| `line 12` | the one number in a line of the file; `line 12 number 2` if there are several |

A number is changed in the text of the rules, at its place. All that comes after works on ordinary rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import frozen

from ..common.diagnostics import RulesError, did_you_mean, fault
from ..common.nouns import listed
from ..common.source import Source, Span
from ..model.model import OptionDeclaration
from ..rules import Rules, rules_from
from ..syntax import tree

_NUMBER = re.compile(r"(?:(?<![^\s:|,(])-)?(?<![\w\"])\d+(?!\w)")  # `- 1` and `x-1` subtract; `-1` after a space is a number
_TUNABLE = re.compile(r"#.*\btunable\s+(\w+)\s*$")
_CELL = re.compile(r"(?P<table>\w+)(?:\s*\.\s*(?P<column>\w+))?\s+for\s+(?P<keys>.+)")
_LINE = re.compile(r"line\s+(?P<line>\d{1,7})(?:\s+number\s+(?P<number>\d{1,4}))?")
_HELP = "name an option, a cell (`deal.hand_size for 4`), a line of the score, a mark `# tunable NAME`, or `line N`"


@frozen
class Varied:
    """A number of the rules: how it was named, where it stands, and what it is now."""

    name: str
    span: Span
    value: int


def numbers_with_names(rules: Rules) -> dict[str, Varied]:
    """Every number that has a name: options, cells, lines of the score and marks, in the order of the file.

    What stands in another file (a parent, a `.csv`) is not there, since its text is not changed.
    """
    found = _all(rules)
    names = [each.name for each in found]
    return {each.name: each for each in found if names.count(each.name) == 1}


def _all(rules: Rules) -> list[Varied]:
    found = [each for each in (*_of_declarations(rules), *_marked(rules)) if each.span.source.path == rules.path]
    return sorted(found, key=lambda each: each.span.start)


def number_named(rules: Rules, name: str, given: str = "--sweep") -> Varied:
    """The number that a name means. ``given``: where the name was written. Raises `RulesError` (R806)."""
    said = " ".join(name.split())
    if line := _LINE.fullmatch(said):
        return _in_line(rules, said, int(line["line"]), line["number"], given)
    known = numbers_with_names(rules)
    cell = _CELL.fullmatch(said)
    if cell:
        column = f".{cell['column']}" if cell["column"] else ""
        said = f"{cell['table']}{column} for {', '.join(key.strip() for key in cell['keys'].split(','))}"
    if twice := [each.span.line for each in _all(rules) if each.name == said and said not in known]:
        which = listed([f"`line {line}`" for line in twice], "or")
        raise _error(name, f"{len(twice)} numbers are called `{said}`", f"say which one: {which}", given)
    if said not in known:
        raise _error(name, f"no number is called `{said}`", did_you_mean(said, list(known), _HELP), given)
    return known[said]


def whole_number(name: str, text: str, given: str = "--sweep") -> int:
    """A value that a number takes, as somebody wrote it. Raises `RulesError` (R806)."""
    if not re.fullmatch(r"-?\d{1,9}", text):
        help = "write whole numbers, such as `deal.hand_size for 4=8..12`"
        raise _error(name, f"`{text}` is no value of a number in the rules", help, given)
    return int(text)


def is_option(rules: Rules, name: str) -> bool:
    """Whether a table of these rules can be given a value by this name. Raises `RulesError` when they have errors."""
    declared = rules.required().declarations
    return any(isinstance(each, OptionDeclaration) and each.name == name for each in declared)


def with_numbers(rules: Rules, values: Mapping[Varied, int]) -> Rules:
    """The rules with other numbers at their places. They may have faults then, as any rules may."""
    return rules_from(Source(rules.path, text_with(rules, values)))


def text_with(rules: Rules, values: Mapping[Varied, int]) -> str:
    """The text of the rules with other numbers at their places."""
    assert rules.source is not None
    text = rules.source.text
    for varied, value in sorted(values.items(), key=lambda each: -each[0].span.start):
        text = f"{text[: varied.span.start]}{value}{text[varied.span.end :]}"
    return text


def _of_declarations(rules: Rules) -> Iterator[Varied]:
    for declaration in rules.tree.declarations if rules.tree is not None else ():
        match declaration:
            case tree.OptionDeclaration(name=name, default=default):
                yield from _whole(name.text, default.span)
            case tree.TableDeclaration():
                yield from _cells(declaration)
            case tree.Score(terms=terms):
                for term in terms:
                    if isinstance(term, tree.ScoreTerm):
                        numbers = list(_numbers(term.value.span))
                        if len(numbers) == 1:
                            yield from _whole(term.name.text, numbers[0])


def _cells(table: tree.TableDeclaration) -> Iterator[Varied]:
    for row in table.rows:
        keys, values = row.cells[: -len(table.columns)], row.cells[-len(table.columns) :]
        said = ", ".join(" ".join(key.span.text.split()) for key in keys)
        for column, cell in zip(table.columns, values, strict=True):
            about = table.name.text if len(table.columns) == 1 else f"{table.name.text}.{column.text}"
            yield from _whole(f"{about} for {said}", cell.span)


def _marked(rules: Rules) -> Iterator[Varied]:
    if rules.source is not None:
        for number in range(1, len(rules.source.line_starts) + 1):
            mark = _TUNABLE.search(rules.source.line(number))
            numbers = list(_numbers(_code(rules.source, number)))
            if mark and len(numbers) == 1:
                yield from _whole(mark[1], numbers[0])


def _in_line(rules: Rules, said: str, number: int, which: str | None, given: str) -> Varied:
    assert rules.source is not None
    lines = len(rules.source.line_starts)
    if not 1 <= number <= lines:
        raise _error(said, f"there is no line {number}", f"the file has {lines} lines", given)
    numbers = list(_numbers(_code(rules.source, number)))
    if not numbers:
        raise _error(said, f"no number stands in line {number}", f"the line is `{rules.source.line(number).strip()}`", given)
    if which is None and len(numbers) > 1:
        raise _error(said, f"{len(numbers)} numbers stand in line {number}", f"say which one: `line {number} number 1`", given)
    if not 1 <= int(which or 1) <= len(numbers):
        raise _error(said, f"line {number} has no number {which}", f"there are {len(numbers)}", given)
    return next(_whole(said, numbers[int(which or 1) - 1]))


def _code(source: Source, number: int) -> Span:
    """A line without its comment."""
    line, start = source.line(number), source.line_starts[number - 1]
    blank = re.sub(r'"[^"]*"', lambda text: " " * len(text[0]), line)
    end = blank.find("#")
    return Span(source, start, start + (len(line) if end < 0 else end))


def _numbers(where: Span) -> Iterator[Span]:
    """The numbers of a text, but for those in quotes."""
    blank = re.sub(r'"[^"]*"', lambda text: " " * len(text[0]), where.text)
    for found in _NUMBER.finditer(blank):
        yield Span(where.source, where.start + found.start(), where.start + found.end())


def _whole(name: str, span: Span) -> Iterator[Varied]:
    """The number in a place; nothing where something else stands there."""
    if re.fullmatch(r"-?\d{1,10}", span.text):
        yield Varied(name, span, int(span.text))


def _error(name: str, message: str, help: str, given: str) -> RulesError:
    source = Source(given, name)
    return RulesError([fault("R806", message, Span(source, 0, len(name)), help=help)])
