"""Text to tree: what does a `.rules` file say?

The text is cut into nested lines (``layout``); each line is parsed by the start rule of the place where it stands
(``sentence``); here the lines become nodes. A line that fails yields one diagnostic and is left out; its neighbours and its
block are read all the same, so a file with ten faults gives ten messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal, TypeVar, cast

import attrs
from attrs import frozen
from lark import Token

from ..diagnostics import Diagnostic, fault
from ..source import Source, Span
from . import tree
from .expressions import Expressions, Misread, Part, normal, quoted, subtree
from .faults import Explainer, block_of
from .layout import LogicalLine, layout, refusal
from .sentence import LarkTree, Stuck, sentence
from .tables import Start
from .tokens import cut

# Stages walk expressions recursively, a few calls a level, and Python gives up at a thousand. Nobody reads ten levels.
MAX_DEPTH: Final = 50
# A line of a rulebook has 130 characters; a table in one line may have some hundred.
MAX_LINE: Final = 4_000
# Nobody mends more in one go; and a file of garbage should not take a minute to refuse.
MAX_FAULTS: Final = 100

_N = TypeVar("_N", bound=tree.Node)


@frozen
class Parsed:
    """What could be read of a file.

    ``tree``: without the lines that failed; None when nothing was there to read. ``doubtful``: the words on lines that failed
    and in blocks skipped because of it; a name among them may well have been declared there.
    """

    tree: tree.Tree | None
    diagnostics: tuple[Diagnostic, ...]
    doubtful: frozenset[str]


def parse(source: Source) -> Parsed:
    """Read a whole file. Never raises: whatever is wrong is a diagnostic."""
    if refused := refusal(source):
        return Parsed(None, (refused,), frozenset())
    arranged = layout(source)
    if not arranged.lines:
        found = fault("R004", f"`{source.path}` says nothing", help="begin with a line like `game my_game`")
        return Parsed(None, (found, *arranged.diagnostics), frozenset())
    reader = _Reader(source, arranged.diagnostics)
    whole = reader.file(arranged.lines, arranged.closing)
    return Parsed(whole, reader.diagnostics(), frozenset(reader.doubtful))


@frozen(eq=False)
class _Line:
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


class _Reader:
    """Reads one file, gathering faults on the way."""

    def __init__(self, source: Source, found: Iterable[Diagnostic]) -> None:
        self.source = source
        self.doubtful: set[str] = set()
        self._explainer = Explainer(source)
        self._found: dict[int, Diagnostic] = {}
        self._faulty_lines = 0
        self._missing_game: Diagnostic | None = None
        for diagnostic in found:
            self._report(diagnostic)

    # ---- Faults

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """One for each faulty line, in the order of the file."""
        result = [self._found[start] for start in sorted(self._found)]
        if self._missing_game is not None:
            result.insert(0, self._missing_game)
        if len(result) > MAX_FAULTS:
            rest = len(result) - MAX_FAULTS
            result = result[:MAX_FAULTS]
            result.append(fault("R113", f"there are {rest} more lines that cannot be read", help="mend these first"))
        return tuple(result)

    def _report(self, diagnostic: Diagnostic) -> None:
        assert diagnostic.span is not None
        self._found.setdefault(diagnostic.span.line, diagnostic)

    def _doubt(self, line: LogicalLine) -> None:
        """Remember every word on a line and under it."""
        todo = [line]
        while todo:
            one = todo.pop()
            self.doubtful.update(normal(word.text) for word in cut(one.text[:MAX_LINE], one.start) if word.shape == "word")
            todo += one.children

    def _fail(self, line: LogicalLine, diagnostic: Diagnostic) -> None:
        self._doubt(line)
        self._faulty_lines += 1
        self._report(diagnostic)

    def _span(self, line: LogicalLine) -> Span:
        return Span(self.source, line.start, line.end)

    # ---- Lines

    def _understand(self, line: LogicalLine, start: Start) -> _Line | None:
        """The parse of a line; None when it failed (then that is reported, and its block is looked through for faults)."""
        words = cut(line.text[:MAX_LINE], line.start)
        if line.children and len(words) > 1 and words[-1].text == ":":
            del words[-1]  # a colon with a block under it says nothing new
        diagnostic = self._explainer.before_parsing(line, words, MAX_LINE)
        if diagnostic is None:
            parsed = sentence(words, start)
            if isinstance(parsed, Stuck):
                # When everything is wrong, it is enough to say so; searching for repairs takes time.
                diagnostic = self._explainer.stuck(words, start, parsed, thorough=self._faulty_lines < MAX_FAULTS)
            elif _depth(parsed) > MAX_DEPTH:
                diagnostic = fault(
                    "R005",
                    "this expression is nested too deep to be read",
                    self._span(line),
                    help="give a part of it a name by a `define`",
                )
            else:
                return _Line(parsed, line, Expressions(self.source, words))
        self._fail(line, diagnostic)
        self._explainer.note_failed(words, start)
        below = block_of(words, start)
        if below is not None:
            self.nodes(line.children, below)
        return None

    def nodes(self, lines: Sequence[LogicalLine], start: Start) -> list[tree.Line]:
        """The nodes of a block; parts of one `if` joined into one, and an `otherwise` joined to its `repeat`."""
        result: list[tree.Line] = []
        joinable = True  # whether the line above was understood
        for line in lines:
            understood = self._understand(line, start)
            if understood is None:
                joinable = False
                continue
            try:
                if understood.kind in ("otherwise", "otherwise_if"):
                    self._join(understood, result, joinable)
                    continue
                node = self._node(understood)
            except Misread as misread:
                span = misread.span
                self._fail(line, fault(misread.code, str(misread), span, help=misread.help))
                joinable = False
                continue
            if node is not None:
                result.append(node)
            joinable = node is not None
        return result

    def _join(self, line: _Line, result: list[tree.Line], joinable: bool) -> None:
        condition = line.make.expression(line.parts[0]) if line.kind == "otherwise_if" else None
        body = self._statements(line, line.parts[-1], keep_comments=True)
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
                Span(self.source, line.make.words[0].start, line.make.words[0].end),
                "it follows a line that begins with `if`, or a `repeat until ... at most ... times`, with the same indentation",
            )

    # ---- Blocks

    def _block(self, line: _Line, start: Start, what: str) -> list[tree.Line]:
        """The nodes under a line that needs some."""
        if not line.line.children and not line.line.cut_off:
            self._needs_block(line, what)
        return self.nodes(line.line.children, start)

    def _needs_block(self, line: _Line, what: str) -> None:
        self._report(fault("R106", "something must stand under this line", self._span(line.line), help=what))

    def _no_block(self, line: _Line) -> None:
        """Report the block under a line that takes none."""
        if not line.line.children:
            return
        first = line.line.children[0]
        diagnostic = fault(
            "R109",
            "this is indented, but nothing can stand under the line above",
            self._span(first),
            (self._span(line.line), "nothing stands under this"),
            help="indent it like the line above, or give the line above what it lacks",
        )
        for child in line.line.children:
            self._doubt(child)
        self._report(diagnostic)

    def _statements(
        self, line: _Line, inline: Part, *, keep_comments: bool = False, start: Start = "statement_line"
    ) -> tuple[Any, ...]:
        """The statements after the colon or under a line; one of the two must be there."""
        if inline is not None:
            if line.line.children:
                self._no_block(line)
            statement = subtree(subtree(inline).children[0])
            inner = LogicalLine(line.line.start, line.line.end, "", 0, tree.Comments())
            nodes = [self._required(_Line(statement, inner, line.make))]
        else:
            nodes = self._block(line, start, "write the statements underneath, indented; if nothing happens, write `nothing`")
        if keep_comments and nodes:
            # The node has no place for the comments of this line: they go to its first statement.
            nodes[0] = _with_comments(line.line.comments, nodes[0])
        return tuple(nodes)

    def _required(self, line: _Line) -> tree.Line:
        node = self._node(line)
        assert node is not None
        return node

    # ---- The file

    def file(self, lines: Sequence[LogicalLine], closing: tuple[str, ...]) -> tree.Tree:
        games: list[tree.Game] = []
        declarations: list[Any] = []
        variants: list[tree.Variant] = []
        tests: list[tree.Test] = []
        for node in self.nodes(lines, "file_line"):
            match node:
                case tree.Game():
                    games.append(node)
                case tree.Variant():
                    variants.append(node)
                case tree.Test():
                    tests.append(node)
                case _:
                    declarations.append(node)
        for again in games[1:]:
            self._report(
                fault(
                    "R110",
                    "there are two `game` lines; a file holds one game",
                    again.span,
                    (games[0].span, "the first one"),
                    help="leave one of them out",
                )
            )
        whole = Span(self.source, 0, len(self.source.text))
        if not games:
            first = Span(self.source, lines[0].start, lines[0].end)
            games.append(tree.Game(tree.Name("", span=first), None, None, span=first))
            if not self._explainer.game_line_failed:
                self._missing_game = fault(
                    "R110", "this file does not say which game it is", first, help="begin with a line like `game my_game`"
                )
        return tree.Tree(games[0], tuple(declarations), tuple(variants), tuple(tests), closing, span=whole)

    # ---- Nodes

    def _node(self, line: _Line) -> tree.Line | None:
        """The node of a line; None when what it lacks was reported and nothing can be made of it."""
        if build := _LEAVES.get(line.kind):
            self._no_block(line)
            return build(self, line)
        return _HEADS[line.kind](self, line)

    def _common(self, line: _Line) -> dict[str, Any]:
        span = line.make.span(line.parse) if line.line.text == "" else self._span(line.line)
        return {"span": span, "comments": line.line.comments}

    def _game(self, line: _Line) -> tree.Line:
        title: tree.Title | None = None
        players: tree.Players | None = None
        for node in self.nodes(line.line.children, "game_line"):
            if isinstance(node, tree.Title):
                self._once(title, node, "title")
                title = title or node
            elif isinstance(node, tree.Players):
                self._once(players, node, "players")
                players = players or node
        return tree.Game(line.make.name(line.parts[0]), title, players, **self._common(line))

    def _once(self, first: tree.Line | None, again: tree.Line, word: str) -> None:
        if first is not None:
            self._report(
                fault(
                    "R110",
                    f"there are two `{word}` lines",
                    again.span,
                    (first.span, "the first one"),
                    help="leave one of them out",
                )
            )

    def _title(self, line: _Line) -> tree.Line:
        return tree.Title(self._texts(line, line.parts[0]), **self._common(line))

    def _texts(self, line: _Line, part: Part) -> tuple[tree.Text, ...]:
        if part is None:
            return ()
        texts = []
        for text in map(subtree, subtree(part).children):
            language, string = text.children
            code = "" if language is None else "-".join(self._language(subtree(language)))
            texts.append(tree.Text(code, quoted(string), span=line.make.span(text)))
        return tuple(texts)

    @staticmethod
    def _language(part: LarkTree) -> list[str]:
        return [normal(str(token)) for token in part.children]

    def _players(self, line: _Line) -> tree.Line:
        low = int(str(line.parts[0]))
        high = low if line.parts[1] is None else int(str(line.parts[1]))
        return tree.Players(low, high, **self._common(line))

    def _variant(self, line: _Line) -> tree.Line:
        texts = self._texts(line, line.parts[1] if len(line.parts) > 1 else None)
        body = self._block(line, "variant_line", "write what the variant changes underneath, such as `set OPTION to 3`")
        return tree.Variant(line.make.name(line.parts[0]), texts, cast(Any, tuple(body)), **self._common(line))

    def _test(self, line: _Line) -> tree.Line:
        body = self._block(
            line, "test_line", "write the test underneath: `players Ann, Bob`, then what happens and what to `expect`"
        )
        return tree.Test(quoted(line.parts[0]), cast(Any, tuple(body)), **self._common(line))

    # ---- Declarations

    def _option_declaration(self, line: _Line) -> tree.Line:
        name, domain, default = line.parts
        make = line.make
        return tree.OptionDeclaration(make.name(name), make.domain(domain), make.expression(default), **self._common(line))

    def _list_declaration(self, line: _Line) -> tree.Line:
        return tree.ListDeclaration(line.make.name(line.parts[0]), line.make.words_domain(line.parts[1]), **self._common(line))

    def _kind(self, line: _Line) -> tree.Line | None:
        form, name, rows = line.parts
        written: list[tree.Row] = []
        attributes: list[tree.Attribute] = []
        markers: list[tree.Marker] = []
        left_out: list[tree.LeaveOut] = []
        for node in self._block(line, "kind_line", "write its attributes underneath, such as `rank: 1..13`"):
            match node:
                case tree.Attribute():
                    attributes.append(node)
                case tree.Marker():
                    markers.append(node)
                case tree.LeaveOut():
                    left_out.append(node)
                case tree.Row():
                    written.append(node)
        source: tree.FromFile | tree.Copies | tree.Written | None
        if rows is None:
            source = self._written(line, written)
        else:
            given = subtree(rows)
            span = line.make.span(given)
            if given.data == "from_file":
                source = tree.FromFile(quoted(given.children[0]), span=span)
            else:
                source = tree.Copies(line.make.expression(given.children[0]), span=span)
            for row in written:
                self._report(
                    fault(
                        "R107",
                        "a row cannot stand here, since the line above says already which rows there are",
                        row.span,
                        (span, "here"),
                        help="leave out one of the two",
                    )
                )
        if source is None:
            self._doubt(line.line)
            return None
        return tree.Kind(
            cast(Any, str(subtree(form).data)),
            line.make.name(name),
            source,
            tuple(attributes),
            tuple(markers),
            tuple(left_out),
            **self._common(line),
        )

    def _written(self, line: _Line, rows: Sequence[tree.Row]) -> tree.Written | None:
        """Rows under the line: the first names the columns."""
        if not rows:
            if line.line.children:
                self._report(
                    fault(
                        "R106",
                        "this does not say which there are",
                        self._span(line.line),
                        help='write `from "data/FILE.csv"` or `, 2 of each` at its end, or a table with `|` underneath',
                    )
                )
            return None
        columns = self._columns(rows[0])
        body = self._body(rows, len(columns))
        if len(rows) == 1:
            self._report(
                fault("R106", "rows must stand under the names of the columns", rows[0].span, help="separate their values by `|`")
            )
        return tree.Written(columns, body, span=rows[0].span.to(rows[-1].span))

    def _columns(self, header: tree.Row) -> tuple[tree.Name, ...]:
        names = []
        for cell in header.cells:
            if not isinstance(cell, tree.Ref) or cell.of is not None or cell.key is not None:
                raise Misread("R112", "the first row names the columns", cell.span, "write it so: `players | hand_size | gems`")
            names.append(tree.Name(cell.name, span=cell.span))
        return tuple(names)

    def _body(self, rows: Sequence[tree.Row], count: int) -> tuple[tree.Row, ...]:
        """The rows under the header that have a value for each column."""
        header = rows[0]
        body = [row for row in rows[1:] if self._fits(row, header, count)]
        if body and header.comments != tree.Comments():
            # The header is no node of its own, so its comments go to the first row.
            body[0] = cast("tree.Row", _with_comments(header.comments, body[0]))
        return tuple(body)

    def _fits(self, row: tree.Row, header: tree.Row, count: int) -> bool:
        if len(row.cells) == count:
            return True
        values = "1 value" if len(row.cells) == 1 else f"{len(row.cells)} values"
        columns = "1 column" if count == 1 else f"{count} columns"
        self._report(
            fault(
                "R112",
                f"this row has {values}, but there are {columns}",
                row.span,
                (header.span, f"{columns}"),
                help="give each column one value; separate them by `|`; a value that is missing is `none`",
            )
        )
        self.doubtful.update(word.text for word in cut(row.span.text, 0) if word.shape == "word")
        return False

    def _attribute(self, line: _Line) -> tree.Line:
        return tree.Attribute(line.make.name(line.parts[0]), line.make.domain(line.parts[1]), **self._common(line))

    def _marker(self, line: _Line) -> tree.Line:
        name, owner, domain, visibility = line.parts
        make = line.make
        return tree.Marker(
            make.name(name), make.optional_name(owner), make.domain(domain), _visibility(visibility), **self._common(line)
        )

    def _leave_out(self, line: _Line) -> tree.Line:
        column, op, value = line.parts
        return tree.LeaveOut(line.make.name(column), line.make.compare(op), line.make.expression(value), **self._common(line))

    def _row(self, line: _Line) -> tree.Line:
        return tree.Row(tuple(line.make.expression(cell) for cell in line.parts), **self._common(line))

    def _zone(self, line: _Line) -> tree.Line:
        names, owner, shape, kind, visibility = line.parts
        make = line.make
        found = _visibility(visibility)
        assert found is not None
        return tree.Zone(
            tuple(make.name(name) for name in subtree(names).children),
            make.optional_name(owner),
            cast(Any, str(subtree(shape).data).removesuffix("_shape")),
            make.name(kind),
            found,
            **self._common(line),
        )

    def _counter(self, line: _Line) -> tree.Line:
        name, owner, domain, visibility = line.parts
        make = line.make
        return tree.Counter(
            make.name(name), make.optional_name(owner), make.range_domain(domain), _visibility(visibility), **self._common(line)
        )

    def _table(self, line: _Line) -> tree.Line | None:
        make = line.make
        name, by = make.name(line.parts[0]), make.name(line.parts[1])
        entries = [subtree(entry) for entry in line.parts[2:] if entry is not None]
        if entries:
            self._no_block(line)
            rows = tuple(
                tree.Row(tuple(make.expression(cell) for cell in entry.children), span=make.span(entry)) for entry in entries
            )
            return tree.TableDeclaration(name, by, (name,), rows, **self._common(line))
        found = cast(
            "list[tree.Row]",
            self._block(line, "table_line", f"write a table underneath, beginning with `{by.text} | {name.text}`"),
        )
        if not found:
            self._doubt(line.line)
            return None
        columns = self._columns(found[0])
        if columns[0].text != by.text:
            raise Misread(
                "R112",
                f"the table is by `{by.text}`, so its first column must be `{by.text}`",
                columns[0].span,
                f"begin the first row with `{by.text} |`",
            )
        if len(found) == 1:
            self._report(
                fault(
                    "R106", "rows must stand under the names of the columns", found[0].span, help="separate their values by `|`"
                )
            )
        rows = self._body(found, len(columns))
        return tree.TableDeclaration(name, by, columns[1:], rows, **self._common(line))

    def _define(self, line: _Line) -> tree.Line | None:
        name, of, key, value = line.parts
        make = line.make
        head = (make.name(name), make.optional_name(of), make.optional_name(key))
        if value is not None:
            self._no_block(line)
            return tree.Define(*head, make.expression(value), (), **self._common(line))
        cases = cast(
            "list[tree.Case | _OnlyValue]",
            self._block(line, "define_line", "write what it means after a `:`, or cases underneath: `2 if C`, `otherwise 0`"),
        )
        if not cases:
            self._doubt(line.line)
            return None
        only = next((case for case in cases if isinstance(case, _OnlyValue)), None)
        if only is None:
            return tree.Define(*head, None, cast(Any, tuple(cases)), **self._common(line))
        if len(cases) > 1:
            raise Misread(
                "R112",
                "it is not said when this value holds",
                only.span,
                "write `VALUE if CONDITION`, or `otherwise VALUE` for the last",
            )
        node = tree.Define(*head, only.value, (), **self._common(line))
        return attrs.evolve(node, comments=_joined(line.line.comments, only.comments))

    def _case(self, line: _Line) -> tree.Line:
        return tree.Case(line.make.expression(line.parts[0]), line.make.expression(line.parts[1]), **self._common(line))

    def _default_case(self, line: _Line) -> tree.Line:
        return tree.Case(line.make.expression(line.parts[0]), None, **self._common(line))

    def _only_value(self, line: _Line) -> tree.Line:
        return _OnlyValue(line.make.expression(line.parts[0]), **self._common(line))

    def _setup(self, line: _Line) -> tree.Line:
        return tree.Setup(self._statements(line, line.parts[0]), **self._common(line))

    def _phase(self, line: _Line) -> tree.Line:
        name, inline = line.parts
        return tree.Phase(line.make.name(name), self._statements(line, inline), **self._common(line))

    def _step(self, line: _Line) -> tree.Line:
        name, of, key, inline = line.parts
        make = line.make
        body = self._statements(line, inline)
        return tree.Step(make.name(name), make.optional_name(of), make.optional_name(key), body, **self._common(line))

    def _teams(self, line: _Line) -> tree.Line:
        return tree.Teams(int(str(line.parts[0])), **self._common(line))

    def _score(self, line: _Line) -> tree.Line | None:
        noun = line.make.name(line.parts[0])
        if noun.text != "player":
            raise Misread("R112", "the score is that of a player", noun.span, "write `score of player`")
        terms = self._block(line, "score_line", "write its lines underneath, such as `points: count of won of player`")
        if not terms:
            self._doubt(line.line)
            return None
        return tree.Score(cast(Any, tuple(terms)), **self._common(line))

    def _term(self, line: _Line) -> tree.Line:
        name, each, members, value, condition = line.parts
        make = line.make
        return tree.ScoreTerm(
            make.name(name),
            make.optional_name(each),
            make.optional(members),
            make.expression(value),
            make.optional(condition),
            **self._common(line),
        )

    def _winner(self, line: _Line) -> tree.Line | None:
        if line.parts[0] is not None:
            self._no_block(line)
            return tree.Winner(line.make.keys(line.parts[0]), **self._common(line))
        found = cast("list[_KeyLine]", self._block(line, "winner_line", "write who wins: `winner highest score, then shared`"))
        if not found:
            self._doubt(line.line)
            return None
        comments = line.line.comments
        for one in found:
            comments = _joined(comments, one.comments)
        return tree.Winner(tuple(one.key for one in found), span=self._span(line.line), comments=comments)

    def _labelled_key(self, line: _Line) -> tree.Line:
        label = line.make.name(line.parts[0]).text
        return _KeyLine(line.make.key(line.parts[1], label), **self._common(line))

    def _last_key(self, line: _Line) -> tree.Line:
        return _KeyLine(line.make.key(line.parse), **self._common(line))

    # ---- Statements

    def _move(self, line: _Line) -> tree.Line:
        return tree.Move(line.make.expression(line.parts[0]), line.make.ref(line.parts[1]), **self._common(line))

    def _draw(self, line: _Line) -> tree.Line:
        count, pile, to = line.parts
        return tree.Draw(line.make.expression(count), line.make.ref(pile), line.make.ref(to), **self._common(line))

    def _shuffle(self, line: _Line) -> tree.Line:
        what, pile = line.parts
        return tree.Shuffle(line.make.expression(what), None if pile is None else line.make.ref(pile), **self._common(line))

    def _reveal(self, line: _Line) -> tree.Line:
        return tree.Reveal(line.make.expression(line.parts[0]), **self._common(line))

    def _set(self, line: _Line) -> tree.Line:
        return tree.Set(line.make.ref(line.parts[0]), line.make.expression(line.parts[1]), **self._common(line))

    def _add(self, line: _Line) -> tree.Line:
        return tree.Add(line.make.expression(line.parts[0]), line.make.ref(line.parts[1]), **self._common(line))

    def _take(self, line: _Line) -> tree.Line:
        return tree.Take(line.make.expression(line.parts[0]), line.make.ref(line.parts[1]), **self._common(line))

    def _pay(self, line: _Line) -> tree.Line:
        *amount, source, target = line.parts
        paid = line.make.expression(amount[0]) if amount else None
        return tree.Pay(paid, line.make.ref(source), line.make.ref(target), **self._common(line))

    def _let(self, line: _Line) -> tree.Line:
        return tree.Let(line.make.name(line.parts[0]), line.make.expression(line.parts[1]), **self._common(line))

    def _do(self, line: _Line) -> tree.Line:
        return tree.Do(line.make.ref(line.parts[0]), **self._common(line))

    def _end(self, line: _Line) -> tree.Line:
        return tree.End(line.make.name(line.parts[0]), **self._common(line))

    def _nothing(self, line: _Line) -> tree.Line:
        return tree.Nothing(**self._common(line))

    def _if(self, line: _Line) -> tree.Line:
        condition, inline = line.parts
        case = (line.make.expression(condition), self._statements(line, inline))
        return tree.If((case,), **self._common(line))

    def _for_each(self, line: _Line) -> tree.Line:
        noun, name, *middle, order, inline = line.parts
        make = line.make
        members: tree.Expression | None = None
        filters: tuple[tree.Filter, ...] = ()
        if middle and middle[0] is not None:
            if str(subtree(middle[0]).data) in ("with_", "where", "where_not"):
                filters = make.filters(middle)
            else:
                chosen = make.expression(middle[0])
                # Filters at the end of the set are those of the loop: they read alike and mean the same.
                members, filters = (chosen.base, chosen.filters) if isinstance(chosen, tree.Filtered) else (chosen, ())
        return tree.ForEach(
            make.name(noun),
            make.optional_name(name),
            members,
            filters,
            make.order(order),
            self._statements(line, inline),
            **self._common(line),
        )

    def _repeat_until(self, line: _Line) -> tree.Line:
        until, at_most, inline = (line.parts[0], line.parts[-2], line.parts[-1])
        make = line.make
        limit = make.optional(at_most)
        return tree.Repeat(make.expression(until), None, limit, self._statements(line, inline), None, **self._common(line))

    def _repeat_times(self, line: _Line) -> tree.Line:
        times, inline = line.parts
        body = self._statements(line, inline)
        return tree.Repeat(None, line.make.expression(times), None, body, None, **self._common(line))

    def _take_turns(self, line: _Line) -> tree.Line:
        start, among, until, inline = line.parts
        make = line.make
        body = self._statements(line, inline)
        return tree.TakeTurns(make.expression(start), make.optional(among), make.expression(until), body, **self._common(line))

    def _step_here(self, line: _Line) -> tree.Line:
        name, inline = line.parts
        return tree.StepHere(line.make.name(name), self._statements(line, inline), **self._common(line))

    # ---- Choices

    def _choose(self, line: _Line) -> tree.Line:
        options: list[tree.Option] = []
        impossible: tuple[tree.Statement, ...] | None = None
        for node in self._block(line, "chooses_line", "write the options underneath, such as `play a card from hand of player`"):
            if isinstance(node, _IfImpossible):
                if impossible is not None:
                    self._report(fault("R110", "there are two `if impossible` lines", node.span, help="leave one of them out"))
                impossible = node.body
            else:
                options.append(cast("tree.Option", node))
        return tree.Choose(line.make.expression(line.parts[0]), tuple(options), impossible, **self._common(line))

    def _if_impossible(self, line: _Line) -> tree.Line:
        body = self._statements(line, line.parts[0], keep_comments=True)
        return _IfImpossible(cast(Any, body), **self._common(line))

    def _option(self, line: _Line) -> tree.Line:
        verb, arguments, face_down, text, inline = line.parts
        make = line.make
        nodes = self._statements(line, inline, start="option_line")
        return tree.Option(
            make.name(verb),
            () if arguments is None else tuple(self._argument(make, subtree(part)) for part in subtree(arguments).children),
            face_down is not None,
            None if text is None else quoted(text),
            tuple(node for node in nodes if isinstance(node, tree.OnlyIf)),
            tuple(node for node in nodes if not isinstance(node, tree.OnlyIf)),
            **self._common(line),
        )

    def _argument(self, make: Expressions, part: LarkTree) -> tree.Argument:
        noun, name, source = part.children
        chosen = None if source is None else make.source_set(source)
        return tree.Argument(make.name(noun), make.optional_name(name), chosen, span=make.span(part))

    def _only_if(self, line: _Line) -> tree.Line:
        condition, unless, reason = line.parts
        make = line.make
        why = None if reason is None else quoted(subtree(reason).children[0])
        comments = line.line.comments
        if why is not None:
            self._no_block(line)
        else:
            below = cast("list[_Reason]", self.nodes(line.line.children, "reason_line"))
            for one in below:
                if why is not None:
                    self._report(fault("R110", "there are two reasons for one condition", one.span, help="leave one of them out"))
                why = one.text
                comments = _joined(comments, one.comments)
        node = tree.OnlyIf(make.expression(condition), make.optional(unless), why, **self._common(line))
        return attrs.evolve(node, comments=comments)

    def _reason(self, line: _Line) -> tree.Line:
        return _Reason(quoted(line.parts[0]), **self._common(line))

    # ---- Variants

    def _needs(self, line: _Line) -> tree.Line:
        return tree.Needs(line.make.expression(line.parts[0]), **self._common(line))

    def _excludes(self, line: _Line) -> tree.Line:
        return tree.Excludes(line.make.name(line.parts[0]), **self._common(line))

    def _always(self, line: _Line) -> tree.Line:
        return tree.Always(line.make.expression(line.parts[0]), **self._common(line))

    def _set_option(self, line: _Line) -> tree.Line:
        return tree.SetOption(line.make.name(line.parts[0]), line.make.expression(line.parts[1]), **self._common(line))

    def _replace(self, line: _Line) -> tree.Line | None:
        declared = self._node(_Line(subtree(line.parts[0]), line.line, line.make))
        if declared is None:
            return None
        return tree.Replace(cast(Any, attrs.evolve(declared, comments=tree.Comments())), **self._common(line))

    def _insert(self, line: _Line) -> tree.Line:
        name, inline = line.parts
        where: Literal["before", "after"] = "before" if line.kind == "add_before" else "after"
        return tree.Insert(where, line.make.name(name), self._statements(line, inline), **self._common(line))

    def _add_to_score(self, line: _Line) -> tree.Line:
        terms = self._block(line, "score_line", "write the new lines underneath, such as `bonus: 5`")
        return tree.AddToScore(cast(Any, tuple(terms)), **self._common(line))

    def _remove(self, line: _Line) -> tree.Line:
        source: Literal["score", "winner"] = "score" if line.kind == "remove_from_score" else "winner"
        return tree.Remove(line.make.name(line.parts[0]), source, **self._common(line))

    # ---- Tests

    def _test_players(self, line: _Line) -> tree.Line:
        return tree.TestPlayers(tuple(map(line.make.name, subtree(line.parts[0]).children)), **self._common(line))

    def _test_with(self, line: _Line) -> tree.Line:
        return tree.TestWith(tuple(map(line.make.name, subtree(line.parts[0]).children)), **self._common(line))

    def _run_setup(self, line: _Line) -> tree.Line:
        return tree.RunSetup(**self._common(line))

    def _given(self, line: _Line) -> tree.Line:
        return tree.Given(line.make.ref(line.parts[0]), self._things(line, line.parts[1]), **self._common(line))

    def _chance(self, line: _Line) -> tree.Line:
        return tree.Chance(self._things(line, line.parts[0]), **self._common(line))

    def _things(self, line: _Line, part: Part) -> tuple[tree.Expression, ...]:
        return tuple(line.make.expression(thing) for thing in subtree(part).children)

    def _start(self, line: _Line) -> tree.Line:
        return tree.Start(line.make.ref(line.parts[0]), **self._common(line))

    def _plays(self, line: _Line) -> tree.Line:
        return tree.Plays(line.make.name(line.parts[0]), self._act(line, line.parts[1]), **self._common(line))

    def _act(self, line: _Line, part: Part) -> tree.Act:
        verb, *things = subtree(part).children
        arguments = tuple(line.make.expression(thing) for thing in things)
        return tree.Act(line.make.name(verb), arguments, span=line.make.span(subtree(part)))

    def _expect(self, line: _Line) -> tree.Line:
        return tree.Expect(line.make.expression(line.parts[0]), **self._common(line))

    def _expect_can(self, line: _Line) -> tree.Line:
        player, *acts = line.parts
        return tree.ExpectCan(line.make.name(player), tuple(self._act(line, act) for act in acts), **self._common(line))

    def _expect_cannot(self, line: _Line) -> tree.Line:
        player, act, reason = line.parts
        why = None if reason is None else quoted(reason)
        return tree.ExpectCannot(line.make.name(player), self._act(line, act), why, **self._common(line))


# ---- Lines that have no node of their own in the tree: they become a part of the node above


@frozen
class _OnlyValue(tree.Line):
    value: tree.Expression


@frozen
class _KeyLine(tree.Line):
    key: tree.Key


@frozen
class _IfImpossible(tree.Line):
    body: tuple[tree.Statement, ...]


@frozen
class _Reason(tree.Line):
    text: str


# ---- Small questions


def _visibility(part: Part) -> tree.Visibility | None:
    return None if part is None else cast("tree.Visibility", str(subtree(part).data))


def _joined(first: tree.Comments, second: tree.Comments) -> tree.Comments:
    """The comments of two lines that become one."""
    after = " ".join(text for text in (first.after, second.after) if text is not None)
    return tree.Comments(first.before + second.before, after or None)


def _with_comments(comments: tree.Comments, node: tree.Line) -> tree.Line:
    """The node with the comments of the line above it put before its own."""
    above = comments.before if comments.after is None else (*comments.before, comments.after)
    own = node.comments
    return attrs.evolve(node, comments=tree.Comments(above + own.before, own.after))


def _depth(root: LarkTree) -> int:
    """How deep a parse is nested, counted without recursion."""
    deepest, todo = 0, [(root, 1)]
    while todo:
        part, depth = todo.pop()
        deepest = max(deepest, depth)
        todo += [(child, depth + 1) for child in part.children if not isinstance(child, Token) and child is not None]
    return deepest


# ---- The nodes by the names that the grammar gives to lines

_Build = Callable[[_Reader, _Line], "tree.Line | None"]

# Lines under which nothing can stand.
_LEAVES: Final[dict[str, _Build]] = {
    "title": _Reader._title,
    "players": _Reader._players,
    "option_declaration": _Reader._option_declaration,
    "list_declaration": _Reader._list_declaration,
    "attribute": _Reader._attribute,
    "marker": _Reader._marker,
    "leave_out": _Reader._leave_out,
    "row": _Reader._row,
    "zone": _Reader._zone,
    "counter": _Reader._counter,
    "teams": _Reader._teams,
    "term": _Reader._term,
    "case": _Reader._case,
    "default_case": _Reader._default_case,
    "only_value": _Reader._only_value,
    "labelled_key": _Reader._labelled_key,
    "last_key": _Reader._last_key,
    "move": _Reader._move,
    "draw": _Reader._draw,
    "shuffle": _Reader._shuffle,
    "reveal": _Reader._reveal,
    "set": _Reader._set,
    "add": _Reader._add,
    "take": _Reader._take,
    "pay": _Reader._pay,
    "pay_all": _Reader._pay,
    "let": _Reader._let,
    "do": _Reader._do,
    "end": _Reader._end,
    "nothing": _Reader._nothing,
    "reason": _Reader._reason,
    "needs": _Reader._needs,
    "excludes": _Reader._excludes,
    "always": _Reader._always,
    "set_option": _Reader._set_option,
    "test_players": _Reader._test_players,
    "test_with": _Reader._test_with,
    "run_setup": _Reader._run_setup,
    "given": _Reader._given,
    "chance": _Reader._chance,
    "start": _Reader._start,
    "plays": _Reader._plays,
    "expect": _Reader._expect,
    "expect_can": _Reader._expect_can,
    "expect_cannot": _Reader._expect_cannot,
    "remove_from_score": _Reader._remove,
    "remove_from_winner": _Reader._remove,
    "shared": _Reader._last_key,
    "nobody_key": _Reader._last_key,
}
# Lines that read their own block.
_HEADS: Final[dict[str, _Build]] = {
    "game": _Reader._game,
    "variant": _Reader._variant,
    "test": _Reader._test,
    "kind": _Reader._kind,
    "table": _Reader._table,
    "define": _Reader._define,
    "setup": _Reader._setup,
    "phase": _Reader._phase,
    "step": _Reader._step,
    "score": _Reader._score,
    "winner": _Reader._winner,
    "if": _Reader._if,
    "for_each": _Reader._for_each,
    "repeat_until": _Reader._repeat_until,
    "repeat_times": _Reader._repeat_times,
    "take_turns": _Reader._take_turns,
    "step_here": _Reader._step_here,
    "choose": _Reader._choose,
    "if_impossible": _Reader._if_impossible,
    "option": _Reader._option,
    "only_if": _Reader._only_if,
    "replace": _Reader._replace,
    "add_before": _Reader._insert,
    "add_after": _Reader._insert,
    "add_to_score": _Reader._add_to_score,
}
