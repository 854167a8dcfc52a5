"""Compiled decisions and chance events: how to compute what is legal there, and how to go on.

`Decision` and `ChanceEvent` are the compiled forms of `Choose` and `Chance`. To *ask* one is to compute its *answers*: for a
decision the legal positions of each alternative, for a chance event its pool. They are kept in the cells, in the last slots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from attrs import define, frozen

from ...common.source import Span
from ..blocks import Decide, Happen
from ..machine import Alternative, Chance, Choose, Condition, Domain, Fault, Group, Machine, Message
from ..operators import Cells, Value
from .closures import Closures, Shown, StoryLine
from .observation import CHANCE, CHANCE_UNSEEN, UNSEEN, observed

Step = Callable[[Cells], int]  # runs something, and says which block comes next; below 0 if none does

STOPPED, OVER, HALTED = -1, -2, -3


@frozen
class Stop:
    """Why a machine stands still.

    ``kind``: at a decision or a chance event (``node`` says which); the game is over; an entered routine came to its end
    (halt; so is a fresh record); or a fault. ``text``: what the fault says; "" when the record was stopped earlier, since
    its text needs the moment's locals.
    """

    kind: Literal["decision", "chance", "over", "halt", "fault"]
    node: Choose | Chance | None = None
    fault: Fault | None = None
    text: str = ""

    @property
    def goes_on(self) -> bool:
        """Whether the last act is not complete: what is to be decided is a further part of it."""
        return isinstance(self.node, Choose) and self.node.so_far is not None


@frozen
class Refusal:
    """Why an option is not legal: the ``condition`` that failed (None: it is no candidate), and what it says."""

    condition: Condition | None
    message: Message
    text: str


class Story(Protocol):
    """Hears what happens, in order, when the machine has come to its next stop."""

    def note(self, text: str, seen: int, hidden: str | None, sentence: str) -> None:
        """A line for the seats in the set ``seen``; the others get ``hidden`` (None: nothing). ``sentence``: see `Message`."""

    def show(self, text: str, seen: int, hidden: str | None, sentence: str) -> None:
        """A line as in `note` about something that the seats were shown, which is a part of what they observed."""


def tell(story: Story, lines: Sequence[StoryLine | Shown]) -> None:
    """Tell a story what happened."""
    for line in lines:
        match line:
            case StoryLine(text=text, seen=seen, hidden=hidden, sentence=sentence):
                story.note(text, seen, hidden, sentence)
            case Shown(text=text, seen=seen, hidden=hidden, sentence=sentence):
                story.show(text, seen, hidden, sentence)


@define(eq=False)
class Offer:
    """An alternative of a decision. ``answer``: the slot of its legal positions. ``target``: the block of its body."""

    node: Alternative
    base: int
    size: int
    answer: int
    target: int
    candidates: Value
    legal: Value
    seen: Value
    tests: list[Value]
    outside: list[Value]
    slots: list[int]
    assign: Callable[[Cells, int], None]

    def offers(self, option: int) -> bool:
        """Whether an option number is one of this alternative's group."""
        return 0 <= option - self.base < self.size

    def allows(self, cells: Cells, option: int) -> bool:
        """Whether an option is this alternative's and legal, by the answers."""
        return self.offers(option) and bool(cells[self.answer] >> (option - self.base) & 1)


@define(eq=False)
class Decision:
    """A decision. ``ask`` works out the answers and returns whether anything is legal.

    ``groups``: for each group on offer, by ascending option numbers, its first number and the slots of its answers.
    """

    node: Choose
    stop: Stop
    player: Value
    offers: list[Offer]
    impossible: int
    ask: Callable[[Cells], bool]
    groups: list[tuple[int, list[int]]]

    def legal_by_group(self, cells: Cells) -> list[tuple[int, int]]:
        """For each group on offer, ascending, its first option number and its legal positions, by the answers."""
        found = []
        for base, slots in self.groups:
            legal = cells[slots[0]]
            for slot in slots[1:]:
                legal |= cells[slot]
            found.append((base, legal))
        return found


@define(eq=False)
class ChanceEvent:
    """A chance event. ``ask`` works out the pool and returns whether there is more than one bit in it.

    ``values``: the value of each bit. ``bits``: the bits of each value. ``observe``: lets the seats observe the value that it
    has got. ``tell``, ``show``: add it to the story, as an event and as what came because nothing else could.
    """

    node: Chance
    stop: Stop
    result: int
    answer: int
    values: Sequence[int]
    bits: dict[int, int]
    seen: Value
    observe: Callable[[Cells], None]
    tell: Callable[[Cells], object]
    show: Callable[[Cells], object]
    target: int
    ask: Callable[[Cells], bool]


