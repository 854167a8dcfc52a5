"""The tables of a game that are checked and explored: numbers of players, variants and values of options, in a fixed order.

Every combination of variants that `needs` and `excludes` admit, with every number of players, while these are few; otherwise no
variant, each one and each pair. Every option with its default, its smallest and its largest value (words: each of them), so that
each value meets each number of players, each variant and each value of every other option, as far as they go together. If the
rules divide, values between them follow that leave other remainders (`remainders.py`), with the other options at their defaults.
Notes say what is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import comb

from attrs import field, frozen

from ...model import model
from ...model.model import Model
from ..from_model import Specialised, specialise
from ..from_model.components import words_of
from ..from_model.fold import Settled
from ..table import Table
from .remainders import VALUES_LIMIT, with_other_remainders

ALONE_LIMIT = 1024  # tables with one variant each, at every number of players
PAIRS_LIMIT = 10_000  # pairs of variants that are asked whether they go together
TABLES_LIMIT = 256  # tables with options at their defaults, those that turn out to be refused included
OPTIONS_LIMIT = 40  # tables with other values of options
WORDS_LIMIT = 12  # of an option with more words, the first and the last are taken; of players always

Value = str | int  # of an option, as `specialise` takes it


@frozen
class Choice:
    """A number of players, the variants named, and the values of options that are not left at their defaults."""

    players: int
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, Value], ...] = ()

    @property
    def said(self) -> str:
        """``3 players with partners and target 50``."""
        players = f"{self.players} player{'s' if self.players != 1 else ''}"
        return " with ".join(filter(None, (players, self.others)))

    @property
    def others(self) -> str:
        """``partners and target 50``: the same without the number of players."""
        return " and ".join((*self.variants, *(f"{name} {value}" for name, value in self.options)))

    def is_within(self, other: Choice) -> bool:
        """Whether the other names the same and more, for as many players."""
        return (
            self != other
            and self.players == other.players
            and set(self.variants) <= set(other.variants)
            and set(self.options) <= set(other.options)
        )


@frozen
class Candidate:
    """A table that is looked at; ``found.table`` is None where it is refused."""

    choice: Choice
    found: Specialised = field(eq=False, repr=False)


@frozen
class Candidates:
    """All tables that are looked at, and what is left out, in words.

    ``plain``: those with options at their defaults, if no combination of variants is left out of them; else none."""

    tables: tuple[Candidate, ...]
    left_out: tuple[str, ...]
    plain: tuple[Candidate, ...]


def tables_of(game: Model) -> Candidates:
    """The tables of a game that are checked: first those with options at their defaults, then those with others."""
    choices, left_out = _with_defaults(game)
    all_variants = not left_out
    plain = tuple(Candidate(choice, specialise(game, choice.players, choice.variants)) for choice in choices)
    rows = list(islice(_with_options(game, plain), OPTIONS_LIMIT + 1))
    if len(rows) > OPTIONS_LIMIT:
        rows.pop()
        left_out += (f"options have so many values that only {OPTIONS_LIMIT} tables with values of options are checked",)
    others = (Candidate(c, specialise(game, c.players, c.variants, dict(c.options))) for c in rows)
    return Candidates((*plain, *others), left_out, plain if all_variants else ())


def fewest(choices: Sequence[Choice]) -> list[Choice]:
    """Those tables of a list that name no variants and options beyond what another of the list, with as many players, names."""
    return [choice for choice in choices if not any(other.is_within(choice) for other in choices)]


def tables_text_of(failing: Sequence[Choice], offered: Collection[Choice]) -> tuple[str, ...]:
    """Tables in words; variants and options without the number of players where it is so with each that is offered."""
    found: dict[str, None] = {}
    for choice in fewest(failing):
        likes = {each.players for each in offered if each.others == choice.others}
        everywhere = len(likes) > 1 and likes == {each.players for each in failing if each.others == choice.others}
        found[choice.others if everywhere and choice.others else choice.said] = None
    return tuple(found)


def blamed(failing: Sequence[Choice], offered: Mapping[Choice, Table], game: Model | None = None) -> list[Choice]:
    """The tables at which something is wrong that count as a fault; ``offered``: all that can be played.

    All with options at their defaults. Where only tables with other values are wrong, it is a fault when a value is wrong at
    every table that has it; and where a number alone is wrong with some players and not with others, since its range can depend
    on how many there are (not where ``game`` is None, for what is not seen everywhere). What else goes with a value an option
    cannot say.
    """
    plain = [choice for choice in failing if not choice.options]
    if plain:
        return plain
    wrong = set(failing)
    fine = [table.option_words for choice, table in offered.items() if choice not in wrong]
    values = dict.fromkeys(setting for choice in failing for setting in choice.options)
    never = {(name, value) for name, value in values if all(words.get(name) != str(value) for words in fine)}
    ranged = set[str]() if game is None else _ranged(game)
    elsewhere = {c.options for c in offered if c not in wrong and len(c.options) == 1 and not c.variants}
    return [
        choice
        for choice in failing
        if never & set(choice.options) or (not choice.variants and choice.options in elsewhere and choice.options[0][0] in ranged)
    ]


def alone(failing: Iterable[Sequence[Choice]], offered: Mapping[Choice, Table], game: Model) -> list[Candidate]:
    """Further tables to look at. ``failing``: for each thing that is wrong, the tables. Where none of these is to blame, each
    number that they have is tried alone, with all numbers of players."""
    ranged = _ranged(game)
    settings = dict.fromkeys(
        setting
        for choices in failing
        if not blamed(choices, offered, game)
        for choice in choices
        for setting in choice.options
        if setting[0] in ranged
    )
    counts = range(game.players[0], game.players[1] + 1)
    found = (Choice(players, (), (setting,)) for setting in settings for players in counts)
    new = islice((choice for choice in found if choice not in offered), OPTIONS_LIMIT)
    candidates = (Candidate(choice, specialise(game, choice.players, (), dict(choice.options))) for choice in new)
    return [candidate for candidate in candidates if candidate.found.table is not None]


def _ranged(game: Model) -> set[str]:
    """The options that are numbers from one to another."""
    declared = (line for line in game.declarations if isinstance(line, model.OptionDeclaration))
    return {line.name for line in declared if line.domain.low is not None and not line.domain.values}


# ---- Variants


def _with_defaults(game: Model) -> tuple[list[Choice], tuple[str, ...]]:
    counts = range(game.players[0], game.players[1] + 1)
    names = [variant.name for variant in game.variants]
    said = names[: ALONE_LIMIT // len(counts)]
    alone = list(dict.fromkeys(_in_file_order(game, some) for some in ((), *((name,) for name in said))))
    most = max(TABLES_LIMIT // len(counts), 1)
    sets = list(islice(_admitted(game), most + 1))
    if len(sets) <= most:
        sets.sort(key=lambda some: (len(some), [names.index(name) for name in some]))
        sets = list(dict.fromkeys((*alone, *sets)))  # alone also where no table admits it: to say so
        left_out = f"only the first {len(said)} of the {len(names)} variants are checked"
        return [Choice(players, some) for players in counts for some in sets], (left_out,) if len(said) < len(names) else ()
    room = max(TABLES_LIMIT - len(alone) * len(counts), 0)
    taken = list(islice(_several(game, said, alone), room + 1))
    all_pairs = len(taken) <= room and comb(len(names), 2) <= PAIRS_LIMIT
    all_counts = len(taken) * len(counts) <= room
    choices = [Choice(players, some) for players in counts for some in alone]
    if all_counts:
        choices += [Choice(players, some) for players in counts for some in taken]
    else:
        choices += [Choice(counts[index % len(counts)], some) for index, some in enumerate(taken[:room])]
    looked_at = "in pairs" if all_counts else "in pairs, each with one number of players" if all_pairs else "in some pairs"
    which = "they" if said == names else f"the first {len(said)}"
    return choices, (
        f"there are more than {most} combinations of the {len(names)} variants: {which} are checked alone and {looked_at}; "
        "combinations of more are left out",
    )


def _several(game: Model, names: Sequence[str], alone: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The pairs of these variants that go together, with what they need; none of the sets ``alone``."""
    apart, known = _apart(game), set(alone)
    for pair in islice(combinations(names, 2), PAIRS_LIMIT):
        some = _in_file_order(game, pair)
        if some not in known and _go_together(apart, some):
            yield some
        known.add(some)


