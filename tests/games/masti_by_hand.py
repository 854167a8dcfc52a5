"""Suits of Power written by hand in plain Python, from the rulebook's points alone: a second opinion on `games/masti.rules`."""

from __future__ import annotations

import csv
from pathlib import Path

from attrs import define, field, frozen

from .by_hand import Course, Play, Result, Turn, drawn, ranked

DATA = Path(__file__).parents[2] / "games" / "data" / "masti.csv"
GUILD_POINTS = (0, 1, 3, 6, -1, -3, -6, 10, 15)
POWER_POINTS = (0, -1, -3, -6, 10)
DEAL = {3: (12, 4), 4: (10, 2), 5: (8, 4), 6: (8, 4)}  # cards and gems for each player


@frozen
class Card:
    person: str
    rank: int
    guild: str

    def __str__(self) -> str:
        return f"{self.person} {self.rank}" + (f" ({self.guild})" if self.guild else "")


with DATA.open(encoding="utf-8") as rows:
    CARDS = [Card(row["person"], int(row["rank"]), row["guild"]) for row in csv.DictReader(rows)]
BY_NAME = {str(card): card for card in CARDS}
GUILDS = sorted({card.guild for card in CARDS} - {""})


@define
class Table:
    players: int
    teams: bool
    jokers_optional: bool
    trumps: set[Card] = field(factory=lambda: set(CARDS))
    hands: list[set[Card]] = field(init=False)
    won: list[set[Card]] = field(init=False)
    gems: list[int] = field(init=False)
    wealth: list[int] = field(init=False)
    joined: set[tuple[int, str]] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.hands, self.won = [set() for _ in self.seats], [set() for _ in self.seats]
        self.gems, self.wealth = [DEAL[self.players][1] for _ in self.seats], [0 for _ in self.seats]

    @property
    def seats(self) -> range:
        return range(self.players)

    def partner(self, seat: int) -> int | None:
        return (seat + self.players // 2) % self.players if self.teams else None

    def clockwise(self, first: int) -> list[int]:
        return [(first + step) % self.players for step in self.seats]

    # ---- The course of the game

    def play(self) -> Play:
        leader = int((yield from drawn(f"player {seat + 1}" for seat in self.seats)).removeprefix("player ")) - 1
        for seat in self.seats:
            for _ in range(DEAL[self.players][0]):
                self.hands[seat].add((yield from self.draw()))
        if self.players == 6:
            opposite = self.clockwise(leader)[3:]
            for seat in opposite:
                self.hands[seat].add((yield from self.draw()))
            for seat in opposite:
                card = yield from self.choose(seat, "add", self.hands[seat])
                self.hands[seat].remove(card)
                self.trumps.add(card)
        left: set[Card] = set()  # six players: the cards that the winners leave
        refills = 2 if self.players == 6 else 0
        while any(self.hands) and (self.trumps or refills):
            if not self.trumps:
                self.trumps, left, refills = left, set(), refills - 1
            leader = yield from self.round(leader, left)
        yield from self.jokers()
        return self.result()

    def draw(self) -> Course[Card]:
        card = BY_NAME[(yield from drawn(map(str, self.trumps)))]
        self.trumps.remove(card)
        return card

    def choose(self, seat: int, verb: str, cards: set[Card]) -> Course[Card]:
        chosen = yield Turn(seat, frozenset(f"{verb} {card}" for card in cards))
        return BY_NAME[chosen.removeprefix(f"{verb} ")]

    def round(self, leader: int, left: set[Card]) -> Course[int]:
        trump = yield from self.draw()
        for seat in self.seats:
            if not self.hands[seat]:
                self.gems[seat] = 0
        while not self.hands[leader]:
            leader = (leader + 1) % self.players
        played: dict[int, Card] = {}
        led, pot = "", 0
        for seat in [seat for seat in self.clockwise(leader) if self.hands[seat]]:
            following = {card for card in self.hands[seat] if card.person == led}
            legal = {f"play {card}" for card in following or self.hands[seat]}
            if played and self.gems[seat]:
                legal.add("play a gem")
            chosen = yield Turn(seat, frozenset(legal))
            if chosen == "play a gem":
                self.gems[seat] -= 1
                pot += 1
                continue
            played[seat] = BY_NAME[chosen.removeprefix("play ")]
            self.hands[seat].remove(played[seat])
            led = led or played[seat].person
        person = trump.person if any(card.person == trump.person for card in played.values()) else led
        winner = max((seat for seat in played if played[seat].person == person), key=lambda seat: played[seat].rank)
        taken = {trump, *played.values()}
        if self.players == 6:
            card = yield from self.choose(winner, "leave", taken)
            taken.remove(card)
            left.add(card)
        self.won[winner] |= taken
        self.wealth[winner] += pot
        return winner

    # ---- Jokers and scores

    def pile(self, seat: int, guild: str) -> int:
        return sum(card.guild == guild for card in self.won[seat])

    def counts(self, seat: int, guild: str) -> bool:
        """Whether a seat's pile of a guild scores: of partners' piles the smaller, of equal ones the earlier seat's."""
        mine, partner = self.pile(seat, guild), self.partner(seat)
        theirs = self.pile(partner, guild) if partner is not None else 0
        if not mine or partner is None or not theirs:
            return bool(mine)
        return (mine, seat) < (theirs, partner)

    def jokers(self) -> Course[None]:
        for seat in self.seats:
            for joker in [card for card in CARDS if card.rank == 1 and card in self.won[seat]]:
                piles = [g for g in GUILDS if self.counts(seat, g) and (seat, g) not in self.joined]
                legal = {f"join {guild}" for guild in piles} | ({"discard"} if piles and self.jokers_optional else set())
                chosen = (yield Turn(seat, frozenset(legal))) if legal else "discard"
                if chosen == "discard":
                    self.won[seat].remove(joker)
                else:
                    self.joined.add((seat, chosen.removeprefix("join ")))

    def result(self) -> Result:
        def printed(rank: int) -> list[int]:
            return [sum(card.rank == rank for card in self.won[seat]) for seat in self.seats]

        guilds = [
            sum(GUILD_POINTS[self.pile(seat, g) + ((seat, g) in self.joined)] for g in GUILDS if self.counts(seat, g))
            for seat in self.seats
        ]
        terms = {
            "guilds": guilds,
            "power": [POWER_POINTS[number] for number in printed(13)],
            "bonus": [2 * number for number in printed(3)],
            "penalty": [-2 * number for number in printed(2)],
            "gems": self.wealth,
        }
        keys: list[tuple[int, ...]] = [
            (sum(term[seat] for term in terms.values()), len(self.won[seat]), self.wealth[seat]) for seat in self.seats
        ]
        if self.teams:
            keys = [tuple(a + b for a, b in zip(keys[s], keys[self.partner(s) or 0], strict=True)) for s in self.seats]
        return Result(terms, ranked(keys))
