"""Branches that are never taken, conditions of options that never forbid anything, and phases that never begin.

The abstract interpreter bounds counters and the content of places. A condition that these bounds decide wherever the rules come
to it is a finding, if it is so at all tables and for all values of the options. A condition that is decided at the tables that
are checked anyway is evaluated once more at all tables, with the options left open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from math import prod
from typing import Literal

from attrs import frozen

from ....common.diagnostics import Diagnostic, fault, warning
from ....common.intervals import Interval
from ....common.nouns import with_article
from ....common.source import Source, Span
from ....findings.consequences import ONLY_HERE
from ....model import model
from ....model.effects import effects_of
from ....model.model import Const, Expr, Model
from ....model.visitor import part_names, walk, walk_statements
from ....syntax import tree
from ....syntax.traverse import lines_within
from ....table.from_model import Specialised, with_open_options
from ....table.sampling.combinations import Candidate, Value, all_values
from ....table.table import Table, Variable
from ...abstract.condition_log import BOTH, FAILS, HOLDS, ConditionLog, sides
from ...abstract.courses import Course, course_of
from ...abstract.domain.states import ground_of
from ...abstract.domain.values import LEAST, MOST, NONE
from ...abstract.interpreter import counted
from ...abstract.whole_game import overall, overall_of_markers
from ...dataflow.dependence import all_dependencies, read_names
from ...dataflow.effects import ZONES, everything_done, taken_from, written
from .never_set_off import never_set_off

LISTED = 3  # words that are named
OPEN_TABLES = 400  # that are gone through; where nothing is found it is over sooner


@frozen
class _Written:
    """A condition as it stands in the rules, and the branch or option of which it is; or a set to which a loop or an option
    comes, which has something in it, or has not. ``is_last``: whether it is the last of several branches, so that it may well
    say what else there is. ``joined``: what joins it to others, "" where nothing does."""

    test: Expr
    of: model.If | model.Option | model.ForEach
    is_last: bool
    joined: Literal["", "and", "or"] = ""

    def is_guard(self, table: Table) -> bool:
        """Whether what is done where it holds changes what it asks for, as in ``only if coins < 9`` before a coin is added.

        Who writes that is careful, and need not know that it always holds.
        """
        asked, changed = read_names(self.test, table), written(self.body, table)
        return bool(asked & changed) or (ZONES in changed and bool(asked - table.variables.keys()))

    def is_sure(self, seen: Mapping[tuple[Span, Span], Interval], table: Table) -> bool:
        """Whether all that it asks for are markers that are always the same when it is asked: nobody need take care then."""
        names = {node.name for node in all_dependencies([self.test], table) if isinstance(node, model.VariableValue)}
        known = [part for part in parts(self.test) if isinstance(part, model.VariableValue)]
        return (
            read_names(self.test, table) == names == {part.name for part in known}
            and all(table.variables[name].form == "marker" for name in names)
            and all((found := seen.get((self.test.span, part.span))) is not None and found[0] == found[1] for part in known)
        )

    def changes_itself(self, fixed: Collection[str], table: Table) -> list[str]:
        """The counters, markers and zones that it asks for, that change where it holds, and that always are as they are at
        first."""
        changed = written(self.body, table)
        for _, effect in effects_of(everything_done(self.body, table)):
            places = (move.place for move in effect.arrivals)
            changed.update(table.zones[place].said if place in table.zones else place for place in places)
        return sorted(read_names(self.test, table) & changed & {*fixed})

    def can_be_said(self, can: int | None) -> bool:
        """Whether there may be anything to say of it once ``can`` is known of some tables: a set that has something in it is no
        finding, whatever it has at others."""
        return not (self.test.type.is_set and can == HOLDS)

    @property
    def is_laid(self) -> bool:
        """Whether it is asked as if a piece lay there already."""
        return isinstance(self.of, model.Option) and any(each.laid and each.test is self.test for each in self.of.conditions)

    @property
    def body(self) -> model.Body:
        """What is done where it holds."""
        return self.of.then if isinstance(self.of, model.If) else self.of.body


def decided(
    game: Model, file: Source, whole: tree.Tree, plain: Iterable[Candidate], asked: ConditionLog, elsewhere: Collection[Span]
) -> Iterator[Diagnostic]:
    """The conditions of a file that always or never hold where they are asked (R327), and its phases that never begin (R326).

    ``plain``: all tables with options at their defaults. ``asked``: what was found of conditions at these and others.
    ``elsewhere``: the places of other findings, which say more.
    """
    doubtful = {
        span
        for span in (*asked.can, *_asked_for_again(game))
        if asked.can.get(span) != BOTH and span.source == file and not any(_overlap(span, other) for other in elsewhere)
    }
    in_words = _in_words(game, whole) if doubtful else {}
    suspects = {span: one for span, one in in_words.items() if span in doubtful and one.can_be_said(asked.can.get(span))}
    idle = {span: phase for span, phase in _phases(game).items() if span not in asked.begun and span.source == file}
    reacting = [step for step in _steps(game) if step.entered is not None]
    silent = [step for step in reacting if step.name not in asked.done and step.span.source == file]
    if not suspects and not idle and not silent:
        return
    plain = [candidate for candidate in plain if candidate.found.table is not None]
    opened = [_with_open_options(game, candidate) for candidate in plain]
    by_markers, fixed = decided_by_markers(opened, suspects), _fixed(opened)
    tables = [made.table for made in opened if made.table is not None]
    yield from never_set_off(silent, [made.table for made in opened])
    by_these = {span: suspects.pop(span) for span in [*suspects] if by_markers.can.get(span, BOTH) != BOTH}
    for one in by_these.values():
        yield from _said_of(one, by_markers, fixed, tables[-1], by_these)
    if not suspects and not idle:
        return
    surely = ConditionLog()
    courses: list[tuple[Course | None, dict[str, Variable]]] = []  # of which all has been noted
    table = None
    for number, made in enumerate(_at_all_values(game, plain, opened)):
        open_to_all = all(surely.can.get(span) == BOTH for span in suspects) and surely.begun >= idle.keys()
        if made is None or number >= OPEN_TABLES or open_to_all:
            return
        table = made.table
        assert table is not None
        surely.watched = {span: tuple(_at(table, part) for part in parts(one.test)) for span, one in suspects.items()}
        course = course_of(table.all_steps, table)
        if course is None or (course, table.variables) not in courses:
            courses.append((course, table.variables))
            counted(table, surely)
        there = {test.span for test, _ in _conditions(table.all_steps)}
        surely.give_up(test for test, _ in _conditions(made.declarations) if test.span not in there)
    for one in suspects.values() if table is not None else ():
        assert table is not None
        yield from _said_of(one, surely, fixed, table, suspects)
    never = [phase for span, phase in idle.items() if span not in surely.begun] if table is not None else []
    if never:
        first, *others = sorted(never, key=lambda phase: phase.span.start)
        yield fault(
            "R326",
            f"the phase `{first.name}` never begins: the game is always over before it, or goes on without an end",
            first.span,
            *((phase.span, "nor does this one") for phase in others),
            help="leave what comes before it by `end` and its name, or remove this phase",
            case="phase never begins",
        )


def _steps(game: Model) -> Iterator[model.Step]:
    """All steps, those of variants included."""
    return (part for part in walk((game.declarations, game.variants)) if isinstance(part, model.Step))


def _phases(game: Model) -> dict[Span, model.Step]:
    """All phases, those of variants included, by their places."""
    return {step.span: step for step in _steps(game) if step.form == "phase"}


def _overlap(one: Span, other: Span) -> bool:
    return one.source == other.source and one.start < other.end and other.start < one.end


def _with_open_options(game: Model, candidate: Candidate) -> Specialised:
    """A table for all values of the options, or as it is where there are none."""
    table = candidate.found.table
    assert table is not None
    return with_open_options(game, table.players, table.variants) if table.options else candidate.found


def decided_by_markers(opened: Iterable[Specialised], suspects: Mapping[Span, _Written] | None = None) -> ConditionLog:
    """What follows from markers alone, such as that nothing sets one but where it is set already; it is so for all values of the
    options. ``suspects``: the conditions that are looked at (None: all)."""
    found = ConditionLog()
    if suspects is not None:
        found.watched = {span: tuple(parts(one.test)) for span, one in suspects.items()}
    for made in opened:
        table = made.table
        if table is None:
            found.give_up(() if suspects is None else [one.test for one in suspects.values()])
            continue
        declared = [line for line in made.declarations if isinstance(line, model.Variable)]
        known = overall_of_markers(ground_of(table), (line.name for line in declared if not _asks_for_options(line.domain)))
        with known.evaluator.unsure():
            for span, test in known.reached.items():
                if suspects is None or span in suspects:
                    found.note(test, known.evaluator.number(test, known.at), known.at, known.evaluator)
        there = {test.span for test, _ in _conditions(table.all_steps)}
        found.give_up(test for test, _ in _conditions(made.declarations) if test.span not in there)
    return found


def _fixed(opened: Iterable[Specialised]) -> set[str]:
    """The counters and markers that never become anything else than what they are at first, and the zones that stay empty."""
    fixed: set[str] | None = None
    for table in (made.table for made in opened if made.table is not None):
        ground = ground_of(table)
        known, places = overall(ground), chain.from_iterable(ground.places.values())
        here = {name for name, ranges in known.ranges.items() if all(low == high for low, high in ranges.values())}
        filled = {table.zones[name].said for name, owner in places if name in table.zones and (name, owner) not in known.empty}
        here |= {zone.said for zone in table.zones.values()} - filled
        fixed = here if fixed is None else fixed & here
    return fixed or set()


def _asks_for_options(domain: model.Domain) -> bool:
    """Whether between which numbers a counter is may depend on options."""
    ends = [end for end in (domain.low, domain.high) if end is not None]
    return not all(isinstance(part, Const | model.PlayerCount | model.Arithmetic) for part in walk(tuple(ends)))


def _at_all_values(game: Model, plain: Sequence[Candidate], opened: Sequence[Specialised]) -> Iterator[Specialised | None]:
    """The tables of a game for all values of the options: one for all of them, but one for each value of those on which more
    depends than what is asked in a game. None where even that is not enough, or too many."""
    values: list[dict[str, Sequence[Value]]] = []
    for candidate, made in zip(plain, opened, strict=True):
        table = candidate.found.table
        assert table is not None
        added = (line for variant in game.variants if variant.name in table.variants for line in variant.adds)
        settled = _set_by_variants(game, table)
        values.append(
            {
                line.name: all_values(line, candidate.found.settled, OPEN_TABLES + 1)
                for line in (*game.declarations, *added)
                if isinstance(line, model.OptionDeclaration) and table.options and line.name in made.settled.needed - settled
            }
        )
    if sum(prod(map(len, needed.values())) for needed in values) > OPEN_TABLES:
        yield None
        return
    for candidate, made, needed in zip(plain, opened, values, strict=True):
        table = candidate.found.table
        assert table is not None
        for combination in product(*needed.values()):
            given = dict(zip(needed, combination, strict=True))
            of_these = with_open_options(game, table.players, table.variants, given) if given else made
            if of_these.table is not None:
                settled = _set_by_variants(game, table) | given.keys()
                yield of_these if not table.options or of_these.settled.needed <= settled else None
            elif not given:
                yield None


def _set_by_variants(game: Model, table: Table) -> set[str]:
    return {name for variant in game.variants if variant.name in table.variants for name, _ in variant.options}


def _conditions(node: object) -> Iterator[tuple[Expr, model.If | model.Option | model.ForEach]]:
    """The conditions of all branches and options, and the sets of loops and of what options take."""
    for part in walk_statements(node):
        yield from _conditions_of(part)


def _conditions_of(node: model.Node) -> Iterator[tuple[Expr, model.If | model.Option | model.ForEach]]:
    match node:
        case model.If(condition=condition):
            yield condition, node
        case model.Option(conditions=conditions):
            yield from ((each.test, node) for each in conditions)
            yield from ((source, node) for source in taken_from(node))
        case model.ForEach(members=members):
            yield members, node
        case _:
            pass


def _asked_for_again(game: Model) -> Iterator[Span]:
    """The conditions that ask for an option for which one around them asks, or they themselves ask twice. With the options at
    their defaults they may have been settled before anything was counted."""
    todo: list[tuple[object, frozenset[str]]] = [((game.declarations, game.variants), frozenset())]
    while todo:
        node, around = todo.pop()
        if isinstance(node, tuple):
            todo += [(item, around) for item in node]
        elif isinstance(node, model.Node) and not isinstance(node, model.Typed):
            for test, _ in _conditions_of(node):
                names = [part.name for part in walk(test) if isinstance(part, model.OptionValue)]
                if len({*names}) < len(names) or around & {*names}:
                    yield test.span
                around |= {*names}
            todo += [(getattr(node, name), around) for name in part_names(type(node))]


def _in_words(game: Model, whole: tree.Tree) -> dict[Span, _Written]:
    """The conditions that stand in a file in words, by their places."""
    places: set[Span] = set()
    last: set[Span] = set()
    loops: set[Span] = set()  # and options
    for node in lines_within((whole.declarations, whole.variants)):
        match node:
            case tree.If(cases=cases):
                places |= {condition.span for condition, _ in cases if condition is not None}
                last |= {condition.span for condition, _ in cases[1:][-1:] if condition is not None}
            case tree.OnlyIf(condition=condition, unless=unless):
                places.add(condition.span if unless is None else node.span)
            case tree.SoThat(condition=condition):
                places.add(condition.span)
            case tree.ForEach() | tree.Option():
                loops.add(node.span)
            case _:
                pass
    found: dict[Span, _Written] = {}
    for test, of in _conditions((game.declarations, game.variants)):
        if test.span in places:
            found |= {side.span: _Written(side, of, test.span in last, joined) for side, joined in _joined(test)}
            found[test.span] = _Written(test, of, test.span in last)
        elif test.type.is_set and of.span in loops:
            found[test.span] = _Written(test, of, False)
    return found


def _joined(test: Expr) -> Iterator[tuple[Expr, Literal["and", "or"]]]:
    """What a condition joins, and by which word."""
    if isinstance(test, model.Logic):
        for side in sides(test):
            yield side, test.op
            yield from _joined(side)


def _joined_in(test: Expr) -> tuple[Expr, ...]:
    return tuple(side for side, _ in _joined(test))


def parts(test: Expr) -> Iterator[Expr]:
    """A condition and those of which it is made, and what is compared in them, but for plain numbers."""
    yield test
    match test:
        case model.Not(value=value):
            yield from parts(value)
        case model.Logic(left=left, right=right):
            yield from parts(left)
            yield from parts(right)
        case model.Compare(left=left, right=right):
            yield from (side for side in (left, right) if not isinstance(side, Const))
        case model.Some(of=of):
            yield of
        case _:
            pass


def _at(table: Table, part: Expr) -> Expr:
    """What is compared, at a table where options are open, but for those that a variant sets."""
    if not isinstance(part, model.OptionValue):
        return part
    if part.name in table.variables:
        return model.VariableValue(part.name, None, type=part.type, span=part.span)
    return Const(table.options[part.name], type=part.type, span=part.span)


# ---- Saying it


def _said_of(
    one: _Written, asked: ConditionLog, fixed: Collection[str], table: Table, all_of_them: Mapping[Span, _Written]
) -> Iterator[Diagnostic]:
    """What is found about a condition, if there is anything to say. ``fixed``: see `_fixed`."""
    can = asked.can.get(one.test.span, BOTH)
    around = [span for span, other in all_of_them.items() if other.of is one.of and one.test in _joined_in(other.test)]
    around += [span for span, other in all_of_them.items() if other.joined and one.of in everything_done(other.body, table)]
    if any(asked.can.get(span, BOTH) != BOTH for span in around) or can == {"and": FAILS, "or": HOLDS}.get(one.joined):
        return  # what is said of the whole, or of one around it, is the cause
    if one.test.type.is_set:
        if can == FAILS:
            yield _nothing_there(one, asked, table)
    elif can == FAILS and not one.is_laid:  # else it is asked in more detail (see `laying`)
        inside = {other.of.span for span, other in all_of_them.items() if other is not one and asked.can.get(span) == FAILS}
        nested = any(node.span in inside for node in everything_done(one.body, table))
        yield _said(one, False, asked, table, () if nested else one.changes_itself(fixed, table))
    elif can == HOLDS and not one.is_last and (one.is_laid or not one.is_guard(table) or one.is_sure(asked.seen, table)):
        yield _said(one, True, asked, table)


def _said(one: _Written, always: bool, surely: ConditionLog, table: Table, only_here: Sequence[str] = ()) -> Diagnostic:
    """``only_here``: counters, markers and zones for which the condition asks, and that change only where it holds."""
    test, option = one.test, one.of if isinstance(one.of, model.Option) else None
    message = f"`{test.span.text}` {'always' if always else 'never'} holds"
    others: list[tuple[Span, str]] = []
    if one.joined:
        help = f"write the condition without it and its `{one.joined}`"
    elif option is None:
        help = "write what is done then without this condition" if always else "remove it with what is done then"
    elif always:
        others = [(option.span, f"so it never forbids `{option.verb}`")]
        help = "remove this line"
    else:
        others = [(option.span, f"so `{option.verb}` can never be chosen")]
        help = "remove the option"
    label = why_so(test, always, surely, table)
    if only_here:
        what = "what is done then" if option is None else f"`{option.verb}`"
        names = " and ".join(f"`{name}`" for name in only_here)
        label = ", and ".join(filter(None, (label, f"only {what}{ONLY_HERE}{names}")))
        help = f"{help}, or change {names} elsewhere, too"
    return warning("R327", message, test.span, *others, label=label, help=f"ask for something else, or {help}")


def _nothing_there(one: _Written, surely: ConditionLog, table: Table) -> Diagnostic:
    """A loop or an option comes to a set in which nothing ever is."""
    what = with_article(one.test.type.noun)
    label = f"there is never {what} here"
    if isinstance(one.of, model.Option):
        return warning(
            "R327",
            f"there is never {what} to `{one.of.verb}`",
            one.test.span,
            (one.of.span, f"so `{one.of.verb}` can never be chosen"),
            help="take it from somewhere else, or remove the option",
        )
    help = "ask for others, let something come there before, or remove the loop"
    return warning("R351", "this loop never begins: there is nothing to go through", one.test.span, label=label, help=help)


def why_so(test: Expr, always: bool, surely: ConditionLog, table: Table) -> str:
    """What is known that decides a condition, in words."""

    def seen(part: Expr) -> Interval:
        return surely.seen.get((test.span, part.span), (LEAST, MOST))

    def why(part: Expr, holds: bool) -> str:
        match part:
            case model.Not(value=value):
                return why(value, not holds)
            case model.Logic(op=op, left=left, right=right) if holds == (op == "or"):
                alone = next((side for side in (left, right) if seen(side) == (holds, holds)), None)
                if alone is not None:
                    return why(alone, holds)
                return "one of these always holds here" if holds else "one of these rules out the other here"
            case model.Logic(left=left, right=right):
                return " and ".join(filter(None, dict.fromkeys(why(side, holds) for side in (left, right))))
            case model.OptionValue() | model.VariableValue():
                return f"`{part.span.text}` is {'yes' if holds else 'no'}"
            case _:
                # the set of `somebody with ...` has no words of its own
                sides = (side for side in parts(part) if side is not part and side.span != test.span)
                said = (_between(side, seen(side), table) for side in sides)
                return " and ".join(filter(None, said))

    found = why(test, always)
    return f"{found} here" if found.startswith("`") else found


def _between(side: Expr, found: Interval, table: Table) -> str:
    """Between what something is, in words; "" where that says nothing."""
    what, (low, high) = f"`{side.span.text}`", found
    if isinstance(side, model.ZoneContent) and high == 0:
        return f"{what} is empty"
    if side.type.optional and (low, high) == (NONE, NONE):
        return f"{what} is none"
    if side.type.is_set:
        return f"{what} has {low}" + ("" if low == high else f" to {high}") if high < MOST else ""
    match side.type.base:
        case "number" if low > LEAST and high < MOST and (low > NONE or not side.type.optional):
            return f"{what} is {low}" + ("" if low == high else f" to {high}")
        case "word" | "truth" if high - low < LISTED:
            words = ("no", "yes") if side.type.base == "truth" else table.lists[side.type.of]
            return f"{what} is " + " or ".join("none" if value == NONE else words[value] for value in range(low, high + 1))
        case _:
            return ""
