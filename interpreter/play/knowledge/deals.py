"""The places where components could lie for a seat, and the moves that could have brought them there.

One kind at a time. A game consists of *moments* (its stops, from 0) and of the moves between them. A *leg* is a component's way
from a place to a place from one moment to the next. That there was one is public, since sizes are. The seat either has seen which
component it was (it sees either end, or knows since that it is there) or has not. A *stay* is what happens to one component while
the seat loses sight of it: it was seen to come, took legs that nobody told the seat of, and was seen to leave or lies there
still. A *course* is one stay for each component that was ever out of sight.

A course is drawn backwards. The components that lie somewhere at the end are undetermined at first. Each unseen leg takes back
any component that lies at its end. Where the seat saw a component leave, it must have been there; and where the seat saw one
come, it must have been one of those that lie there, or one that is still undetermined. So everything that the seat ever saw is
kept, however long ago, and a component that was seen going into a pile need not be the one that somebody drew from it later.

A course is changed by an exchange: two components that lie apart at some moment go each other's ways from where they last lay
together until they do again, or for good.

A course is not drawn from the knowledge in the record, which forgets correlations: if two of six cards that were seen going to a
hand were discarded unseen, each of the six may be gone, but not all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random

from attrs import Factory, define, frozen

from ...machine.knowledge import Faces, known_of
from ...machine.machine import NONE, Knowledge, Machine
from ...machine.operators import Cells
from ...machine.places import content, places_of, sees_faces

PARTNERS_FOR = 5  # components for which others are looked for with which they can be exchanged

Leg = tuple[int, int, int]  # the moment before it, the place that it leaves, the place that it goes to


@frozen
class Move:
    """A component that went from a place to a place between two moments."""

    face: int
    come: int
    went: int


@frozen(eq=False)
class Stay:
    """A component out of sight. ``ways``: since which moment it lies in which place, ascending. ``end``: when it is gone.

    ``settled``: what the seat saw later says which it is; else it is one of those that are nothing in particular.
    """

    face: int
    ways: tuple[tuple[int, int], ...]
    end: int
    settled: bool

    def place(self, moment: int) -> int:
        """Where it lies at a moment; -1 where it is not out of sight then."""
        if moment >= self.end:
            return NONE
        return next((place for since, place in reversed(self.ways) if since <= moment), NONE)

    def turns(self) -> list[int]:
        """The moments at which it comes, lies elsewhere, or is gone."""
        return [*(since for since, _ in self.ways), self.end]

    def legs(self) -> Iterator[Leg]:
        """The legs that it takes."""
        return ((since - 1, come, went) for (_, come), (since, went) in pairwise(self.ways))


@frozen(eq=False)
class Course:
    """``stays``: what is out of sight and when. ``faces``: which faces take a leg, those that were seen too.

    ``settled``: the legs that something takes of which it is settled which it is.
    """

    stays: tuple[Stay, ...]
    faces: dict[Leg, set[int]]
    settled: set[Leg]


@define(eq=False)
class _Token:
    """Something in a place, while a course is drawn. ``face``: -1 while it is nothing in particular.

    ``ways``: as those of a stay, the last one first, without the one before.
    """

    end: int
    face: int = NONE
    ways: list[tuple[int, int]] = Factory(list)


class Deals:
    """The places of one kind for a seat (from 0), through a game whose cells at each moment are ``moments``.

    ``drawn``: the face that came by chance, where one of this kind did, by the number of the moment.
    """

    def __init__(
        self, machine: Machine, knowledge: Knowledge, moments: Sequence[Cells], seat: int, drawn: Mapping[int, int] | None = None
    ) -> None:
        self._machine = machine
        self._knowledge = knowledge
        self._seat = seat
        self._end = len(moments)
        self._copies = Counter(machine.kinds[knowledge.kind].copies)  # none: all are different
        self.places = [(zone, owner) for zone, owner in places_of(machine) if zone.kind == knowledge.kind]
        self._unseen = [n for n, (zone, owner) in enumerate(self.places) if not sees_faces(zone, owner, seat + 1)]
        self._lying = [[content(machine, zone, owner, cells) for zone, owner in self.places] for cells in moments]
        self._seen: list[list[Move]] = []
        self._hidden: list[list[Move]] = []
        self._shown: dict[int, dict[int, Faces]] = {}  # by moment and place: what the seat learned then without a move
        known = [self._known_at(cells) for cells in moments]
        for at, (before, after) in enumerate(pairwise(self._lying)):
            moves = _moves(before, after)
            self._sort(moves if drawn is None or at not in drawn else self._rolled(moves, drawn[at]), known[at], known[at + 1])
        self._departures: dict[tuple[int, int], list[Leg]] = {}
        for at, both in enumerate(zip(self._seen, self._hidden, strict=True)):
            for move in (*both[0], *both[1]):
                self._departures.setdefault((move.face, move.come), []).append((at, move.come, move.went))
        self._within_reach: dict[int, list[int]] = {}  # by face; see `_reach`

    def _known_at(self, cells: Cells) -> dict[int, Faces]:
        """The copies of which the seat is certain that they are there, by place that it does not see."""
        known = known_of(self._machine, self._knowledge, cells, self._seat + 1)
        certain = {}
        for number in self._unseen:
            zone, owner = self.places[number]
            assert zone.place is not None, "what is not open has a place"
            certain[number] = Counter(known[zone.place + (owner or 0)].certain)
        return certain

    def _rolled(self, moves: Sequence[Move], face: int) -> list[Move]:
        """These moves, but a die that came to lie with this face up came from where dice are rolled, even if an equal one went
        there.
        """
        unrolled = [number for number, (zone, _) in enumerate(self.places) if zone.unrolled]
        if not unrolled or any(move.face == face and move.come in unrolled for move in moves):
            return list(moves)
        straight = next((move for move in moves if move.face == face and move.went not in unrolled), None)
        if straight is None:
            return list(moves)
        others = [move for move in moves if move is not straight]
        return [*others, Move(face, straight.come, unrolled[0]), Move(face, unrolled[0], straight.went)]

    def _sort(self, moves: Sequence[Move], before: dict[int, Faces], after: dict[int, Faces]) -> None:
        """Which of the moves between two moments the seat saw; and what it learned of places without seeing a move."""
        new = {number: after[number] - before[number] for number in self._unseen if after[number] != before[number]}
        lying = self._lying[len(self._seen)]
        leaving = Counter(move.come for move in moves)
        emptied = {n for n in self._unseen if lying[n] and before[n].total() == len(lying[n]) == leaving[n]}  # all of it known
        seen: list[Move] = []
        hidden: list[Move] = []
        for move in moves:
            out_of_sight = move.come in after and move.went in after and move.come not in emptied
            if out_of_sight and not (move.went in new and new[move.went][move.face]):
                hidden.append(move)
            else:
                seen.append(move)
                if move.went in new:
                    new[move.went][move.face] -= 1
        self._seen.append(seen)
        self._hidden.append(hidden)
        shown = {n: Counter({face: after[n][face] for face in +faces}) for n, faces in new.items() if +faces}
        if shown:
            self._shown[len(self._seen)] = shown

    # ---- What was asked for

    def leg(self, face: int, moment: int, player: int) -> Leg | None:
        """The next leg of a component that something unseen was about at a moment; of equal ones, one that the player sees.

        ``player``: from 0, or -1. None: it lies there still, or the seat knows where.
        """
        there = [n for n in self._unseen if face in self._lying[moment][n]]
        legs = [leg for n in there for leg in self._departures.get((face, n), ()) if leg[0] >= moment]
        return min(legs, key=lambda leg: (not self._sees(player, leg[1]), leg[0]), default=None)

    def copies(self, face: int, player: int, cells: Cells) -> int:
        """How many of a component lie where the player (from 0) sees them and the seat does not."""
        seen = (self.places[n] for n in self._unseen if self._sees(player, n))
        return sum(content(self._machine, zone, owner, cells).count(face) for zone, owner in seen)

    def _sees(self, player: int, place: int) -> bool:
        zone, owner = self.places[place]
        return sees_faces(zone, owner, player + 1)

    # ---- A course

    def course(self, random: Random) -> Course | None:
        """Some course in which the seat saw what it saw. None: this way back led nowhere."""
        lying: dict[int, list[_Token]] = {n: [_Token(self._end) for _ in self._lying[-1][n]] for n in self._unseen}
        coming = {n: Counter(self._lying[0][n]) for n in self._unseen}
        legs: Faces = Counter()
        for seen, hidden in zip(self._seen, self._hidden, strict=True):
            for move in seen:
                if move.went in coming:
                    coming[move.went][move.face] += 1
            legs.update(move.went for move in hidden)
        stays: list[Stay] = []

        def come(face: int, place: int, moment: int) -> bool:
            """A component was seen to come to a place, and lies there since a moment."""
            here = lying[place]
            fitting = [token for token in here if token.face == face] or [token for token in here if token.face == NONE]
            if not fitting:
                return False
            token = random.choice(fitting)
            here.remove(token)
            stays.append(Stay(face, ((moment, place), *reversed(token.ways)), token.end, token.face == face))
            return True

        for at in reversed(range(len(self._seen))):
            if not self._show(at + 1, lying, random):
                return None
            for move in self._seen[at]:
                if move.went in coming:
                    coming[move.went][move.face] -= 1
                    if not come(move.face, move.went, at + 1):
                        return None
            back = []
            for move in random.sample(self._hidden[at], len(self._hidden[at])):
                token = self._taken_back(move, at, lying[move.went], coming[move.went], legs[move.went], random)
                if token is None:
                    return None
                legs[move.went] -= 1
                lying[move.went].remove(token)
                token.ways.append((at + 1, move.went))
                back.append((token, move.come))
            for token, place in back:
                lying[place].append(token)
            for move in self._seen[at]:
                if move.come in lying:
                    lying[move.come].append(_Token(at + 1, move.face))
        beginning = [(face, place) for place in self._unseen for face in self._lying[0][place]]
        beginning.sort(key=lambda begun: all(token.face != begun[0] for token in lying[begun[1]]))
        return self._with_legs(stays) if all(come(face, place, 0) for face, place in beginning) else None

    def _show(self, moment: int, lying: dict[int, list[_Token]], random: Random) -> bool:
        """At a moment the seat learned what lies in some places: there it must lie."""
        for place, faces in self._shown.get(moment, {}).items():
            for face, count in faces.items():
                nothing = [token for token in lying[place] if token.face == NONE]
                missing = count - sum(token.face == face for token in lying[place])
                if missing > len(nothing):
                    return False
                for token in random.sample(nothing, max(0, missing)):
                    token.face = face
        return True

    def _taken_back(self, move: Move, at: int, here: list[_Token], coming: Faces, legs: int, random: Random) -> _Token | None:
        """What could have taken an unseen leg, of what lies at its end. ``legs``: how many unseen ones led there until then.

        What was seen coming by no other way must take one of them: all such get one, if the others are left enough legs.
        """
        movable = [token for token in here if self._can_be(token.face, move.come, at)]
        if not movable:
            return None
        late = [token for token in movable if not self._can_be(token.face, move.went, at)]
        if late:
            return random.choice(late)
        there = Counter(token.face for token in here if token.face != NONE)
        over = there - coming
        if random.randrange(legs) < over.total():
            movable = [token for token in movable if over[token.face]] or movable
        else:
            movable = [token for token in movable if not over[token.face]] or movable
        return random.choice(movable)

    def _can_be(self, face: int, place: int, moment: int) -> bool:
        """Whether a component can lie in a place out of sight at a moment, for where it was seen before."""
        return face == NONE or bool(self._reach(face)[moment] >> place & 1)

    def _reach(self, face: int) -> list[int]:
        """For each moment the places out of sight where a component can be, as a set."""
        found = self._within_reach.get(face)
        if found is None:
            unseen = sum(1 << place for place in self._unseen)
            reach = sum(1 << place for place in self._unseen if face in self._lying[0][place])
            found = [reach]
            for at, (seen, hidden) in enumerate(zip(self._seen, self._hidden, strict=True)):
                before = reach
                for move in hidden:
                    reach |= (before >> move.come & 1) << move.went
                for move in seen:
                    if move.face == face:
                        reach = (0 if self._copies[face] <= 1 else reach) | (1 << move.went & unseen)
                if seen or hidden:
                    reach &= sum(1 << place for place in self._unseen if self._lying[at + 1][place])
                found.append(reach)
            self._within_reach[face] = found
        return found

    def _with_legs(self, stays: Sequence[Stay]) -> Course:
        faces: dict[Leg, set[int]] = {}
        for at, moves in enumerate(self._seen):
            for move in moves:
                faces.setdefault((at, move.come, move.went), set()).add(move.face)
        settled = set(faces)
        for stay in stays:
            for leg in stay.legs():
                faces.setdefault(leg, set()).add(stay.face)
            settled.update(stay.legs() if stay.settled else ())
        return Course(tuple(stays), faces, settled)

    def is_rolled(self, leg: Leg) -> bool:
        """Whether a component that takes a leg is rolled: each face is as likely as any other, however many of it lie there."""
        zone, _ = self.places[leg[1]]
        return zone.unrolled

    # ---- An exchange

    def changed(self, course: Course, moment: int, fault: int, players: Collection[int], random: Random) -> tuple[Course, int]:
        """A course with one exchange of two that lie apart at a moment, and the moment since which it is another.

        One of the two rather lies where something moves around the moment ``fault``, or in a place of one of the players.
        Where no exchange is found, the course is the same.
        """
        stays = _mingled(course.stays, random.randrange(fault + 1), random)
        there = [stay for stay in stays if stay.place(moment) != NONE]
        suspect = {n for moves in (*self._around(self._seen, fault), *self._around(self._hidden, fault)) for n in moves}
        suspect.update(n for n in self._unseen if self.places[n][1] in players)
        place = random.choice([*sorted({stay.place(moment) for stay in there} & suspect), NONE])
        rather = [stay for stay in there if stay.place(moment) == place] or there
        for one in random.sample(rather, min(PARTNERS_FOR, len(rather))):
            for other in random.sample(there, len(there)):
                found = self._exchanged(one, other, moment) if one.face != other.face else None
                if found is None:
                    continue
                now = self._with_legs([*(stay for stay in stays if stay not in (one, other)), *found[:2]])
                if self._agrees(now):
                    return now, found[2]
        return course, self._end

    def _around(self, moves: Sequence[Sequence[Move]], moment: int) -> list[tuple[int, int]]:
        return [(move.come, move.went) for some in moves[max(0, moment - 1) : moment + 1] for move in some]

    def _exchanged(self, one: Stay, other: Stay, moment: int) -> tuple[Stay, Stay, int] | None:
        """Two stays that have gone each other's ways, and when they parted. None: the seat saw one of them meanwhile."""
        if _apart(one, other, moment) != 1:
            return None
        turns = sorted({*one.turns(), *other.turns()})
        parted = next((t - 1 for t in reversed(turns) if t <= moment and _apart(one, other, t - 1) != 1), NONE)
        if parted == NONE or _apart(one, other, parted):
            return None
        met = next((t for t in turns if t > moment and _apart(one, other, t) != 1), self._end)
        if _apart(one, other, met) and not one.end == other.end == self._end:
            return None
        ways: list[list[tuple[int, int]]] = [[], []]
        for turn in turns:
            for mine, here, there in ((ways[0], one, other), (ways[1], other, one)):
                place = (there if parted < turn < met else here).place(turn)
                if place != NONE and (not mine or mine[-1][1] != place):
                    mine.append((turn, place))
        settled = one.settled or other.settled
        return (Stay(one.face, tuple(ways[0]), one.end, settled), Stay(other.face, tuple(ways[1]), other.end, settled), parted)

    def _agrees(self, course: Course) -> bool:
        """Whether all lies where it was shown to the seat."""
        return all(
            sum(stay.face == face and stay.place(moment) == place for stay in course.stays) >= count
            for moment, shown in self._shown.items()
            for place, faces in shown.items()
            for face, count in faces.items()
        )