def _admitted(game: Model) -> Iterator[tuple[str, ...]]:
    """Every set of variants in which nothing is excluded and all that is needed is there, in the order of the file.

    Found one by one, so that 2**20 sets take no memory: whatever has been taken can be left as it is, so no way is in vain.
    """
    apart = _apart(game)
    order = game.with_needed(variant.name for variant in game.variants)
    needed = {variant.name: {other.variant for other in variant.builds_on} for variant in game.variants}
    todo: list[tuple[int, frozenset[str]]] = [(0, frozenset())]
    while todo:
        index, taken = todo.pop()
        while index < len(order):
            name = order[index]
            index += 1
            if needed[name] <= taken and not apart[name] & taken:
                todo.append((index, taken | {name}))
        yield tuple(variant.name for variant in game.variants if variant.name in taken)


def _apart(game: Model) -> dict[str, set[str]]:
    """For each variant those with which it does not go together, since one of the two excludes the other."""
    found: dict[str, set[str]] = {variant.name: set() for variant in game.variants}
    for variant in game.variants:
        for other in variant.excludes:
            found[variant.name].add(other.variant)
            found[other.variant].add(variant.name)
    return found


def _go_together(apart: Mapping[str, set[str]], variants: Sequence[str]) -> bool:
    return not any(apart[name].intersection(variants) for name in variants)


