"""What else could the world be, for all that a seat has observed? Worlds drawn from what it knows, and proved by its own log.

A draft of a world says where all components lie and how they came there (`deals`). Whether it is a world is found by playing
the log from the start: what the seat saw must happen again; hidden acts and unseen chance take the components of the draft,
and where none moved, anything possible. An act that is not legal, another decision, or anything else in what the seat
observes or sees, ends the try. So nothing needs to be known of the rules, and a draft may be wrong: the log decides.

The first draft is drawn evenly. One that fails is mended, one change at a time, as long as the log then comes no less far:
where the log leaves few worlds they are found too, though not all equally often. Nothing of the real world goes into a draft
that the seat does not know; the random streams of a world are new as well.

The copies of a component need no names for this, and a world need not be the real one with components exchanged: after a
shuffle that would be too little, since everything in the pile may have been seen before.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from attrs import frozen

from ..machine.machine import NONE, Chance, Domain, Group
from ..machine.operators import Cells
from ..machine.reference.executor import Executor
from ..machine.reference.stops import Stop
from .deals import Course, Deal, Deals
from .views import amount, content, elements_seen, places_of, sees_faces

TRIES = 10_000  # a try plays the log once, some milliseconds; masti needs a dozen as a mean and some hundreds at most
LATE = 3  # how far back, as a mean, the hidden choice lies that is looked for among the late ones
STUCK = 200  # tries in a row that come no further: then a new draft is begun


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

    ``seen``: the players who saw which it was, as a set. ``sight``: all that the seat has observed and sees.
    """

    cells: Cells
    stop: Stop
    happened: int | None
    seen: int
    sight: tuple[object, ...]


@frozen(eq=False)
class _Draft:
    """``deals``: where the components of each kind lie. ``chosen``: what was chosen unseen, by the number of the moment."""

    deals: dict[str, Deal]
    chosen: dict[int, int]


