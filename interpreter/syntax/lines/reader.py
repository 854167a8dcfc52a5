"""Reads a file line by line; a fault of a line is reported once, and its block is read all the same.

`Reader` understands lines and hands each to the function that makes its node (`Makers`); those functions ask it for the nodes of
the block underneath.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, cast

import attrs
from attrs import frozen
from lark import Token

from ...common.diagnostics import Diagnostic, fault
from ...common.source import Source, Span
from .. import tree
from ..mistakes.common_slips import GOING_ON, HOW_TO_GO_ON
from ..mistakes.faults import Explainer, block_of
from ..parsing.layout import LogicalLine
from ..parsing.parser_tables import Start
from ..parsing.sentence import KEPT, LarkTree, Stuck, sentence
from ..parsing.tokens import Word, cut
from .expressions import Expressions, Misread, Part, normal, subtree

# Stages walk expressions recursively, a few calls a level, and Python gives up at a thousand. Nobody reads ten levels.
MAX_DEPTH: Final = 50
# A line of a rulebook has 130 characters; a table in one line may have some hundred.
MAX_LINE: Final = 4_000
# Nobody mends more in one go; and a file of garbage should not take a minute to refuse.
MAX_FAULTS: Final = 100


@frozen(eq=False)
class Line:
    """A line that was understood: its parse, the line itself, and how to make nodes of its parts."""

    parse: LarkTree
    line: LogicalLine
    make: Expressions

    @property
    def kind(self) -> str:
        return str(self.parse.data)

    @property
    def parts(self) -> Sequence[Part]:
        return self.parse.children


@frozen(eq=False, slots=False)
class Sentence:
    """A line as it was read: its words, whose places count from ``base``, and the start rule of its place."""

    base: int
    from_base: Sequence[Word]
    start: Start

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words with their places in the file."""
        return tuple(Word(word.text, word.shape, self.base + word.start, self.base + word.end) for word in self.from_base)


Make = Callable[["Reader", Line], "tree.Line | None"]


@frozen
class Makers:
    """What makes the node of a line, by the name that the grammar gives to it: of lines under which nothing can stand
    (``leaves``), and of lines that read their own block (``heads``)."""

    leaves: Mapping[str, Make]
    heads: Mapping[str, Make]


