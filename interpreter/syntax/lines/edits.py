"""Makes nodes of the lines of variants and tests."""

from __future__ import annotations

from typing import Any, Final, Literal, cast

import attrs

from .. import tree
from .declarations import texts_of
from .expressions import Part, quoted, subtree
from .reader import Line, Make, Reader


def variant_line(reader: Reader, line: Line) -> tree.Line:
    texts = texts_of(line, line.parts[1] if len(line.parts) > 1 else None)
    body = reader.block(line, "variant_line", "write what the variant changes underneath, such as `set OPTION to 3`")
    return tree.Variant(line.make.name(line.parts[0]), texts, cast(Any, tuple(body)), **reader.common(line))


def test_line(reader: Reader, line: Line) -> tree.Line:
    body = reader.block(
        line, "test_line", "write the test underneath: `players Ann, Bob`, then what happens and what to `expect`"
    )
    return tree.Test(quoted(line.parts[0]), cast(Any, tuple(body)), **reader.common(line))


def needs_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Needs(line.make.expression(line.parts[0]), **reader.common(line))


def excludes_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Excludes(line.make.name(line.parts[0]), **reader.common(line))


def always_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Always(line.make.expression(line.parts[0]), **reader.common(line))


def set_option_line(reader: Reader, line: Line) -> tree.Line:
    return tree.SetOption(line.make.name(line.parts[0]), line.make.expression(line.parts[1]), **reader.common(line))


def replace_line(reader: Reader, line: Line) -> tree.Line | None:
    declared = reader.node(Line(subtree(line.parts[0]), line.line, line.make))
    if declared is None:
        return None
    return tree.Replace(cast(Any, attrs.evolve(declared, comments=tree.Comments())), **reader.common(line))


def insert_line(reader: Reader, line: Line) -> tree.Line:
    name, inline = line.parts
    where: Literal["before", "after"] = "before" if line.kind == "add_before" else "after"
    return tree.Insert(where, line.make.name(name), reader.statements(line, inline), **reader.common(line))


def add_to_score_line(reader: Reader, line: Line) -> tree.Line:
    terms = reader.block(line, "score_line", "write the new lines underneath, such as `bonus: 5`")
    return tree.AddToScore(cast(Any, tuple(terms)), **reader.common(line))


def remove_line(reader: Reader, line: Line) -> tree.Line:
    source: Literal["score", "winner"] = "score" if line.kind == "remove_from_score" else "winner"
    key = line.make.optional(line.parts[1]) if len(line.parts) > 1 else None
    return tree.Remove(line.make.name(line.parts[0]), source, key, **reader.common(line))


def test_players_line(reader: Reader, line: Line) -> tree.Line:
    return tree.TestPlayers(tuple(map(line.make.name, subtree(line.parts[0]).children)), **reader.common(line))


def test_with_line(reader: Reader, line: Line) -> tree.Line:
    return tree.TestWith(tuple(map(line.make.name, subtree(line.parts[0]).children)), **reader.common(line))


def run_setup_line(reader: Reader, line: Line) -> tree.Line:
    return tree.RunSetup(**reader.common(line))


def given_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Given(line.make.ref(line.parts[0]), _things(line, line.parts[1]), **reader.common(line))


def given_laid_line(reader: Reader, line: Line) -> tree.Line:
    grid, *laid = line.parts
    make = line.make
    found = []
    for part in map(subtree, laid):
        what, *cells = part.children
        found.append(tree.Laid(make.expression(what), tuple(map(make.name, cells)), span=make.span(part)))
    return tree.GivenLaid(make.ref(grid), tuple(found), **reader.common(line))


def given_known_line(reader: Reader, line: Line) -> tree.Line:
    return tree.GivenKnown(line.make.name(line.parts[0]), line.make.expression(line.parts[1]), **reader.common(line))


def expect_knows_line(reader: Reader, line: Line) -> tree.Line:
    player, what = line.parts
    negated = line.kind == "expect_not_knows"
    return tree.ExpectKnows(line.make.name(player), negated, line.make.expression(what), **reader.common(line))


def chance_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Chance(_things(line, line.parts[0]), **reader.common(line))


def _things(line: Line, part: Part) -> tuple[tree.Expression, ...]:
    return tuple(line.make.expression(thing) for thing in subtree(part).children)


def start_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Start(line.make.ref(line.parts[0]), **reader.common(line))


def plays_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Plays(line.make.name(line.parts[0]), _act(line, line.parts[1]), **reader.common(line))


def _act(line: Line, part: Part) -> tree.Act:
    verb, *things = subtree(part).children
    arguments = tuple(line.make.expression(thing) for thing in things)
    return tree.Act(line.make.name(verb), arguments, span=line.make.span(subtree(part)))


def expect_line(reader: Reader, line: Line) -> tree.Line:
    return tree.Expect(line.make.expression(line.parts[0]), **reader.common(line))


def expect_can_line(reader: Reader, line: Line) -> tree.Line:
    player, *acts = line.parts
    return tree.ExpectCan(line.make.name(player), tuple(_act(line, act) for act in acts), **reader.common(line))


def expect_cannot_line(reader: Reader, line: Line) -> tree.Line:
    player, act, reason = line.parts
    why = None if reason is None else quoted(reason)
    return tree.ExpectCannot(line.make.name(player), _act(line, act), why, **reader.common(line))


def expect_finding_line(reader: Reader, line: Line) -> tree.Line:
    code, text = line.parts
    return tree.ExpectFinding(line.make.name(code), None if text is None else quoted(text), **reader.common(line))


LEAVES: Final[dict[str, Make]] = {
    "needs": needs_line,
    "excludes": excludes_line,
    "always": always_line,
    "set_option": set_option_line,
    "test_players": test_players_line,
    "test_with": test_with_line,
    "run_setup": run_setup_line,
    "given": given_line,
    "given_laid": given_laid_line,
    "given_known": given_known_line,
    "chance": chance_line,
    "start": start_line,
    "plays": plays_line,
    "expect": expect_line,
    "expect_can": expect_can_line,
    "expect_cannot": expect_cannot_line,
    "expect_knows": expect_knows_line,
    "expect_not_knows": expect_knows_line,
    "expect_finding": expect_finding_line,
    "remove_from_score": remove_line,
    "remove_from_winner": remove_line,
}
HEADS: Final[dict[str, Make]] = {
    "variant": variant_line,
    "test": test_line,
    "replace": replace_line,
    "add_before": insert_line,
    "add_after": insert_line,
    "add_to_score": add_to_score_line,
}
