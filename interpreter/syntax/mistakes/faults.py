"""Explains a line that no rule of the grammar fits, and suggests what to write instead.

A suggestion is tried before it is made: the line with one word mended, or with one small word put in, is parsed again, and only a
line that fits is proposed. Failing that, the message says where the sentence stops making sense and what can follow.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import cache, lru_cache
from itertools import islice
from re import fullmatch
from typing import Final

from attrs import evolve

from ...common.diagnostics import Diagnostic, Edit, fault
from ...common.nouns import listed
from ...common.source import Source, Span
from ..parsing.layout import LogicalLine
from ..parsing.parser_tables import STARTS, Start, tables
from ..parsing.sentence import Stuck, sentence
from ..parsing.tokens import Word, cut, keyword_at, phrases
from ..parsing.words import EXPRESSION_PHRASES, RESERVED, STATEMENT_WORDS
from .common_slips import slip
from .misnamed import misnamed

# All numbers of a game fit in 32 bits; nine digits are what surely does.
MAX_DIGITS: Final = 9
# Brackets are counted before parsing; a tree as deep is refused anyway.
MAX_BRACKETS: Final = 30
# A line of this many words is not mended by guessing: each guess is a parse.
_AFTER_NOUNS: Final = ("and", "at", "by", "from", "if", "in", "into", "of", "on", "to", "where", "with")
_LIKE: Final = 0.6  # from which likeness on, from 0 to 1, one word may be meant by another
_MENDABLE: Final = 80
# So many guesses a line: about ten milliseconds.
GUESSES: Final = 60

PLACES: Final[dict[Start, str]] = {
    "file_line": "at the left edge of the file",
    "game_line": "under `game`",
    "kind_line": "under `cards`, `tiles` or `pieces`",
    "part_line": "under `shape`",
    "board_line": "under a zone that is a board",
    "table_line": "under `table`",
    "define_line": "under `define` or `returns`",
    "score_line": "under `score of player`",
    "majority_line": "under a `majority`",
    "winner_line": "under `winner`",
    "match_line": "under `match`",
    "statement_line": "in a setup, phase or step",
    "chooses_line": "under a line like `player chooses`",
    "option_line": "under an option of a choice",
    "reason_line": "under `only if`, `so that` or `limit`",
    "auction_line": "under `auction for`",
    "payment_line": "under `payment`",
    "variant_line": "under `variant`",
    "test_line": "under `test`",
}

# Where a line that stands in a wrong place belongs: the first of these that takes it.
_HOMES: Final[tuple[Start, ...]] = (
    "file_line",
    "statement_line",
    "option_line",
    "chooses_line",
    "test_line",
    "variant_line",
    "game_line",
    "kind_line",
    "auction_line",
    "majority_line",
)

# `player chooses` and `play a card from hand of player` begin with a name.
_WITHOUT_KEYWORD: Final[tuple[Start, ...]] = ("statement_line", "chooses_line")

# Which start rule a block has, by the first words of the line above it.
_BLOCKS: Final[dict[Start, dict[str, Start]]] = {
    "file_line": {
        "game": "game_line",
        "cards": "kind_line",
        "tiles": "kind_line",
        "pieces": "kind_line",
        "dice": "kind_line",
        "table": "table_line",
        "zone": "board_line",
        "define": "define_line",
        "setup": "statement_line",
        "phase": "statement_line",
        "step": "statement_line",
        "whenever": "statement_line",
        "match": "match_line",
        "score": "score_line",
        "returns": "define_line",
        "winner": "winner_line",
        "variant": "variant_line",
        "test": "test_line",
    },
    "kind_line": {"shape": "part_line"},
    "winner_line": {"for": "winner_line"},
    "statement_line": {
        **dict.fromkeys(("if", "otherwise", "for", "repeat", "take", "step"), "statement_line"),
        "auction": "auction_line",
    },
    "auction_line": {**dict.fromkeys(("no", "won", "cannot"), "statement_line"), "payment": "payment_line"},
    "chooses_line": {"if": "statement_line"},
}

_SIGNS: Final = {
    "=": "write `is` to compare, `set X to Y` to change, and `let X be Y` to name",
    "==": "write `is`",
    "!=": "write `is not`",
    "<=": "write `at most`",
    ">=": "write `at least`",
    "!": "write `not`",
    "×": "write `*`, or `x` in the size of a grid",
    "&": "write `and`",
    "?": "write the value that belongs here",
    "{": "blocks are made by indentation; sets of components by `(` and `)`",
    "}": "blocks are made by indentation; sets of components by `(` and `)`",
    ";": "begin a new line instead",
    ".": "write `hand of player`; a range of numbers has two dots, as in `1..6`",
    "'": 'texts stand in double quotes: "..."',
    "%": "write `mod` for the rest of a division",
}
# Signs that a keyboard or a word processor puts in the place of another.
_LOOKALIKES: Final = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "「": '"', "」": '"',
    "–": "-", "—": "-", "−": "-", "·": "*", "÷": "/",
    "：": ":", "，": ",", "、": ",", "（": "(", "）": ")", "［": "[", "］": "]", "｜": "|", "…": "..", "≤": "at most",
    "≥": "at least", "≠": "is not",
}  # fmt: skip

# What players, programmers and other languages call it.
_OTHER_WORDS: Final = {
    "deal": "draw 3 from PILE to ZONE",
    "give": "move X to ZONE",
    "discard": "move X to ZONE",
    "smallest": "lowest (of a number), fewest (of things)",
    "least": "lowest (of a number), fewest (of things)",
    "biggest": "highest (of a number), most (of things)",
    "largest": "highest (of a number), most (of things)",
    "greatest": "highest (of a number), most (of things)",
    "less": "<",
    "smaller": "<",
    "fewer": "<",
    "more": ">",
    "greater": ">",
    "larger": ">",
    "everyone": "for each player`, or `everybody with ...",
    "someone": "somebody with ...",
    "anybody": "somebody with ...",
    "anyone": "somebody with ...",
    "when": "if",
    "else": "otherwise",
    "elif": "otherwise if",
    "elseif": "otherwise if",
    "while": "repeat until",
    "foreach": "for each",
    "var": "let",
    "const": "define",
    "function": "define",
    "def": "define",
    "equals": "is",
    "increase": "add 1 to COUNTER",
    "decrease": "take 1 from COUNTER",
    "between": "in 1..5",
}

# The small words that are forgotten most easily; a line is tried with each.
FORGOTTEN: Final = (":", ",", "of", "to", "from", "is", "for", "a", "by", "be", "times")
# Before these it is this one most often: `hand of player`, `deck is empty`.
_MOST_OFTEN_AFTER: Final = {"player": "of", "empty": "is", "none": "is", "not": "is"}
# Small words that are taken for one another.
_ALIKE: Final = (
    ("of", "from", "in", "on", "to", "for", "by"),
    ("if", "when", "where"),
    ("is", "in"),
    ("to", ".."),
    ("every", "each"),
)
_WITH_PARAMETERS = ("define", "counter", "marker", "zone")
_FORGOTTEN_AT_END: Final = ("times", "chooses")


class Explainer:
    """Makes the diagnostics for the lines of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.game_line_failed = False  # then it is not missing
        self.extends_line_failed = False
        self.misnamed: dict[tuple[str, ...], int] = {}  # names that are none, as they are written, and on which line first

    def note_failed(self, words: Sequence[Word], start: Start) -> None:
        """Remember what a line that failed was probably meant to be."""
        if start == "file_line" and words:
            meant = get_close_matches(words[0].text.lower(), ["game", "extends"], n=1, cutoff=0.7)
            self.game_line_failed |= meant == ["game"]
            self.extends_line_failed |= meant == ["extends"]

    def span(self, first: Word, last: Word | None = None) -> Span:
        return Span(self.source, first.start, (last or first).end)

    # ---- Faults that are seen before any grammar

    def before_parsing(self, line: LogicalLine, words: Sequence[Word], longest: int) -> Diagnostic | None:
        """A fault in the words themselves."""
        if len(line.text) > longest:
            return fault(
                "R005",
                f"this line is {len(line.text):,} characters long",
                Span(self.source, line.start, line.start + 1),
                help=f"at most {longest:,} are read; a long table can stand in rows underneath",
            )
        if line.indent == 0 and words[0].text == "extends" and len(words) > 1 and words[1].shape == "word":
            help = 'write it so: `extends "FILE.rules"`'
            return fault("R101", "the name of a file stands in double quotes", self.span(words[1], words[-1]), help=help)
        for before, sign, after in zip(words, words[1:], words[2:], strict=False):
            if sign.text == "." and before.shape == after.shape == "number":
                help = "numbers are whole: count in halves or tenths, or multiply all of them"
                return fault("R115", "a number has no fraction", self.span(before, after), help=help)
        for word in words:
            if found := self._bad_word(word):
                return found
        if line.unclosed is not None:
            bracket = self.source.text[line.unclosed]
            other = ")" if bracket == "(" else "]"
            place = Span(self.source, line.unclosed, line.unclosed + 1)
            return fault("R114", f"this `{bracket}` is never closed", place, help=f"put a `{other}` where it ends")
        depth = 0
        for word in words:
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(word.text, 0)
            if depth > MAX_BRACKETS:
                return fault(
                    "R005",
                    f"more than {MAX_BRACKETS} brackets in one another are not read",
                    self.span(word),
                    help="give a part of it a name by a `define`",
                )
        return None

    def _bad_word(self, word: Word) -> Diagnostic | None:
        text = word.text
        if word.shape == "unclosed":
            return fault(
                "R105", "the closing quote of this text is missing", self.span(word), help='a text ends with `"` on the same line'
            )
        if word.shape == "number" and len(text) > MAX_DIGITS:
            return fault(
                "R111", f"this number has {len(text):,} digits", self.span(word), help=f"at most {MAX_DIGITS} digits are read"
            )
        if word.shape != "strange":
            return None
        if text[0].isdigit() and len(text) > 1:
            shown = text if len(text) <= 40 else text[:40] + "..."
            size = fullmatch(r"([0-9]+)x([0-9]+)", text)
            help = f"write `{size[1]} x {size[2]}`" if size else "a name begins with a letter"
            return fault("R115", f"`{shown}` is neither a number nor a name", self.span(word), help=help)
        if instead := _LOOKALIKES.get(text):
            return fault("R115", f"the sign `{text}` has no meaning here", self.span(word), help=f"write `{instead}`")
        if text.isdigit():
            return fault(
                "R115", f"`{text}` is not read as a number", self.span(word), help="write numbers with the digits 0 to 9"
            )
        shown = text if text.isprintable() else f"U+{ord(text[0]):04X}"
        return fault("R115", f"the sign `{shown}` has no meaning here", self.span(word), help=_SIGNS.get(text, ""))

    # ---- Sentences that no rule fits

    def stuck(self, words: Sequence[Word], start: Start, stuck: Stuck, *, thorough: bool) -> Diagnostic:
        """Why this line is not a sentence of its place."""
        if not thorough:
            return fault("R101", "this line is not understood", self.span(words[min(stuck.at, len(words) - 1)]))
        if len(words) <= _MENDABLE:
            found = (
                self._misnamed(words, start, stuck)
                or self._second_name(words, start, stuck)
                or self._slip(words, start, stuck)
                or self._other_word(words, start, stuck)
                or self._misplaced(words, start, stuck)
                or self._misspelt(words, start, stuck)
                or self._early_colon(words, start, stuck)
                or self._article(words, start)
                or self._sentence_elsewhere(words, start, stuck)
                or self._exchanged(words, start, stuck)
                or self._forgotten(words, start, stuck)
                or self._superfluous(words, start, stuck)
                or self._reserved(words, start, stuck)
                or self._probably_misspelt(words, start, stuck)
            )
            if found:
                return found
        return self._not_understood(words, start, stuck)

    def _misnamed(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """Something is given a name that cannot be one."""
        name = misnamed(words, start, stuck)
        if name is None:
            return None
        span = self.span(words[name.first], words[name.first + name.count - 1])
        self.misnamed.setdefault(name.texts(words), span.line)
        return fault("R108" if name.count == 1 else "R101", name.message(words), span, help=name.help)

    def _second_name(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """A word of the rules behind a noun, as in `a card a from hand of player`."""
        for at in (stuck.at - 1, stuck.at):
            if not 2 <= at < len(words) - 1 or words[at].text not in RESERVED or words[at - 2].text not in ("a", "an", "each"):
                continue
            mended = [*words[:at], *cut(f"my_{words[at].text}", words[at].start), *words[at + 1 :]]
            if words[at].text not in _AFTER_NOUNS and not isinstance(sentence(mended, start), Stuck):
                message = f"`{words[at].text}` is a word of the rules, so it cannot be a name"
                return fault("R108", message, self.span(words[at]), help="take another name, such as `other`")
        return None

    def _slip(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """What many write who are new to the rules."""
        found = slip(words, start, stuck)
        if found is None:
            return None
        return fault("R101", found.message, self.span(words[found.first], words[found.last]), help=found.help)

    def _other_word(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """A word of programming languages."""
        if [word.text for word in words[:2]] == ["draw", "a"]:
            return fault("R102", "`draw a` is not a word of the rules", self.span(words[0], words[1]), help="write `draw 1`")
        if words[0].text == "put" and (inside := [word for word in words if word.text in ("in", "into")]):
            return fault("R102", "components are put on a cell of a grid", self.span(inside[0]), help="write `move X to ZONE`")
        for at in (at for at in range(1, len(words) - 1) if [word.text for word in words[at : at + 2]] == ["at", "random"]):
            mended = [*words[:at], *cut("in random order", words[at].start), *words[at + 2 :]]
            if not isinstance(sentence(mended, start), Stuck):
                span = self.span(words[at], words[at + 1])
                return fault("R102", "`at random` is not a word of the rules", span, help="write `in random order`")
        if words[0].text == "when" and not isinstance(sentence([*cut("whenever", words[0].start), *words[1:]], start), Stuck):
            return fault("R102", "`when` is not a word of the rules", self.span(words[0]), help="write `whenever`")
        whole = [*cut("score of player", words[0].start), *words[1:]]
        if words[0].text == "score" and not isinstance(sentence(whole, start), Stuck):
            return fault("R101", "it is not said whose score this is", self.span(words[0]), help="write `score of player`")
        for index in sorted({0, max(stuck.at - 1, 0), stuck.at}):
            if index < len(words) and index not in stuck.keywords:
                word = words[index]
                if (instead := _OTHER_WORDS.get(word.text)) and (index >= stuck.at - 1 or stuck.at <= 1):
                    what = "cannot stand here" if word.text in RESERVED else "is not a word of the rules"
                    return fault("R102", f"`{word.text}` {what}", self.span(word), help=f"write `{instead}`")
        return None

    def _misplaced(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """A line whose first words are known elsewhere."""
        if 0 in stuck.keywords or any(_split(text)[0] == words[0].text for text in texts_of(_starters(start))):
            return None
        for home in _HOMES:
            if found := keyword_at(words, 0, _starters(home) - _starters(start)):
                width = found[1]
                if stuck.at <= width:
                    text = " ".join(word.text for word in words[:width])
                    return self._not_here(self.span(words[0], words[width - 1]), text, home, start)
        return None

    def _sentence_elsewhere(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """A line without a first word of its own that is a whole sentence elsewhere."""
        if 0 in stuck.keywords or len(words) == 1:
            return None
        for home in _WITHOUT_KEYWORD:
            if home != start and not isinstance(sentence(words, home), Stuck):
                return self._not_here(self.span(words[0], words[-1]), "this line", home, start)
        return None

    def _article(self, words: Sequence[Word], start: Start) -> Diagnostic | None:
        """The finding for an article that is missing or out of place in an option: `take card from centre`, where a card is
        chosen; `place a tile on map`, where its cells are.
        """
        if start != "chooses_line" or len(words) < 3 or words[1].shape != "word":
            return None
        if words[1].text == "a" and not isinstance(sentence([words[0], *words[2:]], start), Stuck):
            return fault("R101", "`a` cannot stand here", self.span(words[1]), help="leave `a` out")
        if isinstance(sentence([words[0], *cut("a", words[1].start), *words[1:]], start), Stuck):
            return None
        return fault("R101", f"`a` is missing before `{_shown(words[1])}`", self.span(words[1]))

    def _early_colon(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """A `:` that belongs further on, as in `given: deck empty`."""
        if stuck.at >= len(words) or words[stuck.at].text != ":":
            return None
        before, colon, after = words[: stuck.at], words[stuck.at], words[stuck.at + 1 :]
        for width in range(1, len(after)):
            mended = [*before, *after[:width], colon, *after[width:]]
            if not isinstance(sentence(mended, start), Stuck):
                shown = " ".join(word.text for word in (*before, *after[:width]))
                return fault("R101", "`:` stands too early here", self.span(colon), help=f"write `{shown}: ...`")
        return None

    def _exchanged(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """One small word in the place of another, as in `claim a domino of line`."""
        if stuck.at == len(words):
            return None
        in_range = stuck.at - 2 if words[stuck.at].text == ".." else stuck.at  # `is 1..5` goes wrong behind the 1
        for at in (max(in_range, 0), stuck.at + 1):
            for alike in (group for group in _ALIKE if at < len(words) and words[at].text in group):
                for text in alike:
                    mended = [*words[:at], *cut(text, words[at].start), *words[at + 1 :]]
                    if text != words[at].text and not isinstance(sentence(mended, start), Stuck):
                        message = f"`{words[at].text}` cannot stand here"
                        return fault("R101", message, self.span(words[at]), help=f"did you mean `{text}`?")
        return None

    def _not_here(self, span: Span, text: str, home: Start, start: Start) -> Diagnostic:
        shown = text if text == "this line" else f"`{text}`"
        if start == "chooses_line" and home == "statement_line":
            home = "option_line"
        return fault("R107", f"{shown} cannot stand {PLACES[start]}", span, help=f"it belongs {PLACES[home]}")

    def _misspelt(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """One word away from a sentence; where there is only one such word, that is how to mend it."""
        found: list[Diagnostic] = []
        for at, width, text in islice(near_keywords(words, stuck.at, stuck.keywords), GUESSES):
            mended = [*words[:at], *cut(text, words[at].start), *words[at + width :]]
            if not isinstance(sentence(mended, start), Stuck):
                found.append(self._did_you_mean(words, at, width, text))
        if len(found) == 1 and found[0].span is not None:
            return evolve(found[0], edits=(Edit(found[0].span, found[0].help.split("`")[1]),))
        return found[0] if found else None

    def _did_you_mean(self, words: Sequence[Word], at: int, width: int, text: str) -> Diagnostic:
        if words[at].text == "," and text.startswith(", "):
            at, width, text = at + 1, width - 1, text[2:]
        written = " ".join(word.text for word in words[at : at + width])
        span = self.span(words[at], words[at + width - 1])
        return fault("R102", f"`{written}` is not a word of the rules", span, help=f"did you mean `{text}`?")

    def _probably_misspelt(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """More is wrong than one word, but the first one, or the one where the sentence stops, is nearly a keyword."""
        possible = stuck.possible()
        for index, terminals in ((0, _starters(start)), (stuck.at, possible)):
            if index >= len(words) or index in stuck.keywords or words[index].shape != "word":
                continue
            known = words[index].text in RESERVED  # a word of the rules in a wrong place is none that is misspelt
            for width in (4, 2) if known else (4, 2, 1):
                part = [word.text.lower() for word in words[index : index + width]]
                near = [(_nearness(part, text), text) for text in texts_of(terminals) if part != _split(text)]
                if near and max(near)[0] > 0.7:
                    return self._did_you_mean(words, index, len(part), max(near)[1])
            heads = set() if known else {text.split()[0] for text in texts_of(terminals)} - {words[index].text}
            if likely := get_close_matches(words[index].text.lower(), sorted(heads), n=1, cutoff=0.75):
                return self._did_you_mean(words, index, 1, likely[0])
        return None

    def _reserved(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """A word of the language where a name must stand, or may stand and is what the rest of the line goes on from."""
        if stuck.at >= len(words) or words[stuck.at].text not in RESERVED:
            return None
        possible = stuck.possible()
        if "NAME" in possible and not possible & {"NUMBER", "ANY_WORD"}:
            word = words[stuck.at]
            if texts_of(possible):
                named = sentence([*words[: stuck.at], *cut(f"my_{word.text}", word.start), *words[stuck.at + 1 :]], start)
                if isinstance(named, Stuck) and named.at <= stuck.at + 1:
                    return None
            return fault(
                "R108",
                f"`{word.text}` is a word of the rules, so it cannot be a name",
                self.span(word),
                help=f"take another name, such as `my_{word.text}`",
            )
        return None

    def _forgotten(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """One small word short of a sentence."""
        if words[0].text in _WITH_PARAMETERS and all(word.text != ":" for word in words):
            for at in range(2, stuck.at):  # what follows may look like further parameters
                if not isinstance(sentence([*words[:at], *cut(":", words[at - 1].end), *words[at:]], start), Stuck):
                    return fault("R101", f"`:` is missing before `{_shown(words[at])}`", self.span(words[at]))
        for at in dict.fromkeys((stuck.at, stuck.at + 1, max(stuck.at - 1, 1))):
            if at > len(words):
                continue
            forgotten: tuple[str, ...] = FORGOTTEN if at < len(words) else _FORGOTTEN_AT_END
            if at < len(words) and words[at].text in _MOST_OFTEN_AFTER:
                forgotten = (_MOST_OFTEN_AFTER[words[at].text], *forgotten)
            elif at < len(words) and words[at].shape == "number":  # `of 2` is of no use: `do pay_out of player for 2`
                forgotten = tuple("for" if text == "of" else text for text in forgotten)
            for text in forgotten:
                mended = [*words[:at], *cut(text, words[at - 1].end), *words[at:]]
                if isinstance(sentence(mended, start), Stuck):
                    continue
                if at < len(words):
                    return fault("R101", f"`{text}` is missing before `{_shown(words[at])}`", self.span(words[at]))
                return fault("R101", f"`{text}` is missing at the end", self.span(words[-1]))
        return None

    def _superfluous(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic | None:
        """One small word too many, as in `x is at least 3`."""
        if stuck.at == len(words):
            return None  # rather too little than too much
        for at in (stuck.at - 1, stuck.at):
            if at < 1 or (words[at].shape == "word" and words[at].text not in RESERVED):
                continue
            if words[at].shape in ("word", "mark") and not isinstance(sentence([*words[:at], *words[at + 1 :]], start), Stuck):
                return fault(
                    "R101", f"`{words[at].text}` cannot stand here", self.span(words[at]), help=f"leave `{words[at].text}` out"
                )
        return None

    def _not_understood(self, words: Sequence[Word], start: Start, stuck: Stuck) -> Diagnostic:
        """Where the sentence stops making sense, and what can follow."""
        follows = _human(stuck.possible())
        if "match" in [word.text for word in words[:2]]:
            follows = follows.replace("a name", "what they are called, such as `games`")
        if stuck.at >= len(words):
            if follows == "`,`":  # and then?
                further = sentence([*words, *cut(",", words[-1].end)], start)
                follows = f"`,` and {_human(further.possible())}" if isinstance(further, Stuck) else follows
            help = f"after it comes {follows}" if follows else ""
            return fault("R101", f"this sentence stops too early, after `{_shown(words[-1])}`", self.span(words[-1]), help=help)
        word = words[stuck.at]
        if stuck.at == 0 or (start in ("statement_line", "option_line") and 0 not in stuck.keywords):
            # `hand player is 3`: that a player's choice could begin with a name is no help.
            message = f"no line {PLACES[start]} begins with `{_shown(words[0])}`"
            return fault("R101", message, self.span(words[0]), help=_beginnings(start, words[0].text))
        before = _shown(words[stuck.at - 1])
        if word.text == "if" and before == ":":
            help = "write the `if` on a line of its own, indented under this one"
        elif word.text == ":" and stuck.at == len(words) - 1:
            help = "leave the `:` out"
        elif follows == "nothing more":
            help = "the sentence is complete before it: leave the rest out, or begin a new line"
        else:
            help = f"after `{before}` comes {follows}" if follows else ""
        return fault("R101", f"`{_shown(word)}` cannot follow `{before}` here", self.span(word), help=help)


def block_of(words: Sequence[Word], start: Start) -> Start | None:
    """The start rule for the block under a line that failed, as far as its first words tell."""
    if not words:
        return None
    first = words[0].text
    if start in ("statement_line", "option_line") and (
        words[-1].text == "chooses" or [word.text for word in words[-2:]] == ["goes", "on"]
    ):
        return "chooses_line"
    if start == "option_line" and first in ("only", "so", "limit"):
        return "reason_line"
    if first == "zone" and all(word.text != "board" for word in words):
        return None
    if start == "variant_line":
        if first == "add":
            scores = len(words) > 2 and words[1].text == "to" and words[2].text.startswith("score")
            return "score_line" if scores else "statement_line"
        if first == "replace":
            return block_of(words[1:], "file_line")
        start = "file_line"
    if start == "option_line":
        start = "statement_line"
    known = _BLOCKS.get(start, {})
    if first in known:
        return known[first]
    if start == "chooses_line":
        return "option_line"
    if near := get_close_matches(first, known, n=1, cutoff=0.6):
        return known[near[0]]
    # A line in a wrong place.
    return next((blocks[first] for blocks in _BLOCKS.values() if first in blocks), None)


# ---- Words and phrases


@cache
def _starters(start: Start) -> frozenset[str]:
    """The keywords that can begin a line of this place."""
    parser = tables().parse_interactive(start=start)
    terminals = set(parser.choices())  # type: ignore[no-untyped-call]  # lark has no types here
    return frozenset(terminals & set(_keywords()))


@cache
def _keywords() -> dict[str, str]:
    """The text of each terminal that is a keyword of letters."""
    found = {}
    for first, rests in phrases().items():
        for rest, terminal in rests:
            if first[0].isalpha() or (first == "," and rest):
                found[terminal] = " ".join([first, *rest]).replace(" ,", ",")
    return found


def texts_of(terminals: Sequence[str] | frozenset[str] | set[str]) -> list[str]:
    known = _keywords()
    return sorted(known[terminal] for terminal in terminals if terminal in known)


def near_keywords(words: Sequence[Word], stuck: int, keywords: Container[int]) -> Iterator[tuple[int, int, str]]:
    """Words about the place where the line is stuck (and its first ones) that are nearly a keyword; the nearest first.

    ``keywords``: the places of words that are taken for keywords already.
    """
    found: list[tuple[float, int, int, str]] = []
    for at in sorted({0, *range(max(0, stuck - 4), min(len(words), stuck + 3))}):
        for width in (1, 2, 3):
            part = [word.text.lower() for word in words[at : at + width]]
            if len(part) < width or not _all_words(words[at : at + width]):
                continue
            if all(index in keywords for index in range(at, at + width)):
                continue
            if width == 1 and words[at].text in RESERVED:
                continue
            for nearness, text in _near(tuple(part)):
                if [word.text for word in words[at : at + width]] != _split(text):
                    found.append((-nearness, at, width, text))
    for _, at, width, text in sorted(found):
        yield at, width, text


@lru_cache(4_096)  # somebody who writes a line changes one word at a time
def _near(part: tuple[str, ...]) -> tuple[tuple[float, str], ...]:
    """The keywords that these words nearly are, each with its nearness."""
    return tuple((nearness, text) for text in _keywords().values() if (nearness := _nearness(part, text)))


def _all_words(part: Sequence[Word]) -> bool:
    """Whether these are words, but for a comma that may come first."""
    return all(word.shape == "word" or (word.text == "," and word is part[0] and len(part) > 1) for word in part)


@cache
def _split(text: str) -> list[str]:
    return [word.text for word in cut(text, 0)]


def _nearness(part: Sequence[str], text: str) -> float:
    """From 0 to 1, how near these words are to a keyword: word by word, or written as one (`foreach`, `can not`)."""
    parts = _split(text)
    if len(parts) == len(part):
        total = 0.0
        for a, b in zip(part, parts, strict=True):
            if (likeness := 1.0 if a == b else _likeness(a, b)) < _LIKE:
                return 0.0
            total += likeness
        return total / len(parts)
    if len(parts) == 1 or len(part) == 1:
        likeness = _likeness("".join(part), "".join(parts))
        return likeness if likeness > 0.85 else 0.0
    return 0.0


@lru_cache(8_192)
def _letters(word: str) -> frozenset[str]:
    return frozenset(word)


@lru_cache(8_192)  # words of one line are held against all keywords again and again
def _likeness(a: str, b: str) -> float:
    if abs(len(a) - len(b)) > 2:
        return 0.0
    of_a, of_b = _letters(a), _letters(b)
    shared = min(len(a) - len(of_a - of_b), len(b) - len(of_b - of_a))  # no more letters can be the same
    if 2 * shared < _LIKE * (len(a) + len(b)):
        return 0.0
    return SequenceMatcher(None, a, b).ratio()


def _human(possible: set[str]) -> str:
    """A short list of what can follow, in words."""
    parts: list[str] = []
    if "nothing" in (texts := texts_of(possible)):  # a statement; that one may begin with a player explains nothing
        possible = possible - {"NUMBER", "NAME"}
        texts = [text for text in texts if text not in EXPRESSION_PHRASES]
    if "NUMBER" in possible and "NAME" in possible:
        parts.append("a value")
    elif "NAME" in possible:
        parts.append("a name")
    elif "NUMBER" in possible:
        parts.append("a number")
    if "STRING" in possible:
        parts.append('a text in `"`')
    if "a value" not in parts:
        signs = {"COLON": ":", "COMMA": ",", "RPAR": ")", "RSQB": "]", "VBAR": "|"}
        shown = [f"`{sign}`" for name, sign in signs.items() if name in possible]
        connecting = [f"`{text}`" for text in texts if text not in _OPERATORS]
        parts += (shown + connecting)[: max(0, 5 - len(parts))]
    if not parts and "$END" in possible:
        return "nothing more"
    return listed(parts, "or")


# These may follow almost any value; naming them all would hide what is missing.
_OPERATORS: Final = {
    *("and", "or", "is", "is not", "in", "not in", "at least", "at most", "has a", "has an", "has no", "has only", "mod"),
    *("with", "where", "without", "also in", "for", "of", "shifted", "is full", "is not full", "touches", "touches same"),
    *("is a", "is an", "is not a", "is not an"),
    *("has a line of", "has a path from", "seat left of", "seat right of", "seats left of", "seats right of"),
}


def _beginnings(start: Start, first: str) -> str:
    """What lines of this place begin with; only what has the ``first`` word of the line, if there is such."""
    # A value can begin a line too (`player chooses`), but its words explain nothing.
    starters = texts_of(_starters(start))
    texts = [text for text in starters if text not in EXPRESSION_PHRASES or _split(text)[0] in STATEMENT_WORDS]
    texts = [text for text in texts if _split(text)[0] == first] or texts
    if not 0 < len(texts) <= 30:
        return ""
    return "such a line begins with " + ", ".join(f"`{text}`" for text in texts)


def _shown(word: Word) -> str:
    return word.text if len(word.text) <= 40 else word.text[:40] + "..."


assert set(PLACES) == set(STARTS)
