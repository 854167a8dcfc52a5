"""What else could the world be, for all that a seat has seen? Worlds sampled from what it knows, and proved by its own log.

A world is found in three steps, none of which looks at the rules:

1. *Where things lie now.* What the seat sees, and the copies of which it is certain, lie where they are; the rest is dealt at
   random to places where it may be (`Knowledge`), so many to each place as lie there: sizes are public.
2. *How they came there.* The real log is gone through backwards. What moved where stays the same; of a move that the seat did
   not see, what moved is drawn from what lies at its end, such that the seat's earlier knowledge holds as well. So a component
   that the seat saw go into a pile need not be the one that somebody drew from it later.
3. *Whether it could have been so.* The log is played from the start with these components. What the seat saw must happen
   again; hidden acts and unseen chance take the components of step 2, or anything possible where no component moved. An act
   that is not legal, or anything else in what the seat observes or sees, ends the try.

The third step decides alone; the first two only make it likely to succeed. Nothing else of the real world goes into the new
one: its random streams are new too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from attrs import frozen

from ..machine.machine import NONE, Chance, Choose, Domain, Group, Knowledge, ZoneView
from ..machine.operators import Cells
from ..machine.reference.executor import Executor
from ..machine.reference.stops import Stop
from .views import content, elements_seen, sees_faces

TRIES = 1000
STUCK = 100  # tries in a row that come no further: then it begins anew
CHANGES = 20  # pairs that are looked at for two components that can change places


class NoWorld(Exception):
    """No world was found in the number of tries that was given."""


@frozen
class Happened:
    """An act of a player or an outcome of chance. ``seen``: the players who saw what it was, as a set."""

    value: int
    seen: int


@frozen(eq=False)
class Moment:
    """Where a game stood (``cells``, ``stop``), and what happened then; None: it stands there now."""

    cells: Cells
    stop: Stop
    happened: Happened | None


@frozen
class Place:
    """A zone, or one player's share of it (``owner`` from 0)."""

    zone: ZoneView
    owner: int | None


@frozen
class Move:
    """One component that went from a place to a place (numbers) between two stops."""

    face: int
    come: int
    went: int


@frozen(eq=False)
class World:
    """A game in progress as it could be. ``values``: its options and outcomes of chance, in order."""

    cells: Cells
    stop: Stop
    values: tuple[int, ...]


def moments_of(executor: Executor, happened: Sequence[Happened]) -> tuple[Moment, ...]:
    """A game from its start, stop by stop. ValueError where something that happened is not possible there."""
    cells = executor.fresh()
    stop = executor.enter(cells)
    found: list[Moment] = []
    for each in happened:
        found.append(Moment(list(cells), stop, each))
        stop = _go_on(executor, cells, stop, each.value)
    return (*found, Moment(cells, stop, None))


def _go_on(executor: Executor, cells: Cells, stop: Stop, value: int) -> Stop:
    return executor.choose(cells, value) if stop.kind == "decision" else executor.happen(cells, value)


# ---- Components of one kind


Lying = list[Counter[int]]  # the faces in each place of a kind
Plan = list[dict[int, int]]  # after each moment: for the faces that really moved unseen, the faces that move in their place


@frozen(eq=False)
class _Known:
    """What the seat knows of the places that it does not see: certain copies, and faces of which there may be more."""

    certain: dict[int, Counter[int]]
    may: dict[int, set[int]]


