"""Limits of a step that leave a player without a legal option.

Counting is enough: if each option of a choice has a limit in a step, and the choice is surely asked more often than all the
limits together allow, somebody will have to choose and cannot. Nothing is reported about choices that are asked an unknown number
of times, or that say what happens if nothing is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, frozen

from ....common.diagnostics import Diagnostic, fault
from ....common.source import Span
from ....model import model
from ....model.model import Const
from ....table.sampling.combinations import Choice
from ....table.table import Table
from ...dataflow.effects import touched


def limits(game: model.Model, tables: Mapping[Choice, Table]) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """Limits of 0 (R311), and limits that add up to less than is asked (R310), each with the tables where it is so."""
    never: dict[Diagnostic, list[Choice]] = {}
    short: dict[Span, list[tuple[Choice, _Short]]] = {}
    uncounted: list[Choice] = []
    for choice, table in tables.items():
        zero = {d.span: d for d in _never(table)}
        if not choice.options:  # a value of 0 is how players switch something off
            for diagnostic in zero.values():
                never.setdefault(diagnostic, []).append(choice)
        if zero:  # they would only be counted once more
            uncounted.append(choice)
        else:
            for found in _short_of_choices(table):
                short.setdefault(found.choose.span, []).append((choice, found))
    yield from never.items()
    for these in short.values():
        yield _said(game, these, uncounted, tables), [choice for choice, _ in these]


def _never(table: Table) -> Iterator[Diagnostic]:
    for option, limit in _limited(table):
        if (count := _number(limit)) < 1:
            yield fault(
                "R311",
                f"`{option.verb}` can never be chosen: its limit is {count}",
                limit.span,
                label=_given_by(limit, table),
                help="let the limit be at least 1, or leave the option out",
            )


def _limited(table: Table) -> Iterator[tuple[model.Option, model.Limit]]:
    for node in table.statements:
        if isinstance(node, model.Option):
            yield from ((node, limit) for limit in node.limits)


def _number(limit: model.Limit) -> int:
    assert isinstance(limit.count, Const)
    return limit.count.value


# ---- Counting

Loops = tuple[tuple[Span, int], ...]  # the lines of loops, with the rounds of each
Times = tuple[int, Loops]  # how often something is asked, and in which loops


def _asked(times: Times) -> int:
    return times[0]


@frozen
class _Short:
    """A choice that is asked ``asked`` times in a step, and what limits it. ``loops``: the loops, and their rounds."""

    choose: model.Choose
    step: str
    asked: int
    loops: Loops
    limits: tuple[tuple[str, model.Limit], ...]

    @property
    def allowed(self) -> int:
        return sum(_number(limit) for _, limit in self.limits)


def _short_of_choices(table: Table) -> Iterator[_Short]:
    """The choices whose limits add up to less than is asked of them."""
    bodies = {step.name: step.body for step in table.all_steps}
    blocks = [node for node in table.statements if isinstance(node, model.NamedBlock)]
    for choose in (node for node in table.statements if isinstance(node, model.Choose)):
        if choose.impossible is not None or not choose.options:
            continue
        steps = set.intersection(*({limit.step for limit in option.limits} for option in choose.options))
        for name in sorted(steps):
            body = bodies[name] if name in bodies else next(block.body for block in blocks if block.name == name)
            counting = _Counting(choose, bodies, {})
            asked, loops = (0, ()) if touched(body, table).leaves else counting.times(body)
            tightest = tuple(
                (option.verb, min((x for x in option.limits if x.step == name), key=_number)) for option in choose.options
            )
            found = _Short(choose, name, asked, loops, tightest)
            if found.allowed < asked:
                yield found
                break


@frozen
class _Counting:
    """How often a choice is asked at the very least. ``steps``: the bodies of what is done by name; ``known``: those counted."""

    choose: model.Choose
    steps: Mapping[str, model.Body]
    known: dict[str, Times]

    def times(self, body: model.Body) -> Times:
        total: int = 0
        loops: Loops = ()
        for line in body:
            count, inside = self.in_line(line)
            total += count
            loops = loops or inside
        return total, loops

    def in_line(self, line: model.Statement) -> Times:
        match line:
            case model.Choose() if line is self.choose:
                return 1, ()
            case model.Choose(options=options):
                return min((self.times(option.body) for option in options), key=_asked)
            case model.NamedBlock(body=body):
                return self.times(body)
            case model.Do(step=step):
                if step not in self.known:
                    self.known[step] = self.times(self.steps[step])
                return self.known[step]
            case model.If(then=then, otherwise=otherwise):
                return min(self.times(then), self.times(otherwise), key=_asked)
            case model.RepeatTimes(times=Const(value=rounds), body=body):
                return self.in_rounds(rounds, body, line.span)
            case model.ForEach(members=Const(value=members), body=body):
                return self.in_rounds(members.bit_count(), body, line.span)
            case _:
                return 0, ()

    def in_rounds(self, rounds: int, body: model.Body, span: Span) -> Times:
        times, loops = self.times(body)
        return (rounds * times, ((span, rounds), *loops)) if rounds > 0 and times else (0, ())


# ---- Saying it


def _said(
    game: model.Model, these: Sequence[tuple[Choice, _Short]], uncounted: Sequence[Choice], tables: Mapping[Choice, Table]
) -> Diagnostic:
    """One finding for all tables, with the numbers of the first."""
    choice, found = these[0]
    table = tables[choice]
    who = _who(found.choose, table)
    numbers = {(one.asked, one.allowed) for _, one in these}
    everywhere = {other.players for other, _ in these} == {other.players for other in tables}
    where = "" if everywhere and len(numbers) == 1 else f", with {choice.players} players"
    places = [(span, f"{rounds} times") for span, rounds in found.loops]
    for verb, limit in found.limits:
        places.append((limit.span, "; ".join(filter(None, (f"`{verb}`", _given_by(limit, table))))))
    options = {name for _, limit in found.limits for name in limit.options}
    for variant in game.variants:
        if variant.name in table.variants:
            places += [(value.span, f"set by `{variant.name}`") for name, value in variant.options if name in options]
    return fault(
        "R310",
        f"`{who}` chooses {found.asked} times in one `{found.step}`, and the limits allow {_sum(found)}{where}",
        found.choose.span,
        *places,
        help=_help(choice, [*(c for c, _ in these), *uncounted], tables),
    )


def _sum(found: _Short) -> str:
    """``3 (`buy` 1 + `work` 2)``: what all options together allow."""
    if len(found.limits) == 1:
        return f"{found.allowed}"
    return f"{found.allowed} ({' + '.join(f'`{verb}` {_number(limit)}' for verb, limit in found.limits)})"


def _who(choose: model.Choose, table: Table) -> str:
    """Who chooses, as the rules say it: in a step of a player, that player as all who do the step name it, where they agree."""
    given: dict[model.Var, list[model.Expr]] = {}
    for node in table.statements:
        if isinstance(node, model.Do):
            for parameter, arg in zip(table.steps[node.step].parameters, node.args, strict=True):
                given.setdefault(parameter, []).append(arg)
    names: set[str] = set()
    todo = [choose.player]
    while todo:
        player = todo.pop()
        if isinstance(player, model.VarValue) and player.var in given:
            todo += given.pop(player.var)  # each once: a step can do itself
        elif not (isinstance(player, model.VarValue) and any(player.var in step.parameters for step in table.all_steps)):
            names.add(player.span.text)
    return names.pop() if len(names) == 1 else choose.player.span.text


def _given_by(limit: model.Limit, table: Table) -> str:
    """``centre_cards is 1``, where options give the number."""
    return ", ".join(f"`{name}` is {table.option_words[name]}" for name in limit.options)


def _help(choice: Choice, failing: Sequence[Choice], tables: Mapping[Choice, Table]) -> str:
    """For which numbers of players the same variants work, and what to write."""
    variants = choice.variants
    works = [other.players for other in tables if evolve(other, players=choice.players) == choice and other not in failing]
    if not works:
        return "raise a limit, ask less often, or say what happens `if impossible`"
    low, high = min(works), max(works)
    said = f"{low}" if low == high else f"{low} to {high}" if len(works) == high - low + 1 else ", ".join(map(str, works))
    line = "needs players is" if low == high else "needs players in"
    span = f"{low}" if low == high else f"{low}..{high}"
    if len(works) != high - low + 1:
        return f"with {said} players it works; with the others raise a limit"
    written = f"`{line} {span}` in `{variants[0]}`" if variants else f"`players {span}`"
    return f"with {said} players it works: write {written}, or raise a limit"
