"""Generates sentences without a block: changes, moves, chance, what is shown and laid."""

from __future__ import annotations

from hypothesis import strategies as st

from .drawing import Lines, Noun, indented
from .values import Values


class Sentences(Values):
    """Statements of one line, or of one line under a condition."""

    def __init__(self, draw: st.DrawFn) -> None:
        super().__init__(draw)
        self.stops = True  # whether something may stop here
        self.steps: list[tuple[str, bool]] = []  # steps that can be done, each with whether it may stop

    def fitted(self, name: str, depth: int = 2) -> str:
        """A number for a counter; seldom one that may not fit."""
        low, high = self.counters[name]
        number = self.number(depth)
        if self.once_in(12):
            return number
        size = min(high - low + 1, 999_999_999)
        turned = f"({number}) mod {size}"
        return f"{turned} + {low}" if low > 0 else f"{turned} - {-low}" if low < 0 else turned

    def counter(self) -> tuple[str, str]:
        """A counter's name and how it is used."""
        name = self.pick(tuple(self.counters))
        match name:
            case "coins":
                return name, f"coins of {self.player()}"
            case "stock":
                return name, f"stock of {self.suit()}"
            case "heat":
                return name, f"heat of {self.mood()}"
            case "depth":
                return name, f"depth of {self.player()} for {self.suit()}"
            case "knots":
                return name, f"knots of {self.pick((str(self.upto(2, 6)), f'({self.small_number()} mod 5 + 2)'))}"
            case _:
                return name, name

    def change(self) -> Lines:
        name, used = self.counter()
        low, high = self.counters[name]
        match self.upto(0, 4):
            case 0:
                return [f"if {used} < {high}: add 1 to {used}"]
            case 1:
                return [f"if {used} > {low}: take 1 from {used}"]
            case 2 if self.worn and (card := self.known("card")):
                wear = f"set wear of {card} to ({self.number(1)}) mod 3"
                return [self.pick((f"set holder of {card} to {self.player()}", wear))]
            case 2 if self.counted and (card := self.known("card")):
                return [f"set tickets of {card} to ({self.number(1)}) mod 10"]
            case 3 if self.once_in(3):
                return [f"add {self.number(0)} to {used}" if self.maybe() else f"take {self.number(0)} from {used}"]
            case _:
                return [f"set {used} to {self.fitted(name)}"]

    def pay(self) -> Lines:
        _, used = self.counter()
        other, to = self.counter()
        if self.once_in(6):
            return [f"pay all from {used} to {to}"]
        if self.maybe():
            return [f"if {used} > 0 and {to} < {min(9, self.counters[other][1])}: pay 1 from {used} to {to}"]
        return [f"if {used} at least 2: pay {self.pick(('1', '2'))} from {used} to {to}"]

    def mark(self) -> Lines:
        match self.upto(0, 6):
            case 0:
                return [f"set leader to {self.player()}"]
            case 1:
                first = f"first player with coins > 1 clockwise from {self.player()}"
                return [f"set first_one to {self.pick((self.player(), 'none', first))}"]
            case 2:
                return [f"set named of {self.player()} to {self.pick((self.suit(), 'none'))}"]
            case 3:
                return [f"set ready of {self.player()} to {self.pick(('yes', 'no', f'({self.condition(1)})'))}"]
            case 4:
                return [f"set trend to {self.pick((self.mood(), 'none'))}"]
            case 5 if card := self.known("card"):
                return [f"set best_seen to {card}"]
            case _:
                return ["set best_seen to none"]

    def name(self) -> Lines:
        """A name for a value, from here on."""
        sort = self.pick(("number", "player", "suit", "cards"))
        match sort:
            case "number":
                value = self.number(2)
            case "player":
                value = self.player()
            case "suit":
                value = self.suit()
            case _:
                value = self.cards(1)
        name = self.new(sort)
        self.scope.append(Noun(name, sort))
        return [f"let {name} be {value}"]

    def place(self) -> tuple[str, str]:
        """A zone for cards to go to, and the condition under which one surely can."""
        player = self.player()
        return self.pick(
            (("row", ""), ("discard", ""), ("secret", ""), (f"hand of {player}", ""), (f"stack of {player}", ""), ("box", ""),
             (f"front of {player}", f"front of {player} is empty"), ("trump", "trump is empty"),
             *((zone, "") for zone in self.of_several()[:2]))
        )  # fmt: skip

    def move(self) -> Lines:
        to, free = self.place()
        slot = bool(free)
        match self.upto(0, 5):
            case 0 if card := self.known("card"):
                lines = [f"move {card} to {to}"]
            case 1 if not slot:
                lines = [f"move {self.source()} to {to}"]
            case 2:
                source = self.source()
                lines = [f"if {source} is not empty: move any card from {source} to {to}"]
                if slot:
                    return [f"if {source} is not empty and {free}: move any card from {source} to {to}"]
                return lines
            case 3 if not slot:
                lines = [f"move ({self.source()} with suit {self.suit()}) to {to}"]
            case 4 if not slot and self.stops:
                ranked = "highest rank" if self.bound_to_suit() or self.once_in(3) else "highest rank, then lowest suit"
                lines = [f"move best of {self.source()} by {ranked} to {to}"]
                return [f"if {self.condition(1)}", *indented(lines)]
            case 5:
                source = self.pick((f"front of {self.player()}", "trump"))
                lines = [f"if {source} is not empty: move {source} to {to if not slot else 'row'}"]
                return lines
            case _:
                lines = [f"move {self.source()} to {to if not slot else 'discard'}"]
                return lines
        return [f"if {free}", *indented(lines)] if slot and not self.once_in(8) else lines

    def source(self) -> str:
        """A zone of cards to take some from."""
        zones = ("row", "secret", f"hand of {self.player()}", "discard", f"stack of {self.player()}", "every hand")
        return self.pick((*zones, *self.of_several()))

    def draw_cards(self) -> Lines:
        pile = self.pick(("deck", "deck", "discard", f"stack of {self.player()}"))
        to = self.pick(("row", f"hand of {self.player()}", "secret"))
        if self.once_in(10):
            return [f"draw {self.pick(('2', 'gift'))} from {pile} to {to}"]
        if self.once_in(4):
            return [f"if count of {pile} at least 3: draw {self.pick(('2', '3'))} from {pile} to {to}"]
        return [f"if {pile} is not empty: draw 1 from {pile} to {to}"]

    def chance(self) -> Lines:
        match self.upto(0, 4):
            case 0:
                return ["set leader to a random player"]
            case 1:
                source, (to, free) = self.source(), self.place()
                return [f"if {source} is not empty{f' and {free}' if free else ''}: move a random card from {source} to {to}"]
            case 2:
                name = self.new("lucky")
                self.scope.append(Noun(name, "player"))
                return [f"let {name} be a random player from players{self.pick(('', ' with coins > 1', ' where mighty'))}"]
            case 3:
                return [f"set named of {self.player()} to a random suit"]
            case _:
                return ["set trend to a random mood"]

    def shuffle(self) -> Lines:
        return [self.pick((
            "shuffle discard", f"shuffle {self.source()} into deck", "shuffle deck", f"shuffle stack of {self.player()}",
            "shuffle discard into deck",
        ))]  # fmt: skip

    def remember(self) -> Lines:
        """Positions are remembered and asked for; seldom more than there is room for."""
        return self.pick((["remember position"], ["forget positions"], ["if position repeats 3 times: forget positions"]))

    def show(self) -> Lines:
        some = f"hand of {self.player()} with suit {self.suit()}"
        one = f"any card from hand of {self.player()}"
        what = self.pick((self.source(), f"front of {self.player()}", some))
        if self.once_in(5):
            return [f"{self.player()} looks at the top {self.pick(('', '2 ', 'rounds '))}of deck"]
        if self.once_in(5):
            return [f"swap hand of {self.player()} with hand of {self.player()}"]
        whom = self.pick((self.player(), f"opponents of {self.player()}", "all"))
        return [self.pick((f"reveal {what}", f"show {self.pick((what, one))} to {whom}"))]

    def do(self) -> Lines:
        able = [step for step, stops in self.steps if self.stops or not stops]
        return [f"do {self.pick(able).format(self.player(), self.suit())}"] if able else self.change()

    def move_gems(self) -> Lines:
        player = self.player()
        gems, cards = self.gems_of(player), f"card of purse of {player}"
        beside = (
            [f"move {self.cards(1)} to purse of {player}"],
            [f"move {cards} to hand of {player}"],
            [f"for each thing in purse of {player}", f"    if thing is a card: move thing to {self.pick(('secret', 'discard'))}"],
            [f"if count of purse of {player} > 3: move any card from purse of {player} to row"],
        )
        return self.pick(
            (
                [f"if bag is not empty: draw 1 from bag to purse of {player}"] if self.stops else [f"move {gems} to box"],
                [f"move {gems} to bag"],
                [f"move (purse of {player} with hue jade) to purse of left of {player}"],
                [f"if total weight of purse of {player} > 5: move any gem from purse of {player} to box"],
                *(beside if self.mixed else ()),
            )
        )

    def lay_stone(self) -> Lines:
        stone = f"stone of {self.player()}" if self.owned_stones else f"[{self.pick(('dark', 'pale'))}]"
        cell = self.known("cell")
        if cell:
            if self.crowned and self.maybe():
                return [f"if {cell} in board: set crowned of (stone of {cell}) to {self.pick(('yes', 'no'))}"]
            if self.maybe():
                return [f"if {cell} in board: move stone of {cell} to box"]
            some = f" and count of {stone} > 0" if self.owned_stones and self.once_in(3) else ""
            return [f"if {cell} in empty cells of board{some}: put {stone} on {cell}"]
        if self.maybe():
            return [f"put {stone} on {self.pick(('a1', 'middle of board'))}"]
        if self.once_in(3):
            return [self.pick(("move every stone to box", f"move ({self.stones()}) to box"))]
        return ["if board is not empty: move any stone from every stone to box"]

    def for_each_region(self) -> Lines:
        by = "owner" if self.owned_stones else "tone"
        return [f"for each region in regions of board by {by}", "    if size of region > 1 and n < 9: add 1 to n"]
