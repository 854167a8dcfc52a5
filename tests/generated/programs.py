"""Generates random whole `.rules` files from the sentences of the language.

`Programs` draws the declarations of a file, and then statements that use them: nearly every declaration, statement, clause and
expression of `grammar/rules.lark` can come up, in kinds of a few components or of hundreds, in zones of every shape, in domains
of every sort. The needs of a sentence are met where possible (a card is drawn only from a pile that is not empty, a number is
counted round into its domain), but not always: some games are to be stopped by their faults. Some texts are refused by the
compiler; callers leave them out.

Numbers stay small enough for sums and products to stay within 32 bits, but not those of `wide_programs`.
"""

from __future__ import annotations

from attrs import frozen
from hypothesis import assume
from hypothesis import strategies as st
from rulesrun.interpreter.machine.machine import Machine

from ..pipeline import stages
from .blocks import Blocks
from .drawing import Lines, Noun, indented
from .values import MOODS, SUITS

RANGES = ((0, 9), (0, 30), (-5, 12), (0, 255), (-100, 300), (0, 70_000), (-9_000_000, 9_000_000))
# Cards: how many suits, the lowest and highest rank, how many of each.
CARDS = ((3, 0, 3, 1), (2, 1, 4, 2), (4, 1, 6, 1), (3, 1, 2, 4), (5, 1, 15, 1), (5, 1, 29, 1), (4, 1, 6, 3), (2, 1, 2, 100))
WIDE = ((0, 9), (-5, 12), (-1, 40_000), (-9, 500_000_000), (-999_999_999, 999_999_999))
GRIDS = ((3, 3), (1, 5), (5, 4), (9, 9), (12, 12), (8, 8))


