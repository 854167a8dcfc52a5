"""The addresses in a module's memory, as its description gives them (``memory``), for hosts that only run it."""

from __future__ import annotations

from attrs import frozen

FLAG = 0  # the address of the flag, in every module


@frozen
class Shared:
    """Addresses in bytes that a module's own code needs as well (`emission/lowering/memory.py`). All numbers are little-endian.

    ``record``: the working record, of ``record_size`` bytes. ``offered``: a bit for each option, ``option_words`` words of 8
    bytes. ``answers``: of a decision the legal positions of each alternative, of a chance event its pool. ``row``: ``columns``
    numbers of 4 bytes, of the game that was last played. ``bins``: for each column counts of 4 bytes, of the values from the
    one in ``lows`` (4 bytes a column) on. ``oddities``: how many values no bin was for (4 bytes, then 4 unused), then for each
    4 times its column, and the value. ``done``: games that came to their end in the last call of ``play`` or ``play_bots``.
    ``bots``: for each seat, the number of its bot's kind and of its playouts, 4 bytes each. ``counting`` (4 bytes): where it is
    not 0, decisions are counted.
    """

    record: int
    record_size: int
    offered: int
    option_words: int
    answers: int
    row: int
    columns: int
    bins: int
    lows: int
    oddities: int
    done: int
    bots: int
    counting: int


@frozen
class Addresses(Shared):
    """All that those who run a module must know of its memory.

    ``flag``: 4 bytes, not 0 asks whatever runs to leave off. ``bin_count``: the bins of a column. ``heap``: from here on,
    ``heap_size`` bytes are the host's. ``site``, ``status``: two fields of the working record. Where the status (1 byte) is
    ``stopped``, a fault has stopped the game, and its number is the site less 1.

    For ``play_bots`` and ``think``. Where a bot thinks, ``remembering`` (4 bytes) must be 1. Where ``thinking`` (4 bytes) is
    not 0 after a trap, what a bot imagined was stopped: the next call, with the number of that game, goes on behind that, or
    tries it again where ``again`` (4 bytes) is 1; from ``thinking`` to ``thinking_end`` it says how far it is. Decisions are
    counted from ``counted`` to ``counted_end``, 4 bytes each: by the number of legal options; from ``counted_offered`` and from
    ``counted_taken`` by alternative, in order of the sites; from ``counted_nothing`` by site, how often nothing was legal.
    ``moments``: how many options and outcomes are remembered (4 bytes). ``tree``: the first node of a search. Of a search that
    has ended: what was ``found`` (4 bytes), the ``edges`` of each legal option there, and their ``shares`` (8 bytes each). Where
    ``only`` (4 bytes) is not 0, `ponder` looks only at the option before it; see `players/search.py`. ``alone``,
    ``lowest``: as in a `Workspace`.
    """

    flag: int
    bin_count: int
    counted: int
    counted_offered: int
    counted_taken: int
    counted_nothing: int
    counted_end: int
    remembering: int
    thinking: int
    thinking_end: int
    again: int
    moments: int
    tree: int
    found: int
    edges: int
    edges_end: int
    shares: int
    shares_end: int
    only: int
    alone: int
    lowest: int
    heap: int
    heap_size: int
    site: int
    site_width: int
    status: int
    stopped: int
