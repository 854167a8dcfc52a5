"""The memory of a bot that thinks: tables about the machine, and room for its thoughts.

Everything lies in one memory (`dialect.py`), from an address on: first the tables, numbers of 4 bytes, then the room. The names
in capitals are offsets in the entries of tables.
"""

from __future__ import annotations

from math import lcm, log, sqrt

from attrs import define, field, frozen

from ..machine.analysis import derived
from ..machine.analysis.sharing import all_share
from ..machine.blocks import Decide, Happen
from ..machine.knowledge import closed_places
from ..machine.machine import NONE, Domain, Field, Knowledge, Machine
from ..machine.places import sees_faces
from ..machine.sight import sight_of
from .hidden_values import NEVER, hidden_values, is_kept
from .ramps import ramps_among

MOMENTS = 4096  # of a game that are remembered at the most
ROOM_FOR_MOMENTS = 4 << 20  # bytes of them at the most

# A kind of which components can lie where a seat does not know them.
FACES, PLACES, FACES_TABLE, PLACES_TABLE, ELEMENTS, CERTAIN, CERTAIN_WIDTH, SHOWN = range(0, 32, 4)
WAYS, THERE, SURE, NOW, ROOM, ROOM_LEFT, FREE, FREE_PLACE, FREE_COUNT, VIA, QUEUE, SPARE = range(32, 80, 4)
UNROLLED = 80  # of dice: the place of the faces that none shows (none: -1)
THEN = 84  # how many of each face lay in each place at the start
NEXT_LEGS = 88  # for each face the first of its legs that come from a hidden place (0: none)
KIND_SIZE = 92

FIRST_BIT, COPIES, ROW = range(0, 12, 4)  # of a face: its copies in sets, and in a row of certain ones (none: -1)
FACE_SIZE = 12

SLOT, CONTENT, CONTENT_WIDTH, TOP, TOP_WIDTH, SIZE, SIZE_WIDTH = range(0, 28, 4)  # of a place: offsets in the record (none: -1)
PLACE_SIZE = 28

GROUP_BASE, GROUP_SIZE, ARGUMENTS, ARGUMENT_COUNT = range(0, 16, 4)  # of a group of options
GROUP_ENTRY = 16

VALUES, LOW, OF_KIND = range(0, 12, 4)  # of an argument: how many values it has, the lowest, the entry of its kind (0: none)
ARGUMENT_ENTRY = 12

IS_SECRET, IS_TOLD = 1, 2  # of a decision: nobody else sees it; all are told of it later

RAMP_BASE, RAMP_NEXT, RAMP_SIZE = range(0, 12, 4)  # of a ramp: its first option, and the first behind it

# A leg: a component goes from a place to another (-1: where all see it) after a moment.
LEG_MOMENT, LEG_KIND, LEG_COMES, LEG_GOES, LEG_IS_HIDDEN, LEG_FACE, LEG_TAKEN, LEG_KEPT, LEG_CHANCES, LEG_NEXT = range(0, 40, 4)
LEG_SIZE = 40
NOT_ASKED = 65535  # of a face, whether it can have taken a leg
LEGS = 8192  # that are surveyed at the most

# A node of the tree of a search, and an edge: an option there.
KEY, NODE_SEAT, VISITS, WIDTH, TRIED, EDGES, BUCKET, NEXT, PROOF, STEP, RAMP, RAMP_END = 0, *range(8, 52, 4)
NODE_SIZE = 56
EDGE_OPTION, EDGE_VISITS, EDGE_TOTAL, EDGE_PROOF = 0, 4, 8, 16
EDGE_SIZE = 24
NODES = 1 << 17  # as many as a search of 100,000 iterations adds at the most; there are as many buckets
EDGE_BYTES = 24 << 20  # 8 options for each of the nodes
PATH = 1024  # nodes that an iteration passes at the most
STEP_NODE, STEP_EDGE, STEP_CHANCE, STEP_SIZE = range(0, 16, 4)  # of a path
POOL = 64  # worlds that are kept for further iterations, a power of 2
ONE = 1 << 20  # the greatest reward
EXPLORATION = 0.7  # the constant of UCB1, as in the paper on information-set search
LOGS, ROOTS = 64, 256  # numbers below these have their own entries in the tables