class Reader:
    """Reads one file, gathering faults on the way."""

    def __init__(self, source: Source, found: Iterable[Diagnostic], makers: Makers) -> None:
        self._makers = makers
        self.source = source
        self.doubtful: set[str] = set()
        self.sentences: list[Sentence] = []
        self._explainer = Explainer(source)
        self._found: dict[int, Diagnostic] = {}
        self._stuck: dict[int, list[str]] = {}  # the words of lines that are no sentences
        self._faulty_lines = 0
        self._missing_game: Diagnostic | None = None
        for diagnostic in found:
            self.report(diagnostic)

    # ---- Faults

    @property
    def faults(self) -> int:
        """How many lines are faulty so far."""
        return len(self._found)

    @property
    def mark(self) -> tuple[int, int, int]:
        """The same before and after lines with which nothing is wrong."""
        return len(self._found), self._faulty_lines, len(self.doubtful)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """One for each faulty line, in the order of the file."""
        result = [self._found[start] for start in sorted(self._found) if not self._follows(start)]
        if self._missing_game is not None:
            result.insert(0, self._missing_game)
        if len(result) > MAX_FAULTS:
            rest = len(result) - MAX_FAULTS
            result = result[:MAX_FAULTS]
            result.append(fault("R113", f"there are {rest} more lines that cannot be read", help="correct these first"))
        return tuple(result)

    def _follows(self, line: int) -> bool:
        """Whether a line may have failed only because of what is said elsewhere: a name on it that cannot be one is said where
        it is declared, and a block that is not indented where it is missing."""
        if self._found[line].code == "R107" and line - 1 in self._found:
            return self._found[line - 1].code == "R106" or self._follows(line - 1)  # the block that the line above lacks
        words, names = self._stuck.get(line, []), self._explainer.misnamed
        if line in names.values():
            return False
        return any(tuple(words[at : at + len(name)]) == name for name in names for at in range(len(words)))

    def report(self, diagnostic: Diagnostic) -> None:
        assert diagnostic.span is not None
        self._found.setdefault(diagnostic.span.line, diagnostic)

    def doubt(self, line: LogicalLine) -> None:
        """Remember every word on a line and under it."""
        todo = [line]
        while todo:
            one = todo.pop()
            self.doubtful.update(normal(word.text) for word in cut(one.text[:MAX_LINE], one.start) if word.shape == "word")
            todo += one.children

    def fail(self, line: LogicalLine, diagnostic: Diagnostic) -> None:
        self.doubt(line)
        self._faulty_lines += 1
        self.report(diagnostic)

    def span(self, line: LogicalLine) -> Span:
        return Span(self.source, line.start, line.end)

    def once(self, first: tree.Line | None, again: tree.Line, word: str) -> None:
        if first is not None:
            self.report(
                fault(
                    "R110",
                    f"there are two `{word}` lines",
                    again.span,
                    (first.span, "the first one"),
                    help="leave one of them out",
                )
            )

    # ---- Lines

    def understand(self, line: LogicalLine, start: Start) -> Line | None:
        """The parse of a line; None when it failed (then that is reported, and its block is looked through for faults)."""
        if line.unclosed is None and len(line.text) <= MAX_LINE:
            read = _read(line.text, line.indent == 0, bool(line.children), start)
            if read is not None:
                words, parsed = read
                self.sentences.append(Sentence(line.start, words, start))
                return Line(parsed, line, Expressions(self.source, line.start + words[0].start, line.start + words[-1].end))
        self._misunderstand(line, start)
        return None

    def _misunderstand(self, line: LogicalLine, start: Start) -> None:
        """Report what is wrong with a line, and look through its block."""
        words = cut(line.text[:MAX_LINE], line.start)
        if line.children and len(words) > 1 and words[-1].text == ":":
            del words[-1]
        if not words:
            self.fail(line, fault("R101", "this line says nothing", self.span(line), help="`the` means nothing by itself"))
            return
        self.sentences.append(Sentence(0, words, start))
        diagnostic = self._explainer.before_parsing(line, words, MAX_LINE)
        if diagnostic is None:
            parsed = sentence(words, start)
            if isinstance(parsed, Stuck):
                # When everything is wrong, it is enough to say so; searching for repairs takes time.
                diagnostic = self._explainer.stuck(words, start, parsed, thorough=self._faulty_lines < MAX_FAULTS)
                assert diagnostic.span is not None
                self._stuck[diagnostic.span.line] = [word.text for word in words]
                self.doubtful.update("_".join(name) for name in self._explainer.misnamed)  # elsewhere it may be written right
            else:
                diagnostic = fault(
                    "R005",
                    "this expression is nested too deep to be read",
                    self.span(line),
                    help="give a part of it a name by a `define`",
                )
        self.fail(line, diagnostic)
        self._explainer.note_failed(words, start)
        below = block_of(words, start)
        if below is not None:
            self.nodes(line.children, below)

    def nodes(self, lines: Sequence[LogicalLine], start: Start) -> list[tree.Line]:
        """The nodes of a block; parts of one `if` joined into one, and an `otherwise` joined to its `repeat`."""
        result: list[tree.Line] = []
        joinable = True  # whether the line above was understood
        for line in lines:
            understood = self.understand(line, start)
            if understood is None:
                joinable = False
                continue
            try:
                if understood.kind in ("otherwise", "otherwise_if"):
                    self.join(understood, result, joinable)
                    continue
                node = self.node(understood)
            except Misread as misread:
                span = misread.span
                self.fail(line, fault(misread.code, str(misread), span, help=misread.help))
                joinable = False
                continue
            if node is not None:
                result.append(node)
            joinable = node is not None
        return result

    def join(self, line: Line, result: list[tree.Line], joinable: bool) -> None:
        condition = line.make.expression(line.parts[0]) if line.kind == "otherwise_if" else None
        body = self.statements(line, line.parts[-1], keep_comments=True)
        last = result[-1] if result and joinable else None
        if isinstance(last, tree.If) and last.cases[-1][0] is not None:
            result[-1] = attrs.evolve(last, cases=(*last.cases, (condition, body)))
        elif isinstance(last, tree.Repeat) and last.at_most and last.otherwise is None and condition is None:
            result[-1] = attrs.evolve(last, otherwise=body)
        elif joinable:
            word = "otherwise if" if condition else "otherwise"
            raise Misread(
                "R107",
                f"`{word}` cannot stand here",
                Span(self.source, line.make.begin, line.make.begin + len("otherwise")),
                "it follows a line that begins with `if`, or a `repeat until ... at most ... times`, with the same indentation",
            )

    def node(self, line: Line) -> tree.Line | None:
        """The node of a line; None when what it lacks was reported and nothing can be made of it."""
        if build := self._makers.leaves.get(line.kind):
            self.no_block(line)
            return build(self, line)
        return self._makers.heads[line.kind](self, line)

    def common(self, line: Line) -> dict[str, Any]:
        span = line.make.span(line.parse) if line.line.text == "" else self.span(line.line)
        return {"span": span, "comments": line.line.comments}

    # ---- Blocks

    def block(self, line: Line, start: Start, what: str) -> list[tree.Line]:
        """The nodes under a line that needs some."""
        if not line.line.children and not line.line.cut_off:
            self.needs_block(line, what)
        return self.nodes(line.line.children, start)

    def needs_block(self, line: Line, what: str) -> None:
        self.report(fault("R106", "something must stand under this line", self.span(line.line), help=what))

    def no_block(self, line: Line) -> None:
        """Report the block under a line that takes none."""
        if not line.line.children:
            return
        first = line.line.children[0]
        begins = next((word.text for word in cut(first.text, first.start)), "")
        diagnostic = fault(
            "R109",
            "this is indented, but nothing can stand under the line above",
            self.span(first),
            (self.span(line.line), "nothing stands under this"),
            help=HOW_TO_GO_ON if begins in GOING_ON else "indent it like the line above, or give the line above what it lacks",
        )
        for child in line.line.children:
            self.doubt(child)
        self.report(diagnostic)

    def statements(
        self, line: Line, inline: Part, *, keep_comments: bool = False, start: Start = "statement_line"
    ) -> tuple[Any, ...]:
        """The statements after the colon or under a line; one of the two must be there."""
        if inline is not None:
            if line.line.children:
                self.no_block(line)
            statement = subtree(subtree(inline).children[0])
            inner = LogicalLine(line.line.start, line.line.end, "", 0, tree.Comments())
            nodes = [self.required(Line(statement, inner, line.make))]
        else:
            nodes = self.block(line, start, "write the statements underneath, indented; if nothing happens, write `nothing`")
        if keep_comments and nodes:
            # The node has no place for the comments of this line: they go to its first statement.
            nodes[0] = with_comments(line.line.comments, nodes[0])
        return tuple(nodes)

    def required(self, line: Line) -> tree.Line:
        node = self.node(line)
        assert node is not None
        return node

    # ---- The file

    def file(
        self, nodes: Iterable[tree.Line], lines: Sequence[LogicalLine], closing: tuple[str, ...]
    ) -> tree.Tree | tree.Extension | None:
        """A whole game, or what a file adds to another; None where it adds to one whose name could not be read.

        ``nodes``: of its ``lines``, of which there are some."""
        games: list[tree.Game] = []
        extends: list[tree.Extends] = []
        declarations: list[Any] = []
        variants: list[tree.Variant] = []
        tests: list[tree.Test] = []
        for node in nodes:
            match node:
                case tree.Game():
                    games.append(node)
                case tree.Extends():
                    extends.append(node)
                case tree.Variant():
                    variants.append(node)
                case tree.Test():
                    tests.append(node)
                case _:
                    declarations.append(node)
        for same, word, holds in ((games, "game", "holds one game"), (extends, "extends", "extends one other")):
            for again in same[1:]:
                self.report(
                    fault(
                        "R110",
                        f"there are two `{word}` lines; a file {holds}",
                        again.span,
                        (same[0].span, "the first one"),
                        help="leave one of them out",
                    )
                )
        whole = Span(self.source, 0, len(self.source.text))
        if extends:
            self._only_variants(extends[0], games, declarations, lines)
            return tree.Extension(extends[0], tuple(variants), tuple(tests), closing, span=whole)
        if self._explainer.extends_line_failed:
            return None
        if not games:
            first = Span(self.source, lines[0].start, lines[0].end)
            games.append(tree.Game(tree.Name("", span=first), None, None, span=first))
            if not self._explainer.game_line_failed:
                self._missing_game = fault(
                    "R110",
                    "this file does not say which game it is",
                    first,
                    help='begin with a line like `game my_game`, or `extends "FILE.rules"` for variants of another game',
                )
        return tree.Tree(games[0], tuple(declarations), tuple(variants), tuple(tests), closing, span=whole)

    def _only_variants(
        self, extends: tree.Extends, games: Sequence[tree.Game], declarations: Sequence[tree.Line], lines: Sequence[LogicalLine]
    ) -> None:
        """Report what cannot stand in a file that extends another; the names in it are nobody's fault any more."""
        left_out = {node.span.start for node in (*games, *declarations)}
        for line in lines:
            if line.start in left_out:
                self.doubt(line)
        if games:
            first, second = sorted((extends, games[0]), key=lambda node: node.span.start)
            self.report(
                fault(
                    "R121",
                    "this file is a game of its own and also extends another",
                    second.span,
                    (first.span, "here first"),
                    help="leave out `game` where the file only adds variants, and `extends` where it is a game of its own",
                )
            )
            return
        if extends.span.start != lines[0].start:
            above = Span(self.source, lines[0].start, lines[0].end)
            help = "put it above everything else"
            self.report(fault("R120", "`extends` must be the first line", extends.span, (above, "this comes first"), help=help))
        if declarations:
            first, *others = declarations
            self.report(
                fault(
                    "R122",
                    "only variants and tests can stand in a file that extends another",
                    first.span,
                    (extends.span, "it extends a game here"),
                    *((other.span, "") for other in others),
                    help="put it into a variant: `variant NAME`, and this under it; `replace ...` where the game has it already",
                )
            )


