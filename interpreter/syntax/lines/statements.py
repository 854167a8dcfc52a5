"""Makes nodes of the lines that say what happens, choices included."""

from __future__ import annotations

from typing import Any, Final, cast

import attrs

from ...common.diagnostics import fault
from .. import tree
from ..parsing.sentence import LarkTree
from .expressions import FILTERS, Expressions, Part, quoted, subtree
from .reader import IfImpossible, Line, Make, Reader, ReasonLine, joined


def move_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Move(line.make.expression(line.parts[0]), line.make.ref(line.parts[1]), **reader.common(line))


def put_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Put(line.make.expression(line.parts[0]), line.make.expression(line.parts[1]), **reader.common(line))


def hold_back_line(reader: Reader, line: Line) -> tree.Line:
    return tree.HoldBack(line.make.expression(line.parts[0]), line.make.ref(line.parts[1]), **reader.common(line))


def draw_line(reader: Reader, line: Line) -> tree.Line:
    count, pile, to = line.parts
    return tree.Draw(line.make.expression(count), line.make.ref(pile), line.make.ref(to), **reader.common(line))


def shuffle_line(reader: Reader, line: Line) -> tree.Line:
    what, pile = line.parts
    return tree.Shuffle(line.make.expression(what), None if pile is None else line.make.ref(pile), **reader.common(line))


def swap_line(reader: Reader, line: Line) -> tree.Line:
    one, other = line.parts
    return tree.Swap(line.make.ref(one), line.make.ref(other), **reader.common(line))


def reveal_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Reveal(line.make.expression(line.parts[0]), **reader.common(line))


def show_line(reader: Reader, line: Line) -> tree.Line:
    what, *to = line.parts
    seeing = line.make.expression(to[0]) if to else None
    return tree.Show(line.make.expression(what), seeing, **reader.common(line))


def look_line(reader: Reader, line: Line) -> tree.Line:
    player, count, pile = line.parts
    make = line.make
    return tree.Look(make.expression(player), make.optional(count), make.ref(pile), **reader.common(line))


def roll_line(reader: Reader, line: Line) -> tree.Line:
    what, *noun, to = line.parts
    target = None if to is None else line.make.ref(to)
    return tree.Roll(line.make.expression(what), line.make.name(noun[0]) if noun else None, target, **reader.common(line))


def set_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Set(line.make.ref(line.parts[0]), line.make.expression(line.parts[1]), **reader.common(line))


def add_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Add(line.make.expression(line.parts[0]), line.make.ref(line.parts[1]), **reader.common(line))


def take_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Take(line.make.expression(line.parts[0]), line.make.ref(line.parts[1]), **reader.common(line))


def pay_line(reader: Reader, line: Line) -> tree.Line:
    *amount, source, target = line.parts
    paid = line.make.expression(amount[0]) if amount else None
    return tree.Pay(paid, line.make.ref(source), line.make.ref(target), **reader.common(line))


def let_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Let(line.make.name(line.parts[0]), line.make.expression(line.parts[1]), **reader.common(line))


def do_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Do(line.make.ref(line.parts[0]), **reader.common(line))


def end_line(reader: Reader, line: Line) -> tree.Line:
    return tree.End(line.make.name(line.parts[0]), **reader.common(line))


def wins_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Wins(line.make.expression(line.parts[0]) if line.parts else None, **reader.common(line))


def nothing_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Nothing(**reader.common(line))


def if_line(reader: Reader, line: Line) -> tree.Line:
    condition, inline = line.parts
    case = (line.make.expression(condition), reader.statements(line, inline))
    return tree.If((case,), **reader.common(line))


def for_each_line(reader: Reader, line: Line) -> tree.Line:
    noun, name, *middle, order, inline = line.parts
    make = line.make
    members: tree.Expression | tree.Interval | None = None
    filters: tuple[tree.Filter, ...] = ()
    if middle and middle[0] is not None:
        if str(subtree(middle[0]).data) in FILTERS:
            filters = make.filters(middle)
        else:
            members, filters = make.members(middle[0])
    return tree.ForEach(
        make.name(noun),
        make.optional_name(name),
        members,
        filters,
        make.order(order),
        reader.statements(line, inline),
        **reader.common(line),
    )


def repeat_until_line(reader: Reader, line: Line) -> tree.Line:
    until, at_most, inline = (line.parts[0], line.parts[-2], line.parts[-1])
    make = line.make
    limit = make.optional(at_most)
    return tree.Repeat(make.expression(until), None, limit, reader.statements(line, inline), None, **reader.common(line))


def repeat_times_line(reader: Reader, line: Line) -> tree.Line:
    times, inline = line.parts
    body = reader.statements(line, inline)
    return tree.Repeat(None, line.make.expression(times), None, body, None, **reader.common(line))


def take_turns_line(reader: Reader, line: Line) -> tree.Line:
    start, among, until, inline = line.parts
    make = line.make
    body = reader.statements(line, inline)
    return tree.TakeTurns(make.optional(start), make.optional(among), make.optional(until), body, **reader.common(line))


def step_here_line(reader: Reader, line: Line) -> tree.Line:
    name, inline = line.parts
    return tree.StepHere(line.make.name(name), reader.statements(line, inline), **reader.common(line))


def choose_line(reader: Reader, line: Line) -> tree.Line:
    options: list[tree.Option] = []
    impossible: tuple[tree.Statement, ...] | None = None
    for node in reader.block(line, "chooses_line", "write the options underneath, such as `play a card from hand of player`"):
        if isinstance(node, IfImpossible):
            if impossible is not None:
                reader.report(fault("R110", "there are two `if impossible` lines", node.span, help="leave one of them out"))
            impossible = node.body
        else:
            options.append(cast("tree.Option", node))
    player = line.make.expression(line.parts[0])
    return tree.Choose(player, tuple(options), impossible, line.kind == "go_on", **reader.common(line))