def _apart(one: Stay, other: Stay, moment: int) -> int:
    """At a moment two components lie together (0), apart (1), or one of them is in sight (2)."""
    here, there = one.place(moment), other.place(moment)
    return 2 if NONE in (here, there) else int(here != there)


def _mingled(stays: Sequence[Stay], moment: int, random: Random) -> list[Stay]:
    """These stays, but among equal components that lie together at a moment, each goes the further way of a random one of
    them.
    """
    together: dict[tuple[int, int], list[Stay]] = {}
    found = []
    for stay in stays:
        place = stay.place(moment)
        if place == NONE:
            found.append(stay)
        else:
            together.setdefault((stay.face, place), []).append(stay)
    for (face, _), equal in together.items():
        for one, other in zip(equal, random.sample(equal, len(equal)), strict=True):
            came = [way for way in one.ways if way[0] <= moment]
            further = [way for way in other.ways if way[0] > moment]
            found.append(Stay(face, (*came, *further), other.end, one.settled or other.settled))
    return found


def _moves(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> list[Move]:
    """What went from where to where between two moments; of equal components any."""
    come: dict[int, list[int]] = {}
    went: dict[int, list[int]] = {}
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            for found, faces in ((come, Counter(old) - Counter(new)), (went, Counter(new) - Counter(old))):
                for face in faces.elements():
                    found.setdefault(face, []).append(number)
    return [Move(face, a, b) for face in come for a, b in zip(come[face], went[face], strict=True)]
