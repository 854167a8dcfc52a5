"""Lists how the parser takes each word of files of rules: what an editor should colour it as.

The tests of the VS Code extension compare its grammar with this::

    python editors/word_classes.py games/masti.rules

prints one JSON object: for each file a list of `[line, column, length, class]`. Lines and columns count from 0; columns and
lengths are in UTF-16 units, as JavaScript has them. The class is `comment`, `string`, `number`, `keyword` or `name`. Signs are
left out, and so are lines that are no sentences.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.syntax.parsing.layout import LogicalLine, layout
from rulesrun.interpreter.syntax.parsing.sentence import taken
from rulesrun.interpreter.syntax.parsing.tokens import all_words
from rulesrun.interpreter.syntax.reading.comments import comments
from rulesrun.interpreter.syntax.reading.from_text import parse
from rulesrun.interpreter.syntax.reading.notes import words_and_text

_SHAPES: Final = {"word": "keyword", "number": "number", "text": "string"}


def classes(source: Source) -> Iterator[tuple[int, int, int, str]]:
    """Each word, text and comment of a file: line, column, length and class."""
    known = dict[int, bool]()  # for the first place of each word that was understood, whether it is a keyword
    for sentence in parse(source).sentences:
        parts = taken(sentence.words, sentence.start)
        if sum(part.count for part in parts) == len(sentence.words):
            for part in parts:
                for word in sentence.words[part.first : part.first + part.count]:
                    known[word.start] = part.is_keyword
    found = [(one.span.start, one.span.end, "comment") for one in comments(source)]
    whole = parse(source).tree
    for note in whole.notes if whole is not None else ():
        said, text = words_and_text(note)
        found += [(word.start, word.end, "keyword") for word in all_words(source.text[said.start : said.end], said.start)]
        found.append((text.start, text.end, "string"))
    for line in _lines(layout(source).lines):
        words = all_words(line.text, line.start)
        if any(word.start in known for word in words):
            for word in words:
                if word.shape in _SHAPES:
                    is_name = word.shape == "word" and not known.get(word.start, True)  # `the` is a keyword
                    found.append((word.start, word.end, "name" if is_name else _SHAPES[word.shape]))
    for begin, end, kind in sorted(found):
        number, column = source.position(begin)
        before = source.line(number)[: column - 1]
        yield number - 1, _units(before), _units(source.text[begin:end]), kind


def _lines(lines: Sequence[LogicalLine]) -> Iterator[LogicalLine]:
    for line in lines:
        yield line
        yield from _lines(line.children)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def main(paths: Sequence[str]) -> None:
    """Print the words of files."""
    found = {path: list(classes(Source(path, Path(path).read_text(encoding="utf-8")))) for path in paths}
    print(json.dumps(found, separators=(",", ":")))


if __name__ == "__main__":
    main(sys.argv[1:])