def if_impossible_line(reader: Reader, line: Line) -> tree.Line:
    body = reader.statements(line, line.parts[0], keep_comments=True)
    return IfImpossible(cast(Any, body), **reader.common(line))


def option_line(reader: Reader, line: Line) -> tree.Line:
    verb, arguments, face_down, text, inline = line.parts
    make = line.make
    nodes = reader.statements(line, inline, start="option_line")
    return tree.Option(
        make.name(verb),
        _arguments(make, arguments),
        face_down is not None,
        None if text is None else quoted(text),
        tuple(node for node in nodes if isinstance(node, tree.Clause)),
        tuple(node for node in nodes if not isinstance(node, tree.Clause)),
        **reader.common(line),
    )


def _arguments(make: Expressions, part: Part) -> tuple[tree.Argument | tree.Several, ...] | tree.Placing:
    if part is None:
        return ()
    whole = subtree(part)
    if whole.data == "placing":
        piece, grid = whole.children
        return tree.Placing(make.ref(piece), make.ref(grid), span=make.span(whole))
    return tuple(_argument(make, subtree(argument)) for argument in whole.children)


def _argument(make: Expressions, part: LarkTree) -> tree.Argument | tree.Several:
    if part.data == "several":
        how_many, noun, name, source, *whole = part.children
        many = subtree(how_many)
        count = make.expression(many.children[0]) if many.children else None
        demands = tuple(_whole(make, subtree(each)) for each in whole)
        return tree.Several(
            count,
            make.name(noun),
            make.optional_name(name),
            make.expression(source),
            many.data == "up_to",
            demands,
            span=make.span(part),
        )
    on, noun, name, source = part.children
    chosen = None if source is None else make.source_set(source)
    return tree.Argument(make.name(noun), make.optional_name(name), chosen, on is not None, span=make.span(part))


def _whole(make: Expressions, part: LarkTree) -> tree.Alike | tree.WithTotal:
    if part.data != "with_total":
        attribute = make.name(part.children[0]) if part.children else None
        return tree.Alike(part.data == "all_different", attribute, span=make.span(part))
    name, key, compare, value = part.children
    op: tree.CompareOp = "is" if compare is None else make.compare(compare)
    return tree.WithTotal(make.name(name), make.optional(key), op, make.expression(value), span=make.span(part))


def remember_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Remember(False, **reader.common(line))


def forget_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Remember(True, **reader.common(line))


def only_if_line(reader: Reader, line: Line) -> tree.Line:
    condition, unless, reason = line.parts
    why, comments = _reason(reader, line, reason)
    node = tree.OnlyIf(line.make.expression(condition), line.make.optional(unless), why, **reader.common(line))
    return attrs.evolve(node, comments=comments)


def only_where_possible_line(reader: Reader, line: Line) -> tree.Line:
    condition, reason = line.parts
    why, comments = _reason(reader, line, reason)
    node = tree.OnlyIf(line.make.expression(condition), None, why, True, **reader.common(line))
    return attrs.evolve(node, comments=comments)


def so_that_line(reader: Reader, line: Line) -> tree.Line:
    why, comments = _reason(reader, line, line.parts[1])
    return attrs.evolve(tree.SoThat(line.make.expression(line.parts[0]), why, **reader.common(line)), comments=comments)


def limit_line(reader: Reader, line: Line) -> tree.Line:
    count, step, reason = line.parts
    why, comments = _reason(reader, line, reason)
    node = tree.Limit(line.make.expression(count), line.make.name(step), why, **reader.common(line))
    return attrs.evolve(node, comments=comments)


def _reason(reader: Reader, line: Line, part: Part) -> tuple[str | None, tree.Comments]:
    """Why not, at the end of a clause or under it; and the comments of both lines."""
    why = None if part is None else quoted(subtree(part).children[0])
    comments = line.line.comments
    if why is not None:
        reader.no_block(line)
        return why, comments
    for one in cast("list[ReasonLine]", reader.nodes(line.line.children, "reason_line")):
        if why is not None:
            reader.report(fault("R110", "there are two reasons for one condition", one.span, help="leave one of them out"))
        why = one.text
        comments = joined(comments, one.comments)
    return why, comments


def reason_line(reader: Reader, line: Line) -> tree.Line:
    return ReasonLine(quoted(line.parts[0]), **reader.common(line))


LEAVES: Final[dict[str, Make]] = {
    "move": move_line,
    "put": put_line,
    "hold_back": hold_back_line,
    "draw": draw_line,
    "shuffle": shuffle_line,
    "swap": swap_line,
    "reveal": reveal_line,
    "show": show_line,
    "look": look_line,
    "roll": roll_line,
    "roll_new": roll_line,
    "set": set_line,
    "add": add_line,
    "take": take_line,
    "pay": pay_line,
    "pay_all": pay_line,
    "let": let_line,
    "do": do_line,
    "end": end_line,
    "wins": wins_line,
    "nobody_wins": wins_line,
    "nothing": nothing_line,
    "reason": reason_line,
}
HEADS: Final[dict[str, Make]] = {
    "if": if_line,
    "for_each": for_each_line,
    "repeat_until": repeat_until_line,
    "repeat_times": repeat_times_line,
    "take_turns": take_turns_line,
    "step_here": step_here_line,
    "choose": choose_line,
    "go_on": choose_line,
    "if_impossible": if_impossible_line,
    "option": option_line,
    "placing_option": option_line,
    "only_if": only_if_line,
    "only_where_possible": only_where_possible_line,
    "remember": remember_line,
    "forget": forget_line,
    "so_that": so_that_line,
    "limit": limit_line,
}