def _in_file_order(game: Model, variants: Sequence[str]) -> tuple[str, ...]:
    """Variants with what they need."""
    needed = set(game.with_needed(variants))
    return tuple(variant.name for variant in game.variants if variant.name in needed)


# ---- Options


@frozen
class _Base:
    """A table with options at their defaults: what a value of an option meets there, and the values that it can have.

    ``between``: further values of options, which leave other remainders where the rules divide."""

    choice: Choice
    items: tuple[_Item, ...]
    values: Mapping[str, tuple[Value, ...]]
    between: tuple[tuple[str, Value], ...]


_Item = tuple[str, Value | None]  # players and how many; a variant in play and None; an option and its value (None: the default)


def _with_options(game: Model, plain: Sequence[Candidate]) -> Iterator[Choice]:
    """Tables with values of options, until each value has met all that it can meet; each table meets as much as it can."""
    bases = [_base(game, candidate) for candidate in plain if candidate.found.table is not None]
    settings = list(dict.fromkeys((name, value) for base in bases for name, these in base.values.items() for value in these))
    defaults = dict.fromkeys((name, None) for name, _ in settings)
    others = list(dict.fromkeys((*(item for base in bases for item in base.items), *settings, *defaults)))
    met: set[frozenset[_Item]] = set()
    for setting in settings:
        for other in others:
            if other[0] != setting[0] and frozenset((setting, other)) not in met:
                row = _row(setting, other, bases, met)
                if row is not None:
                    base, chosen = row
                    met |= set(_pairs((*base.items, *chosen.items())))
                    options = tuple((name, value) for name, value in chosen.items() if value is not None)
                    yield Choice(base.choice.players, base.choice.variants, options)
    for setting in dict.fromkeys(setting for base in bases for setting in base.between):
        first = next(base.choice for base in bases if setting in base.between)
        likes = [base.choice for base in bases if setting in base.between and base.choice.variants == first.variants]
        yield from (Choice(choice.players, choice.variants, (setting,)) for choice in dict.fromkeys((first, likes[-1])))


