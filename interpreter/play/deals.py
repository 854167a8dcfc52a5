"""Where else could components lie for a seat, and how could they have come there?

One kind at a time, and by the zone views alone. What lies now where the seat does not see it is dealt anew: the copies of
which it is certain stay, the others go to places where they may be, so many to each place as lie there (sizes are public).
Then the game is gone through backwards. How many components went from where to where stays as it was. One that the seat saw
move, or of which it knows where it is since it moved, is the same; any other is drawn from what lies at the end of the move, so
that the seat's earlier knowledge holds too. So a component that was seen going into a pile need not be the one that somebody
drew from it later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random

from attrs import frozen

from ..machine.machine import Knowledge, Machine
from ..machine.operators import Cells
from .views import content, places_of, sees_faces

PAIRS = 20  # pairs that are looked at for two components that can change places

Faces = Counter[int]
Deal = list[Faces]  # the faces in each place of a kind
Course = list[dict[int, int]]  # after each moment: for the faces that really moved unseen, the faces that move in their place


@frozen
class Move:
    """A component that went from a place to a place between two stops."""

    face: int
    come: int
    went: int


@frozen(eq=False)
class _Known:
    """What the seat knows of places it does not see, by place: copies certainly there, and faces of which there may be more."""

    certain: dict[int, Faces]
    may: dict[int, set[int]]


class Deals:
    """The places of one kind for a seat (from 0), through a game whose cells at each stop are ``moments``."""

    def __init__(self, machine: Machine, knowledge: Knowledge, moments: Sequence[Cells], seat: int) -> None:
        self._machine = machine
        self._knowledge = knowledge
        self._seat = seat
        self.places = [(zone, owner) for zone, owner in places_of(machine) if zone.kind == knowledge.kind]
        self._unseen = [n for n, (zone, owner) in enumerate(self.places) if not sees_faces(zone, owner, seat + 1)]
        lying = [[content(machine, zone, owner, cells) for zone, owner in self.places] for cells in moments]
        self._first, self._last = ([Counter(faces) for faces in lying[at]] for at in (0, -1))
        self._known = [self._known_at(cells) for cells in moments]
        self._seen: list[list[Move]] = []
        self._hidden: list[list[Move]] = []
        for at, (before, after) in enumerate(pairwise(lying)):
            self._sort(_moves(before, after), self._known[at].certain, self._known[at + 1].certain)

    def _known_at(self, cells: Cells) -> _Known:
        domain, record = self._machine.kinds[self._knowledge.kind], self._machine.layout.record
        known, may = record[self._knowledge.known].slot, record[self._knowledge.may].slot
        certain, possible = {}, {}
        for number in self._unseen:
            zone, owner = self.places[number]
            assert zone.place is not None, "what is not open has a place"
            element = self._seat * self._knowledge.places + zone.place + (owner or 0)
            certain[number] = Counter(domain.members(cells[known + element]))
            possible[number] = set(domain.members(cells[may + element]))
        return _Known(certain, possible)

    def _sort(self, moves: Sequence[Move], before: dict[int, Faces], after: dict[int, Faces]) -> None:
        """Which of the moves between two stops the seat saw: at either end, or it knows since that it is there."""
        new = {number: after[number] - before[number] for number in self._unseen} if moves else {}
        seen, hidden = [], []
        for move in moves:
            if move.come in new and move.went in new and not new[move.went][move.face]:
                hidden.append(move)
            else:
                seen.append(move)
                if move.went in new:
                    new[move.went][move.face] -= 1
        self._seen.append(seen)
        self._hidden.append(hidden)

    # ---- A deal

    def deal(self, random: Random) -> Deal | None:
        """Everything in a place where it can be now. None: there is no such deal."""
        known = self._known[-1]
        now = [Counter(known.certain.get(n, faces)) for n, faces in enumerate(self._last)]
        left = sum(self._last, Faces()) - sum(now, Faces())
        room = [n for n in self._unseen for _ in range(self._last[n].total() - now[n].total())]
        copies = list(left.elements())
        random.shuffle(room)
        random.shuffle(copies)
        copies.sort(key=lambda face: sum(face in known.may[n] for n in self._unseen))
        taken: dict[int, int] = {}

        def put(face: int, tried: set[int]) -> bool:
            """Find room for a copy, where there is none by moving others (Kuhn's algorithm for matchings)."""
            fitting = [at for at, place in enumerate(room) if at not in tried and face in known.may[place]]
            free = next((at for at in fitting if at not in taken), None)
            if free is not None:
                taken[free] = face
                return True
            for at in fitting:
                if at not in tried:
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

    def changed(self, deal: Deal, player: int, random: Random) -> Deal:
        """The same deal, but for two components that change places, one of them a player's if can be (-1: anybody's)."""
        known = self._known[-1]
        free = [(n, face) for n in self._unseen for face in (deal[n] - known.certain[n]).elements()]
        his = [(n, face) for n, face in free if self.places[n][1] == player] or free
        for _ in range(PAIRS if free else 0):
            (one, this), (other, that) = random.choice(his), random.choice(free)
            if one != other and this != that and this in known.may[other] and that in known.may[one]:
                now = [Counter(faces) for faces in deal]
                _shift(now, this, one, other)
                _shift(now, that, other, one)
                return now
        return deal

    # ---- The way to it

    def course(self, deal: Deal, random: Random) -> Course | None:
        """How everything came to where a deal has it. None: this way back leads nowhere."""
        now = [Counter(faces) for faces in deal]
        course: Course = []
        for at in reversed(range(len(self._seen))):
            for move in self._seen[at]:
                if not now[move.went][move.face]:
                    return None
                _shift(now, move.face, move.went, move.come)
            instead = self._undo(at, now, random) if self._hidden[at] else {}
            if instead is None:
                return None
            course.append(instead)
        return course[::-1] if now == self._first else None

    def _undo(self, at: int, now: Deal, random: Random) -> dict[int, int] | None:
        """Take the unseen moves after a moment back, in ``now``: for each real face the one that moved in its place."""
        known = self._known[at]
        instead: dict[int, int] = {}
        for move in random.sample(self._hidden[at], len(self._hidden[at])):
            movable = list((now[move.went] - known.certain[move.went]).elements())
            lying, certain, may = now[move.come], known.certain[move.come], known.may[move.come]
            fitting = [face for face in movable if certain[face] > lying[face]] or [face for face in movable if face in may]
            if not fitting:
                return None
            face = random.choice(fitting)
            _shift(now, face, move.went, move.come)
            instead[move.face] = face
        return instead


def _shift(now: Deal, face: int, come: int, went: int) -> None:
    now[come][face] -= 1
    if not now[come][face]:
        del now[come][face]
    now[went][face] += 1


def _moves(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> list[Move]:
    """What went from where to where between two stops; of equal components any."""
    come: dict[int, list[int]] = {}
    went: dict[int, list[int]] = {}
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            for found, faces in ((come, Counter(old) - Counter(new)), (went, Counter(new) - Counter(old))):
                for face in faces.elements():
                    found.setdefault(face, []).append(number)
    return [Move(face, a, b) for face in come for a, b in zip(come[face], went[face], strict=True)]
