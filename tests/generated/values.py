"""Generates values for the lines of a file: players, words, cells, sets of cards, numbers, conditions."""

from __future__ import annotations

from hypothesis import strategies as st

from .drawing import Drawing, Noun

SUITS = ("red", "blue", "green", "black", "white")
MOODS = ("calm", "angry", "merry", "sad")
DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


class Values(Drawing):
    """What a file declares, as far as it is drawn, what is known at a line, and values made of that."""

    def __init__(self, draw: st.DrawFn) -> None:
        super().__init__(draw)
        # What the file declares.
        self.suits: tuple[str, ...] = SUITS[:2]
        self.ranks = (0, 0)
        self.size = 0  # cards in all
        self.distinct = self.sealed = self.worn = self.counted = False  # of cards: no two are equal; what is told of each
        self.mixed = False  # cards lie beside gems
        self.several = False  # zones and counters that belong to words, or to several things at once
        self.board = self.owned_stones = self.crowned = self.tiles = self.gems = self.auctions = self.positions = False
        self.match = ""
        self.counters: dict[str, tuple[int, int]] = {}  # the range of each
        self.defined: set[str] = set()  # defines, and the score, that can be asked for here
        # What is known at a line.
        self.scope: list[Noun] = []
        self.named = 0

    def new(self, sort: str) -> str:
        self.named += 1
        return f"{sort}_{self.named}"

    def known(self, sort: str) -> str:
        """A noun of a sort, the newest mostly; "" where there is none."""
        names = [noun.name for noun in self.scope if noun.sort == sort]
        if not names:
            return ""
        return names[-1] if not self.once_in(3) else self.pick(names)

    def bound(self, sort: str, name: str = "") -> tuple[str, Noun]:
        """How a thing of a sort is called where it comes up, and the noun for it: one of its own where the usual is taken."""
        usual = name or sort
        if all(noun.name != usual for noun in self.scope):
            return (sort if usual == sort else f"{sort} {usual}"), Noun(usual, sort)
        other = self.new(sort)
        return f"{sort} {other}", Noun(other, sort)

    def if_defined(self, define: str, *sentences: str) -> tuple[str, ...]:
        """What can be said where a define is known; a define cannot speak of itself, nor the score of the score."""
        return sentences if define in self.defined else ()

    def bound_to_suit(self) -> bool:
        """Whether ``suit`` is one suit here, the same for all cards."""
        return any(noun.name == "suit" for noun in self.scope)

    def player(self) -> str:
        known = self.known("player")
        kind = self.upto(0, 9)
        if known and kind < 5:
            return known
        match kind:
            case 6 if known:
                return f"left of {known}"
            case 7 if known:
                return f"(2 seats right of {known})"
            case 8:
                return "player 1"
            case 9 if known and not self.once_in(3):
                return f"right of {known}"
            case _:
                return "leader"

    def players_of(self) -> str:
        """A set of players."""
        mighty = self.if_defined("mighty", "(players where mighty)", "rich")
        return self.pick(
            ("players", "(players with ready no)", f"(players with coins > {self.upto(0, 5)})", f"opponents of {self.player()}",
             f"team of {self.player()}", "(all best of players by highest coins)", *mighty)
        )  # fmt: skip

    def suit(self) -> str:
        known, card = self.known("suit"), self.known("card")
        kind = self.upto(0, 5)
        if known and kind < 3:
            return known
        if card and kind == 3:
            return f"(suit of {card})"
        if known and kind == 4:
            return f"(rival for {known})"
        return self.pick(self.suits)

    def mood(self) -> str:
        known = self.known("mood")
        return known if known and self.maybe() else self.pick(MOODS[:2])

    def cells(self) -> str:
        """A set of cells of the board."""
        stones = f"(board with owner {self.player()})" if self.owned_stones else "(board with tone dark)"
        if self.crowned and self.once_in(3):
            stones = f"(board with crowned {self.pick(('yes', 'no'))})"
        direction = self.pick(DIRECTIONS)
        return self.pick(
            ("empty cells of board", "empty cells of board", "cells of board", stones, f"cells next to {stones}", "board",
             f"({stones} shifted {direction})", f"(empty cells of board shifted {direction})", f"({stones} shifted diagonals)",
             f"({stones} shifted (forward for {self.player()}))")
        )  # fmt: skip

    def stones(self) -> str:
        """Some of the stones."""
        return f"every stone with owner {self.player()}" if self.owned_stones else "every stone with tone dark"

    def of_several(self) -> tuple[str, ...]:
        """Zones that belong to words, or to several things at once."""
        if not self.several:
            return ()
        return f"pool of {self.suit()}", f"vault of {self.player()} for {self.suit()}", "every vault"

    def gems_of(self, player: str) -> str:
        """The gems of a player."""
        return f"{'gem of ' if self.mixed else ''}purse of {player}"

    def cards(self, depth: int) -> str:
        """A set of cards."""
        kind = self.upto(0, 9) if depth > 0 else self.upto(0, 4)
        hand, stack = f"hand of {self.player()}", f"stack of {self.player()}"
        base = self.pick(("row", hand, hand, "secret", "every hand", "discard", stack, *self.of_several()))
        match kind:
            case 0 | 1 | 2 | 3 | 4:
                return self.known("cards") or base
            case 5:
                return f"({base} with suit {self.pick(('', 'not '))}{self.suit()})"
            case 6:
                return f"({base} with rank {self.pick(('at least', '<', '>', 'at most'))} {self.upto(*self.ranks)})"
            case 7:
                other = self.pick((self.cards(depth - 1), *filter(None, (self.known("card"),))))
                return f"({self.cards(depth - 1)} {self.pick(('+', 'without', 'also in'))} {other})"
            case 8:
                keys = ["highest rank", *self.if_defined("low", "low, then highest rank", "highest grade")]
                if not self.bound_to_suit():
                    keys.append("lowest suit")
                return f"(all best of {self.cards(depth - 1)} by {self.pick(keys)})"
            case _:
                low = self.if_defined("low", f"({base} where low)", f"({base} where not low)")
                return self.pick((*low, f"all [{self.pick(self.suits)}]", "every card"))

    def number(self, depth: int) -> str:
        """A number."""
        if depth <= 0:
            return self.small_number()
        match self.upto(0, 18):
            case 0 | 1:
                return self.small_number()
            case 2:
                return f"({self.number(depth - 1)} + {self.number(depth - 1)})"
            case 3:
                what = self.pick(("{} - {}", "larger of {} and {}", "smaller of {} and {}", "distance between {} and {}"))
                apart = f"(distance between {self.player()} and {self.player()})"
                return self.pick((f"({what.format(self.number(depth - 1), self.number(depth - 1))})", apart))
            case 4:
                other = self.pick(("-3", "2", "7", f"(({self.number(0)}) mod 100)"))
                return f"(({self.number(depth - 1)}) mod {self.pick((7, 60, 1000))} * {other})"
            case 5:
                by = self.pick(("2", "3", "64", "(n mod 3 + 1)", "(0 - 2)", "n", f"count of {self.cards(0)}", "(2 - n)"))
                return f"({self.number(depth - 1)} / {by} rounded {self.pick(('down', 'up'))})"
            case 6 | 7:
                return f"count of {self.cards(depth - 1)}"
            case 8:
                squares = f"(total (number * number) for each number in {self.upto(0, 3)}..{self.upto(3, 6)})"
                return self.pick((f"total rank of {self.cards(depth - 1)}", squares))
            case 9:
                tally = self.if_defined("tally", "tally")
                key = self.pick((f"(({self.number(depth - 1)}) mod 6)", f"count of hand of {self.player()}", *tally))
                return f"worth for {key}"
            case 10 if self.gems and self.maybe():
                purse, suit = self.gems_of(self.player()), self.known("suit") or self.pick(self.suits)
                dear = f"{purse} with toll for {self.suit()} > {self.upto(0, 9)}"
                return self.pick((f"total toll for {suit} of {purse}", f"count of ({dear})"))
            case 10:
                return f"cost for {self.suit()}"
            case 11 if card := self.known("card"):
                return self.pick((f"rank of {card}", f"cost of {card}", *self.if_defined("grade", f"grade of {card}")))
            case 12 if self.board:
                regions = f"count of regions of board by {'owner' if self.owned_stones else 'tone'}"
                return self.pick((f"size of {self.cells()}", f"width of {self.cells()}", regions, "height of board"))
            case 13 | 18:
                share = self.if_defined("share", f"share of {self.player()} for {self.suit()}")
                return self.pick((*share, "steep for (n mod 4)", "steep for (n mod 3)", "gift"))
            case 14:
                player = self.player()
                first = f"{self.pick(('highest', 'lowest'))} coins among {self.players_of()}"
                return self.pick(
                    (
                        first if self.counters["coins"][0] >= 0 else "2",  # where it is none, it must not be taken for -1
                        f"count of team of {player}",
                        f"count of opponents of {player}",
                        f"count of {self.players_of()}",
                        f"count of every {self.pick(('suit', 'card', 'mood'))}",
                        f"(5 - count of (hand of {player} with suit {self.suit()}))",
                    )
                )
            case 15 if "score" in self.defined:
                player = self.player()
                return self.pick((f"score of {player}", f"score of {player} for main", f"score of team of {player}"))
            case 16 if self.match:
                return "games_played"
            case 17 if card := self.known("card"):
                return f"tickets of {card}" if self.counted else f"wear of {card}" if self.worn else f"rank of {card}"
            case _:
                return self.small_number()

    def small_number(self) -> str:
        known = self.known("number")
        if known and self.maybe():
            return known
        match self.upto(0, 7):
            case 0 | 1:
                return str(self.upto(0, 9))
            case 2:
                return "n"
            case 3 | 4:
                return f"coins of {self.player()}"
            case 5:
                several = (f"depth of {self.player()} for {self.suit()}", f"knots of {self.upto(2, 6)}")
                return self.pick((f"stock of {self.suit()}", *(several if self.several else ())))
            case 6:
                return f"seat of {self.player()}"
            case _:
                return self.pick((f"heat of {self.mood()}", "(players - 1)", "rounds"))

    def condition(self, depth: int) -> str:
        if depth <= 0:
            return f"{self.small_number()} {self.compare()} {self.small_number()}"
        if self.positions and self.once_in(6):
            return self.pick(("position was seen before", f"position repeats {self.upto(0, 3)} times"))
        match self.upto(0, 18):
            case 0 | 1:
                return f"{self.number(depth)} {self.compare()} {self.number(depth - 1)}"
            case 2:
                return f"({self.condition(depth - 1)} and {self.condition(depth - 1)})"
            case 3:
                return f"({self.condition(depth - 1)} or {self.condition(depth - 1)})"
            case 4:
                return f"not ({self.condition(depth - 1)})"
            case 5:
                return f"{self.cards(depth - 1)} is {self.pick(('', 'not '))}empty"
            case 6:
                each = f"with suit {self.suit()}"
                what = self.pick((f"a card {each}", f"only cards {each}", f"no card with rank {self.upto(*self.ranks)}"))
                return f"{self.cards(0)} has {what}"
            case 7:
                which = self.pick(
                    (
                        f"with coins > {self.upto(0, 5)}",
                        "with ready yes",
                        "with hand empty",
                        f"where (coins {self.compare()} count of hand or hand has a card with suit {self.suit()})",
                    )
                )
                return f"{self.pick(('somebody', 'nobody', 'everybody'))} {which}"
            case 8:
                return f"{self.player()} is {self.pick(('', 'not '))}{self.player()}"
            case 9:
                named, first = f"named of {self.player()} is {self.suit()}", f"first_one is {self.player()}"
                return self.pick((named, f"trend is {self.mood()}", "first_one is none", first, "trump is empty"))
            case 10 if card := self.known("card"):
                ranked = f"rank of {card} {self.compare()} {self.number(0)}"
                suit = self.pick((self.suit(), "suit of trump"))
                return self.pick((f"suit of {card} is {suit}", ranked, f"{card} in {self.cards(0)}"))
            case 11 if self.known("suit"):
                return f"{self.known('suit')} {self.pick(('is', '<', 'is not'))} {self.suit()}"
            case 12 if self.board:
                touching = f"{self.cells()} touches {self.cells()}"
                return self.pick((touching, "empty cells of board is empty", "a1 in board", "height of board < 3"))
            case 13 if card := self.known("card"):
                if self.worn:
                    return self.pick((f"holder of {card} is none", f"wear of {card} > 1", f"holder of {card} is {self.player()}"))
                return f"seal of {card} is {self.pick(('none', 'wax'))}" if self.sealed else f"rank of {card} > 2"
            case 14:
                return f"({self.number(depth - 1)}) mod 60 in {self.pick(('1..3', '(0, 2, 4)', '-3..n'))}"
            case 15:
                return f"ready of {self.player()}"
            case 16:
                mighty = self.if_defined("mighty", f"{self.pick(('somebody', 'nobody'))} is mighty")
                first = f"first player with coins > {self.upto(0, 5)} clockwise from {self.player()}"
                return self.pick(
                    (f"{self.player()} in {self.players_of()}", f"{first} is {self.player()}", "best_seen is none", *mighty,
                     f"{self.player()} is best of players by highest coins, then lowest seat", "highest rank among row > 2",
                     f"owner of trump is {self.player()}", "best_seen in row", "ready of leader is yes")
                )  # fmt: skip
            case 17 if "mighty" in self.defined:
                return f"mighty of {self.player()}"
            case 18 if (card := self.known("card")) and "low" in self.defined:
                return self.pick((f"low of {card}", f"best_seen is {card}", f"owner of {card} is {self.player()}"))
            case _:
                return f"{self.small_number()} {self.compare()} {self.upto(0, 9)}"

    def compare(self) -> str:
        return self.pick(("is", "is not", "<", ">", "at least", "at most"))

    def rarely(self) -> str:
        return f"({self.number(1)}) mod 7 is {self.upto(0, 6)}"