def decision(end: Decide, groups: Sequence[Group], closures: Closures, answers: int) -> Decision:
    """Compile a decision; its answers begin at slot ``answers``."""
    choose = end.choose
    offers = [
        _offer(alternative, groups[alternative.group], closures, answers + index, end.bodies[index])
        for index, alternative in enumerate(choose.alternatives)
    ]
    by_base: dict[int, list[int]] = {}
    for offer in sorted(offers, key=lambda offer: offer.base):
        by_base.setdefault(offer.base, []).append(offer.answer)
    return Decision(
        choose,
        Stop("decision", choose),
        closures.value(choose.player),
        offers,
        end.impossible,
        _ask_for_legal([offer.legal for offer in offers], answers),
        list(by_base.items()),
    )


def _ask_for_legal(legal: list[Value], answers: int) -> Callable[[Cells], bool]:
    numbered = list(enumerate(legal, answers))

    def ask(cells: Cells) -> bool:
        found = 0
        for slot, value in numbered:
            cells[slot] = positions = value(cells)
            found |= positions
        return found != 0

    return ask


def _offer(alternative: Alternative, group: Group, closures: Closures, answer: int, target: int) -> Offer:
    slots = [closures.slot(local) for local in alternative.arguments]
    return Offer(
        alternative,
        group.base,
        group.size,
        answer,
        target,
        closures.value(alternative.candidates),
        closures.value(alternative.legal),
        closures.value(alternative.seen),
        [closures.test(condition.test) for condition in alternative.conditions],
        [closures.test(condition.test) for condition in alternative.outside],
        slots,
        _assign_arguments(slots, group.arguments),
    )


def _assign_arguments(slots: list[int], domains: Sequence[Domain]) -> Callable[[Cells, int], None]:
    """Let the arguments be those of the option at a position of its group (see `Group.values`)."""
    last_first = [(slot, len(domain.names), domain.low) for slot, domain in zip(slots, domains, strict=True)][::-1]

    def assign(cells: Cells, position: int) -> None:
        for slot, size, low in last_first:
            position, index = divmod(position, size)
            cells[slot] = low + index

    return assign


def chance_event(end: Happen, closures: Closures, answers: int) -> ChanceEvent:
    """Compile a chance event; its pool is kept at slot ``answers``."""
    chance = end.chance
    domain = chance.domain
    values = domain.copies or tuple(range(domain.low, domain.low + domain.bits))
    bits: dict[int, int] = {}
    for bit, value in enumerate(values):
        bits[value] = bits.get(value, 0) | 1 << bit
    pool = closures.value(chance.pool)
    result = closures.slot(chance.result)
    seen = closures.value(chance.seen)

    def ask(cells: Cells) -> bool:
        cells[answers] = found = pool(cells)
        if not found:
            raise ValueError("a chance event without a possible value")
        return found.bit_count() > 1

    hidden = observed(CHANCE_UNSEEN, chance.site, 0, UNSEEN)
    to_observers = closures.observer.observe_or_else

    def observe(cells: Cells) -> None:
        to_observers(cells, seen(cells), observed(CHANCE, chance.site, 0, cells[result]), hidden)

    return ChanceEvent(
        chance,
        Stop("chance", chance),
        result,
        answers,
        values,
        bits,
        seen,
        observe,
        closures.note(chance.text, seen, chance.hidden) if closures.narrate else _silent,
        closures.note(chance.text, seen, chance.hidden, Shown) if closures.narrate else _silent,
        end.after,
        ask,
    )


def _silent(cells: Cells) -> None:
    """Nothing is told."""


def refusing(machine: Machine, refusals: list[tuple[Alternative, list[Refusal]]]) -> tuple[tuple[Span, str], ...]:
    """The conditions that refused something, with how much of it; the acts for which there was nothing to take.

    ``refusals``: for each alternative, why each of its candidates was not allowed.
    """
    places: dict[Span, str] = {}
    for alternative, each in refusals:
        verb = machine.groups[alternative.group].verb
        if not each:
            places.setdefault(alternative.span, f"there is nothing to `{verb}`")
        spans = [refusal.condition.span for refusal in each if refusal.condition is not None]
        for span in dict.fromkeys(spans):
            count = "" if len(each) == 1 else f" all {len(each)}" if spans.count(span) == len(each) else f" {spans.count(span)}"
            places.setdefault(span, f"refuses{count and f'{count} of'} `{verb}`")
    return tuple(places.items())
