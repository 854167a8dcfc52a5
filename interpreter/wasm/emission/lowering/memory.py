"""The memory of a module. Everything has a fixed place; nothing is ever allocated.

==========  ================================================================================================
flag        4 bytes: not 0 asks to leave off (a trap at a playout's next stop, a fault in the next round of a loop that hears)
record      the working record: the game that every export speaks of
offered     a bit for each option of the machine: the legal ones at the decision where the game stands
answers     the legal positions of each alternative there; of a chance event, its pool
row         what the game that was last played came to (`machine/columns.py`)
bins        for each column of a row, how many games had each value
bots        for each seat the number of its bot's kind, and how many playouts it makes (4 bytes each)
ahead       the random streams of a playout (`ahead.py`)
members     the members of a set that only shrinks (`shrinking.py`), a byte each
saved       fields of the record while something is tried out (`Function.restores`)
counts      what is counted of decisions, where ``counting`` is not 0
workspace   what bots think with (`players/workspace.py`)
tables      constants
heap        from here on the memory is the host's, for states, options and rows
==========  ================================================================================================
"""

from __future__ import annotations

from attrs import frozen

from ....machine.analysis.widths import bits_of
from ....machine.machine import Chance, Choose, Function, Machine
from ....machine.traverse import every_statement
from ....players.workspace import workspace_for
from ...layout.addresses import Shared
from ...layout.storage import WORD, words_for
from .ahead import PAIR

BINS = 2032  # values of a column that are counted inside the module; others are told one by one
# They take an odd number of lines of a cache, so that the bins of many columns do not contend for the same few of its sets.
ODDITIES = 8192  # how many of those at the most between two calls


def _aligned(offset: int) -> int:
    return (offset + 63) // 64 * 64


@frozen
class Counters:
    """Addresses of counts, 4 bytes each.

    ``options``: by the number of legal options, of decisions; ``offered``, ``taken``: by alternative, in order of the sites;
    ``nothing``: by site.
    """

    options: int
    offered: int
    taken: int
    nothing: int
    end: int


@frozen
class Memory(Shared):
    """All addresses. ``groups``: for each group how many of its options are legal, 4 bytes each, for bots."""

    groups: int
    ahead: int
    members: int
    saved: int
    counts: Counters
    workspace: int
    tables: int


def memory_for(machine: Machine, columns: int) -> Memory:
    """The addresses for a machine. A row has ``columns`` numbers of 4 bytes."""
    record = 64
    offered = _aligned(record + machine.layout.size)
    option_words = words_for(machine.options)
    answers = _aligned(offered + 8 * option_words)
    row = _aligned(answers + 8 * max([1, *(sum(sizes) for sizes in answer_sizes(machine).values())]))
    lows = _aligned(row + 4 * columns)
    bins = _aligned(lows + 4 * columns)
    oddities = _aligned(bins + 4 * BINS * columns)
    done = _aligned(oddities + 8 + 8 * ODDITIES)
    bots = done + 64
    counting = _aligned(bots + 8 * machine.seats)
    groups = counting + 8
    ahead = _aligned(groups + 4 * len(machine.groups))
    members = _aligned(ahead + PAIR * machine.seats)
    saved = _aligned(members + 2 * WORD)
    tried = [sum(length for _, length in restored(machine, function)) for function in machine.functions.values()]
    counts = _counters(machine, _aligned(saved + max(tried, default=0)))
    workspace = _aligned(counts.end)
    tables = _aligned(workspace_for(machine, 0, workspace)[0].end)
    return Memory(
        record=record,
        record_size=machine.layout.size,
        offered=offered,
        option_words=option_words,
        answers=answers,
        row=row,
        columns=columns,
        bins=bins,
        lows=lows,
        oddities=oddities,
        done=done,
        bots=bots,
        counting=counting,
        groups=groups,
        ahead=ahead,
        members=members,
        saved=saved,
        counts=counts,
        workspace=workspace,
        tables=tables,
    )


def restored(machine: Machine, function: Function) -> list[tuple[int, int]]:
    """The bytes of the record that a function restores: where each run of them begins, and how long it is."""
    runs: list[tuple[int, int]] = []
    for place in sorted((machine.layout.record[field] for field in function.restores), key=lambda place: place.offset):
        length = place.width * place.length
        if runs and sum(runs[-1]) == place.offset:
            runs[-1] = runs[-1][0], runs[-1][1] + length
        else:
            runs.append((place.offset, length))
    return runs


def _counters(machine: Machine, start: int) -> Counters:
    sizes = answer_sizes(machine)
    alternatives = sum(map(len, sizes.values()))
    offered = start + 4 * (machine.options + 1)
    taken = offered + 4 * alternatives
    nothing = taken + 4 * alternatives
    return Counters(start, offered, taken, nothing, nothing + 4 * (max(sizes, default=0) + 1))


def answer_sizes(machine: Machine) -> dict[int, list[int]]:
    """By site, how many words each of its answers takes."""
    found: dict[int, list[int]] = {}
    for routine in machine.routines.values():
        for stmt in every_statement(routine.body):
            match stmt:
                case Choose(site=site, alternatives=alternatives):
                    found[site] = [words_for(machine.groups[alternative.group].size) for alternative in alternatives]
                case Chance(site=site, domain=domain, pool=pool):
                    found[site] = [max(words_for(domain.bits), words_for(bits_of(pool, machine.functions)))]
                case _:
                    pass
    return found