@frozen
class Workspace:
    """Addresses and sizes.

    ``thinking`` and what follows it up to ``generator``: where a thought stands (`rollouts.py`). ``real``, ``world``: records.
    ``wanted``: the legal options, as a set. ``totals``: for each of them, in order, the share of the win and the score, 8
    bytes each. ``wins``, ``scores``: of the game that was played to its end, 4 bytes for each seat. ``moments``: how many are
    remembered; ``happened``: the option or value of each, 4 bytes; ``records``: its record. ``site_kinds``: for each site of a
    chance event the entry of the kind that its values are of; ``site_events``: 1 for each of these sites; ``site_secrets``: for
    each site of a decision `IS_SECRET` and `IS_TOLD`. ``ramps``: ``ramp_count`` of them (`ramps.py`).

    ``hiding``: whether there are hidden values (`hidden_values.py`). ``kept``: the parts of the record (offset, bytes) in which
    they are kept until all have chosen. ``sights``: for each seat the address and number of the parts that it sees. ``finding``
    to ``before``: where the search for a world stands (`worlds.py`). ``base``: the record in which components are placed anew.
    ``noticed``: a byte for each moment, what the seat noticed of it. ``legs``: ``leg_count`` of them. ``chances``: for each of
    them and each face 2 bytes, whether it can have taken the leg unseen (`worlds.py`). Each step of what is played
    again has a byte in ``drawn`` (whether something else could have been drawn), its record in ``trail``, and its moment in
    ``followed``. ``choices``: a set of options. ``furthest_record``, ``furthest_choices``: where the ways came furthest.

    ``team``: how many seats a team has. ``alone``: 1 where there is one seat, or all win together. ``lowest``: 1 where the
    lowest score wins. ``logs``, ``roots``: tables for UCB1. Of a search (`search.py`): ``nodes``, ``node_count`` of them;
    ``edges``, up to ``edge_end``; ``buckets``: for each the number of the node that was added last; ``path``: ``depth`` steps;
    ``rewards``: by seat, 4 bytes each, then as many shares of the win; ``shares``: for each option of the first node the sum
    of these; ``only``: 0, or the option that alone is looked at, plus 1; ``iteration``: the generator where the iteration
    began, when there were ``nodes_before`` nodes. ``open``: 1 where nothing is hidden; there the first ``position_words``
    words of a record are the position, ``position`` is a record, ``proofs`` are rewards and shares that are proven (from
    number 1 to ``proof_count``), and ``proof`` is the number of the one that holds where the path has come to (0: none). Of a
    seat that plays alone, ``least`` and ``greatest`` are the rewards so far.

    ``pool``: the worlds that were found last, of ``pool_count``. ``serves``: how many iterations take one of these until another
    is found.
    """

    seats: int
    options: int
    record_size: int
    streams: int  # offset in the record
    digest: int  # offset in the record
    site: int  # offset in the record
    site_width: int
    whole_win: int
    kinds: int
    kind_count: int
    groups: int
    group_count: int
    ramps: int
    ramp_count: int
    site_kinds: int
    site_events: int
    site_secrets: int
    hiding: int
    kept: int
    kept_count: int
    sights: int
    flag: int
    wins: int
    scores: int
    thinking: int
    again: int
    seat: int
    worlds: int
    option: int
    found: int
    serves: int
    pool_count: int
    finding: int
    tries: int
    bound: int
    loose: int
    clear: int
    start: int
    leg_count: int
    furthest: int
    furthest_blamed: int
    mended: int
    blamed: int
    resumed: int
    before: int
    generator: int
    remembering: int
    moments: int
    moments_limit: int
    happened: int
    records: int
    wanted: int
    totals: int
    real: int
    base: int
    world: int
    pool: int
    noticed: int
    legs: int
    legs_limit: int
    spare_leg: int
    chances: int
    most_faces: int
    drawn: int
    followed: int
    trail: int
    choices: int
    furthest_record: int
    furthest_choices: int
    team: int
    alone: int
    lowest: int
    logs: int
    roots: int
    mixed: int
    iteration: int
    nodes_before: int
    node_count: int
    edge_end: int
    depth: int
    path: int
    rewards: int
    least: int
    greatest: int
    shares: int
    only: int
    open: int
    position: int
    position_words: int
    proof: int
    proof_count: int
    proofs: int
    proofs_limit: int
    buckets: int
    nodes: int
    edges: int
    edges_limit: int
    end: int


def whole_win(machine: Machine) -> int:
    """A win that can be shared by any number of seats without a remainder (of more than 20: with next to none)."""
    return lcm(*range(1, min(machine.seats, 20) + 1))


@define
class _Room:
    """Hands out addresses, and collects the tables that lie at the first of them."""

    start: int
    tables: bytearray = field(factory=bytearray)

    def table(self, numbers: list[int]) -> int:
        found = self.start + len(self.tables)
        self.tables += b"".join(number.to_bytes(4, "little", signed=True) for number in numbers)
        return found


@define
class _Free:
    """Addresses behind the tables."""

    next: int

    def take(self, size: int) -> int:
        found = self.next
        self.next += (size + 7) // 8 * 8
        return found