def _row(
    setting: _Item, other: _Item, bases: Sequence[_Base], met: set[frozenset[_Item]]
) -> tuple[_Base, dict[str, Value | None]] | None:
    """A table in which these two meet, and as many others for the first time as can easily be had; None where there is none."""

    def fresh(item: _Item, items: Sequence[_Item]) -> int:
        return sum(frozenset((item, each)) not in met for each in items)

    def admits(base: _Base, item: _Item) -> bool:
        name, value = item
        return item in base.items or (name in base.values and (value is None or value in base.values[name]))

    fitting = [base for base in bases if admits(base, setting) and admits(base, other)]
    if not fitting:
        return None
    base = max(fitting, key=lambda base: fresh(setting, base.items))
    chosen = dict(item for item in (setting, other) if item[0] in base.values)
    for name, values in base.values.items():
        if name not in chosen:
            items = (*base.items, *chosen.items())
            chosen[name] = max((None, *values), key=lambda value: fresh((name, value), items))
    return base, {name: chosen[name] for name in base.values}


def _pairs(items: Sequence[_Item]) -> Iterator[frozenset[_Item]]:
    return (frozenset(pair) for pair in combinations(items, 2))


def _base(game: Model, candidate: Candidate) -> _Base:
    table = candidate.found.table
    assert table is not None
    settled = {name for variant in game.variants if variant.name in table.variants for name, _ in variant.options}
    declared = (d for source in (game.declarations, *(v.adds for v in game.variants if v.name in table.variants)) for d in source)
    options = [option for option in declared if isinstance(option, model.OptionDeclaration) and option.name not in settled]
    values = {
        option.name: tuple(v for v in _values(option, candidate.found.settled) if str(v) != table.option_words[option.name])
        for option in options
    }
    items: tuple[_Item, ...] = (("players", table.players), *((f"variant {name}", None) for name in table.variants))
    between = ((option.name, value) for option in options for value in _between(option, values[option.name], candidate.found))
    return _Base(candidate.choice, items, values, tuple(between))


def _between(option: model.OptionDeclaration, tried: Sequence[Value], found: Specialised) -> tuple[int, ...]:
    """Values of an option that leave other remainders than those that are tried."""
    if option.domain.type.base != "number":
        return ()
    numbers = [value for value in all_values(option, found.settled, VALUES_LIMIT) if isinstance(value, int)]
    known = [found.settled.options[option.name], *(value for value in tried if isinstance(value, int))]
    return with_other_remainders(option.name, numbers, known, found.declarations, found.settled)


def all_values(option: model.OptionDeclaration, settled: Settled, most: int) -> Sequence[Value]:
    """The values that an option can have; of numbers the first ``most``, and none where the option can be that."""
    domain = option.domain
    if domain.type.base != "number":
        return (*(words_of(domain.type, settled) or ()), *(("none",) if domain.type.optional else ()))
    low, high = (settled.value(end) if end is not None else None for end in (domain.low, domain.high))
    numbers = domain.values or (range(low, high + 1) if low is not None and high is not None else ())
    return (*numbers[:most], *(("none",) if domain.type.optional else ()))


def _values(option: model.OptionDeclaration, settled: Settled) -> tuple[Value, ...]:
    """The values of an option that are tried."""
    none: tuple[Value, ...] = ("none",) if option.domain.type.optional else ()
    match option.domain.type.base:
        case "number" if option.domain.low is not None and option.domain.high is not None:
            ends = (settled.value(option.domain.low), settled.value(option.domain.high))
            return (*dict.fromkeys(end for end in ends if end is not None), *none)
        case _:
            words = words_of(option.domain.type, settled) or ()
            few = len(words) <= WORDS_LIMIT and option.domain.type.base != "player"
            return (*(words if few else (words[0], words[-1])), *none)