@frozen(eq=False)
class _Failed:
    """A draft that is no world: how many moments it ``reached`` and how much was right there; who had to choose there."""

    draft: _Draft
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
        self._places = [(zone, owner, sees_faces(zone, owner, seat + 1)) for zone, owner in places_of(machine)]
        self._values = [
            machine.layout.record[variable.content].slot + index
            for variable in machine.variables
            for index in elements_seen(machine, variable, seat + 1)
        ]
        self._moments = self._relive(history)
        cells = [moment.cells for moment in self._moments]
        self._kinds = {knowledge.kind: Deals(machine, knowledge, cells, seat) for knowledge in machine.knowledge}

    @property
    def cells(self) -> Cells:
        """The real game, to which the history leads."""
        return self._moments[-1].cells

    def draw(self, random: Random, tries: int = TRIES) -> World:
        """A world. `NoWorld` when none is found in so many tries."""
        best: _Failed | None = None
        stuck = 0
        for number in range(1, tries + 1):
            draft = self._draft(random) if best is None else self._mended(best, random)
            if draft is None:
                continue
            found = self._play(draft, number, random)
            if isinstance(found, World):
                return found
            stuck = 0 if best is not None and found.reached > best.reached else stuck + 1
            if best is None or found.reached >= best.reached:
                best = found
            if stuck >= STUCK:
                best, stuck = None, 0
        raise NoWorld(f"in {tries} tries no world was found in which seat {self._seat + 1} would have observed the same")

    # ---- The log

    def _relive(self, history: Sequence[int]) -> list[_Moment]:
        executor = self._executor
        cells = executor.fresh()
        stop = executor.enter(cells)
        found = []
        for value in history:
            seen = executor.seen(cells, value)
            found.append(_Moment(list(cells), stop, value, seen, self._sight(cells, stop)))
            stop = self._go_on(cells, stop, value)
        return [*found, _Moment(cells, stop, None, 0, self._sight(cells, stop))]

    def _go_on(self, cells: Cells, stop: Stop, value: int) -> Stop:
        return self._executor.choose(cells, value) if stop.kind == "decision" else self._executor.happen(cells, value)

    def _sight(self, cells: Cells, stop: Stop) -> tuple[object, ...]:
        """What the seat has observed; and but for the middle of a chance event, who chooses and what the seat sees now."""
        digest = self._executor.digest(cells, self._seat)
        if stop.kind == "chance":
            return (digest,)
        lying = [
            tuple(content(self._machine, zone, owner, cells)) if sees else amount(self._machine, zone, owner, cells)
            for zone, owner, sees in self._places
        ]
        return (digest, self._chooser(cells, stop), *lying, *[cells[slot] for slot in self._values])

    def _chooser(self, cells: Cells, stop: Stop) -> int:
        return self._executor.player(cells) if stop.kind == "decision" else NONE

    # ---- Drafts

    def _draft(self, random: Random) -> _Draft | None:
        deals = {}
        for kind, lying in self._kinds.items():
            deal = lying.deal(random)
            if deal is None:
                return None
            deals[kind] = deal
        return _Draft(deals, {})

    def _mended(self, failed: _Failed, random: Random) -> _Draft:
        """A draft with one change: two components change places, or one hidden choice (rather a late one) is made anew."""
        deals, chosen = dict(failed.draft.deals), dict(failed.draft.chosen)
        if deals and (not chosen or random.random() < 0.5):
            kind = random.choice(list(deals))
            player = failed.player if random.random() < 0.5 else NONE
            deals[kind] = self._kinds[kind].changed(deals[kind], player, random)
        elif chosen:
            back = int(random.expovariate(1 / LATE)) if random.random() < 0.5 else random.randrange(len(chosen))
            del chosen[sorted(chosen, reverse=True)[min(back, len(chosen) - 1)]]
        return _Draft(deals, chosen)

    # ---- Playing a draft

    def _play(self, draft: _Draft, number: int, random: Random) -> World | _Failed:
        """A draft, the try of this number, played along the log."""
        courses: dict[str, Course] = {}
        for kind, deal in draft.deals.items():
            course = self._kinds[kind].course(deal, random)
            if course is None:
                return _Failed(draft, (NONE, 0))
            courses[kind] = course
        cells = self._executor.fresh(random.getrandbits(64))
        stop = self._executor.enter(cells)
        history: list[int] = []
        chosen: dict[int, int] = {}
        for at, moment in enumerate(self._moments):
            failed = _Draft(draft.deals, chosen)
            if stop.kind != moment.stop.kind or stop.node is not moment.stop.node:
                return _Failed(failed, (at, 0))
            sight = self._sight(cells, stop)
            if sight != moment.sight:
                alike = sum(one == real for one, real in zip(sight, moment.sight, strict=True))
                return _Failed(failed, (at, alike))
            if moment.happened is None:
                break
            value = moment.happened
            if not moment.seen >> self._seat & 1:
                possible, settled = self._possible(cells, stop, value, {kind: course[at] for kind, course in courses.items()})
                if not possible:
                    return _Failed(failed, (at, len(sight)), self._chooser(cells, stop))
                before = draft.chosen.get(at, NONE)
                value = before if before in possible and not settled else random.choice(possible)
                if not settled:
                    chosen[at] = value
            player = self._chooser(cells, stop)
            try:
                stop = self._go_on(cells, stop, value)
            except ValueError:
                return _Failed(failed, (at, len(sight)), player)
            history.append(value)
        return World(cells, stop, tuple(history), number)

    def _possible(self, cells: Cells, stop: Stop, real: int, instead: dict[str, dict[int, int]]) -> tuple[list[int], bool]:
        """What can come in place of an act or outcome that the seat did not see, each as often as it has weight.

        ``instead``: by kind, for real faces the draft's. With it, whether the draft settles all of it. Of acts that the draft
        asks for and that are not possible, any other with the same verb: the draft may be wrong about where things lay.
        """
        if isinstance(stop.node, Chance):
            drafted = self._drafted(stop.node.domain, real, instead)
            if drafted is not None:
                return [drafted], True
            return [value for value, weight in self._executor.outcomes(cells) for _ in range(weight)], False
        group = self._group(real)
        legal = [number for number in self._executor.options(cells) if 0 <= number - group.base < group.size]
        arguments = zip(group.arguments, group.values(real - group.base), strict=True)
        wanted = [self._drafted(domain, value, instead) for domain, value in arguments]
        fitting = [
            number
            for number in legal
            if all(want in (None, is_) for want, is_ in zip(wanted, group.values(number - group.base), strict=True))
        ]
        return (fitting, None not in wanted) if fitting else (legal, False)

    def _drafted(self, domain: Domain, real: int, instead: dict[str, dict[int, int]]) -> int | None:
        """What the draft has in place of a value; None where it does not say."""
        kind = next((kind for kind in instead if self._machine.kinds[kind] is domain), None)
        return None if kind is None else instead[kind].get(real)

    def _group(self, option: int) -> Group:
        return next(group for group in self._machine.groups if 0 <= option - group.base < group.size)
