"""Which branches are never taken, which conditions of options never forbid anything, and which phases never begin?

Counting knows between which numbers a counter is, and how many components lie where. A condition about which that leaves no doubt
wherever the rules come to it is a finding, if so it is at all tables, whatever the options are. Where counting leaves none at the
tables that are looked at anyway, it goes through the rules of all once more, with the options left open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import product
from math import prod

from attrs import frozen

from ...diagnostics import Diagnostic, fault, warning
from ...model import model
from ...model.model import Const, Expr, Model
from ...model.rebuild import part_names, walk, walk_statements
from ...source import Source, Span
from ...syntax import tree
from ...syntax.traverse import lines_within
from ...table.from_model import Specialised, with_open_options
from ...table.table import Table
from ..combinations import Candidate, all_values
from .amounts import LEAST, MOST, NONE, Range
from .asked import BOTH, FAILS, HOLDS, Asked
from .counting import counted
from .dependence import read_names
from .effects import ZONES, written

LISTED = 3  # words that are named
OPEN_TABLES = 400  # that are gone through; where nothing is found it is over sooner


@frozen
class _Written:
    """A condition as it stands in the rules, and the branch or option of which it is. ``is_last``: whether it is the last of
    several branches, so that it may well say what else there is."""

    test: Expr
    of: model.If | model.Option
    is_last: bool

    def is_guard(self, table: Table) -> bool:
        """Whether what is done where it holds changes what it asks for, as in ``only if coins < 9`` before a coin is added.

        Who writes that is careful, and need not know that it always holds.
        """
        body = self.of.body if isinstance(self.of, model.Option) else self.of.then
        asked, changed = read_names(self.test, table), written(body, table)
        return bool(asked & changed) or (ZONES in changed and bool(asked - table.variables.keys()))


def decided(
    game: Model, file: Source, whole: tree.Tree, plain: Iterable[Candidate], asked: Asked, elsewhere: Collection[Span]
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
    suspects = {span: one for span, one in _in_words(game, whole).items() if span in doubtful} if doubtful else {}
    idle = {span: phase for span, phase in _phases(game).items() if span not in asked.begun and span.source == file}
    if not suspects and not idle:
        return
    surely = Asked()
    table = None
    for number, made in enumerate(_with_open_options(game, plain)):
        open_to_all = all(surely.can.get(span) == BOTH for span in suspects) and surely.begun >= idle.keys()
        if made is None or number >= OPEN_TABLES or open_to_all:
            return
        table = made.table
        assert table is not None
        surely.watched = {span: tuple(_at(table, part) for part in parts(one.test)) for span, one in suspects.items()}
        counted(table, surely)
        there = {test.span for test, _ in _conditions(table.all_steps)}
        surely.give_up(test for test, _ in _conditions(made.declarations) if test.span not in there)
    for span, one in suspects.items():
        can = surely.can.get(span, BOTH)
        if table is not None and (can == FAILS or (can == HOLDS and not one.is_last and not one.is_guard(table))):
            yield _said(one, can == HOLDS, surely, table)
    never = [phase for span, phase in idle.items() if span not in surely.begun] if table is not None else []
    if never:
        first, *others = sorted(never, key=lambda phase: phase.span.start)
        yield fault(
            "R326", f"the phase `{first.name}` never begins: the game is always over before it, or goes on without an end",
            first.span, *((phase.span, "nor does this one") for phase in others),
            help="leave what comes before it by `end` and its name, or remove this phase",
        )  # fmt: skip


def _phases(game: Model) -> dict[Span, model.Step]:
    """All phases, those of variants included, by their places."""
    steps = (part for part in walk((game.declarations, game.variants)) if isinstance(part, model.Step))
    return {step.span: step for step in steps if step.form == "phase"}


def _overlap(one: Span, other: Span) -> bool:
    return one.source == other.source and one.start < other.end and other.start < one.end


def _with_open_options(game: Model, plain: Iterable[Candidate]) -> Iterator[Specialised | None]:
    """The tables of a game for all values of the options: one for all of them, but one for each value of those on which more
    depends than what is asked in a game. None where even that is not enough."""
    for candidate in plain:
        table = candidate.found.table
        if table is None:
            continue
        if not table.options:
            yield candidate.found
            continue
        made = with_open_options(game, table.players, table.variants)
        added = (line for variant in game.variants if variant.name in table.variants for line in variant.adds)
        settled = {name for variant in game.variants if variant.name in table.variants for name, _ in variant.options}
        needed = {
            line.name: all_values(line, candidate.found.settled)
            for line in (*game.declarations, *added)
            if isinstance(line, model.OptionDeclaration) and line.name in made.settled.needed - settled
        }
        if prod(map(len, needed.values())) > OPEN_TABLES:
            yield None
            return
        for values in product(*needed.values()):
            given = dict(zip(needed, values, strict=True))
            of_these = with_open_options(game, table.players, table.variants, given) if given else made
            if of_these.table is not None:
                yield of_these if of_these.settled.needed <= settled | given.keys() else None
            elif not given:
                yield None


def _conditions(node: object) -> Iterator[tuple[Expr, model.If | model.Option]]:
    """The conditions of all branches and options."""
    for part in walk_statements(node):
        yield from _conditions_of(part)


def _conditions_of(node: model.Node) -> Iterator[tuple[Expr, model.If | model.Option]]:
    match node:
        case model.If(condition=condition):
            yield condition, node
        case model.Option(conditions=conditions):
            yield from ((each.test, node) for each in conditions if not each.laid)
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
    for node in lines_within((whole.declarations, whole.variants)):
        match node:
            case tree.If(cases=cases):
                places |= {condition.span for condition, _ in cases if condition is not None}
                last |= {condition.span for condition, _ in cases[1:][-1:] if condition is not None}
            case tree.OnlyIf(condition=condition, unless=unless):
                places.add(condition.span if unless is None else node.span)
            case _:
                pass
    return {
        test.span: _Written(test, of, test.span in last)
        for test, of in _conditions((game.declarations, game.variants))
        if test.span in places
    }


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


def _said(one: _Written, always: bool, surely: Asked, table: Table) -> Diagnostic:
    test, option = one.test, one.of if isinstance(one.of, model.Option) else None
    message = f"`{test.span.text}` {'always' if always else 'never'} holds"
    others = []
    if option is None:
        help = "write what is done then without this condition" if always else "remove it with what is done then"
    elif always:
        others = [(option.span, f"so it never forbids `{option.verb}`")]
        help = "remove this line"
    else:
        others = [(option.span, f"so `{option.verb}` can never be chosen")]
        help = "remove the option"
    label = why_so(test, always, surely, table)
    return warning("R327", message, test.span, *others, label=label, help=f"ask for something else, or {help}")


def why_so(test: Expr, always: bool, surely: Asked, table: Table) -> str:
    """What is known that decides a condition, in words."""

    def seen(part: Expr) -> Range:
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
                said = (_between(side, seen(side), table) for side in parts(part) if side is not part)
                return " and ".join(filter(None, said))

    found = why(test, always)
    return f"{found} here" if found.startswith("`") else found


def _between(side: Expr, found: Range, table: Table) -> str:
    """Between what something is, in words; "" where that says nothing."""
    what, (low, high) = f"`{side.span.text}`", found
    if isinstance(side, model.ZoneContent) and high == 0:
        return f"{what} is empty"
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
