"""For the King (and Me) by hand in plain Python, from the rulebook's points: a second opinion on `games/for_the_king.rules`."""

from __future__ import annotations

import csv
from pathlib import Path

from attrs import define, field, frozen

from .by_hand import Course, Play, Result, Turn, drawn, ranked

DATA = Path(__file__).parents[2] / "games" / "data" / "for_the_king.csv"
OFFICES = ("diplomacy", "entertainment", "livestock", "architecture", "military", "provisions")
DECK = {2: 60, 3: 72, 4: 80, 5: 108}  # cards that are drawn in the first phase
CHANGES = {  # what each part of a king card may do
    "raise_or_lower": (("raise", "lower"),),
    "raise_one": (("raise",),),
    "lower_one": (("lower",),),
    "raise_two": (("raise",), ("raise",)),
    "lower_two": (("lower",), ("lower",)),
    "raise_and_lower": (("raise",), ("lower",)),
}


@frozen
class Card:
    kind: str
    office: str = ""
    value: int = 0
    letter: str = ""
    effect: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.kind, self.office, str(self.value or ""), self.letter, self.effect)))


def box(players: int) -> list[Card]:
    """The cards for so many players, as often as there are copies."""
    with DATA.open(encoding="utf-8") as rows:
        return [
            Card(row["kind"], row["office"], int(row["value"] or 0), row["letter"], row["effect"])
            for row in csv.DictReader(rows)
            if int(row["from_players"] or 0) <= players
            for _ in range(int(row["count"]))
        ]


BY_NAME = {str(card): card for card in box(5)}


