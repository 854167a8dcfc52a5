"""Watches a game while it is played: an executor of a machine with marks, which plays the very same games.

To play many games and learn what each of them reached::

    watch = watched(rules.required(), 3, ("partners",))
    cells = watch.fresh(seed, game)
    stop = watch.enter(cells)            # and on: `choose`, `happen`, as with any executor
    watch.score(cells)                   # at the end: who wins, and by what
    watch.taken()                        # a `Reached`: what came up since this was asked last

Playing takes some percent longer than without a watch; without one, there is no cost.

Marks in the code were preferred to a table from statements to lines beside the machine, since later passes make statements anew
and expressions vanish, and to bits in the record, since functions cannot store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..machine.bitsets import select
from ..machine.from_table import lower
from ..machine.from_table.building.marks import Mark, Marks
from ..machine.machine import Condition, Machine, Message
from ..machine.operators import Cells
from ..machine.reference.closures import Watcher
from ..machine.reference.executor import Executor, FunctionFault
from ..machine.reference.stops import Decision, Offer, Refusal, Stop, Story
from ..model import model
from ..table.from_model import Specialised, specialise
from ..table.table import Table
from .implied import implied_by, with_implied
from .parts import Part, parts_of
from .reached import Place, Reached

ASKED = 4  # acts of a line that are asked at a decision why they are refused, while some reason there never refused


class Watch(Executor):
    """Plays one table and notes what is reached."""

    def __init__(
        self,
        whole: model.Model,
        parts: Iterable[Part],
        found: Specialised,
        machine: Machine,
        marks: Marks,
        asked: Iterable[model.Expr] = (),
    ) -> None:
        """``parts``: of the rules. ``found``: the table (with what a test adds) and what it was made of. ``asked``: by a test."""
        assert found.table is not None
        self._table = found.table
        self._rows = {d.name: _rows(d, found.table) for d in found.declarations if isinstance(d, model.TableDeclaration)}
        places = [part.place for part in parts]
        self._refusals = {place.span: place for place in places if place.kind in ("reason", "limit")}
        self._refused: set[Place] = set()  # since the beginning: no more is asked about them
        cases = {place for place in places if place.kind == "case"}
        marked = {Place("case", mark.span) for mark in marks.by_name.values() if mark.kind == "case"}
        self._implied = implied_by(found.table, asked, cases, marked)
        self._always = self._played_with(whole, {*marks.rows, *found.settled.asked})
        self._expected = tuple(Place("statement", expr.span) for expr in asked)
        self._counts: dict[Place, int] = {}
        self._any = False
        super().__init__(machine, watched={name: self._watcher(mark) for name, mark in marks.by_name.items()})

    # ---- What came up

    def taken(self) -> Reached:
        """What was reached since this was asked last. A refusal counts only once, when it first came up."""
        counts = {**self._counts, **dict.fromkeys(self._always, 1)} if self._any else self._counts
        self._any = False
        self._counts = {}
        return Reached(with_implied(counts, self._implied))

    def score(self, cells: Cells) -> None:
        """Ask for all that is told at the end of a game: scores, winners, returns. `FunctionFault` where the rules cannot say."""
        for function in dict.fromkeys(("score", self.machine.returns)):
            for seat in range(self.machine.seats):
                self.evaluate(cells, function, seat)
        self.evaluate(cells, self.machine.winner, (1 << self.machine.seats) - 1)
        if model.RETURNS in self._table.defines:
            self._note(Place("define", self._table.defines[model.RETURNS].span))

    def expected(self) -> None:
        """All that the test asks for has been asked."""
        for place in self._expected:
            self._note(place)

    # ---- While it is played

    def enter(self, cells: Cells, routine: str | None = None, arguments: Iterable[int] = (), story: Story | None = None) -> Stop:
        self._any = True
        return super().enter(cells, routine, tuple(arguments), story)

    def choose(self, cells: Cells, option: int, story: Story | None = None) -> Stop:
        decision = self._decision(cells)
        offer = next((offer for offer in decision.offers if offer.allows(cells, option)), None)
        if offer is not None:
            self._note(Place("chosen", offer.node.span, self._verb(offer)))
            self._look_for_refusals(cells, decision)
        return super().choose(cells, option, story)

    def why_not(self, cells: Cells, option: int) -> Refusal | None:
        refusal = super().why_not(cells, option)
        if refusal is not None:
            self._note_refusal(refusal.condition)
        return refusal

    def _watcher(self, mark: Mark) -> Watcher:
        """What hears of a mark."""
        counts = self._note
        match mark.kind:
            case "statement" | "case":
                place = Place(mark.kind, mark.span)
                return lambda cells, value: counts(place)
            case "score":
                line, points = Place("statement", mark.span), Place("score", mark.span)

                def scored(cells: Cells, value: int) -> None:
                    counts(line)
                    if value:
                        counts(points)

                return scored
            case "tie":
                key, among = Place("tie", mark.span), mark.among
                return lambda cells, these: counts(key) if (these & among).bit_count() > 1 else None
            case "table":
                return self._row_watcher(mark.of)
            case "offer":
                offered = Place("offered", mark.span, mark.of)
                return lambda cells, legal: counts(offered) if legal else None
            case "impossible":
                site = int(mark.of)
                return lambda cells, value: self._look_for_refusals(cells, self._decisions[site])

    def _row_watcher(self, table: str) -> Watcher:
        rows = self._rows[table]
        return lambda cells, key: self._note(rows[key]) if key in rows else self._note_row_otherwise(table)

    def _note_row_otherwise(self, table: str) -> None:
        if None in self._rows[table]:
            self._note(self._rows[table][None])

    def _note(self, place: Place) -> None:
        self._counts[place] = self._counts.get(place, 0) + 1

    def _look_for_refusals(self, cells: Cells, decision: Decision) -> None:
        """Note the conditions that refuse something at a decision. A few acts are tested; not the same ones at every decision."""
        for offer in decision.offers:
            mine = {self._refusals.get(condition.span) for condition in offer.node.conditions} - {None}
            if not mine - self._refused:
                continue
            try:
                refused = self._asked(cells, offer.candidates) & ~cells[offer.answer]
            except FunctionFault:
                continue
            many = refused.bit_count()
            first = cells[self._slots.decisions]
            asked = [select(refused, (first + number * many // ASKED) % many) for number in range(min(many, ASKED))]
            for condition in self._refused_by(cells, offer, [offer.base + position for position in asked], _itself):
                self._note_refusal(condition)

    def _note_refusal(self, condition: Condition | None) -> None:
        place = None if condition is None else self._refusals.get(condition.span)
        if place is not None and place not in self._refused:
            self._refused.add(place)
            self._note(place)

    # ---- What holds for the whole table

    def _verb(self, offer: Offer) -> str:
        return self.machine.groups[offer.node.group].verb

    def _played_with(self, whole: model.Model, rows: Iterable[tuple[str, int]]) -> tuple[Place, ...]:
        """Variants, values of options, the number of players, and the rows that are settled."""
        table = self._table
        found = [Place("players", whole.players_span, str(table.players))]
        found += [Place("variant", variant.span) for variant in whole.variants if variant.name in table.variants]
        added = (d for variant in whole.variants if variant.name in table.variants for d in variant.adds)
        for declaration in (*whole.declarations, *added):
            if isinstance(declaration, model.OptionDeclaration) and declaration.name in table.option_words:
                found.append(Place("value", declaration.span, table.option_words[declaration.name]))
        for name, key in rows:
            place = self._rows[name].get(key, self._rows[name].get(None))
            if place is not None:
                found.append(place)
        return tuple(found)


def watched(
    whole: model.Model,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
) -> Watch | None:
    """A watch of one table (see `specialise` for the arguments); None where there is no such table."""
    return watch_of(whole, parts_of(whole), specialise(whole, players, variants, options))


def watch_of(whole: model.Model, parts: Iterable[Part], found: Specialised) -> Watch | None:
    """A watch of a table that is there already; None if it cannot be played."""
    if found.table is None:
        return None
    marks = Marks()
    machine = lower(found.table, marks=marks).machine
    return None if machine is None else Watch(whole, parts, found, machine, marks)


def _itself(cells: Cells, condition: Condition | None, reason: Message) -> Condition | None:
    return condition


def _rows(declared: model.TableDeclaration, table: Table) -> dict[int | None, Place]:
    """The rows of a table by key; None: all others."""
    found: dict[int | None, Place] = {}
    for row in declared.rows:
        if row.key is None:
            found[None] = Place("row", row.span)
    for key, span in table.columns[declared.name, declared.columns[0]].rows.items():
        found[key] = Place("row", span)
    return found
