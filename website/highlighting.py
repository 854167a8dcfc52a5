"""A Pygments lexer for rules, which colours each word as the parser of the language takes it.

There is no list of keywords here. Whether a word is a keyword depends on the place where it stands, and the parser knows that:
it tells for each line what its words were taken for. Examples are often parts of a file, so a line that is no sentence at its
place is tried at all other places where a line can stand. In what is no sentence anywhere, only texts, numbers and comments have
a colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pygments.lexer import Lexer
from pygments.lexers import LEXERS
from pygments.token import Comment, Keyword, Name, Number, String, Whitespace, _TokenType
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.syntax.mistakes.faults import block_of
from rulesrun.interpreter.syntax.parsing.layout import LogicalLine, layout
from rulesrun.interpreter.syntax.parsing.parser_tables import STARTS, Start
from rulesrun.interpreter.syntax.parsing.sentence import Stuck, sentence, taken
from rulesrun.interpreter.syntax.parsing.tokens import Word, all_words, cut
from rulesrun.interpreter.syntax.reading.comments import comments
from rulesrun.interpreter.syntax.reading.notes import notes_taken, words_and_text

__all__ = ["RulesLexer"]  # where Pygments looks for lexers, and for nothing else

_SHAPES: Final = {"number": Number, "text": String}

Part = tuple[int, int, _TokenType]


class RulesLexer(Lexer):
    """Colours `.rules`, as `pygmentize` and the documentation site use it."""

    name = "rulesrun"
    aliases = ("rules",)
    filenames = ("*.rules",)

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """The parts of a text in order: where each begins, its token type, and its characters."""
        at = 0
        for start, end, kind in sorted(_parts(Source("example.rules", text))):
            if at < start:
                yield at, Whitespace, text[at:start]
            yield start, kind, text[start:end]
            at = end
        if at < len(text):
            yield at, Whitespace, text[at:]


def register() -> None:
    """Let Pygments find the lexer by the word ``rules``."""
    LEXERS[RulesLexer.__name__] = (__name__, RulesLexer.name, RulesLexer.aliases, RulesLexer.filenames, ())


def _parts(source: Source) -> Iterator[Part]:
    """Everything that has a colour: from where, to where, and which."""
    for comment in comments(source):
        yield comment.span.start, comment.span.end, Comment.Single
    lines = layout(source).lines
    for note in notes_taken(lines, source):
        words, text = words_and_text(note)
        for word in all_words(source.text[words.start : words.end], words.start):
            yield word.start, word.end, Keyword
        yield text.start, text.end, String
    yield from _block(lines, "file_line")


def _block(lines: Sequence[LogicalLine], place: Start | None) -> Iterator[Part]:
    for line in lines:
        words = cut(line.text, line.start)
        start = _place(words, place)
        yield from _line(line, words, start)
        yield from _block(line.children, None if start is None else block_of(words, start))


def _place(words: Sequence[Word], likely: Start | None) -> Start | None:
    """A place at which a line is a sentence, if there is one."""
    places = (*([] if likely is None else [likely]), "file_line", "statement_line", *STARTS)
    return next((place for place in places if not isinstance(sentence(words, place), Stuck)), None)


def _line(line: LogicalLine, words: Sequence[Word], start: Start | None) -> Iterator[Part]:
    keywords: set[int] = set()
    for part in () if start is None else taken(words, start):
        if part.is_keyword:
            keywords.update(word.start for word in words[part.first : part.first + part.count])
    for word in all_words(line.text, line.start):
        if word.shape in _SHAPES:
            yield word.start, word.end, _SHAPES[word.shape]
        elif word.start in keywords and word.shape == "word":
            first = word.start == words[0].start and start in ("file_line", "variant_line")
            yield word.start, word.end, Keyword.Declaration if first else Keyword
        elif word.shape == "word":
            yield word.start, word.end, Whitespace if word.text == "the" and start is not None else Name