@define
class Table:
    players: int
    highest_bid: int = 30
    claim_without_cards: bool = False
    unseen: list[Card] = field(init=False)  # the deck and, since nobody knows which they are, the cards left out at random
    hands: list[list[Card]] = field(init=False)  # in the first phase the own piles
    favours: list[Card] = field(factory=list)
    gone: list[Card] = field(factory=list)
    first_office: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.unseen = box(self.players)
        self.hands = [[] for _ in self.seats]
        self.first_office = {office: 3 for office in OFFICES if self.players == 5 or office != "livestock"}

    @property
    def seats(self) -> range:
        return range(self.players)

    def clockwise(self, first: int) -> list[int]:
        return [(first + step) % self.players for step in self.seats]

    def left(self, seat: int) -> int:
        return (seat + 1) % self.players

    # ---- Cards change hands

    def draw(self, cards: list[Card]) -> Course[Card]:
        card = BY_NAME[(yield from drawn(map(str, cards)))]
        cards.remove(card)
        return card

    def choose(self, seat: int, verb: str, cards: list[Card]) -> Course[Card]:
        chosen = yield Turn(seat, frozenset(f"{verb} {card}" for card in cards))
        return BY_NAME[chosen.removeprefix(f"{verb} ")]

    def receive(self, seat: int, card: Card) -> Course[None]:
        if card.kind == "king":
            yield from self.apply(seat, card.effect)
            self.gone.append(card)
        else:
            self.hands[seat].append(card)

    def apply(self, seat: int, effect: str) -> Course[None]:
        changed: set[str] = set()
        for directions in CHANGES[effect]:
            limits = {"raise": 6, "lower": 1}
            legal = frozenset(
                f"{direction} {office}"
                for direction in directions
                for office, value in self.first_office.items()
                if value != limits[direction] and office not in changed
            )
            if legal:
                direction, office = (yield Turn(seat, legal)).split()
                self.first_office[office] += 1 if direction == "raise" else -1
                changed.add(office)

    # ---- The course of the game

    def play(self) -> Play:
        first = yield from drawn(f"player {seat + 1}" for seat in self.seats)
        advisor = int(first.removeprefix("player ")) - 1
        for _ in range(DECK[self.players] // (self.players + 1)):
            yield from self.advise(advisor)
            advisor = self.left(advisor)
        starter = advisor  # whose turn it would be: the player left of the last advisor
        while self.favours:
            yield from self.auction((yield from self.draw(self.favours)), starter)
            starter = self.left(starter)
        return self.result()

    def advise(self, advisor: int) -> Course[None]:
        room = {"keep": 1, "favour": 1, "offer": self.players - 1}
        centre: list[Card] = []
        for _ in range(self.players + 1):
            card = yield from self.draw(self.unseen)
            chosen = yield Turn(advisor, frozenset(verb for verb in room if room[verb]))
            room[chosen] -= 1
            if chosen == "keep":
                yield from self.receive(advisor, card)
            elif chosen == "favour":
                self.favours.append(card)
            else:
                centre.append(card)
        for seat in self.clockwise(advisor)[1:]:
            card = yield from self.choose(seat, "take", centre)
            centre.remove(card)
            yield from self.receive(seat, card)

    def auction(self, card: Card, starter: int) -> Course[None]:
        bidders = self.clockwise(starter)
        while True:
            buyer, price = yield from self.bidding(bidders)
            if buyer is None:
                self.gone.append(card)
                return
            if self.means(buyer, card) >= price:
                yield from self.pay(buyer, card, price)
                yield from self.receive(buyer, card)
                return
            bidders.remove(buyer)
            if self.hands[buyer]:
                self.gone.append((yield from self.draw(self.hands[buyer])))

    def bidding(self, bidders: list[int]) -> Course[tuple[int | None, int]]:
        """Who buys (None: nobody) and for how much."""
        queue, price = list(bidders), 0
        while queue and not (price and len(queue) == 1):
            seat = queue.pop(0)
            bids = {f"bid {amount}" for amount in range(price + 1, self.highest_bid + 1)}
            chosen = yield Turn(seat, frozenset(bids | {"pass"}))
            if chosen != "pass":
                price = int(chosen.removeprefix("bid "))
                queue.append(seat)
        return (queue[0] if queue else None), price

    def worth(self, payment: Card, card: Card) -> int:
        """What a card counts when it pays for another: gold is bought with cards, all else with gold."""
        if card.kind == "gold":
            return 1
        return payment.value if payment.kind == "gold" else 0

    def means(self, seat: int, card: Card) -> int:
        return sum(self.worth(payment, card) for payment in self.hands[seat])

    def pay(self, seat: int, card: Card, price: int) -> Course[None]:
        while price > 0:
            payment = yield from self.choose(seat, "pay", [c for c in self.hands[seat] if self.worth(c, card)])
            self.hands[seat].remove(payment)
            self.gone.append(payment)
            price -= self.worth(payment, card)

    # ---- The end

    def of_office(self, seat: int, office: str) -> list[Card]:
        return [card for card in self.hands[seat] if card.office == office]

    def best_letter(self, seat: int, office: str) -> int:
        """Nearer to A is more; nothing without a card."""
        return max((ord("Z") - ord(card.letter) for card in self.of_office(seat, office)), default=0)

    def claims(self, office: str) -> list[list[int]]:
        """The seats that have a claim to an office, the strongest first; who hold no card of it are level."""

        def strength(seat: int) -> tuple[int, int]:
            return sum(card.value for card in self.of_office(seat, office)), self.best_letter(seat, office)

        holders = sorted((seat for seat in self.seats if self.of_office(seat, office)), key=strength, reverse=True)
        others = [seat for seat in self.seats if seat not in holders]
        return [[seat] for seat in holders] + ([others] if self.claim_without_cards and others else [])

    def points(self, seat: int) -> int:
        total = 0
        for office, value in self.first_office.items():
            nobody: list[int] = []
            first, second = (*self.claims(office), nobody, nobody)[:2]
            if seat in first:
                total += value
            elif seat in second and len(first) == 1 and self.players > 2:
                total += value // 2
        return total

    def gold(self, seat: int) -> int:
        return sum(card.value for card in self.hands[seat] if card.kind == "gold")

    def result(self) -> Result:
        keys: list[tuple[int, ...]] = []
        for seat in self.seats:
            chain = ((len(self.of_office(seat, office)), self.best_letter(seat, office)) for office in OFFICES)
            keys.append((self.points(seat), self.gold(seat), *(part for parts in chain for part in parts)))
        return Result({"offices": [self.points(seat) for seat in self.seats]}, ranked(keys))
