"""Makes nodes of the lines that declare something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, Final, cast

import attrs
from lark import Token

from ...common.diagnostics import fault
from ...common.source import Span
from .. import tree
from ..parsing.sentence import LarkTree
from ..parsing.tokens import cut
from ..parsing.words import RESERVED
from .expressions import Expressions, Misread, Part, normal, quoted, subtree
from .reader import KeepLine, KeyLine, Line, MajorityLine, Make, OnlyValue, Reader, joined, seen_by, with_comments


def game_line(reader: Reader, line: Line) -> tree.Line:
    title: tree.Title | None = None
    players: tree.Players | None = None
    for node in reader.nodes(line.line.children, "game_line"):
        if isinstance(node, tree.Title):
            reader.once(title, node, "title")
            title = title or node
        elif isinstance(node, tree.Players):
            reader.once(players, node, "players")
            players = players or node
    return tree.Game(line.make.name(line.parts[0]), title, players, **reader.common(line))


def extends_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Extends(quoted(line.parts[0]), **reader.common(line))


def title_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Title(texts_of(line, line.parts[0]), **reader.common(line))


def texts_of(line: Line, part: Part) -> tuple[tree.Text, ...]:
    if part is None:
        return ()
    texts = []
    for text in map(subtree, subtree(part).children):
        language, string = text.children
        code = "" if language is None else "-".join(_language(subtree(language)))
        texts.append(tree.Text(code, quoted(string), span=line.make.span(text)))
    return tuple(texts)


def _language(part: LarkTree) -> list[str]:
    return [normal(str(token)) for token in part.children]


def players_line(reader: Reader, line: Line) -> tree.Line:
    low = int(str(line.parts[0]))
    high = low if line.parts[1] is None else int(str(line.parts[1]))
    return tree.Players(low, high, **reader.common(line))


def option_declaration_line(reader: Reader, line: Line) -> tree.Line:
    name, domain, default = line.parts
    make = line.make
    return tree.OptionDeclaration(make.name(name), make.domain(domain), make.expression(default), **reader.common(line))


def list_declaration_line(reader: Reader, line: Line) -> tree.Line:
    return tree.ListDeclaration(line.make.name(line.parts[0]), line.make.words_domain(line.parts[1]), **reader.common(line))


def kind_line(reader: Reader, line: Line) -> tree.Line | None:
    form, name, rows = line.parts
    written: list[tree.Row] = []
    attributes: list[tree.Attribute] = []
    markers: list[tree.Marker] = []
    left_out: list[tree.LeaveOut] = []
    shape: tree.Shape | None = None
    shown: tree.ShownAs | None = None
    other_copies: list[tree.OtherCopies] = []
    if rows is not None and subtree(rows).data in ("plain_copies", "copies_for_each_player", "as_many_as_fit_for_each_player"):
        nodes = reader.nodes(line.line.children, "kind_line")  # a piece may be nothing but a piece
    else:
        nodes = reader.block(line, "kind_line", "write its attributes underneath, such as `rank: 1..13`")
    for node in nodes:
        match node:
            case tree.Attribute():
                attributes.append(node)
            case tree.Marker():
                markers.append(node)
            case tree.LeaveOut():
                left_out.append(node)
            case tree.Shape():
                reader.once(shape, node, "shape")
                shape = shape or node
            case tree.ShownAs():
                reader.once(shown, node, "shown as")
                shown = shown or node
            case tree.OtherCopies():
                other_copies.append(node)
            case tree.Row():
                written.append(node)
    source: tree.FromFile | tree.Copies | tree.Written | None
    if rows is None:
        source = _written(reader, line, written)
    else:
        given = subtree(rows)
        span = line.make.span(given)
        if given.data == "from_file":
            source = tree.FromFile(quoted(given.children[0]), span=span)
        else:
            count = line.make.expression(given.children[0]) if given.children else None
            source = tree.Copies(count, str(given.data).endswith("for_each_player"), span=span)
        for row in written:
            reader.report(
                fault(
                    "R107",
                    "a row cannot stand here, since the line above says already which rows there are",
                    row.span,
                    (span, "here"),
                    help="leave out one of the two",
                )
            )
    if other_copies and (rows is None or subtree(rows).data not in ("copies", "copies_for_each_player")):
        instead = "give the rows a column `count`" if written else "end the line above with `, 1 of each`"
        message = "this says how many there are of some combinations, and the line above does not say `of each`"
        reader.report(fault("R107", message, other_copies[0].span, help=instead))
        other_copies.clear()
    if source is None:
        reader.doubt(line.line)
        return None
    return tree.Kind(
        cast(Any, str(subtree(form).data)),
        line.make.name(name),
        source,
        tuple(attributes),
        tuple(markers),
        tuple(left_out),
        shape,
        shown,
        tuple(other_copies),
        **reader.common(line),
    )


def _written(reader: Reader, line: Line, rows: Sequence[tree.Row]) -> tree.Written | None:
    """Rows under the line: the first names the columns."""
    if not rows:
        if line.line.children:
            reader.report(
                fault(
                    "R106",
                    "this does not say which there are",
                    reader.span(line.line),
                    help='write `from "data/FILE.csv"` or `, 2 of each` at its end, or a table with `|` underneath',
                )
            )
        return None
    columns = _columns(rows[0])
    body = _body(reader, rows, len(columns))
    if len(rows) == 1:
        reader.report(
            fault("R106", "rows must stand under the names of the columns", rows[0].span, help="separate their values by `|`")
        )
    return tree.Written(columns, body, span=rows[0].span.to(rows[-1].span))


def _columns(header: tree.Row) -> tuple[tree.Name, ...]:
    names = []
    for cell in header.cells:
        if not isinstance(cell, tree.Ref) or cell.of is not None or cell.key is not None:
            raise Misread("R112", "the first row names the columns", cell.span, "write it so: `players | hand_size | gems`")
        names.append(tree.Name(cell.name, span=cell.span))
    return tuple(names)


def _body(reader: Reader, rows: Sequence[tree.Row], count: int) -> tuple[tree.Row, ...]:
    """The rows under the header that have a value for each column."""
    header = rows[0]
    body = [row for row in rows[1:] if _fits(reader, row, header, count)]
    if body and header.comments != tree.Comments():
        # The header is no node of its own, so its comments go to the first row.
        body[0] = cast("tree.Row", with_comments(header.comments, body[0]))
    return tuple(body)


def _fits(reader: Reader, row: tree.Row, header: tree.Row, count: int) -> bool:
    if len(row.cells) == count:
        return True
    values = "1 value" if len(row.cells) == 1 else f"{len(row.cells)} values"
    columns = "1 column" if count == 1 else f"{count} columns"
    reader.report(
        fault(
            "R112",
            f"this row has {values}, but there are {columns}",
            row.span,
            (header.span, f"{columns}"),
            help="give each column one value; separate them by `|`; a value that is missing is `none`",
        )
    )
    reader.doubtful.update(word.text for word in cut(row.span.text, 0) if word.shape == "word")
    return False


def attribute_line(reader: Reader, line: Line) -> tree.Line:
    name, *key, domain = line.parts  # under a shape it has no key
    make = line.make
    return tree.Attribute(make.name(name), make.domain(domain), *map(make.optional_name, key), **reader.common(line))


def shape_line(reader: Reader, line: Line) -> tree.Line:
    what = "write underneath what each part has, such as `terrain: wheat, forest`"
    attributes = cast("list[tree.Attribute]", reader.block(line, "part_line", what))
    return tree.Shape(tuple(quoted(row) for row in line.parts), tuple(attributes), **reader.common(line))


def shown_as_line(reader: Reader, line: Line) -> tree.Line:
    return tree.ShownAs(quoted(line.parts[0]), **reader.common(line))


def other_copies_line(reader: Reader, line: Line) -> tree.Line:
    count, *filters = line.parts
    return tree.OtherCopies(line.make.expression(count), line.make.filters(filters), **reader.common(line))


def marker_line(reader: Reader, line: Line) -> tree.Line:
    names, *parameters, part, visibility = line.parts
    make = line.make
    domain = make.domain(part)
    if isinstance(domain.base, tree.NumbersDomain):
        low, high = min(domain.base.values), max(domain.base.values)
        raise Misread("R112", "the numbers of a marker go from one to another", domain.span, f"write it so: `{low}..{high}`")
    return tree.Marker(_names(names, line), make.parameters(parameters), domain, seen_by(visibility), **reader.common(line))


def leave_out_line(reader: Reader, line: Line) -> tree.Line:
    column, op, value = line.parts
    return tree.LeaveOut(line.make.name(column), line.make.compare(op), line.make.expression(value), **reader.common(line))


def row_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Row(tuple(line.make.expression(cell) for cell in line.parts), **reader.common(line))


def zone_line(reader: Reader, line: Line) -> tree.Line:
    names, *rest, visibility = line.parts
    make = line.make
    parameters = [part for part in rest if not isinstance(part, Token) and subtree(part).data == "parameter"]
    shape, *kinds = rest[len(parameters) :]
    found = seen_by(visibility)
    assert found is not None
    return tree.Zone(
        _names(names, line),
        make.parameters(parameters),
        cast(Any, str(subtree(shape).data).removesuffix("_shape")),
        tuple(make.name(kind) for kind in kinds),
        found,
        **reader.common(line),
    )


def grid_line(reader: Reader, line: Line) -> tree.Line:
    names, *rest, width, height, visibility = line.parts
    make = line.make
    parameters = [part for part in rest if not isinstance(part, Token) and subtree(part).data == "parameter"]
    form, *kinds = rest[len(parameters) :]
    found = seen_by(visibility)
    assert found is not None
    return tree.Grid(
        _names(names, line),
        make.parameters(parameters),
        subtree(form).data == "hexagons",
        tuple(make.name(kind) for kind in kinds),
        make.expression(width),
        make.expression(height),
        found,
        **reader.common(line),
    )


def board_line(reader: Reader, line: Line) -> tree.Line:
    names, *rest, visibility = line.parts
    make = line.make
    parameters = [part for part in rest if not isinstance(part, Token) and subtree(part).data == "parameter"]
    found = seen_by(visibility)
    assert found is not None
    nodes = reader.block(line, "board_line", 'draw its points and lines: `"o---o---o"`, or name them: `rome, milan, turin`')
    return tree.Board(
        _names(names, line),
        make.parameters(parameters),
        tuple(make.name(kind) for kind in rest[len(parameters) :]),
        found,
        tuple(node for node in nodes if isinstance(node, tree.PictureRow)),
        tuple(node for node in nodes if isinstance(node, tree.Points)),
        tuple(node for node in nodes if isinstance(node, tree.Chain)),
        **reader.common(line),
    )


def picture_row_line(reader: Reader, line: Line) -> tree.Line:
    return tree.PictureRow(quoted(line.parts[0]), **reader.common(line))


def points_line(reader: Reader, line: Line) -> tree.Line:
    *region, names = line.parts
    make = line.make
    points = tuple(make.name(name) for name in subtree(names).children)
    return tree.Points(make.name(region[0]) if region else None, points, **reader.common(line))


def chain_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Chain(tuple(line.make.name(name) for name in line.parts), **reader.common(line))


def counter_line(reader: Reader, line: Line) -> tree.Line:
    names, *parameters, domain, visibility = line.parts
    make = line.make
    return tree.Counter(
        _names(names, line), make.parameters(parameters), make.range_domain(domain), seen_by(visibility), **reader.common(line)
    )


def _names(part: Part, line: Line) -> tuple[tree.Name, ...]:
    return tuple(map(line.make.name, subtree(part).children))


def table_line(reader: Reader, line: Line) -> tree.Line | None:
    make = line.make
    name, by = make.name(line.parts[0]), make.name(line.parts[1])
    entries = [subtree(entry) for entry in line.parts[2:] if entry is not None]
    if entries:
        reader.no_block(line)
        rows = tuple(
            tree.Row(tuple(make.expression(cell) for cell in entry.children), span=make.span(entry)) for entry in entries
        )
        return tree.TableDeclaration(name, by, (name,), rows, **reader.common(line))
    found = cast(
        "list[tree.Row]",
        reader.block(line, "table_line", f"write a table underneath, beginning with `{by.text} | {name.text}`"),
    )
    if not found:
        reader.doubt(line.line)
        return None
    columns = _columns(found[0])
    if columns[0].text != by.text:
        raise Misread(
            "R112",
            f"the table is by `{by.text}`, so its first column must be `{by.text}`",
            columns[0].span,
            f"begin the first row with `{by.text} |`",
        )
    _askable(columns)
    rows = _table_rows(reader, found, len(columns))
    return tree.TableDeclaration(name, by, columns[1:], rows, **reader.common(line))


def _askable(columns: Sequence[tree.Name]) -> None:
    """A column of a table is asked for by its name, so that must be one."""
    for column in columns:
        if column.text in RESERVED:
            message = f"`{column.text}` is a word of the rules, so it cannot be a name"
            raise Misread("R108", message, column.span, f"take another name, such as `my_{column.text}`")


def _table_rows(reader: Reader, found: list[tree.Row], columns: int) -> tuple[tree.Row, ...]:
    if len(found) == 1:
        reader.report(
            fault("R106", "rows must stand under the names of the columns", found[0].span, help="separate their values by `|`")
        )
    return _body(reader, found, columns)


def table_of_several_line(reader: Reader, line: Line) -> tree.Line | None:
    name, *parts = line.parts
    parameters = line.make.parameters(parts)
    nouns = [each.called.text for each in parameters]
    head = " | ".join([*nouns, line.make.name(name).text])
    found = cast("list[tree.Row]", reader.block(line, "table_line", f"write a table underneath, beginning with `{head}`"))
    if not found:
        reader.doubt(line.line)
        return None
    columns = _columns(found[0])
    if [column.text for column in columns[: len(nouns)]] != nouns or len(columns) == len(nouns):
        words = " and ".join(f"`{noun}`" for noun in nouns)
        raise Misread("R112", f"the first columns of this table must be {words}", found[0].span, f"write it so: `{head}`")
    rows = _table_rows(reader, found, len(columns))
    own = columns[len(nouns) :]
    return tree.TableDeclaration(line.make.name(name), parameters[0].noun, own, rows, None, parameters, **reader.common(line))


def table_from_file_line(reader: Reader, line: Line) -> tree.Line:
    name, by, path = line.parts
    assert path is not None
    file = tree.FromFile(quoted(path), span=line.make.span(path))
    return tree.TableDeclaration(line.make.name(name), line.make.name(by), (), (), file, **reader.common(line))


def define_line(reader: Reader, line: Line) -> tree.Line | None:
    name, *parameters, value = line.parts
    make = line.make
    return _explained(tree.Define, (make.name(name), make.parameters(parameters)), value, reader, line)


def returns_line(reader: Reader, line: Line) -> tree.Line | None:
    noun, value = line.parts
    of = line.make.name(noun)
    if of.text != "player":
        raise Misread("R112", "the returns are those of a player", of.span, "write `returns of player`")
    head = Span(reader.source, line.make.span(line.parse).start, of.span.end)
    parameter = tree.Parameter("of", of, span=of.span)
    return _explained(tree.Returns, (tree.Name(tree.RETURNS, span=head), (parameter,)), value, reader, line)


def _explained(
    kind: type[tree.Define], head: tuple[tree.Name, tuple[tree.Parameter, ...]], value: Part, reader: Reader, line: Line
) -> tree.Line | None:
    """A word (``head``: its name and parameters) with its value, or the cases under it."""
    if value is not None:
        reader.no_block(line)
        if subtree(value).data == "cases_in_line":
            return kind(*head, None, tuple(_cases_in_line(subtree(value).children, line.make)), **reader.common(line))
        return kind(*head, line.make.expression(value), (), **reader.common(line))
    cases = cast(
        "list[tree.Case | OnlyValue]",
        reader.block(line, "define_line", "write what it means after a `:`, or cases underneath: `2 if C`, `otherwise 0`"),
    )
    if not cases:
        reader.doubt(line.line)
        return None
    if len(cases) < len(line.line.children):
        reader.doubtful.add(head[0].text)  # a case could not be read: it may say what the value is otherwise
    only = next((case for case in cases if isinstance(case, OnlyValue)), None)
    if only is None:
        return kind(*head, None, cast(Any, tuple(cases)), **reader.common(line))
    if len(cases) > 1:
        raise Misread(
            "R112",
            "it is not said when this value holds",
            only.span,
            "write `VALUE if CONDITION`, or `otherwise VALUE` for the last",
        )
    node = kind(*head, only.value, (), **reader.common(line))
    return attrs.evolve(node, comments=joined(line.line.comments, only.comments))


def _cases_in_line(parts: Sequence[Part], make: Expressions) -> Iterator[tree.Case]:
    """``3 if A, 2 if B, otherwise 1``."""
    *cases, otherwise = parts
    for case in cases:
        value, condition = subtree(case).children
        yield tree.Case(make.expression(value), make.expression(condition), span=make.span(subtree(case)))
    if otherwise is not None:
        yield tree.Case(make.expression(otherwise), None, span=make.span(otherwise))


def case_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Case(line.make.expression(line.parts[0]), line.make.expression(line.parts[1]), **reader.common(line))


def default_case_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Case(line.make.expression(line.parts[0]), None, **reader.common(line))


def only_value_line(reader: Reader, line: Line) -> tree.Line:
    return OnlyValue(line.make.expression(line.parts[0]), **reader.common(line))


def setup_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Setup(reader.statements(line, line.parts[0]), **reader.common(line))


def phase_line(reader: Reader, line: Line) -> tree.Line:
    name, inline = line.parts
    return tree.Phase(line.make.name(name), reader.statements(line, inline), **reader.common(line))


def step_line(reader: Reader, line: Line) -> tree.Line:
    name, *parameters, inline = line.parts
    make = line.make
    body = reader.statements(line, inline)
    return tree.Step(make.name(name), make.parameters(parameters), body, **reader.common(line))


def whenever_line(reader: Reader, line: Line) -> tree.Line:
    noun, *rest, inline = line.parts
    make = line.make
    body = reader.statements(line, inline)
    at = next(index for index, part in enumerate(rest) if isinstance(part, Token))  # the zone, the only bare name
    found, parameters = make.filters(rest[:at]), make.parameters(rest[at + 1 :])
    return tree.Whenever(make.name(noun), found, make.name(rest[at]), parameters, body, **reader.common(line))


def match_line(reader: Reader, line: Line) -> tree.Line:
    *until, games, noun, keys = line.parts
    make = line.make
    kept: list[tree.Name] = []
    comments = line.line.comments
    for below in cast("list[KeepLine]", reader.nodes(line.line.children, "match_line")):
        kept += below.names
        comments = joined(comments, below.comments)
    ranking = None if keys is None else make.keys(keys)
    node = tree.Match(
        make.expression(games),
        make.name(noun),
        make.optional(until[0]) if until else None,
        ranking,
        tuple(kept),
        **reader.common(line),
    )
    return attrs.evolve(node, comments=comments)


def keep_line(reader: Reader, line: Line) -> tree.Line:
    return KeepLine(tuple(map(line.make.name, subtree(line.parts[0]).children)), **reader.common(line))


def position_line(reader: Reader, line: Line) -> tree.Line:
    names, most = line.parts
    found = tuple(map(line.make.name, subtree(names).children))
    return tree.Position(found, None if most is None else int(str(most)), **reader.common(line))


def teams_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Teams(int(str(line.parts[0])), **reader.common(line))


def score_line(reader: Reader, line: Line) -> tree.Line | None:
    noun = line.make.name(line.parts[0])
    if noun.text != "player":
        raise Misread("R112", "the score is that of a player", noun.span, "write `score of player`")
    terms = reader.block(line, "score_line", "write its lines underneath, such as `points: count of won of player`")
    if not terms:
        reader.doubt(line.line)
        return None
    return tree.Score(cast(Any, tuple(terms)), **reader.common(line))


def term_line(reader: Reader, line: Line) -> tree.Line:
    name, each, members, value, condition = line.parts
    make = line.make
    counted = make.expression(value)
    if line.line.children and isinstance(counted, tree.Ref) and get_close_matches(counted.span.text, ["majority"], 1, 0.7):
        raise Misread("R102", f"`{counted.span.text}` is not a word of the rules", counted.span, "did you mean `majority`?")
    reader.no_block(line)
    return tree.ScoreTerm(
        make.name(name),
        make.optional_name(each),
        make.optional(members),
        counted,
        make.optional(condition),
        **reader.common(line),
    )


def majority_line(reader: Reader, line: Line) -> tree.Line | None:
    name, each, members = line.parts
    make = line.make
    what = "write `among: players`, `by: KEYS` and `prizes: 5, 2` underneath"
    found: dict[str, MajorityLine] = {}
    faults_before = reader.faults
    for node in cast("list[MajorityLine]", reader.block(line, "majority_line", what)):
        reader.once(found.get(node.part), node, node.part)
        found.setdefault(node.part, node)
    missing = [part for part in ("among", "by", "prizes") if part not in found]
    if missing:
        if line.line.children and reader.faults == faults_before:
            reader.report(
                fault("R106", "this majority is not complete", reader.span(line.line), help="add a line " + ", ".join(missing))
            )
        reader.doubt(line.line)
        return None
    return tree.Majority(
        make.name(name),
        make.optional_name(each),
        make.optional(members),
        found["among"].value[0],
        found["by"].value,
        found["prizes"].value,
        **reader.common(line),
    )


def majority_part_line(reader: Reader, line: Line) -> tree.Line:
    value: Any
    match line.kind:
        case "ranked_by":
            part, value = "by", line.make.keys(line.parts[0])
        case kind:
            part, value = kind, tuple(map(line.make.expression, line.parts))
    return MajorityLine(part, value, **reader.common(line))


def winner_line(reader: Reader, line: Line) -> tree.Line | None:
    if line.parts[0] is not None:
        reader.no_block(line)
        return tree.Winner(line.make.keys(line.parts[0]), **reader.common(line))
    found = cast("list[KeyLine]", reader.block(line, "winner_line", "write who wins: `winner highest score, then shared`"))
    if not found:
        reader.doubt(line.line)
        return None
    if len(found) < len(line.line.children):
        reader.doubtful.add("winner")  # the line that could not be read may have been the last
    comments = line.line.comments
    for one in found:
        comments = joined(comments, one.comments)
    return tree.Winner(tuple(one.key for one in found), span=reader.span(line.line), comments=comments)


def keys_for_each_line(reader: Reader, line: Line) -> tree.Line:
    what = "write the keys underneath, such as `cards: most holdings for office`"
    below = cast("list[KeyLine]", reader.block(line, "winner_line", what))
    keys = []
    for one in below:
        if isinstance(one.key, tree.KeysForEach) or one.key.direction in ("shared", "split", "nobody"):
            raise Misread("R107", "only keys can stand here", one.span, "put this line at the left of the `for each` above it")
        keys.append(one.key)
    node = tree.KeysForEach(line.make.name(line.parts[0]), tuple(keys), span=reader.span(line.line))
    return KeyLine(node, **reader.common(line))


def labelled_key_line(reader: Reader, line: Line) -> tree.Line:
    label = line.make.name(line.parts[0]).text
    return KeyLine(line.make.key(line.parts[1], label), **reader.common(line))


def last_key_line(reader: Reader, line: Line) -> tree.Line:
    return KeyLine(line.make.key(line.parse), **reader.common(line))


LEAVES: Final[dict[str, Make]] = {
    "extends": extends_line,
    "title": title_line,
    "players": players_line,
    "option_declaration": option_declaration_line,
    "list_declaration": list_declaration_line,
    "attribute": attribute_line,
    "grid": grid_line,
    "picture_row": picture_row_line,
    "region": points_line,
    "points": points_line,
    "chain": chain_line,
    "table_from_file": table_from_file_line,
    "among": majority_part_line,
    "ranked_by": majority_part_line,
    "prizes": majority_part_line,
    "keep": keep_line,
    "marker": marker_line,
    "leave_out": leave_out_line,
    "shown_as": shown_as_line,
    "other_copies": other_copies_line,
    "row": row_line,
    "zone": zone_line,
    "counter": counter_line,
    "teams": teams_line,
    "position": position_line,
    "case": case_line,
    "default_case": default_case_line,
    "only_value": only_value_line,
    "labelled_key": labelled_key_line,
    "last_key": last_key_line,
    "shared": last_key_line,
    "split": last_key_line,
    "nobody_key": last_key_line,
}
HEADS: Final[dict[str, Make]] = {
    "game": game_line,
    "kind": kind_line,
    "table": table_line,
    "table_of_several": table_of_several_line,
    "define": define_line,
    "setup": setup_line,
    "phase": phase_line,
    "step": step_line,
    "shape": shape_line,
    "board": board_line,
    "whenever": whenever_line,
    "match_of": match_line,
    "match_until": match_line,
    "score": score_line,
    "returns": returns_line,
    "majority": majority_line,
    "term": term_line,
    "winner": winner_line,
    "keys_for_each": keys_for_each_line,
}
