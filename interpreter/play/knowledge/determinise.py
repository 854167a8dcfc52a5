"""Determinisation: worlds drawn from what a seat knows, and tested against its own log.

A draft of a world says how all components came to where they are (`deals`). Whether it is a world is found by playing the log
from the start. Everything that the seat saw must happen again; hidden acts and unseen chance take the components of the draft,
and where the draft says nothing, anything possible. The try ends at an act that is not legal, another decision, or any other
difference in what the seat observes or sees. So nothing needs to be known about the rules, and a draft may be wrong: the log
decides.

The first draft is drawn from all that the seat saw move. One that fails is mended, one change at a time, as long as the log then
comes no less far: where the log leaves few worlds they are found too, though not all equally often. The part that is played
before the change is kept from the try before. A draft contains nothing of the real world that the seat does not know; the random
streams of a world are new as well.

The copies of a component need no names for this, and a world need not be the real one with components exchanged: after a shuffle
that would be too little, since everything in the pile may have been seen before.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from attrs import frozen

from ...machine.machine import NONE, Chance, Choose, Domain, ZoneView
from ...machine.operators import Cells
from ...machine.places import amount, content_slots, places_of, sees_faces
from ...machine.reference.executor import Executor
from ...machine.reference.stops import Stop
from .deals import Course, Deals
from .views import elements_seen

TRIES = 10_000  # a try plays the log once, some milliseconds; masti needs a dozen as a mean and some hundreds at most
LATE = 3  # how far back, as a mean, the hidden choice lies that is looked for among the late ones
STUCK = 500  # tries in a row that come no further: then a new draft is begun


class NoWorld(Exception):
    """No world was found in the number of tries that was given."""


@frozen(eq=False)
class World:
    """A game in progress as it could be.

    ``history``: its options and outcomes of chance, in order. ``tries``: how many it took to find it.
    """

    cells: Cells
    stop: Stop
    history: tuple[int, ...]
    tries: int


@frozen(eq=False)
class _Moment:
    """Where the game stood. ``happened``: the option or outcome that came then (None: it stands there now).

    ``seen``: the players who saw which it was, as a set. ``chooser``: who chose, or -1. ``sight``: all that the seat has
    observed and sees.
    """

    cells: Cells
    stop: Stop
    happened: int | None
    seen: int
    chooser: int
    sight: tuple[object, ...]


@frozen(eq=False)
class _Draft:
    """``courses``: how the components of each kind moved. ``chosen``: what was chosen unseen, by the number of the moment."""

    courses: dict[str, Course]
    chosen: dict[int, int]


@frozen(eq=False)
class _Past:
    """A moment that was played. ``until``: how far the draft was looked ahead in, for what was to happen then."""

    cells: Cells
    stop: Stop
    happened: int
    until: int


@frozen(eq=False)
class _Failed:
    """A draft that is no world: how many moments it ``reached`` and how much was right there; who had to choose there."""

    draft: _Draft
    past: tuple[_Past, ...]
    reached: tuple[int, int]
    player: int = NONE


class Worlds:
    """The worlds that a game could be for a seat (from 0), by its history: the options and outcomes of chance, in order.

    ValueError where the history is none of this machine.
    """

    def __init__(self, executor: Executor, history: Sequence[int], seat: int) -> None:
        self._executor = executor
        self._machine = machine = executor.machine
        self._seat = seat
        self._in_sight: list[int] = []
        self._unseen: list[tuple[ZoneView, int | None]] = []
        for zone, owner in places_of(machine):
            if sees_faces(zone, owner, seat + 1):
                self._in_sight += content_slots(machine, zone, owner)
            else:
                self._unseen.append((zone, owner))
        self._in_sight += [
            machine.layout.record[variable.content].slot + index
            for variable in machine.variables
            for index in elements_seen(machine, variable, seat + 1)
        ]
        self._moments = self._relive(history)
        cells = [moment.cells for moment in self._moments]
        self._kinds = {
            knowledge.kind: Deals(machine, knowledge, cells, seat, self._drawn(knowledge.kind)) for knowledge in machine.knowledge
        }

    @property
    def cells(self) -> Cells:
        """The real game, to which the history leads."""
        return self._moments[-1].cells

    def draw(self, random: Random, tries: int = TRIES) -> World:
        """A world. `NoWorld` when none is found in so many tries."""
        best: _Failed | None = None
        stuck = 0
        for number in range(1, tries + 1):
            draft, since = self._draft(random) if best is None else self._mended(best, random)
            if draft is None:
                continue
            found = self._play(draft, () if best is None else best.past[: since + 1], number, random)
            if isinstance(found, World):
                return found
            stuck = 0 if best is not None and found.reached > best.reached else stuck + 1
            if best is None or found.reached >= best.reached:
                best = found
            if stuck >= STUCK:
                best, stuck = None, 0
        said = "1 try" if tries == 1 else f"{tries} tries"
        raise NoWorld(f"in {said} no world was found in which seat {self._seat + 1} would have observed the same")

    # ---- The log

    def _relive(self, history: Sequence[int]) -> list[_Moment]:
        executor = self._executor
        cells = executor.fresh()
        stop = executor.enter(cells)
        found = []
        for value in history:
            seen = executor.seen(cells, value)
            found.append(_Moment(list(cells), stop, value, seen, self._chooser(cells, stop), self._sight(cells, stop)))
            stop = self._go_on(cells, stop, value)
        return [*found, _Moment(cells, stop, None, 0, self._chooser(cells, stop), self._sight(cells, stop))]

    def _drawn(self, kind: str) -> dict[int, int]:
        """The faces of a kind that came by chance, by the number of the moment."""
        return {
            at: moment.happened
            for at, moment in enumerate(self._moments)
            if moment.happened is not None
            and isinstance(moment.stop.node, Chance)
            and self._machine.kinds[kind] is moment.stop.node.domain
        }

    def _go_on(self, cells: Cells, stop: Stop, value: int) -> Stop:
        return self._executor.choose(cells, value) if stop.kind == "decision" else self._executor.happen(cells, value)

    def _sight(self, cells: Cells, stop: Stop) -> tuple[object, ...]:
        """What the seat has observed; and but for the middle of a chance event, who chooses and what the seat sees now."""
        if stop.kind == "chance":
            return (self._executor.digest(cells, self._seat),)
        return self._in_view(cells, stop)

    def _in_view(self, cells: Cells, stop: Stop) -> tuple[object, ...]:
        """What the seat has observed, who chooses, and what the seat sees now, also in the middle of a chance event.

        It always tells how far a draft came.
        """
        digest = self._executor.digest(cells, self._seat)
        amounts = [amount(self._machine, zone, owner, cells) for zone, owner in self._unseen]
        return (digest, self._chooser(cells, stop), *[cells[slot] for slot in self._in_sight], *amounts)

    def _chooser(self, cells: Cells, stop: Stop) -> int:
        return self._executor.player(cells) if stop.kind == "decision" else NONE

    # ---- Drafts

    def _draft(self, random: Random) -> tuple[_Draft | None, int]:
        courses = {}
        for kind, deals in self._kinds.items():
            course = deals.course(random)
            if course is None:
                return None, 0
            courses[kind] = course
        return _Draft(courses, {}), 0

    def _mended(self, failed: _Failed, random: Random) -> tuple[_Draft | None, int]:
        """A draft with one change, and since when it is another one. None: no change was found.

        Two components exchange their ways, or one hidden choice (rather a late one) is made anew.
        """
        courses, chosen = dict(failed.draft.courses), dict(failed.draft.chosen)
        fault = failed.reached[0]
        if courses and (not chosen or random.random() < 0.5):
            kind = random.choice(list(courses))
            moment = fault if random.random() < 0.75 else random.randrange(fault + 1)
            players = {self._moments[at].chooser for at in (fault, fault - 1) if at >= 0} | {failed.player}
            courses[kind], changed = self._kinds[kind].changed(courses[kind], moment, fault, players - {NONE, self._seat}, random)
            if changed >= len(self._moments):
                return None, 0
            since = min([changed, *(at for at, past in enumerate(failed.past) if past.until >= changed)])
        elif chosen:
            back = random.choice((0, int(random.expovariate(1 / LATE)), random.randrange(len(chosen))))
            since = sorted(chosen, reverse=True)[min(back, len(chosen) - 1)]
            del chosen[since]
        else:
            return None, 0
        return _Draft(courses, chosen), since

    # ---- Playing a draft

    def _play(self, draft: _Draft, past: tuple[_Past, ...], number: int, random: Random) -> World | _Failed:
        """A draft, the try of this number, played along the log; ``past``: what is played of it already."""
        played = list(past)
        if past:
            last = played.pop()
            cells, stop = list(last.cells), last.stop
        else:
            cells = self._executor.fresh(random.getrandbits(64))
            stop = self._executor.enter(cells)
        chosen = {at: value for at, value in draft.chosen.items() if at < len(played)}
        for at in range(len(played), len(self._moments)):
            moment = self._moments[at]
            failed = _Draft(draft.courses, chosen)
            if stop.kind != moment.stop.kind or stop.node is not moment.stop.node:
                return _Failed(failed, tuple(played), (at, self._wrong(cells, stop)))
            sight = self._sight(cells, stop)
            if sight != moment.sight:
                both = zip(self._in_view(cells, stop), self._in_view(moment.cells, moment.stop), strict=True)
                alike = sum(one == real for one, real in both)
                return _Failed(failed, tuple(played), (at, alike))
            if moment.happened is None:
                break
            value, until = moment.happened, NONE
            player = self._chooser(cells, stop)
            if not moment.seen >> self._seat & 1:
                possible, until = self._possible(cells, stop, at, draft.courses)
                if not possible:
                    return _Failed(failed, tuple(played), (at, len(sight)), player)
                before = draft.chosen.get(at, NONE)
                value = before if before in possible else random.choice(possible)
                if len(set(possible)) > 1:
                    chosen[at] = value
            before_it = list(cells)
            try:
                now = self._go_on(cells, stop, value)
            except ValueError:
                return _Failed(failed, tuple(played), (at, len(sight)), player)
            played.append(_Past(before_it, stop, value, until))
            stop = now
        return World(cells, stop, tuple(past.happened for past in played), number)

    def _wrong(self, cells: Cells, stop: Stop) -> int:
        """How near it is that a stop had not come: a decision does not come where nothing is legal, so the less, the nearer.

        Of equal components that could be chosen each counts.
        """
        if stop.kind != "decision":
            return -self._machine.options
        player, count = self._executor.player(cells), 0
        for number in self._executor.options(cells):
            group = self._machine.group_of(number)
            for domain, value in zip(group.arguments, group.values(number - group.base), strict=True):
                kind = self._kind(domain)
                count += 0 if kind is None else self._kinds[kind].copies(value, player, cells)
            count += 1
        return -count

    def _possible(self, cells: Cells, stop: Stop, at: int, courses: dict[str, Course]) -> tuple[list[int], int]:
        """What can come in place of an act or outcome that the seat did not see, each as often as it has weight.

        With it, until which moment the draft was looked at (-1: it was not asked). What the draft asks for and is not possible
        is not asked for: the draft may be wrong about where things lay.
        """
        real = self._moments[at].happened
        assert real is not None
        if isinstance(stop.node, Chance):
            outcomes = self._executor.outcomes(cells)
            faces, until = self._drafted(stop.node.domain, real, at, False, courses)
            fitting = [outcome for outcome in outcomes if faces is None or outcome[0] in faces]
            return [value for value, weight in fitting for _ in range(weight)], until
        group = self._machine.group_of(real)
        legal = [number for number in self._executor.options(cells) if 0 <= number - group.base < group.size]
        arguments = zip(group.arguments, group.values(real - group.base), strict=True)
        assert isinstance(stop.node, Choose), "what is no chance is chosen"
        secret = any(offer.secret for offer in stop.node.alternatives if self._machine.groups[offer.group] is group)
        wanted = [self._drafted(domain, value, at, secret, courses) for domain, value in arguments]
        fitting_acts = [
            number
            for number in legal
            if all(
                want is None or value in want for (want, _), value in zip(wanted, group.values(number - group.base), strict=True)
            )
        ]
        return fitting_acts or legal, max([NONE, *(until for _, until in wanted)])

    def _drafted(
        self,
        domain: Domain,
        real: int,
        at: int,
        secret: bool,
        courses: dict[str, Course],
    ) -> tuple[set[int] | None, int]:
        """What the draft has in place of a value: what takes the leg that the real one takes then; None where it takes none.

        With it, the moment of that leg (-1: the draft does not say). What is chosen in secret is chosen one by one and goes
        together later: any of those that go can have been chosen first. Of any other act nobody knows whether it was about
        what goes later. A die of which nothing was seen later is rolled anew.
        """
        kind = self._kind(domain)
        leg = None if kind is None else self._kinds[kind].leg(real, at, self._moments[at].chooser)
        if kind is None or leg is None or (leg[0] > at and not secret):
            return None, NONE
        if leg not in courses[kind].settled and self._kinds[kind].is_rolled(leg):
            return None, NONE
        return courses[kind].faces[leg], leg[0]

    def _kind(self, domain: Domain) -> str | None:
        """The kind of component that a value is about; None: none that can be hidden."""
        return next((kind for kind in self._kinds if self._machine.kinds[kind] is domain), None)
