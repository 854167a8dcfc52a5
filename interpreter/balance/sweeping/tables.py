"""The tables of a sweep: numbers of players by sets of variants by values of options or of other numbers in the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod

from attrs import frozen

from ...common.diagnostics import Diagnostic, RulesError, did_you_mean, fault
from ...common.source import Source, Span
from ...model.model import Model
from ...play.game import Game, table_of
from ...rules import Rules
from ...simulate.sweep import Sweep, sweep_from
from ...table.sampling.combinations import Choice
from ..varying import Varied, is_option, number_named, whole_number, with_numbers

TABLES_LIMIT = 1000
_PLAYERS = "write `all`, or numbers such as `2,4` or `3..5`"
_VARIANTS = "write `all`, `each`, `plain`, or variants such as `dynasty,harmony+dynasty`"


@frozen(eq=False)
class Tables:
    """``games``: what is to be played, by table. ``swept``: the numbers that vary, with their values, from the least up.

    ``refused``: tables that the rules do not admit, each with the reason.
    """

    games: Mapping[Choice, Game]
    swept: Mapping[str, tuple[str, ...]]
    refused: Mapping[Choice, Diagnostic]


def tables_from(
    rules: Rules, players: str, variants: str, settings: Sequence[str], tell: Callable[[str], None] = lambda told: None
) -> Tables:
    """The tables that somebody asks for. Raises `RulesError` (R806), also where none of them can be played.

    ``players``: `all`, or numbers. ``variants``: `all` sets of them that go together, `each` alone (and none), `plain`, or some,
    those that are in play together joined by `+`. ``settings``: ``NAME=VALUE``, ``NAME=LOW..HIGH:STEP`` or ``NAME=VALUE,VALUE``.
    ``tell`` is called with how far it is.
    """
    whole = rules.required()
    values = dict(_values(rules, settings))
    numbers = {name: found for name, found in ((name, _number(rules, name)) for name in values) if found is not None}
    for name in numbers:
        for value in values[name]:
            whole_number(name, value, "--set")
    seats, sets = _players(whole, players), _variants(whole, variants)
    count = len(seats) * len(sets) * prod(map(len, values.values()))
    if count > TABLES_LIMIT:
        help = "name fewer players, variants or values"
        raise RulesError([fault("R806", f"these are {count:,} tables, and a sweep has at most {TABLES_LIMIT:,}", help=help)])
    games: dict[Choice, Game] = {}
    refused: dict[Choice, Diagnostic] = {}
    first: RulesError | None = None
    for chosen in product(*values.values()):
        options = tuple(zip(values, chosen, strict=True))
        changed = rules
        if numbers:
            changed = with_numbers(rules, {numbers[name]: int(value) for name, value in options if name in numbers})
        given = {name: value for name, value in options if name not in numbers}
        for some, seat in product(sets, seats):
            tell(f"table {len(games) + len(refused) + 1:,} of {count:,} is prepared ...")
            choice = Choice(seat, some, tuple((name, value) for name, value in options if len(values[name]) > 1))
            try:
                games[choice] = table_of(changed, seat, some, given)
            except RulesError as error:
                first = first or error
                refused[choice] = error.diagnostics[0]
    if first is not None and not games:
        raise first
    for name, some in values.items():
        for value in some:
            if not any(dict(choice.options).get(name, value) == value for choice in games):  # rather a slip than a table less
                raise RulesError([next(why for choice, why in refused.items() if dict(choice.options)[name] == value)])
    order = sorted(games, key=lambda choice: (choice.players, sets.index(choice.variants)))
    swept = {name: some for name, some in values.items() if len(some) > 1}
    return Tables({choice: games[choice] for choice in order}, swept, refused)


def _values(rules: Rules, settings: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    seen: set[str] = set()
    for text in settings:
        name, equals, value = (part.strip() for part in text.partition("="))
        one = bool(equals and name and value) and not re.search(r"\.\.|,", value)
        sweep = Sweep(name, (value,)) if one else sweep_from(text, "--set")
        if sweep.option in seen:
            raise _wrong("--set", text, f"`{sweep.option}` is set twice", "name it once, with all its values")
        seen.add(sweep.option)
        found = sweep.values
        if all(re.fullmatch(r"[+-]?\d{1,9}", each) for each in found):
            found = tuple(map(str, sorted(map(int, found))))
        if len(set(found)) < len(found):
            raise _wrong("--set", text, "each value stands there once", "leave out what is there twice")
        yield sweep.option, found


def _number(rules: Rules, name: str) -> Varied | None:
    """A number in the rules; None for an option."""
    return None if is_option(rules, name) else number_named(rules, name, "--set")


def _players(whole: Model, text: str) -> list[int]:
    least, most = whole.players
    if text == "all":
        return list(range(least, most + 1))
    found: set[int] = set()
    for part in text.split(","):
        span = re.fullmatch(r"\s*(\d{1,4})\s*(?:\.\.\s*(\d{1,4})\s*)?", part)
        if span is None:
            raise _wrong("--players", text, "these are no numbers of players", _PLAYERS)
        low, high = int(span[1]), int(span[2] or span[1])
        if not least <= low <= high <= most:
            raise _wrong("--players", text, f"the game is for {least} to {most} players", _PLAYERS)
        found |= {*range(low, high + 1)}
    return sorted(found)


def _variants(whole: Model, text: str) -> list[tuple[str, ...]]:
    names = [variant.name for variant in whole.variants]
    plain: list[tuple[str, ...]] = [()]
    if text == "plain":
        return plain
    if text == "each":
        return plain + [(name,) for name in names]
    if text == "all":
        if 2 ** len(names) > TABLES_LIMIT:
            raise _wrong("--variants", text, f"{len(names)} variants make too many sets", _VARIANTS)
        return [some for count in range(len(names) + 1) for some in combinations(names, count)]
    sets = []
    for part in text.split(","):
        some = tuple(name.strip() for name in part.split("+"))
        if "plain" in some and len(some) > 1:
            raise _wrong("--variants", text, "`plain` is without variants", "name it alone")
        for name in some:
            if name not in names and some != ("plain",):
                raise _wrong("--variants", text, f"there is no variant `{name}`", did_you_mean(name, names, _VARIANTS))
        sets.append(tuple(name for name in names if name in some))
    return list(dict.fromkeys(sets))


def _wrong(given: str, text: str, message: str, help: str) -> RulesError:
    return RulesError([fault("R806", message, Span(Source(given, text), 0, len(text)), help=help)])
