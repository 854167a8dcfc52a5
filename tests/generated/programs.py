"""What whole `.rules` files could somebody write? Random ones, put together from the sentences of the language.

`Programs` draws what a file declares, and then statements that speak of it: nearly every declaration, statement, clause and
expression of `grammar/rules.lark` can come up, in kinds of a few components or of hundreds, in zones of every shape, in domains
of every sort. What a sentence needs is made true where it can be (a card is drawn only from a pile that is not empty, a number is
counted round into its domain), but not always: some games are to be stopped by their faults. Some texts are refused by the
compiler; those who use them leave them out.

Numbers stay small enough for sums and products to stay within 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from attrs import frozen
from hypothesis import assume
from hypothesis import strategies as st
from rulesrun.interpreter.machine.machine import Machine

from ..pipeline import stages

_Kind = TypeVar("_Kind")

Lines = list[str]
SUITS = ("red", "blue", "green", "black", "white")
MOODS = ("calm", "angry", "merry", "sad")
# What tables say: a number range is told with how many numbers it has and the lowest, for counting round into it.
RANGES = ((0, 9), (0, 30), (-5, 12), (0, 255), (-100, 300), (0, 70_000), (-90_000_000, 90_000_000))
CARDS = ((3, 0, 3, 1), (2, 1, 4, 2), (4, 1, 6, 1), (3, 1, 2, 4), (5, 1, 15, 1), (5, 1, 29, 1), (4, 1, 6, 3), (2, 1, 2, 100))
GRIDS = ((3, 3), (1, 5), (5, 4), (9, 9), (12, 12), (8, 8))
VERBS = ("play", "keep_on", "give", "offer", "hide", "lay", "swap", "press", "call", "bury", "name", "buy", "visit", "trade")
STATEMENTS = 30  # of a file, in all its steps and phases


@frozen
class Noun:
    """A name that stands for one thing in the lines below: what it is called, and what sort of thing it is."""

    name: str
    sort: str


class Programs:
    """Draws one file."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.budget = STATEMENTS
        self.scope: list[Noun] = []
        self.stops = True  # whether something may stop here
        self.steps: list[tuple[str, bool]] = []  # steps that can be done, each with whether it may stop
        self.named = 0
        self.ends: list[str] = []  # steps and phases around this line
        self.defined: set[str] = set()  # defines that can be asked for here

    # ---- Choices

    def upto(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def pick(self, among: Sequence[_Kind]) -> _Kind:
        return among[self.draw(st.integers(0, len(among) - 1))]

    def maybe(self) -> bool:
        return self.draw(st.booleans())

    def once_in(self, n: int) -> bool:
        return self.draw(st.integers(0, n - 1)) == n - 1

    def new(self, sort: str) -> str:
        self.named += 1
        return f"{sort}_{self.named}"

    # ---- The whole

    def text(self) -> str:
        self.teams = self.once_in(8)
        self.players = "4" if self.teams else self.pick(("1..3", "2..3", "1..2", "2", "3", "1"))
        self.most = int(self.players[-1])
        self.alone = self.players.startswith("1")
        self.match = "" if not self.once_in(6) else self.pick(("games", "until"))
        self.marked, self.board, self.tiles, self.gems = (self.once_in(n) for n in (3, 3, 6, 4))
        self.auctions, self.triggers = self.once_in(4), self.once_in(3)
        declared = self.declarations()
        steps = [line for _ in range(self.upto(0, 2)) for line in self.step()]
        setup = self.setup()
        phases = [line for number in range(self.upto(1, 2)) for line in self.phase(number)]
        triggers = self.whenever() if self.triggers else []
        lines = [
            "game generated",
            f"    players {self.players}",
            *(["teams of 2, in turn"] if self.teams else []),
            *declared,
            *steps,
            *setup,
            *phases,
            *triggers,
            *self.sheet(),
        ]
        return "\n".join(lines) + "\n"

    # ---- Declarations

    def declarations(self) -> Lines:
        suits, low, high, copies = self.pick(CARDS)
        self.suits, self.ranks = SUITS[:suits], (low, high)
        self.distinct = copies == 1
        self.size = suits * (high - low + 1) * copies
        found = [
            "option rounds: 1..4, default 2",
            f"list mood: {', '.join(MOODS[: self.upto(2, 4)])}",
            f"cards card, {copies} of each",
            f"    suit: {', '.join(self.suits)}",
            f"    rank: {low}..{high}",
        ]
        self.sealed = self.size <= 60 and self.maybe()
        if self.sealed:
            found.append("    seal: wax, ink or none")
            self.size *= 3
        self.worn = self.distinct and self.once_in(3)
        if self.worn:
            found += ["    marker holder: player or none", f"    marker wear: {self.pick(('0..3', '-2..300'))}"]
        found += [
            "zone deck: pile of card, hidden",
            f"zone hand of player: set of card, {self.pick(('private', 'private', 'open', 'hidden'))}",
            f"zone row: {self.pick(('set', 'set', 'pile'))} of card, open",
            f"zone discard: pile of card, {self.pick(('open', 'hidden'))}",
            f"zone secret: set of card, {self.pick(('hidden', 'open'))}",
            f"zone front of player: slot of card, {self.pick(('open', 'private', 'hidden'))}",
            f"zone stack of player: pile of card, {self.pick(('private', 'hidden', 'open'))}",
            "zone trump: slot of card, open",
        ]
        if self.gems:
            found += ["pieces gem", "    hue: gold, jade", "    weight: 1..9", "    hue | weight | count", "    gold | 3 | 4"]
            found += [f"    jade | 5 | {self.pick((2, 30))}", "zone bag: pile of gem, hidden", "zone purse of player: set of gem, open"]
        if self.board:
            self.wide, self.tall = self.pick(GRIDS)
            kind, count = self.pick((("for each player", 3), ("for each player", 20), ("of each", 4)))
            self.owned_stones = kind == "for each player"
            found += [f"pieces stone, {count} {kind}"] + ([] if self.owned_stones else ["    tone: dark, pale"])
            found.append(f"zone board: grid of stone, {self.wide} x {self.tall}, open")
        if self.tiles:
            shape = self.pick(('"ab"', '"ab" ".c"', '"abc"', '"a" "b"'))
            found += ["tiles tile, 1 of each", f"    number: 1..{self.pick((2, 3))}"]
            found += ["    marker boss: player or none", f"    shape {shape}", "        land: wood, lake"]
            found += ["zone heap: pile of tile, hidden", "zone waste: set of tile, open"]
            side = self.pick((3, 5, 9, 12))
            found.append(f"zone realm of player: grid of tile, {side} x {side}, open")
        self.counters: dict[str, tuple[int, int]] = {}
        for name in ("n", "coins of player", "stock of suit", "heat of mood"):
            low, high = self.counters[name.split()[0]] = self.pick(RANGES)
            found.append(f"counter {name}: {low}..{high}{self.pick(('', '', ', hidden') if name == 'n' else ('', ', private' if name == 'coins of player' else ''))}")
        found += [
            "marker leader: player",
            "marker first_one: player or none",
            f"marker named of player: suit or none{self.pick(('', ', private'))}",
            "marker ready of player: yes or no",
            f"marker trend: mood or none{self.pick(('', ', hidden'))}",
            "marker best_seen: card or none",
            "table worth by level: 0: 1, 1: 3, 2: -2, 3: 40000, otherwise: 0",
            "table steep by rung: 0: 2, 1: 7, 2: 1",
            "table price by suit",
            "    suit | cost | rival",
            *(f"    {suit} | {self.upto(-3, 9)} | {self.pick(self.suits)}" for suit in self.suits),
            "table gift by players: 1: 1, 2: 4, otherwise: 2",
        ]
        self.scope = [Noun("card", "card")]
        found.append(f"define low of card: {self.condition(2)}")
        self.scope = [Noun("player", "player")]
        found += [f"define mighty of player: {self.condition(2)}", "define share of player for suit: count of hand of player with suit suit"]
        self.scope = [Noun("card", "card")]
        found += ["define grade of card", f"    {self.number(1)} if {self.condition(1)}", f"    otherwise {self.number(1)}"]
        self.scope = []
        self.rich = self.upto(0, 5)
        found += [f"define rich: players with coins > {self.rich}", f"define tally: ({self.number(2)}) mod 9"]
        self.defined = {"low", "mighty", "share", "grade", "rich", "tally"}
        return found

    def ask(self, define: str) -> str:
        return define if define in self.defined else "2"

    def step(self) -> Lines:
        """A step that is done by its name, of a player and perhaps for a suit."""
        name = self.new("step")
        with_suit, self.stops = self.maybe(), self.maybe()
        self.scope = [Noun("player", "player")] + ([Noun("suit", "suit")] if with_suit else [])
        self.ends = [name]
        body = self.body(2)
        self.steps.append((f"{name} of {{0}}" + (" for {1}" if with_suit else ""), self.stops))
        self.ends, self.stops, self.scope = [], True, []
        return [f"step {name} of player" + (" for suit" if with_suit else ""), *_in(body)]

    def setup(self) -> Lines:
        lines = ["shuffle every card into deck", f"set leader to {self.pick(('player 1', 'a random player'))}"]
        deal = min(3, self.size // (self.most + 1))
        if deal:
            lines.append(f"for each player: draw {self.upto(1, deal)} from deck to hand of player")
        if self.once_in(3):
            lines.append("remove 1 from deck unseen" if self.maybe() and not self.match else "move any card from every card to row")
        if self.gems:
            lines += ["shuffle every gem into bag", "for each player: draw 2 from bag to purse of player"]
        if self.tiles:
            lines.append("shuffle every tile into heap")
        low, high = self.counters["n"]
        if low < high:
            lines.append(f"set n to {self.upto(max(low, 0), min(high, 9))}")
        if self.maybe():
            lines.append(f"for each player: set coins of player to {self.upto(0, 5)} * seat of player mod 7")
        if self.once_in(3):
            lines.append("draw 1 from deck to trump")
        if self.once_in(3):
            lines += self.statement(1)
        return ["setup", *_in(lines)]

    def phase(self, number: int) -> Lines:
        name = f"phase_{number}"
        self.ends, self.scope = [name], []
        kind = self.upto(0, 3)
        if kind == 0:
            head, scope = f"repeat {self.pick(('2', '3', 'rounds'))} times", []
        elif kind == 1:
            until = self.condition(1)
            head, scope = f"repeat until {until} at most {self.upto(2, 5)} times", []
        elif kind == 2:
            head, scope = "for each player clockwise from leader", [Noun("player", "player")]
        else:
            head, scope = "repeat rounds times", []
        self.scope = scope
        body: Lines = []
        if not scope:
            self.scope = [Noun("player", "player")]
            turn = [*self.body(1), *self.choice(2)]
            self.scope = []
            body = [*self.body(1), f"for each player{self.pick(('', ' clockwise from leader', ' clockwise', ' in random order'))}", *_in(turn), *self.body(2)]
        else:
            body = [*self.body(2), *self.choice(2), *self.body(1)]
        lines = [*(self.body(2) if self.maybe() and not scope else []), head, *_in(body)]
        if kind == 1 and not self.once_in(4):
            lines += ["otherwise: nothing"]
        self.ends = []
        return [f"phase {name}", *_in(lines)]

    def whenever(self) -> Lines:
        """Something that happens when a card comes to a place; it moves no cards, so that it cannot go round in a circle."""
        zone, of = self.pick((("row", ""), ("hand of player", "player"), ("discard", ""), ("stack of player", "player")))
        filters = self.pick(("", f" with suit {self.pick(self.suits)}", f" with rank > {self.ranks[1] // 2}", " where low"))
        self.scope = [Noun("card", "card")] + ([Noun("player", "player")] if of else [])
        body = self.change()
        if self.maybe():
            body = [f"if {self.condition(1)}", *_in(body)]
        self.scope = []
        return [f"whenever a card{filters} enters {zone}", *_in(body)]

    def sheet(self) -> Lines:
        self.scope = [Noun("player", "player")]
        lines = [f"    main: {self.number(2)}"]
        if self.maybe():
            lines.append(f"    by_suit for each suit: {self.pick(('2', 'cost for suit', 'share of player for suit'))} if hand of player has a card with suit suit")
        if self.maybe():
            lines.append("    by_card for each card in hand of player: rank of card")
        if self.maybe():
            lines.append(f"    sometimes: {self.number(1)} if {self.condition(1)}")
        if self.maybe():
            lines.append("    top: highest rank among hand of player")
        if self.once_in(3):
            each = self.maybe()
            lines.append("    majors for each suit: majority" if each else "    majors: majority")
            lines.append(f"        among: {self.pick(('players', 'players with coins > 0', 'rich'))}")
            key = "most share for suit" if each else self.pick(("most hand", "highest coins", "fewest coins"))
            lines.append(f"        by: {key}, then {self.pick(('shared', 'nobody', 'lowest seat'))}")
            lines.append(f"        prizes: {self.pick(('5', '6, 3', '7, 4, 1'))}")
        if self.board and self.owned_stones and self.maybe():
            lines.append("    regions for each region in regions of (board with owner player) by owner: size of region")
        if self.tiles:
            lines.append("    lands for each region in regions of realm of player by land: size of region * count of region")
        self.scope = []
        keys = [self.pick(("highest score", "lowest score"))]
        more = ("highest score for main",) if self.match else ("most hand", "highest score for main", "fewest coins")
        keys += [key for key in more if self.once_in(3)]
        last = self.pick(("shared", "nobody"))
        found = ["score of player", *lines, f"winner {', then '.join([*keys, last])}"]
        if self.match:
            kept = ["    keep leader, n"] if self.maybe() else []
            if self.match == "games":
                return [*found, f"match of {self.upto(2, 3)} games, highest score, then shared", *kept]
            return [*found, f"match until somebody with score > {self.upto(0, 40)}, at most 3 games", *kept]
        return found

    def bound(self, sort: str, name: str = "") -> tuple[str, Noun]:
        """How a thing of a sort is called where it comes up, and the noun for it: one of its own where the usual is taken."""
        usual = name or sort
        if all(noun.name != usual for noun in self.scope):
            return (sort if usual == sort else f"{sort} {usual}"), Noun(usual, sort)
        other = self.new(sort)
        return f"{sort} {other}", Noun(other, sort)

    # ---- Statements

    def body(self, depth: int) -> Lines:
        """Some statements; what they name is not known behind them."""
        scope = list(self.scope)
        lines = [line for _ in range(self.upto(0, 3)) for line in self.statement(depth)]
        self.scope = scope
        return lines or ["nothing"]

    def statement(self, depth: int) -> Lines:
        if self.budget <= 0:
            return self.change()
        self.budget -= 1
        kinds: list[Callable[[], Lines]] = [self.change, self.change, self.move, self.move, self.name, self.show]
        kinds += [self.pay, self.mark]
        if self.board:
            kinds += [self.lay_stone, self.lay_stone, self.for_each_region]
        if self.gems:
            kinds.append(self.move_gems)
        if self.stops:
            kinds += [self.draw_cards, self.draw_cards, self.chance, self.chance, self.shuffle]
        if self.steps:
            kinds.append(self.do)
        if depth:
            blocks: list[Callable[[int], Lines]] = [self.either, self.either, self.for_each, self.repeat, self.nested_step, self.until]
            if self.stops:
                blocks += [self.choice, self.choice, self.take_turns]
                if self.auctions:
                    blocks += [self.auction] * 2
                if self.tiles:
                    blocks += [self.lay_tile] * 3
            if self.once_in(2):
                return self.pick(blocks)(depth)
        return self.pick(kinds)()

    def block(self, head: str, depth: int, *nouns: Noun) -> Lines:
        """A line with a block under it, in which nouns are known."""
        scope = list(self.scope)
        self.scope += nouns
        body = self.body(depth)
        self.scope = scope
        return [head, *_in(body)]

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
        owner = {"n": lambda: "", "coins": self.player, "stock": self.suit, "heat": self.mood}[name]()
        return name, f"{name} of {owner}" if owner else name

    def change(self) -> Lines:
        name, used = self.counter()
        low, high = self.counters[name]
        match self.upto(0, 4):
            case 0:
                return [f"if {used} < {high}: add 1 to {used}"]
            case 1:
                return [f"if {used} > {low}: take 1 from {used}"]
            case 2 if self.worn and (card := self.known("card")):
                return [self.pick((f"set holder of {card} to {self.player()}", f"set wear of {card} to ({self.number(1)}) mod 3"))]
            case 3 if self.once_in(6):
                return [f"{self.pick(('add', 'take'))} {self.number(0)} {'to'} {used}".replace("take " , "add ")]
            case _:
                return [f"set {used} to {self.fitted(name)}"]

    def pay(self) -> Lines:
        name, used = self.counter()
        other, to = self.counter()
        if self.maybe():
            return [f"pay all from {used} to {to}"] if self.once_in(4) else [f"if {used} > 0 and {to} < {min(9, self.counters[other][1])}: pay 1 from {used} to {to}"]
        return [f"if {used} at least 2: pay {self.pick(('1', '2'))} from {used} to {to}"]

    def mark(self) -> Lines:
        match self.upto(0, 6):
            case 0:
                return [f"set leader to {self.player()}"]
            case 1:
                return [f"set first_one to {self.pick((self.player(), 'none', f'first player with coins > 1 clockwise from {self.player()}'))}"]
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
        value = {"number": lambda: self.number(2), "player": self.player, "suit": self.suit, "cards": lambda: self.cards(1)}[sort]()
        name = self.new(sort)
        self.scope.append(Noun(name, sort))
        return [f"let {name} be {value}"]

    def place(self) -> tuple[str, str]:
        """A zone for cards to go to, and the condition under which one surely can."""
        player = self.player()
        return self.pick(
            (("row", ""), ("discard", ""), ("secret", ""), (f"hand of {player}", ""), (f"stack of {player}", ""), ("box", ""),
             (f"front of {player}", f"front of {player} is empty"), ("trump", "trump is empty"))
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
                bound = any(noun.name == "suit" for noun in self.scope)  # then it would be that suit for all of them
                ranked = "highest rank" if bound or self.once_in(3) else "highest rank, then lowest suit"
                lines = [f"move best of {self.source()} by {ranked} to {to}"]
                return [f"if {self.condition(1)}", *_in(lines)]
            case 5:
                source = self.pick((f"front of {self.player()}", "trump"))
                lines = [f"if {source} is not empty: move {source} to {to if not slot else 'row'}"]
                return lines
            case _:
                lines = [f"move {self.source()} to {to if not slot else 'discard'}"]
                return lines
        return [f"if {free}", *_in(lines)] if slot and not self.once_in(8) else lines

    def source(self) -> str:
        """A zone of cards to take some from."""
        return self.pick(("row", "secret", f"hand of {self.player()}", "discard", f"stack of {self.player()}", "every hand"))

    def draw_cards(self) -> Lines:
        pile, to = self.pick(("deck", "deck", "discard", f"stack of {self.player()}")), self.pick(("row", f"hand of {self.player()}", "secret"))
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

    def show(self) -> Lines:
        return [f"reveal {self.pick((self.source(), f'front of {self.player()}', f'hand of {self.player()} with suit {self.suit()}'))}"]

    def do(self) -> Lines:
        able = [step for step, stops in self.steps if self.stops or not stops]
        return [f"do {self.pick(able).format(self.player(), self.suit())}"] if able else self.change()

    def move_gems(self) -> Lines:
        player = self.player()
        return self.pick((
            [f"if bag is not empty: draw 1 from bag to purse of {player}"] if self.stops else [f"move purse of {player} to box"],
            [f"move purse of {player} to bag"],
            [f"move (purse of {player} with hue jade) to purse of left of {player}"],
            [f"if total weight of purse of {player} > 5: move any gem from purse of {player} to box"],
        ))  # fmt: skip

    def lay_stone(self) -> Lines:
        stone = f"stone of {self.player()}" if self.owned_stones else f"[{self.pick(('dark', 'pale'))}]"
        cell = self.known("cell")
        if cell:
            if self.maybe():
                return [f"if {cell} in board: move stone of {cell} to box"]
            some = f" and count of {stone} > 0" if self.owned_stones and self.once_in(3) else ""
            return [f"if {cell} in empty cells of board{some}: put {stone} on {cell}"]
        if self.once_in(4):
            return [f"put {stone} on a1"]
        if self.once_in(3):
            return ["move every stone to box"]
        return ["if board is not empty: move any stone from every stone to box"]

    def for_each_region(self) -> Lines:
        by = "owner" if self.owned_stones else "tone"
        return [f"for each region in regions of board by {by}", "    if size of region > 1 and n < 9: add 1 to n"]

    # ---- Statements with blocks

    def either(self, depth: int) -> Lines:
        lines = self.block(f"if {self.condition(2)}", depth - 1)
        if self.once_in(3):
            lines += self.block(f"otherwise if {self.condition(1)}", depth - 1)
        return lines + self.block("otherwise", depth - 1) if self.maybe() else lines

    def for_each(self, depth: int) -> Lines:
        sorts = ["player", "player", "other", "some", "suit", "mood", "card", "card"] + ["cell", "cell"] * self.board
        sort = self.pick(sorts)
        if sort in ("card", "cell"):
            order = self.pick(("", " by highest rank", " in random order" if self.stops else "")) if sort == "card" else ""
            members = self.cards(1) if sort == "card" else self.cells()
            head, noun = self.bound(sort)
            budget, self.budget = self.budget, 0  # many rounds: only something short
            lines = self.block(f"for each {head} in {members}{order}", 0, noun)
            self.budget = budget
            return lines
        if sort in ("suit", "mood"):
            head, noun = self.bound(sort)
            return self.block(f"for each {head}", depth - 1, noun)
        head, noun = self.bound("player", "other" if sort == "other" else "")
        match sort:
            case "other":
                end = f" in opponents of {self.player()}"
            case "some":
                end = f" with coins {self.pick(('> 1', 'at most 4'))}"
            case _:
                end = self.order()
        return self.block(f"for each {head}{end}", depth - 1, noun)

    def order(self) -> str:
        player = self.player()
        return self.pick(
            ("", " clockwise", f" clockwise from {player}", f" clockwise from {player} to {self.player()}", " by highest coins, then lowest seat",
             " by mighty, then fewest hand, then highest seat", " in random order" if self.stops else "")
        )  # fmt: skip

    def repeat(self, depth: int) -> Lines:
        return self.block(f"repeat {self.pick(('2', '3', 'rounds', f'({self.number(1)}) mod 3'))} times", depth - 1)

    def until(self, depth: int) -> Lines:
        if self.maybe():  # its condition comes true
            low, high = self.counters["n"]
            return [f"repeat until n at least {min(high, 4)}", *_in([*self.change_but("n"), "add 1 to n"])]
        lines = self.block(f"repeat until {self.condition(1)} at most {self.upto(1, 4)} times", depth - 1)
        return lines + self.block("otherwise", depth - 1) if not self.once_in(4) else lines

    def change_but(self, name: str) -> Lines:
        return [f"set ready of {self.player()} to {self.pick(('yes', 'no'))}"]

    def nested_step(self, depth: int) -> Lines:
        name = self.new("turn")
        self.ends.append(name)
        lines = self.block(f"step {name}", depth - 1)
        condition = self.condition(1)
        self.ends.pop()
        place = self.upto(1, len(lines))
        if not lines[min(place, len(lines) - 1)].startswith("    otherwise") and all(not line.startswith("     ") for line in lines[place:]):
            lines.insert(place, f"    if {condition}: end {name}")
        if self.once_in(5):
            lines.append(f"if {self.condition(2)} and {self.rarely()}: end {self.pick((*self.ends, 'game'))}")
        return lines

    def rarely(self) -> str:
        return f"({self.number(1)}) mod 7 is {self.upto(0, 6)}"

    def take_turns(self, depth: int) -> Lines:
        if self.known("player"):
            return self.for_each(depth)
        low, high = self.counters["n"]
        among = self.pick(("", " among (players with ready no)", " among rich"))
        scope = list(self.scope)
        self.scope.append(Noun("player", "player"))
        body = self.choice(depth - 1) if self.maybe() else self.body(depth - 1)
        self.scope = scope
        until = f"n at least {min(high, 3)}"
        if among:
            until = f"nobody with ready no or {until}" if "ready" in among else f"count of rich is 0 or {until}"
        return [f"take turns clockwise from {self.player()}{among} until {until}", *_in([*body, f"if n < {high}: add 1 to n"])]

    def auction(self, depth: int) -> Lines:
        order = self.pick((" clockwise from " + self.player(), " by highest coins, then lowest seat", "", " in random order"))
        who = self.pick(("players", "players", "rich", "players with coins > 0"))
        low, high = self.counters["coins"]
        most = self.pick(("3", "coins of bidder", "6")) if high < 1_000 else "5"
        parts = self.pick((f"1..{most}", f"amount from 1..{most}", f"level_bid from 1..{self.upto(1, 3)} and mood"))
        ends = self.pick(("a pass is final", "a pass is not final", "once around", "sealed"))
        raises = "" if ends == "sealed" else self.pick((", each higher than the last", ", each at least 2 higher than the last" if "and" not in parts else ", each higher than the last"))
        if ends == "once around" and self.once_in(3):
            raises = ", each higher than the last"
        lines = [f"bidders: {who}{order}", f"bids: {parts}{raises}", ends]
        if self.maybe():
            lines.append("no bids: set first_one to none")
        pays = "and" not in parts and self.maybe()
        if pays:
            pay = self.pick(("coins of winner to heat of calm", "cards from hand of winner to discard", "rank of cards from hand of winner to discard"))
            lines.append(f"payment: {pay}")
        lines.append("won: set first_one to winner")
        if pays:
            lines.append("cannot pay: " + self.pick(("set first_one to none", "bid again without winner" if ends != "sealed" else "nothing")))
        return ["auction for leader", *_in(lines)]

    def lay_tile(self, depth: int) -> Lines:
        player = self.player()
        where = f"realm of {player}"
        lines = [
            "if heap is not empty",
            "    draw 1 from heap to waste",
            f"for each tile in waste{'' if self.known('number') == 'number' else ' by lowest number'}",
            f"    {player} chooses",
            f"        lay tile on {where}",
        ]
        if self.maybe():
            lines.append(f"            only if {self.condition(1)} otherwise \"not now\"")
        if self.maybe():
            lines.append(f"            so that tile touches same land or count of {where} at most 3 otherwise \"it must touch\"")
        if self.maybe():
            lines.append(f"            so that width of {where} at most {self.upto(2, 7)} and height of {where} at most 9")
        lines.append(f"            set boss of tile to {player}")
        lines += ["        pass_by: nothing"] if self.maybe() else ["        if impossible: nothing"]
        return [*lines, "    move waste to box"]

    # ---- Choices

    def choice(self, depth: int) -> Lines:
        """Somebody chooses. Mostly there is something that is always allowed, or it is said what happens without."""
        self.budget -= 1
        who = self.known("player") or "leader"
        if self.once_in(5):
            who = self.player()
        verbs = list(VERBS)
        lines: Lines = []
        for _ in range(self.upto(1, 3)):
            verb = verbs.pop(self.upto(0, len(verbs) - 1))
            lines += self.option(verb, who, depth)
        kind = self.upto(0, 5)
        if kind <= 2:
            lines += ["pass: nothing"]
        if kind in (2, 3, 4):
            lines += ["if impossible", *_in(self.change())]
        return [f"{who} chooses", *_in(lines)]

    def option(self, verb: str, who: str, depth: int) -> Lines:
        scope = list(self.scope)
        head, nouns = self.arguments(who)
        several = any(noun.sort == "cards" for noun in nouns)
        hidden = " face down" if self.once_in(5) and nouns else ""
        shown = f' "{verb} it"' if self.once_in(6) else ""
        self.scope += [Noun("card", "card")] if several else nouns
        clauses: Lines = []
        for _ in range(self.upto(0, 2)):
            unless = f" unless {self.condition(1)}" if self.once_in(4) else ""
            reason = ' otherwise "not with {n}"' if self.once_in(3) else ""
            clauses.append(f"only if {self.condition(2)}{unless}{reason}")
        self.scope = scope + nouns
        if self.once_in(8) and self.ends and not several:
            clauses.append(f"limit {self.pick(('1', '2', 'rounds'))} per {self.pick(self.ends)}")
        body = self.used(nouns) + (self.body(depth - 1) if depth > 0 else self.change())
        self.scope = scope
        return [f"{verb}{head}{hidden}{shown}", *_in([*clauses, *body])]

    def arguments(self, who: str) -> tuple[str, list[Noun]]:
        """What an option takes, and how that is called below it."""
        (card, card_noun), (mood, mood_noun), (suit, suit_noun) = (self.bound(sort) for sort in ("card", "mood", "suit"))
        (number, number_noun), (player, player_noun) = self.bound("number"), self.bound("player", "other")
        numbers = self.pick(("1..3", "0..9", "-2..2", "2..40", f"1..({self.number(1)}) mod 5"))
        kinds: list[tuple[str, list[Noun]]] = [
            ("", []),
            (f" a {card} from {self.pick((f'hand of {who}', f'hand of {who}', 'row', 'every card'))}", [card_noun]),
            (f" a {number} from {numbers}", [number_noun]),
            (f" a {mood}", [mood_noun]),
            (f" a {suit}", [suit_noun]),
            (f" a {player}", [player_noun]),
            (f" a {card} from hand of {who} and a {player} from opponents of {who}", [card_noun, player_noun]),
            (f" a {number} from 1..4 and a {suit}", [number_noun, suit_noun]),
            (f" a {card} from hand of {who} where low", [card_noun]),
        ]
        if self.distinct or self.size < 40:
            second = self.new("card")
            kinds.append((f" a {card} from row and a card {second} from hand of {who}", [card_noun, Noun(second, "card")]))
        if not self.known("card") and not self.known("cards"):
            chosen = f" {self.pick(('2', '3', 'rounds'))} cards from {self.pick((f'hand of {who}', 'row'))}"
            kinds += [(chosen, [Noun("cards", "cards")])] * 2
        if self.board:
            cell, cell_noun = self.bound("cell")
            kinds += [(f" {self.pick(('a', 'on a'))} {cell} from {self.cells()}", [cell_noun])] * 3
        if self.gems:
            gem, gem_noun = self.bound("gem")
            kinds.append((f" a {gem} from purse of {who}", [gem_noun]))
        return self.pick(kinds)

    def used(self, nouns: list[Noun]) -> Lines:
        """Something is done with what was chosen."""
        found: Lines = []
        for noun in nouns:
            if self.once_in(4):
                continue
            match noun.sort:
                case "card":
                    to, free = self.place()
                    found += [f"move {noun.name} to {to if not free else 'discard'}"]
                case "cards":
                    found += [f"move cards to {self.pick(('discard', 'row', 'deck', 'secret'))}"]
                case "gem":
                    found += [f"move {noun.name} to bag"]
                case "cell":
                    found += self.lay_stone()
                case "player":
                    found += [f"set first_one to {noun.name}"]
                case "suit":
                    found += [f"set named of {self.player()} to {noun.name}"]
                case "mood":
                    found += [f"set trend to {noun.name}"]
                case _:
                    found += [f"set n to {self.fitted('n', 1)}"]
        return found

    # ---- Values

    def known(self, sort: str) -> str:
        """A noun of a sort, the newest mostly; "" where there is none."""
        names = [noun.name for noun in self.scope if noun.sort == sort]
        if not names:
            return ""
        return names[-1] if not self.once_in(3) else self.pick(names)

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
        direction = self.pick(("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"))
        return self.pick(
            ("empty cells of board", "empty cells of board", "cells of board", stones, f"cells next to {stones}", f"({stones} shifted {direction})",
             f"(empty cells of board shifted {direction})", "board")
        )  # fmt: skip

    def cards(self, depth: int) -> str:
        """A set of cards."""
        kind = self.upto(0, 9) if depth > 0 else self.upto(0, 4)
        base = self.pick(("row", f"hand of {self.player()}", f"hand of {self.player()}", "secret", "every hand", "discard", f"stack of {self.player()}"))
        match kind:
            case 0 | 1 | 2 | 3 | 4:
                return self.known("cards") or base
            case 5:
                return f"({base} with suit {self.pick(('', 'not '))}{self.suit()})"
            case 6:
                return f"({base} with rank {self.pick(('at least', '<', '>', 'at most'))} {self.upto(*self.ranks)})"
            case 7:
                return f"({self.cards(depth - 1)} + {self.cards(depth - 1)})"
            case 8:
                suits = () if any(noun.name == "suit" for noun in self.scope) else ("lowest suit",)
                keys = ("highest rank", *suits, *(("low, then highest rank", "highest grade") if "low" in self.defined else ()))
                return f"(all best of {self.cards(depth - 1)} by {self.pick(keys)})"
            case _:
                defined = (f"({base} where low)", f"({base} where not low)") if "low" in self.defined else ()
                return self.pick((*defined, f"all [{self.pick(self.suits)}]", "every card"))

    def number(self, depth: int) -> str:
        """A number."""
        if depth <= 0:
            return self.small_number()
        match self.upto(0, 13):
            case 0 | 1:
                return self.small_number()
            case 2:
                return f"({self.number(depth - 1)} + {self.number(depth - 1)})"
            case 3:
                return f"({self.number(depth - 1)} - {self.number(depth - 1)})"
            case 4:
                return f"(({self.number(depth - 1)}) mod {self.pick((7, 60, 1000))} * {self.pick(('-3', '2', '7', f'(({self.number(0)}) mod 100)'))})"
            case 5:
                return f"({self.number(depth - 1)} / {self.pick(('2', '3', '64', '(n mod 3 + 1)', '(0 - 2)'))} rounded {self.pick(('down', 'up'))})"
            case 6 | 7:
                return f"count of {self.cards(depth - 1)}"
            case 8:
                return f"total rank of {self.cards(depth - 1)}"
            case 9:
                return f"worth for {self.pick((f'(({self.number(depth - 1)}) mod 6)', f'count of hand of {self.player()}', self.ask('tally')))}"
            case 10:
                return f"cost for {self.suit()}"
            case 11 if card := self.known("card"):
                return self.pick((f"rank of {card}", f"grade of {card}" if "grade" in self.defined else f"rank of {card}", f"cost of {card}"))
            case 12 if self.board:
                return self.pick((f"size of {self.cells()}", f"width of {self.cells()}", f"count of regions of board by {'owner' if self.owned_stones else 'tone'}", "height of board"))
            case 13:
                return self.pick((f"share of {self.player()} for {self.suit()}" if "share" in self.defined else "gift", "steep for (n mod 4)", "steep for (n mod 3)", "gift"))
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
                return f"stock of {self.suit()}"
            case 6:
                return f"seat of {self.player()}"
            case _:
                return self.pick((f"heat of {self.mood()}", "players", "rounds"))

    def condition(self, depth: int) -> str:
        if depth <= 0:
            return f"{self.small_number()} {self.compare()} {self.small_number()}"
        match self.upto(0, 15):
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
                what = self.pick((f"a card with suit {self.suit()}", f"no card with rank {self.upto(*self.ranks)}"))
                return f"{self.cards(0)} has {what}"
            case 7:
                return f"{self.pick(('somebody', 'nobody'))} with {self.pick((f'coins > {self.upto(0, 5)}', 'ready yes', 'hand empty'))}"
            case 8:
                return f"{self.player()} is {self.pick(('', 'not '))}{self.player()}"
            case 9:
                return self.pick((f"named of {self.player()} is {self.suit()}", f"trend is {self.mood()}", "first_one is none", f"first_one is {self.player()}", "trump is empty"))
            case 10 if card := self.known("card"):
                return self.pick((f"suit of {card} is {self.suit()}", f"rank of {card} {self.compare()} {self.number(0)}", f"{card} in {self.cards(0)}", f"suit of {card} is suit of trump"))
            case 11 if self.known("suit"):
                return f"{self.known('suit')} {self.pick(('is', '<', 'is not'))} {self.suit()}"
            case 12 if self.board:
                return self.pick((f"{self.cells()} touches {self.cells()}", "empty cells of board is empty", "a1 in board", "height of board < 3"))
            case 13 if card := self.known("card"):
                if self.worn:
                    return self.pick((f"holder of {card} is none", f"wear of {card} > 1", f"holder of {card} is {self.player()}"))
                return f"seal of {card} is {self.pick(('none', 'wax'))}" if self.sealed else f"rank of {card} > 2"
            case 14:
                return f"{self.number(depth - 1)} in {self.pick(('1..3', '(0, 2, 4)', '-3..n'))}"
            case 15:
                return f"ready of {self.player()}"
            case _:
                return f"{self.small_number()} {self.compare()} {self.upto(0, 9)}"

    def compare(self) -> str:
        return self.pick(("is", "is not", "<", ">", "at least", "at most"))


def _in(lines: Lines) -> Lines:
    """Lines one level deeper."""
    return [f"    {line}" for line in lines]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """The text of any file."""
    return Programs(draw).text()


def player_counts(text: str) -> range:
    """With how many players a generated file can be played."""
    low, _, high = text.splitlines()[1].removeprefix("    players ").partition("..")
    return range(int(low), int(high or low) + 1)


@frozen(repr=False)
class Tables:
    """A file that the compiler accepts, and its machine for each number of players; it is shown as the file."""

    text: str
    machines: tuple[Machine, ...]

    def __repr__(self) -> str:
        return f"\n{self.text}"


@st.composite
def tables(draw: st.DrawFn) -> Tables:
    """Any file that is accepted, and its machines."""
    text = draw(programs())
    found = [stages(text, players) for players in player_counts(text)]
    refused = any(diagnostic.severity == "error" for one in found for diagnostic in one.diagnostics)
    assume(not refused)
    return Tables(text, tuple(one.machine for one in found if one.machine is not None))