class Programs(Blocks):
    """Draws one file."""

    ranges: tuple[tuple[int, int], ...] = RANGES

    def text(self) -> str:
        self.teams = self.once_in(8)
        self.players = "4" if self.teams else self.pick(("1..3", "2..3", "1..2", "2", "3", "1"))
        self.most = int(self.players[-1])
        self.match = "" if not self.once_in(5) else self.pick(("games", "until"))
        self.board, self.tiles, self.gems, self.auctions = (self.once_in(n) for n in (3, 5, 4, 4))
        self.positions = self.once_in(4)
        declared = self.declarations()
        steps = [line for _ in range(self.upto(0, 2)) for line in self.step()]
        setup = self.setup()
        phases = [line for number in range(self.upto(1, 2)) for line in self.phase(number)]
        triggers = self.whenever() if self.once_in(3) else []
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
            *(self.returns() if self.once_in(3) else []),
        ]
        return "\n".join(lines) + "\n"

    def position(self) -> Lines:
        if not self.positions:
            return []
        of_kinds = [name for name, there in (("board", self.board), ("purse", self.gems)) if there]
        parts = ["leader", "first_one", "ready", "best_seen", *of_kinds]
        some = [part for part in parts if self.maybe()] or ["leader"]
        return [f"position: {', '.join(some)}{self.pick(('', ', at most 3', ', at most 40'))}"]

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
        self.counted = self.distinct and self.size <= 80 and self.once_in(3)
        found += [
            "zone deck: pile of card, hidden",
            f"zone hand of player: set of card, {self.pick(('private', 'private', 'open', 'hidden'))}",
            f"zone row: {self.pick(('set', 'set', 'pile'))} of card, open",
            f"zone discard: pile of card, {self.pick(('open', 'hidden'))}",
            "zone secret: set of card, hidden",
            f"zone front of player: slot of card, {self.pick(('open', 'private', 'hidden'))}",
            f"zone stack of player: pile of card, {self.pick(('private', 'hidden', 'open'))}",
            f"zone trump: slot of card, {self.pick(('open', 'open', 'hidden'))}",
        ]
        self.several = self.once_in(3)
        if self.several:
            found += [
                f"zone pool of suit: {self.pick(('set', 'pile'))} of card, {self.pick(('open', 'hidden'))}",
                f"zone vault of player for suit: {self.pick(('set', 'pile'))} of card, "
                f"{self.pick(('private', 'open', 'hidden'))}",
                "list step_number: 2..6",
            ]
        if self.gems:
            found += ["pieces gem", "    hue: gold, jade", "    weight: 1..9", "    toll for suit: 0..9"]
            found.append('    shown as "{hue}"')
            found.append(f"    hue | weight | count | {' | '.join(f'toll_{suit}' for suit in self.suits)}")
            for hue, weight, count in (("gold", 3, 4), ("jade", 5, self.pick((2, 30)))):
                found.append(f"    {hue} | {weight} | {count} | {' | '.join(str(self.upto(0, 9)) for _ in self.suits)}")
            self.mixed = self.maybe()
            held = "gem or card" if self.mixed else "gem"
            found += ["zone bag: pile of gem, hidden", f"zone purse of player: set of {held}, open"]
        if self.board:
            self.wide, self.tall = self.pick(GRIDS)
            kind, count = self.pick((("for each player", 3), ("for each player", 20), ("of each", 4)))
            self.owned_stones = kind == "for each player"
            self.crowned = self.owned_stones and self.maybe()
            found += [f"pieces stone, {count} {kind}"] + ([] if self.owned_stones else ["    tone: dark, pale"])
            found += ["    marker crowned: yes or no"] if self.crowned else []
            found += ["    2 of each with tone dark"] if not self.owned_stones and self.maybe() else []
            found.append(f"zone board: grid of stone, {self.wide} x {self.tall}, open")
        if self.tiles:
            shape = self.pick(('"ab"', '"ab" ".c"', '"abc"', '"a" "b"'))
            found += ["tiles tile, 1 of each", f"    number: 1..{self.pick((2, 3))}"]
            found += ["    marker boss: player or none", f"    shape {shape}", "        land: wood, lake"]
            found += ["zone heap: pile of tile, hidden", "zone waste: set of tile, open"]
            side = self.pick((3, 5, 9, 12))
            found.append(f"zone realm of player: grid of tile, {side} x {side}, open")
        several = ("depth of player for suit", "knots of step_number") if self.several else ()
        for name in ("n", "coins of player", "stock of suit", "heat of mood", *several):
            low, high = self.counters[name.split()[0]] = self.pick(self.ranges)
            seen = self.pick(("", ", hidden", *((", private",) if "of player" in name else ())))
            found.append(f"counter {name}: {low}..{high}{seen}")
        if self.counted:
            found.append("counter tickets of card: 0..9")
        found += [
            "marker leader: player",
            "marker first_one: player or none",
            f"marker named of player: suit or none{self.pick(('', ', private'))}",
            "marker ready of player: yes or no",
            f"marker trend: mood or none{self.pick(('', ', hidden'))}",
            "marker best_seen: card or none",
            *self.position(),
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
        found.append(f"define mighty of player: {self.condition(2)}")
        found.append("define share of player for suit: count of hand of player with suit suit")
        self.scope = [Noun("card", "card")]
        found += ["define grade of card", f"    {self.number(1)} if {self.condition(1)}", f"    otherwise {self.number(1)}"]
        self.scope = []
        found += [f"define rich: players with coins > {self.upto(0, 5)}", f"define tally: ({self.number(2)}) mod 9"]
        self.defined = {"low", "mighty", "share", "grade", "rich", "tally", "score"}
        return found

    def step(self) -> Lines:
        """A step that is done by its name, of a player and perhaps for a suit."""
        name = self.new("step")
        with_suit, self.stops = self.once_in(4), self.maybe()
        self.scope = [Noun("player", "player")] + ([Noun("suit", "suit")] if with_suit else [])
        self.ends = [name]
        body = self.body(2)
        if self.maybe():
            body += [f"if {self.condition(1)}: end {name}", *self.change()]
        self.steps.append((f"{name} of {{0}}" + (" for {1}" if with_suit else ""), self.stops))
        self.stops = True
        self.ends = []
        self.scope = []
        return [f"step {name} of player" + (" for suit" if with_suit else ""), *indented(body)]

    def setup(self) -> Lines:
        lines = ["shuffle every card into deck", f"set leader to {self.pick(('player 1', 'a random player'))}"]
        deal = min(3, self.size // (self.most + 1))
        if deal:
            lines.append(f"for each player: draw {self.upto(1, deal)} from deck to hand of player")
        if self.maybe():
            lines.append(self.pick(("remove 1 from deck unseen", "move any card from every card to row")))
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
        return ["setup", *indented(lines)]

    def phase(self, number: int) -> Lines:
        name = f"phase_{number}"
        self.ends = [name]
        self.scope = []
        lines = self.body(2) if self.maybe() else []
        match self.upto(0, 3):
            case 0:
                self.scope = [Noun("player", "player")]
                body = [*self.body(2), *self.choice(2), *self.body(1)]
                lines += ["for each player clockwise from leader", *indented(body)]
            case 1:
                until = f"repeat until {self.condition(1)} at most {self.upto(2, 5)} times"
                lines += [until, *indented(self.round()), *([] if self.once_in(4) else ["otherwise: nothing"])]
            case _:
                lines += [f"repeat {self.pick(('2', '3', 'rounds'))} times", *indented(self.round())]
        self.ends = []
        return [f"phase {name}", *indented(lines)]

    def round(self) -> Lines:
        """Each player has a turn in which they choose."""
        before = self.body(1)
        if self.steps:
            before += self.do()
        if self.match:
            before += self.leave()
        self.scope = [Noun("player", "player")]
        turn = [*self.body(1), *self.choice(2)]
        if self.tiles:
            turn += self.lay_tile(1)
        self.scope = []
        order = self.pick(("", " clockwise from leader", " clockwise", " in random order"))
        return [*before, f"for each player{order}", *indented(turn), *self.body(2)]

    def whenever(self) -> Lines:
        """Something that happens when a card comes to a place; it moves no cards, so that it cannot go round in a circle."""
        zones = (("row", ""), ("hand of player", "player"), ("discard", ""), ("stack of player", "player"))
        zone, of = self.pick((*zones, *((("vault of player for suit", "player"),) if self.several else ())))
        filters = self.pick(("", f" with suit {self.pick(self.suits)}", f" with rank > {self.ranks[1] // 2}", " where low"))
        self.scope = [Noun("card", "card")] + ([Noun("player", "player")] if of else [])
        body = self.change()
        if self.maybe():
            body = [f"if {self.condition(1)}", *indented(body)]
        self.scope = []
        return [f"whenever a card{filters} enters {zone}", *indented(body)]

    def sheet(self) -> Lines:
        self.scope = [Noun("player", "player")]
        self.defined -= {"score"}
        lines = [f"    main: {self.number(2)}"]
        if self.maybe():
            value = self.pick(("2", "cost for suit", "share of player for suit"))
            lines.append(f"    by_suit for each suit: {value} if hand of player has a card with suit suit")
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
        more = ("highest score for main", *(() if self.match else ("most hand", "fewest coins")))
        keys += [key for key in more if self.once_in(3)]
        last = self.pick(("shared", "nobody"))
        found = ["score of player", *lines, f"winner {', then '.join([*keys, last])}"]
        if self.match:
            kept = ["    keep leader, n"] if self.maybe() else []
            if self.match == "games":
                return [*found, f"match of {self.upto(2, 3)} games, highest score, then shared", *kept]
            return [*found, f"match until somebody with score > {self.upto(0, 40)}, at most 3 games", *kept]
        return found

    def returns(self) -> Lines:
        """What players get; of a match only what can be asked of all its games."""
        if self.match:
            return [f"returns of player: score of player * {self.upto(0, 3)} - count of winners"]
        self.defined |= {"score"}
        self.scope = [Noun("player", "player")]
        won = self.pick(("winners is (player)", "player in winners", "winners is team of player"))
        lines = [f"{self.number(1)} if {won}", f"{self.number(2)} if {self.condition(1)}", f"otherwise {self.number(1)}"]
        self.scope = []
        return ["returns of player", *indented(lines)]


class WidePrograms(Programs):
    """Draws one file whose sums and products may leave 32 bits."""

    ranges = WIDE

    def number(self, depth: int) -> str:
        if self.once_in(4):
            return f"({self.small_number()} {self.pick(('+', '-', '*'))} {self.small_number()})"
        return super().number(depth)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """The text of any file."""
    return Programs(draw).text()


@st.composite
def wide_programs(draw: st.DrawFn) -> str:
    """The text of any file, with counters of any range."""
    return WidePrograms(draw).text()


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
