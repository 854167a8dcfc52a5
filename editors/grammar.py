"""Makes the TextMate grammar of the VS Code extension, and the words of the playground, from the grammar of the language.

Write the files anew after the language has changed::

    python editors/grammar.py

An editor colours a file with this grammar before it has asked anybody what the rules mean. A TextMate grammar is a tree of
regular expressions: it knows the block in which a line stands, the first words of the line, and the word before. So the
generator reads off `grammar/rules.lark`, for each place where a line can stand (`statement_line`, `chooses_line` and so on):

- with which keywords its lines begin, and what stands in the block below such a line;
- which keywords can occur in a line that begins so;
- after which keywords only a name can stand: `step take` calls a step `take`, although `take` begins statements.

`editors/word_classes.py` lists how the parser itself takes each word of a file. The tests of the extension compare the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from attrs import frozen
from rulesrun.interpreter.syntax.mistakes.faults import block_of
from rulesrun.interpreter.syntax.parsing.parser_tables import STARTS, Start, tables
from rulesrun.interpreter.syntax.parsing.tokens import cut
from rulesrun.interpreter.syntax.parsing.words import EXPRESSION_WORDS, RESERVED

FILE: Final = Path(__file__).parent / "vscode" / "syntaxes" / "rulesrun.tmLanguage.json"
SETTINGS: Final = Path(__file__).parent / "vscode" / "language-configuration.json"
WORDS_FILE: Final = Path(__file__).parents[1] / "web" / "playground" / "words.js"

Symbols = tuple[str, ...]
Pattern = dict[str, Any]

_WORDS: Final = frozenset({"NAME", "FREE_WORD", "ANY_WORD", "EACH_NAME"})  # terminals that are a word of the writer's own
_THE: Final = r"(?:the\s+)*"  # stands anywhere and means nothing
_GAP: Final = rf"\s+{_THE}"
_NAME: Final = r"[\p{L}\p{Nl}_][\w\x{200c}\x{200d}]*"
_OWN_NAME: Final = "variable.other.rulesrun"
_INDENT: Final = rf"^([ \t]*){_THE}"
# The block ends before the next line that is not deeper; empty lines and comments end nothing.
_BLOCK_END: Final = r"^(?!\G|\1[ \t]|\s*$|\s*#)"
# A bracket that is never closed, as while somebody writes, ends before a line at the left edge.
_LEFT_EDGE: Final = r"^(?!\G)(?=[^\s)\]#])"
_LINE_END: Final = rf"(?=\n)|$|{_LEFT_EDGE}"

# The scopes of keywords; all others are `keyword.other`.
_SCOPES: Final = {
    "constant.language": ("none", "empty", "yes", "no", "yes or no", "or none", "nothing"),
    "storage.modifier": (
        "open", "private", "hidden", ", open", ", private", ", hidden", "set of", "pile of", "slot of", "grid of",
        "hexagonal grid of", "board of", "face down",
    ),
    "keyword.operator.word": (
        "and", "or", "not", "mod", "is", "is not", "is a", "is an", "is not a", "is not an", "is full", "is not full",
        "is possible", "is not possible", "at least", "at most", ", at most", "in", "not in", "touches", "touches same", "has a",
        "has an", "has no", "has only", "rounded down", "rounded up",
    ),
    "keyword.control": (
        "if", "otherwise", "otherwise if", ", otherwise", "for each", "repeat", "repeat until", "times", "until", "take turns",
        "chooses", "goes on", "do", "end", "step", "auction for", "only if", "so that", "unless", "unless impossible",
        "if impossible", "limit", "after this", "where",
    ),
}  # fmt: skip
_SCOPE_OF: Final = {phrase: scope for scope, phrases in _SCOPES.items() for phrase in phrases}
_POSSIBLE: Final = ("is possible", "is not possible")
# What a word behind these declares.
_DECLARED: Final = {
    **dict.fromkeys(("cards", "tiles", "pieces", "dice", "list"), "entity.name.type"),
    **dict.fromkeys(("define", "phase", "step", "table", "game", "variant"), "entity.name.function"),
    **dict.fromkeys(("zone", "counter", "marker", "option"), "variable.other.definition"),
}
# What stands below lines that begin with a name or an expression: by place, a pattern for the line and the place below.
_BELOW: Final[dict[str, tuple[tuple[str, Start], ...]]] = {
    "statement_line": ((r'(?=(?:[^"#]|"[^"]*")*\b(?:chooses|goes\s+on)\s*:?\s*(?:#.*)?$)', "chooses_line"),),
    "option_line": ((r'(?=(?:[^"#]|"[^"]*")*\b(?:chooses|goes\s+on)\s*:?\s*(?:#.*)?$)', "chooses_line"),),
    "chooses_line": ((rf"(?=(?!if{_GAP}impossible\b){_NAME})", "option_line"),),
    "score_line": ((r'(?=(?:[^"#]|"[^"]*")*:\s*majority\s*:?\s*(?:#.*)?$)', "majority_line"),),
}


# ---- The grammar of the language


@cache
def _rules() -> dict[str, tuple[Symbols, ...]]:
    """The rules of the grammar without optional and repeated parts: what each can be, in symbols."""
    found: dict[str, dict[Symbols, None]] = {}
    for rule in tables().rules:
        found.setdefault(rule.origin.name, {})[tuple(symbol.name for symbol in rule.expansion)] = None
    return {name: tuple(expansions) for name, expansions in found.items()}


@cache
def _texts() -> dict[str, str]:
    """The text of each terminal that is written as it is: keywords, phrases and signs, without `the`."""
    return {
        terminal.name: " ".join(word.text for word in cut(terminal.pattern.value, 0)).replace(" ,", ",")
        for terminal in tables().terminals
        if terminal.pattern is not None and terminal.name != "__ANON_0"
    } | {"_EACH_IN": "in", "_EACH_IN_RANGE": "in", "AT_MOST_TIMES": "at most"}


def _is_keyword(terminal: str) -> bool:
    return re.search("[a-z]", _texts().get(terminal, "")) is not None


@cache
def _ends(symbol: str, at: int) -> frozenset[str]:
    """The terminals with which a symbol begins (``at`` is 0) or ends (-1)."""
    seen, todo, found = set[str](), [symbol], set[str]()
    while todo:
        one = todo.pop()
        if one not in _rules():
            found.add(one)
        elif one not in seen:
            seen.add(one)
            todo += [expansion[at] for expansion in _rules()[one] if not _asks_whether_possible(expansion)]
    return frozenset(found)


def _asks_whether_possible(line: Symbols) -> bool:
    """Whether this is `take is possible`. There and nowhere else in expressions, the first word of a statement is a name."""
    return bool(line) and _texts().get(line[-1]) in _POSSIBLE


@frozen
class Group:
    """The lines of one place that begin with the same keywords, ``lead``; it is empty for all that begin otherwise.

    ``lines``: what can follow the lead.
    """

    lead: Symbols
    lines: tuple[Symbols, ...]

    def expansions(self) -> Iterator[Symbols]:
        """The lines, and all that can stand inside them."""
        yield from self.lines
        seen, todo = set[str](), [symbol for line in self.lines for symbol in line]
        while todo:
            symbol = todo.pop()
            if symbol in seen or symbol not in _rules():
                continue
            seen.add(symbol)
            yield from _rules()[symbol]
            todo += [part for expansion in _rules()[symbol] for part in expansion]

    def following(self) -> dict[str, set[str]]:
        """For each terminal in the lines, those that can follow it."""
        found: dict[str, set[str]] = {}
        for expansion in self.expansions():
            for symbol in expansion[_asks_whether_possible(expansion) :]:
                if symbol not in _rules():
                    found.setdefault(symbol, set())
            for first, second in pairwise(expansion):
                for terminal in _ends(first, -1):
                    found.setdefault(terminal, set()).update(_ends(second, 0))
        return found


def _lines(place: Start) -> Iterator[Symbols]:
    """The lines of a place, with their first keywords spelled out."""
    todo = list(_rules()[place])[::-1]
    while todo:
        line = todo.pop()
        at = _prefix(line)
        symbol = line[at]
        stands_for_others = len(line) == at + 1 and symbol not in ("value", "row", "names")
        if symbol in _rules() and (stands_for_others or all(map(_is_keyword, _ends(symbol, 0)))):
            todo += [(*line[:at], *expansion, *line[at + 1 :]) for expansion in _rules()[symbol]][::-1]
        else:
            yield line


def _prefix(line: Symbols) -> int:
    """How many keywords stand before another one that says more: `replace` in `replace define`."""
    return 1 if line[0] == "REPLACE" else 0


def _groups(place: Start) -> list[Group]:
    """The lines of a place by their first keywords; longer ones first, then those that begin with none."""
    found: dict[Symbols, list[Symbols]] = {}
    for line in _lines(place):
        lead = line[: _prefix(line) + 1]
        lead = lead if all(map(_is_keyword, lead)) else ()
        found.setdefault(lead, []).append(line[len(lead) :])
    groups = [Group(lead, tuple(lines)) for lead, lines in found.items()]
    return sorted(groups, key=lambda group: -len(" ".join(map(_texts().__getitem__, group.lead)).split()))


def _place_below(group: Group, place: Start) -> Start | None:
    """What stands below the lines of a group."""
    for line in group.lines:
        text = " ".join(_texts()[symbol] for symbol in (*group.lead, *line) if symbol in _texts())
        if group.lead and (below := block_of(cut(text, 0), place)):
            return below
    return None


# ---- Patterns


def _phrase(text: str) -> str:
    """A pattern for a keyword or phrase."""
    words: list[str] = [re.escape(word) for word in re.findall(r"[a-z]+|[^a-z\s]+", text)]
    pattern = words[0]
    for before, word in pairwise(words):
        pattern += (_GAP if before.isalpha() else rf"\s*{_THE}") + word
    return pattern


def _any(texts: Iterable[str]) -> str:
    """A pattern for any of some phrases, the longest first."""
    ordered = sorted(set(texts), key=lambda text: (-len(text.split()), text))
    worded = [_phrase(text) for text in ordered if text[0].isalpha()]
    signed = [_phrase(text) for text in ordered if not text[0].isalpha()]
    return "(?:" + "|".join([*signed, *([rf"\b(?:{'|'.join(worded)})"] if worded else [])]) + ")"


def _scope(text: str) -> str:
    return f"{_SCOPE_OF.get(text, 'keyword.other')}.rulesrun"


@cache
def _shared() -> frozenset[str]:
    """The keywords that most lines have in common: those of expressions."""
    following = Group((), _rules()["value"]).following()
    return frozenset({_texts()[terminal] for terminal in following if _is_keyword(terminal)} | EXPRESSION_WORDS)


def _keywords(texts: Iterable[str]) -> list[Pattern]:
    """Patterns for keywords, the longest first; a comma that belongs to a keyword keeps its colour."""
    groups: dict[tuple[int, str, bool], list[str]] = {}
    for text in texts:
        groups.setdefault((-_length(text), _scope(text), text[0] != ","), []).append(text)
    patterns: list[Pattern] = []
    for (_, scope, worded), some in sorted(groups.items()):
        if worded:
            patterns.append({"match": rf"{_any(some)}\b", "name": scope})
        else:
            behind = _any(text.removeprefix(", ") for text in some)
            patterns.append({"match": rf",\s*{_THE}({behind})\b", "captures": {"1": {"name": scope}}})
    return patterns


def _length(text: str) -> int:
    return len(re.findall(r"[a-z]+", text))


def _sentence(name: str, group: Group) -> Pattern:
    """What stands in lines of a group, behind the lead."""
    following = group.following()
    free = "FREE_WORD" in following or "ANY_WORD" in following
    texts = {_texts()[terminal] for terminal in following if _is_keyword(terminal)}
    texts |= EXPRESSION_WORDS if free else RESERVED
    shared = _shared() if "count of" in texts else frozenset[str]()
    own = texts - shared
    inside: Pattern = {"include": f"#{name}"}
    patterns: list[Pattern] = [
        {"include": "#comment"},
        {"include": "#text"},
        {
            "begin": r"(,)\s*(#.*)?$",
            "end": rf"(?!\G)(?=\n)|{_LEFT_EDGE}",
            "beginCaptures": {"2": {"name": "comment.line.number-sign.rulesrun"}},
            "patterns": [inside],
        },
        {"begin": r"\(", "end": rf"\)|{_LEFT_EDGE}", "patterns": [inside]},
        {"include": "#pick"},
        {"include": "#player"},
    ]
    if not texts.isdisjoint(_POSSIBLE):
        patterns.append({"match": rf"\b{_NAME}(?=\s+is\s+(?:not\s+)?possible\b)", "name": _OWN_NAME})
    if "VBAR" in following:
        alone = _any(EXPRESSION_WORDS - {_texts()[one] for one in _ends("sum", 0) & _ends("sum", -1) if _is_keyword(one)})
        patterns.append({"match": rf"(?:(\|)\s*|\G)({alone})(?=\s*(?:\||#|$))", "captures": {"2": {"name": _OWN_NAME}}})
    patterns += _names(following, own)
    patterns += _keywords(text for text in own if _length(text) > 1)
    patterns += [{"include": "#expression"}] if shared else []
    patterns += _keywords(text for text in own if _length(text) == 1)
    return {"patterns": [*patterns, {"include": "#rest"}]}


def _names(following: Mapping[str, set[str]], own: Iterable[str]) -> Iterator[Pattern]:
    """Patterns for words that are keywords elsewhere in the line, but can only be names behind some keyword or sign."""
    single = {text for text in own if _length(text) == 1 and text.isalpha()}
    some: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for terminal, behind in following.items():
        text = _texts().get(terminal, "")
        if not behind & _WORDS or not (_is_keyword(terminal) or text in (":", ",")):
            continue
        allowed = {_texts()[one] for one in behind if _is_keyword(one)}
        if text == ",":
            allowed |= {one.removeprefix(", ").split()[0] for one in own if one[0] == ","}
        unfree = EXPRESSION_WORDS if behind & {"FREE_WORD", "ANY_WORD"} else RESERVED
        if words := single - allowed - unfree:
            scope = _scope(text) if text[0].isalpha() else "punctuation.separator.rulesrun"
            some.setdefault((tuple(sorted(words)), scope), []).append(text)
    for (names, scope), texts in sorted(some.items()):
        yield {
            "match": rf"({_any(texts)})(?:(?<!\w)|\s)\s*{_THE}({_any(names)})\b",
            "captures": {"1": {"name": scope}, "2": {"name": _OWN_NAME}},
        }


def _line_rule(place: Start, group: Group, sentence: str, below: Start | None, condition: str = "") -> Pattern:
    """The pattern of a line with its block."""
    lead = _GAP.join(_phrase(_texts()[symbol]) for symbol in group.lead)
    behind = set().union(*(_ends(line[0], 0) for line in group.lines if line))
    start = ""
    captures: dict[str, dict[str, str]] = {}
    if group.lead:
        start = rf"({lead}\b)"
        declares = place in ("file_line", "variant_line")
        captures["1"] = {"name": "keyword.other.declaration.rulesrun" if declares else _scope(_texts()[group.lead[-1]])}
    if behind and behind <= _WORDS:
        start += rf"(?:{_GAP}({_NAME}))?" if group.lead else rf"({_NAME})"
        what = _DECLARED.get(_texts()[group.lead[-1]]) if group.lead else None
        captures[f"{len(captures) + 1}"] = {"name": f"{what}.rulesrun" if what else _OWN_NAME}
    first = {
        "begin": rf"\G{start or '(?=.)'}",
        "end": _LINE_END,
        "patterns": [{"include": f"#{sentence}"}],
        **({"beginCaptures": captures} if captures else {}),
    }
    return {
        "begin": _INDENT + (condition or (rf"(?={lead}\b)" if group.lead else r"(?=\S)")),
        "end": _BLOCK_END,
        "patterns": [first, {"include": "#comment"}, {"include": "#note"}, *([{"include": f"#{below}"}] if below else [])],
    }


def _place(place: Start, sentences: dict[str, str]) -> Pattern:
    """The lines of a place. ``sentences``: what can stand in lines, as JSON with `{}` for its name; new ones are added."""
    patterns: list[Pattern] = [{"include": "#comment"}, {"include": "#note"}]
    for group in _groups(place):
        sentence = json.dumps(_sentence("@", group))
        name = sentences.setdefault(sentence, f"line-{len(sentences) + 1}")
        if group.lead:
            patterns.append(_line_rule(place, group, name, _place_below(group, place)))
        else:
            patterns += [_line_rule(place, group, name, below, condition) for condition, below in _BELOW.get(place, ())]
            patterns.append(_line_rule(place, group, name, None))
    return {"patterns": patterns}


def grammar() -> Pattern:
    """The TextMate grammar."""
    sentences: dict[str, str] = {}
    places = {place: _place(place, sentences) for place in STARTS}
    return {
        "comment": "Made by editors/grammar.py from grammar/rules.lark. Do not edit.",
        "name": "rulesrun",
        "scopeName": "source.rulesrun",
        "fileTypes": ["rules"],
        # Statements at the left edge are parts of games, as books and questions show them.
        "patterns": [{"include": "#file_line"}, {"include": "#statement_line"}],
        "repository": {
            "comment": {"match": r"#.*$", "name": "comment.line.number-sign.rulesrun"},
            "text": {
                "begin": '"',
                "end": r'"|$',
                "name": "string.quoted.double.rulesrun",
                "patterns": [{"match": r"\{[^{}\"]*\}", "name": "constant.character.format.placeholder.rulesrun"}],
            },
            "note": {
                "begin": r'^\s*(note\s+instead|note|story)(?=\s+")',
                "end": r"$",
                "beginCaptures": {"1": {"name": "keyword.other.rulesrun"}},
                "patterns": [{"include": "#text"}, {"include": "#comment"}],
            },
            "pick": {
                "begin": r"\[",
                "end": rf"\]|{_LEFT_EDGE}",
                "patterns": [
                    {"include": "#comment"},
                    {"include": "#text"},
                    {"include": "#player"},
                    {"include": "#rest"},
                ],
            },
            "player": {
                "match": r"\b(player)\s+(?:the\s+)*([0-9]+)\b",
                "captures": {"1": {"name": "constant.language.rulesrun"}, "2": {"name": "constant.numeric.rulesrun"}},
            },
            "number": {"match": r"\b[0-9]+\b", "name": "constant.numeric.rulesrun"},
            "sign": {"match": r"\.\.|[|+*/<>-]", "name": "keyword.operator.rulesrun"},
            "expression": {"patterns": _keywords(_shared())},
            "rest": {"patterns": [{"match": _NAME, "name": _OWN_NAME}, {"include": "#number"}, {"include": "#sign"}]},
            **places,
            **{name: json.loads(sentence.replace('"#@"', f'"#{name}"')) for sentence, name in sentences.items()},
        },
    }


def written() -> str:
    """The grammar as it stands in its file."""
    return json.dumps(grammar(), indent=1, ensure_ascii=False) + "\n"


# ---- The words of the playground


def words() -> dict[str, str | list[str] | dict[str, str]]:
    """What the playground colours before its language server answers: words by themselves, without what stands around them.

    ``phrases``: keywords of several words, the longest first. ``keywords``: words that are no names anywhere. ``constants`` and
    ``shapes``: those of them that name a value, and words for the places of components. ``declarations`` and ``statements``: with
    which words a line can begin, and which words are keywords in it that can be names elsewhere. ``blocks``: patterns of lines
    below which deeper ones stand, as VS Code has them.
    """
    phrases, lines = set[str](), dict[bool, dict[str, set[str]]]({True: {}, False: {}})
    for place in STARTS:
        for group in _groups(place):
            texts = {_texts()[terminal] for terminal in (*group.lead, *group.following()) if _is_keyword(terminal)}
            texts = {text.removeprefix(", ") for text in texts}
            phrases |= {text for text in texts if re.fullmatch("[a-z]+( [a-z]+)+", text)}
            if group.lead:
                first = _texts()[group.lead[0]].split()[0]
                own = {text for text in texts if text.isalpha()} - RESERVED - _shared() - {first}
                lines[place in ("file_line", "variant_line")].setdefault(first, set()).update(own)
    return {
        "phrases": sorted(phrases, key=lambda text: (-len(text.split()), text)),
        "keywords": " ".join(sorted(RESERVED)),
        "constants": " ".join(text for text in _SCOPES["constant.language"] if text.isalpha()),
        "shapes": " ".join(text for text in _SCOPES["storage.modifier"] if text.isalpha()),
        **{
            name: {first: " ".join(sorted(own)) for first, own in sorted(lines[declares].items())}
            for name, declares in (("declarations", True), ("statements", False))
        },
        "blocks": [rule["beforeText"]["pattern"] for rule in json.loads(SETTINGS.read_text(encoding="utf-8"))["onEnterRules"]],
    }


_BREAK: Final = "\n    "  # behind a key, before a value that is too long for its line


def _quoted(text: str) -> str:
    """A text in JavaScript, in the quotation marks that it has none of."""
    return f"'{json.dumps(text)[1:-1].replace(chr(92) + chr(34), chr(34))}'" if '"' in text else json.dumps(text)


def words_written() -> str:
    """The words as they stand in their file, in the form that prettier gives it."""
    parts = ["/** The words of the language. Made by editors/grammar.py from grammar/rules.lark and VS Code's settings. */\n"]
    for name, value in words().items():
        match value:
            case str():
                body = f"\n  {json.dumps(value)};\n" if len(value) > 90 else f" {json.dumps(value)};\n"
                parts.append(f"\nexport const {name.upper()} ={body}")
            case list():
                listed = "".join(f"  {_quoted(one)},\n" for one in value)
                parts.append(f"\nexport const {name.upper()} = [\n{listed}];\n")
            case dict():
                parts.append(f"\n/** @type {{Record<string, string>}} */\nexport const {name.upper()} = {{\n")
                parts += [f"  {key}:{_BREAK if len(own) > 110 else ' '}{json.dumps(own)},\n" for key, own in value.items()]
                parts.append("};\n")
    return "".join(parts)


def main() -> None:
    """Write the files anew."""
    FILE.write_text(written(), encoding="utf-8")
    WORDS_FILE.write_text(words_written(), encoding="utf-8")


if __name__ == "__main__":
    main()