def workspace_for(
    machine: Machine, tables_at: int, room_at: int, flag: int | None = None, wins: int | None = None, scores: int | None = None
) -> tuple[Workspace, bytes]:
    """The workspace of a machine, and its tables, which lie at ``tables_at``; all else lies from ``room_at`` on.

    ``flag``, ``wins``, ``scores``: where these are, if they are not to be in the workspace.
    """
    tables, free = _Room(tables_at), _Free((room_at + 63) // 64 * 64)
    flow, control = derived.flow(machine), derived.control(machine)
    record = machine.layout.record
    sampled = [knowledge for knowledge in machine.knowledge if knowledge.may is not None or _has_order(machine, knowledge)]
    rows = [_kind(machine, knowledge, tables, free) for knowledge in sampled]
    kinds = tables.table([number for row in rows for number in row])
    entries = {knowledge.kind: kinds + KIND_SIZE * number for number, knowledge in enumerate(sampled)}

    def entry(domain: Domain) -> int:
        return next((address for kind, address in entries.items() if machine.kinds[kind] is domain), 0)

    groups: list[int] = []
    for group in machine.groups:
        arguments = [number for domain in group.arguments for number in (len(domain.names), domain.low, entry(domain))]
        groups += [group.base, group.size, tables.table(arguments), len(group.arguments)]
    ends = {site: flow.blocks[block].end for site, block in flow.sites.items()}
    events = {site: entry(end.chance.domain) for site, end in ends.items() if isinstance(end, Happen)}
    decisions = {site: end.choose.alternatives for site, end in ends.items() if isinstance(end, Decide)}
    secrets = {
        site: IS_SECRET * any(each.secret for each in offered)
        + IS_TOLD * all(each.told for each in offered if machine.groups[each.group].arguments)
        for site, offered in decisions.items()
    }
    found_ramps = {each for offered in decisions.values() for each in ramps_among(machine, offered)}
    ramps = [machine.groups[each] for each in sorted(found_ramps)]
    sight = sight_of(machine)
    parts = [[*sight.common, *own] for own in sight.own]
    lists = [(tables.table([number for part in each for number in part]), len(each)) for each in parts]
    kept = [record[variable.content] for variable in machine.variables if is_kept(variable)]
    hiding = hidden_values(machine)
    size = machine.layout.size
    hides = bool(sampled) or hiding != NEVER
    limit = min(MOMENTS, ROOM_FOR_MOMENTS // size) if hides else 0
    legs = LEGS if sampled else 0
    proofs = 0 if hides else NODES
    most_faces = max((len(machine.kinds[knowledge.kind].names) for knowledge in sampled), default=0)
    found = Workspace(
        seats=machine.seats,
        options=machine.options,
        record_size=size,
        streams=record[control.streams].offset,
        digest=record[control.digest].offset,
        site=record[control.site].offset,
        site_width=record[control.site].width,
        whole_win=whole_win(machine),
        kinds=kinds,
        kind_count=len(sampled),
        groups=tables.table(groups),
        group_count=len(machine.groups),
        ramps=tables.table([number for ramp in ramps for number in (ramp.base, ramp.base + ramp.size)]),
        ramp_count=len(ramps),
        site_kinds=tables.table([events.get(site, 0) for site in range(max(flow.sites, default=0) + 1)]),
        site_events=tables.table([int(site in events) for site in range(max(flow.sites, default=0) + 1)]),
        site_secrets=tables.table([secrets.get(site, 0) for site in range(max(flow.sites, default=0) + 1)]),
        hiding=hiding,
        kept=tables.table([number for place in kept for number in (place.offset, place.width * place.length)]),
        kept_count=len(kept),
        sights=tables.table([number for pair in lists for number in pair]),
        flag=free.take(4) if flag is None else flag,
        wins=free.take(4 * machine.seats) if wins is None else wins,
        scores=free.take(4 * machine.seats) if scores is None else scores,
        thinking=free.take(4),
        again=free.take(4),
        seat=free.take(4),
        worlds=free.take(4),
        option=free.take(4),
        found=free.take(4),
        serves=free.take(4),
        pool_count=free.take(4),
        finding=free.take(4),
        tries=free.take(4),
        bound=free.take(4),
        loose=free.take(4),
        clear=free.take(4),
        start=free.take(4),
        leg_count=free.take(4),
        furthest=free.take(4),
        furthest_blamed=free.take(4),
        mended=free.take(4),
        blamed=free.take(4),
        resumed=free.take(4),
        before=free.take(8),
        generator=free.take(8),
        remembering=free.take(4),
        moments=free.take(4),
        moments_limit=limit,
        happened=free.take(4 * limit),
        records=free.take(size * limit),
        wanted=free.take((machine.options + 63) // 64 * 8),
        totals=free.take(16 * machine.options),
        real=free.take(size),
        base=free.take(size),
        world=free.take(size),
        pool=free.take(size * POOL if hides else 0),
        noticed=free.take(limit),
        legs=free.take(LEG_SIZE * legs),
        legs_limit=legs,
        spare_leg=free.take(LEG_SIZE),
        chances=free.take(2 * legs * most_faces),
        most_faces=most_faces,
        drawn=free.take(limit),
        followed=free.take(4 * (limit + 1)),
        trail=free.take(size * (limit + 1)),
        choices=free.take((machine.options + 63) // 64 * 8),
        furthest_record=free.take(size),
        furthest_choices=free.take((machine.options + 63) // 64 * 8),
        team=max((team.bit_count() for team in machine.teams), default=1),
        alone=int(machine.seats == 1 or all_share(machine)),
        lowest=int(bool(machine.keys) and "score" in machine.keys[0].label and not machine.keys[0].highest),
        logs=tables.table(_roots_of_logs()),
        roots=tables.table([0, *(round((1 << 20) / sqrt(n)) for n in range(1, ROOTS))]),
        mixed=free.take(8),
        iteration=free.take(8),
        nodes_before=free.take(4),
        node_count=free.take(4),
        edge_end=free.take(4),
        depth=free.take(4),
        path=free.take(STEP_SIZE * PATH),
        rewards=free.take(8 * machine.seats),
        least=free.take(4),
        greatest=free.take(4),
        shares=free.take(8 * machine.options),
        only=free.take(4),
        open=int(not hides),
        position=free.take(size),
        position_words=(machine.layout.regions["game"][1] + 7) // 8,
        proof=free.take(4),
        proof_count=free.take(4),
        proofs=free.take(8 * machine.seats * proofs),
        proofs_limit=proofs,
        buckets=free.take(4 * NODES),
        nodes=free.take(NODE_SIZE * NODES),
        edges=free.take(EDGE_BYTES),
        edges_limit=free.next,
        end=free.next,
    )
    return found, bytes(tables.tables)


def _roots_of_logs() -> list[int]:
    """Of 0 to 63, of the even numbers from 64, of every fourth from 128, and so on to 2**31: what UCB1 spreads by."""
    numbers = [1, *range(1, LOGS), *(n << skipped for skipped in range(1, 26) for n in range(LOGS // 2, LOGS))]
    return [round(EXPLORATION * ONE * sqrt(log(n))) for n in numbers]


def _has_order(machine: Machine, knowledge: Knowledge) -> bool:
    """Whether the order of a pile can be hidden."""
    return any(zone.top is not None for zone, _ in closed_places(machine, knowledge))


def _kind(machine: Machine, knowledge: Knowledge, tables: _Room, free: _Free) -> list[int]:
    """The entry of a kind."""
    domain = machine.kinds[knowledge.kind]
    record = machine.layout.record
    bits = domain.copies or tuple(range(len(domain.names)))
    faces, places = len(domain.names), knowledge.places
    rows = knowledge.rows or (NONE,) * faces
    of_faces = [number for face in range(faces) for number in (bits.index(face), bits.count(face), rows[face])]

    def at(variable: Field | None, index: int) -> list[int]:
        """Offset and width of an element."""
        if variable is None:
            return [NONE, 0]
        place = record[variable]
        return [place.offset + index * place.width, place.width]

    of_places: list[int] = []
    closed = closed_places(machine, knowledge)
    for zone, owner in closed:
        index = owner or 0
        parts = [*at(zone.content, index), *at(zone.top, index * domain.bits), *at(zone.size, index)]
        of_places += [int(zone.shape == "slot"), *parts]
    elements = [NONE] * (machine.seats * places)
    if knowledge.may is not None:
        may = record[knowledge.may]
        elements = [NONE if element == NONE else may.offset + may.width * element for element in knowledge.elements]
    shown = [int(sees_faces(zone, owner, seat + 1)) for seat in range(machine.seats) for zone, owner in closed]
    cells = 4 * places * faces
    return [
        faces,
        places,
        tables.table(of_faces),
        tables.table(of_places),
        tables.table(elements),
        *at(knowledge.certain, 0),
        tables.table(shown),
        free.take(cells),
        free.take(cells),
        free.take(cells),
        free.take(cells),
        free.take(4 * places),
        free.take(4 * places),
        free.take(4 * domain.bits),
        free.take(4 * domain.bits),
        0,  # how many are free
        free.take(4 * places),
        free.take(4 * places),
        free.take(4 * faces),
        next((place for place, (zone, _) in enumerate(closed) if zone.unrolled), NONE),
        free.take(cells),
        free.take(4 * faces),
    ]
