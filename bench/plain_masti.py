"""Masti Vlasti in plain Python: a yardstick written by hand for this one game, without looking for speed.

``python bench/plain_masti.py SECONDS [SEED] [--games N]``: whole random games of four players, each legal option with the same
chance, and one line of json as the engines in `bench/native/` print it.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TypeVar

DATA = Path(__file__).parent.parent / "games" / "data" / "masti.csv"
PLAYERS = 4
HAND_SIZE = 10
FIRST_GEMS = 2
GUILD_POINTS = [0, 1, 3, 6, -1, -3, -6, 10, 15]
POWER_POINTS = [0, -1, -3, -6, 10]


class Card:
    def __init__(self, person: str, rank: int, guild: str) -> None:
        self.person = person
        self.rank = rank
        self.guild = guild


GEM = None  # what a player may play instead of a card

Thing = TypeVar("Thing")

with DATA.open(encoding="utf-8", newline="") as rows:
    CARDS = [Card(row["person"], int(row["rank"]), row["guild"]) for row in csv.DictReader(rows)]


class Player:
    def __init__(self, hand: list[Card]) -> None:
        self.hand = hand
        self.gems = FIRST_GEMS
        self.wealth = 0
        self.won: list[Card] = []
        self.joined: set[str] = set()  # the guilds with a joker

    def legal(self, led: str | None) -> list[Card | None]:
        """The cards that may be played, and the gem."""
        if led is None:
            return list(self.hand)
        following = [card for card in self.hand if card.person == led]
        options: list[Card | None] = list(following or self.hand)
        if self.gems:
            options.append(GEM)
        return options

    def guild_sizes(self) -> dict[str, int]:
        sizes: dict[str, int] = {}
        for card in self.won:
            if card.guild:
                sizes[card.guild] = sizes.get(card.guild, 0) + 1
        return sizes

    def count(self, rank: int) -> int:
        return len([card for card in self.won if card.rank == rank])

    def score(self) -> int:
        guilds = sum(GUILD_POINTS[size + (guild in self.joined)] for guild, size in self.guild_sizes().items())
        return guilds + POWER_POINTS[self.count(13)] + 2 * self.count(3) - 2 * self.count(2) + self.wealth


class Game:
    """One game, played by `play`."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.decisions = 0
        self.options = 0
        cards = CARDS.copy()
        chance.shuffle(cards)
        self.players = [Player([cards.pop() for _ in range(HAND_SIZE)]) for _ in range(PLAYERS)]
        self.trumps = cards
        self.leader = chance.randrange(PLAYERS)

    def play(self) -> None:
        while self.trumps and any(player.hand for player in self.players):
            self.play_round(self.trumps.pop())
        for player in self.players:
            self.place_jokers(player)

    def play_round(self, trump: Card) -> None:
        seats = [(self.leader + i) % PLAYERS for i in range(PLAYERS)]
        seats = [seat for seat in seats if self.players[seat].hand]
        led = None
        played: list[tuple[int, Card]] = []
        gems = 0
        for seat in seats:
            player = self.players[seat]
            card = self.choose(player.legal(led))
            if card is GEM:
                player.gems -= 1
                gems += 1
            else:
                player.hand.remove(card)
                played.append((seat, card))
                if led is None:
                    led = card.person

        def strength(play: tuple[int, Card]) -> tuple[bool, bool, int]:
            card = play[1]
            return card.person == trump.person, card.person == led, card.rank

        self.leader = max(played, key=strength)[0]
        winner = self.players[self.leader]
        winner.won += [card for _, card in played] + [trump]
        winner.wealth += gems

    def place_jokers(self, player: Player) -> None:
        for joker in [card for card in player.won if card.rank == 1]:
            free = [guild for guild in player.guild_sizes() if guild not in player.joined]
            if free:
                player.joined.add(self.choose(free))
            else:
                player.won.remove(joker)

    def choose(self, options: Sequence[Thing]) -> Thing:
        self.decisions += 1
        self.options += len(options)
        return self.chance.choice(options)

    def winners(self) -> list[int]:
        keys = [(player.score(), len(player.won), player.wealth) for player in self.players]
        return [seat for seat, key in enumerate(keys) if key == max(keys)]


def play(seconds: float = 0, games: int = 1, seed: int = 1) -> dict[str, object]:
    """Play so many games at least, and for so many seconds at least: the statistics."""
    chance = random.Random(seed)
    count = decisions = options = 0
    scores = [0] * PLAYERS
    shares = [0.0] * PLAYERS
    start = perf_counter()
    while count < games or perf_counter() - start < seconds:
        game = Game(chance)
        game.play()
        winners = game.winners()
        for seat, player in enumerate(game.players):
            scores[seat] += player.score()
            shares[seat] += (seat in winners) / len(winners)
        count += 1
        decisions += game.decisions
        options += game.options
    passed = perf_counter() - start
    return {
        "players": PLAYERS,
        "games": count,
        "seconds": passed,
        "games_per_s": count / passed,
        "decisions_mean": decisions / count,
        "options_mean": options / decisions,
        "score_mean": [score / count for score in scores],
        "win_share": [share / count for share in shares],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Whole random games of Masti Vlasti in plain Python.")
    parser.add_argument("seconds", type=float, nargs="?", default=0.0, help="how long to play")
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--games", type=int, default=1, help="how many games at least")
    arguments = parser.parse_args()
    print(json.dumps(play(arguments.seconds, arguments.games, arguments.seed)))


if __name__ == "__main__":
    main()