class _Components:
    """Where the components of one kind were and are, and where else they could have been for a seat (from 0)."""

    def __init__(self, executor: Executor, knowledge: Knowledge, moments: Sequence[Moment], seat: int) -> None:
        self.machine = executor.machine
        self.knowledge = knowledge
        self.moments = moments
        self.seat = seat
        self.places = [
            Place(zone, owner)
            for zone in self.machine.zones
            if zone.kind == knowledge.kind
            for owner in (range(self.machine.seats) if zone.owned else (None,))
        ]
        self.unseen = [number for number, place in enumerate(self.places) if not sees_faces(place.zone, place.owner, seat + 1)]
        lying = [[content(self.machine, p.zone, p.owner, m.cells) for p in self.places] for m in moments]
        self.first, self.last = ([Counter(faces) for faces in lying[at]] for at in (0, -1))
        self.known = [self._known(moment.cells) for moment in moments]
        self.moves = [_moves(before, after) for before, after in zip(lying, lying[1:], strict=False)]
        self.certain = [self._certain(at) for at in range(len(self.moves))]

    def _known(self, cells: Cells) -> _Known:
        domain, record = self.machine.kinds[self.knowledge.kind], self.machine.layout.record
        known, may = record[self.knowledge.known].slot, record[self.knowledge.may].slot
        certain, possible = {}, {}
        for number in self.unseen:
            place = self.places[number]
            assert place.zone.place is not None, "what is not open has a place"
            element = self.seat * self.knowledge.places + place.zone.place + (place.owner or 0)
            certain[number] = Counter(domain.members(cells[known + element]))
            possible[number] = set(domain.members(cells[may + element]))
        return _Known(certain, possible)

    def _certain(self, at: int) -> list[bool]:
        """For each move after a moment, whether the seat saw what moved: at either end, or it knows where it is since."""
        before, after = self.known[at].certain, self.known[at + 1].certain
        found, new = [], {number: after[number] - before[number] for number in self.unseen}
        for move in self.moves[at]:
            seen = move.come not in new or move.went not in new or new[move.went][move.face] > 0
            if move.went in new:
                new[move.went][move.face] -= 1
            found.append(seen)
        return found

    def deal(self, random: Random) -> Lying | None:
        """Everything in a place where it can be now. None: there is no such deal."""
        known = self.known[-1]
        now = [Counter(known.certain[n]) if n in known.certain else Counter(self.last[n]) for n in range(len(self.places))]
        left = sum(self.last, Counter[int]()) - sum(now, Counter[int]())
        room = [n for n in self.unseen for _ in range(self.last[n].total() - now[n].total())]
        copies = list(left.elements())
        random.shuffle(room)
        random.shuffle(copies)
        copies.sort(key=lambda face: sum(face in known.may[n] for n in self.unseen))
        taken: dict[int, int] = {}

        def put(face: int, tried: set[int]) -> bool:
            """Find room for a copy, where nothing else helps by moving others (Kuhn's matching)."""
            fitting = [at for at, place in enumerate(room) if at not in tried and face in known.may[place]]
            free = next((at for at in fitting if at not in taken), None)
            if free is not None:
                taken[free] = face
                return True
            for at in fitting:
                tried.add(at)
                if put(taken[at], tried):
                    taken[at] = face
                    return True
            return False

        if not all(put(face, set()) for face in copies):
            return None
        for at, face in taken.items():
            now[room[at]][face] += 1
        return now

    def changed(self, deal: Lying, random: Random) -> Lying:
        """The same deal, but for two components that have changed places (none where that is not possible)."""
        known = self.known[-1]
        free = [(n, face) for n in self.unseen for face in (deal[n] - known.certain[n]).elements()]
        for _ in range(CHANGES if len(free) > 1 else 0):
            (one, this), (other, that) = random.sample(free, 2)
            if one != other and this != that and this in known.may[other] and that in known.may[one]:
                now = [Counter(faces) for faces in deal]
                _shift(now, this, one, other)
                _shift(now, that, other, one)
                return now
        return deal

    def plan(self, deal: Lying, random: Random) -> Plan | None:
        """How everything came to where a deal has it. None: this way back leads nowhere."""
        now = [Counter(faces) for faces in deal]
        plan: Plan = []
        for at in reversed(range(len(self.moves))):
            instead = self._undo(at, now, random)
            if instead is None:
                return None
            plan.append(instead)
        return plan[::-1] if now == self.first else None

    def _undo(self, at: int, now: Lying, random: Random) -> dict[int, int] | None:
        """Take the moves after a moment back, in ``now``; of those unseen, what is taken by the real face."""
        if not self.moves[at]:
            return {}
        for move, certain in zip(self.moves[at], self.certain[at], strict=True):
            if certain:
                if not now[move.went][move.face]:
                    return None
                _shift(now, move.face, move.went, move.come)
        unseen = [move for move, certain in zip(self.moves[at], self.certain[at], strict=True) if not certain]
        random.shuffle(unseen)
        known = self.known[at]
        instead: dict[int, int] = {}
        for move in unseen:
            staying, back = known.certain[move.went], known.certain[move.come]
            fitting = list((now[move.went] - staying).elements())
            owed = [face for face in fitting if back[face] > now[move.come][face]]
            fitting = owed or [face for face in fitting if face in known.may[move.come]]
            if not fitting:
                return None
            face = random.choice(fitting)
            _shift(now, face, move.went, move.come)
            instead[move.face] = face
        return instead