# ---- Lines that have no node of their own in the tree: they become a part of the node above


@frozen
class OnlyValue(tree.Line):
    value: tree.Expression


@frozen
class KeyLine(tree.Line):
    key: tree.Key | tree.KeysForEach


@frozen
class MajorityLine(tree.Line):
    part: str
    value: tuple[Any, ...]


@frozen
class KeepLine(tree.Line):
    names: tuple[tree.Name, ...]


@frozen
class IfImpossible(tree.Line):
    body: tuple[tree.Statement, ...]


@frozen
class ReasonLine(tree.Line):
    text: str


# ---- Small questions


def seen_by(part: Part) -> tree.Visibility | None:
    return None if part is None else cast("tree.Visibility", str(subtree(part).data))


def joined(first: tree.Comments, second: tree.Comments) -> tree.Comments:
    """The comments of two lines that become one."""
    after = " ".join(text for text in (first.after, second.after) if text is not None)
    return tree.Comments(first.before + second.before, after or None)


def with_comments(comments: tree.Comments, node: tree.Line) -> tree.Line:
    """The node with the comments of the line above it put before its own."""
    above = comments.before if comments.after is None else (*comments.before, comments.after)
    own = node.comments
    return attrs.evolve(node, comments=tree.Comments(above + own.before, own.after))


@lru_cache(KEPT)
def _read(text: str, at_edge: bool, has_block: bool, start: Start) -> tuple[tuple[Word, ...], LarkTree] | None:
    """The words of a line, whose places count from its beginning, and its parse; None where anything is wrong with it."""
    words = cut(text, 0)
    if has_block and len(words) > 1 and words[-1].text == ":":
        del words[-1]  # a colon with a block under it says nothing new
    line = LogicalLine(0, len(text), text, 0 if at_edge else 1, tree.Comments())
    if not words or Explainer(Source("", text)).before_parsing(line, words, MAX_LINE) is not None:
        return None
    parsed = sentence(words, start)
    return None if isinstance(parsed, Stuck) or depth(parsed) > MAX_DEPTH else (tuple(words), parsed)


def depth(root: LarkTree) -> int:
    """How deep a parse is nested, counted without recursion."""
    deepest, todo = 0, [(root, 1)]
    while todo:
        part, depth = todo.pop()
        deepest = max(deepest, depth)
        todo += [(child, depth + 1) for child in part.children if not isinstance(child, Token) and child is not None]
    return deepest