def _shift(now: Lying, face: int, come: int, went: int) -> None:
    now[come][face] -= 1
    if not now[come][face]:
        del now[come][face]
    now[went][face] += 1


def _moves(before: Sequence[list[int]], after: Sequence[list[int]]) -> list[Move]:
    """What went where between two stops; of equal components any."""
    come: dict[int, list[int]] = {}
    went: dict[int, list[int]] = {}
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            for found, faces in ((come, Counter(old) - Counter(new)), (went, Counter(new) - Counter(old))):
                for face in faces.elements():
                    found.setdefault(face, []).append(number)
    return [Move(face, a, b) for face in come for a, b in zip(come[face], went[face], strict=True)]


# ---- The whole


@frozen(eq=False)
class _Draft:
    """A world to be tried: where the components of each kind lie, and what was chosen unseen, by moment."""

    deals: dict[str, Lying]
    chosen: dict[int, int]


@frozen(eq=False)
class _Try:
    """A draft that is no world: how many moments it ``reached``, and how much was right there."""

    draft: _Draft
    reached: tuple[int, int]


class Worlds:
    """The worlds that a game could be for a seat (from 0)."""

    def __init__(self, executor: Executor, happened: Sequence[Happened], seat: int) -> None:
        self.executor = executor
        self.machine = executor.machine
        self.seat = seat
        self.moments = moments_of(executor, happened)
        self.kinds = {k.kind: _Components(executor, k, self.moments, seat) for k in self.machine.knowledge}
        self.open = [
            (zone, owner, sees_faces(zone, owner, seat + 1))
            for zone in self.machine.zones
            for owner in (range(self.machine.seats) if zone.owned else (None,))
        ]
        record = self.machine.layout.record
        self.values = [
            record[v.content].slot + index for v in self.machine.variables for index in elements_seen(self.machine, v, seat + 1)
        ]
        self.sights = [self._sight(moment.cells, moment.stop) for moment in self.moments]

    def sample(self, random: Random, tries: int = TRIES) -> World:
        """One world. `NoWorld` when none is found in so many tries."""
        best: _Try | None = None
        stuck = 0
        for _ in range(tries):
            draft = self._draft(random) if best is None else self._changed(best, random)
            found = None if draft is None else self._attempt(draft, random)
            if isinstance(found, World):
                return found
            if found is not None and (best is None or found.reached >= best.reached):
                stuck = 0 if best is None or found.reached > best.reached else stuck + 1
                best = found
            else:
                stuck += 1
            if stuck >= STUCK:
                best, stuck = None, 0
        raise NoWorld(f"no world that fits what seat {self.seat + 1} has seen was found in {tries} tries")

    def _draft(self, random: Random) -> _Draft | None:
        deals = {}
        for kind, components in self.kinds.items():
            deal = components.deal(random)
            if deal is None:
                return None
            deals[kind] = deal
        return _Draft(deals, {})

    def _changed(self, best: _Try, random: Random) -> _Draft:
        """What came furthest, with one thing changed: two components, or something chosen unseen (a late one rather)."""
        deals, chosen = dict(best.draft.deals), dict(best.draft.chosen)
        if deals and (not chosen or random.random() < 0.5):
            kind = random.choice(list(deals))
            deals[kind] = self.kinds[kind].changed(deals[kind], random)
        elif chosen:
            late = sorted(chosen)
            del chosen[late[max(random.randrange(len(late)), random.randrange(len(late)))]]
        return _Draft(deals, chosen)

    def _attempt(self, draft: _Draft, random: Random) -> World | _Try:
        """Whether a draft is a world: it is played."""
        plans = {}
        for kind, components in self.kinds.items():
            plan = components.plan(draft.deals[kind], random)
            if plan is None:
                return _Try(draft, (-1, 0))
            plans[kind] = plan
        executor = self.executor
        cells = executor.fresh(random.getrandbits(64))
        stop = executor.enter(cells)
        values: list[int] = []
        chosen: dict[int, int] = {}
        for at, (moment, real) in enumerate(zip(self.moments, self.sights, strict=True)):
            if stop.kind != moment.stop.kind or stop.node is not moment.stop.node:
                return _Try(_Draft(draft.deals, chosen), (at, 0))
            sight = self._sight(cells, stop)
            if sight != real:
                alike = sum(one == other for one, other in zip(sight, real, strict=True))
                return _Try(_Draft(draft.deals, chosen), (at, alike))
            if moment.happened is None:
                break
            value = moment.happened.value
            if not moment.happened.seen >> self.seat & 1:
                offered, planned = self._unseen(cells, stop, value, {kind: plan[at] for kind, plan in plans.items()})
                if not offered:
                    return _Try(_Draft(draft.deals, chosen), (at, len(sight)))
                value = draft.chosen.get(at, NONE)
                if planned or value not in offered:
                    value = random.choice(offered)
                if not planned:
                    chosen[at] = value
            try:
                stop = _go_on(executor, cells, stop, value)
            except ValueError:
                return _Try(_Draft(draft.deals, chosen), (at, len(sight)))
            values.append(value)
        return World(cells, stop, tuple(values))

    def _sight(self, cells: Cells, stop: Stop) -> tuple[object, ...]:
        """What the seat has observed, who has to choose, and what it sees: components, or how many there are, and values."""
        zones = []
        for zone, owner, sees in self.open:
            faces = content(self.machine, zone, owner, cells)
            zones.append(tuple(faces) if sees else len(faces))
        chooser = self.executor.player(cells) if stop.kind == "decision" else NONE
        return (self.executor.digest(cells, self.seat), chooser, *zones, *[cells[slot] for slot in self.values])

    def _unseen(self, cells: Cells, stop: Stop, real: int, instead: dict[str, dict[int, int]]) -> tuple[list[int], bool]:
        """What can come in place of an act or outcome that the seat did not see, and whether that is the plan for components.

        Each as often as it has weight. Where the plan cannot be, anything possible.
        """
        if isinstance(stop.node, Chance):
            possible = [value for value, weight in self.executor.outcomes(cells) for _ in range(weight)]
            planned = self._planned(stop.node.domain, real, instead)
            return ([planned], True) if planned in possible else (possible, False)
        group = self._group(real)
        legal = [number for number in self.executor.options(cells) if 0 <= number - group.base < group.size]
        wanted = [
            self._planned(domain, value, instead)
            for domain, value in zip(group.arguments, group.values(real - group.base), strict=True)
        ]
        fitting = [
            number
            for number in legal
            if all(w in (None, v) for w, v in zip(wanted, group.values(number - group.base), strict=True))
        ]
        return (fitting, None not in wanted) if fitting else (legal, False)

    def _planned(self, domain: Domain, value: int, instead: dict[str, dict[int, int]]) -> int | None:
        for kind, faces in instead.items():
            if self.machine.kinds[kind] is domain:
                return faces.get(value)
        return None

    def _group(self, option: int) -> Group:
        return next(g for g in self.machine.groups if g.base <= option < g.base + g.size)
