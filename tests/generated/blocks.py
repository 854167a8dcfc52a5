"""Generates statements that hold others: conditions, loops, turns, auctions, choices with their options."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from .drawing import Lines, Noun, indented
from .sentences import Sentences

VERBS = ("play", "keep_on", "give", "offer", "hide", "lay", "swap", "press", "call", "bury", "name", "buy", "visit", "trade")
STATEMENTS = 30  # of a file, in all its steps and phases


class Blocks(Sentences):
    """Statements of any depth."""

    def __init__(self, draw: st.DrawFn) -> None:
        super().__init__(draw)
        self.budget = STATEMENTS
        self.ends: list[str] = []  # steps and phases around this line

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
        if self.positions:
            kinds += [self.remember, self.remember]
        if self.gems:
            kinds.append(self.move_gems)
        if self.stops:
            kinds += [self.draw_cards, self.draw_cards, self.chance, self.chance, self.shuffle]
        if self.steps:
            kinds.append(self.do)
        if self.ends:
            kinds.append(self.leave)
        if depth:
            blocks: list[Callable[[int], Lines]] = [self.either, self.either, self.for_each]
            blocks += [self.repeat, self.until, self.nested_step]
            if self.stops:
                blocks += [self.choice, self.choice, self.take_turns]
                if self.auctions:
                    blocks += [self.auction] * 2
                if self.tiles:
                    blocks += [self.lay_tile] * 3
            if self.maybe():
                return self.pick(blocks)(depth)
        return self.pick(kinds)()

    def block(self, head: str, depth: int, *nouns: Noun) -> Lines:
        """A line with a block under it, in which nouns are known."""
        scope = list(self.scope)
        self.scope += nouns
        body = self.body(depth)
        self.scope = scope
        return [head, *indented(body)]

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
            (
                "",
                " clockwise",
                f" clockwise from {player}",
                f" clockwise from {player} to {self.player()}",
                " by highest coins, then lowest seat",
                " by mighty, then fewest hand, then highest seat",
                " in random order" if self.stops else "",
            )
        )

    def repeat(self, depth: int) -> Lines:
        return self.block(f"repeat {self.pick(('2', '3', 'rounds', f'({self.number(1)}) mod 3'))} times", depth - 1)

    def until(self, depth: int) -> Lines:
        if self.maybe():  # its condition comes true
            _, high = self.counters["n"]
            lines = [f"set ready of {self.player()} to {self.pick(('yes', 'no'))}", "add 1 to n"]
            return [f"repeat until n at least {min(high, 4)}", *indented(lines)]
        lines = self.block(f"repeat until {self.condition(1)} at most {self.upto(1, 4)} times", depth - 1)
        return lines + self.block("otherwise", depth - 1) if not self.once_in(4) else lines

    def nested_step(self, depth: int) -> Lines:
        name = self.new("turn")
        self.ends.append(name)
        lines = self.block(f"step {name}", depth - 1)
        condition = self.condition(1)
        self.ends.pop()
        lines.append(f"    if {condition}: end {name}")
        return lines + indented(self.change())

    def leave(self) -> Lines:
        """The end of a step, of a phase or, seldom, of the game; a match goes on with the next."""
        if self.match and self.maybe():
            return [f"if {self.condition(1)}: end game"]
        if self.once_in(4):
            return [f"if {self.condition(1)} and {self.rarely()}: end game"]
        return [f"if {self.condition(1)}: end {self.pick(self.ends)}"]

    def take_turns(self, depth: int) -> Lines:
        if self.known("player"):
            return self.for_each(depth)
        _, high = self.counters["n"]
        among = self.pick(("", " among (players with ready no)", " among rich"))
        scope = list(self.scope)
        self.scope.append(Noun("player", "player"))
        body = self.body(depth - 1) if self.once_in(8) else self.choice(depth - 1)  # without a choice it may go on for ever
        self.scope = scope
        until = f"n at least {min(high, 3)}"
        if among:
            until = f"nobody with ready no or {until}" if "ready" in among else f"count of rich is 0 or {until}"
        body.append(f"if n < {high}: add 1 to n")
        return [f"take turns clockwise from {self.player()}{among} until {until}", *indented(body)]

    def auction(self, depth: int) -> Lines:
        order = self.pick((" clockwise from " + self.player(), " by highest coins, then lowest seat", "", " in random order"))
        who = self.pick(("players", "players", "rich", "players with coins > 0"))
        _, high = self.counters["coins"]
        most = self.pick(("3", "coins of bidder", "6")) if high < 1_000 else "5"
        parts = self.pick((f"1..{most}", f"amount from 1..{most}", f"level_bid from 1..{self.upto(1, 3)} and mood"))
        ends = self.pick(("a pass is final", "a pass is not final", "once around", "sealed"))
        steps = (", each higher than the last", *((", each at least 2 higher than the last",) if "and" not in parts else ()))
        raises = "" if ends == "sealed" else self.pick(steps)
        lines = [f"bidders: {who}{order}", f"bids: {parts}{raises}", ends]
        if self.maybe():
            lines.append("no bids: set first_one to none")
        pays = "and" not in parts and self.maybe()
        if pays:
            cards = "cards from hand of winner to discard"
            lines.append(f"payment: {self.pick(('coins of winner to heat of calm', cards, f'rank of {cards}'))}")
        lines.append("won: set first_one to winner")
        if pays:
            again = "nothing" if ends == "sealed" else "bid again without winner"
            lines.append(f"cannot pay: {self.pick(('set first_one to none', again))}")
        return ["auction for leader", *indented(lines)]

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
            lines.append(f'            only if {self.condition(1)} otherwise "not now"')
        if self.maybe():
            lines.append(f'            so that tile touches same land or count of {where} at most 3 otherwise "it must touch"')
        if self.maybe():
            lines.append(f"            so that width of {where} at most {self.upto(2, 7)} and height of {where} at most 9")
        lines.append(f"            set boss of tile to {player}")
        lines += ["        pass_by: nothing"] if self.maybe() else ["        if impossible: nothing"]
        return [*lines, "    move waste to box"]

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
            lines += ["if impossible", *indented(self.change())]
        return [f"{who} chooses", *indented(lines)]

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
            clauses.append(f"only if {self.condition(2)}{unless or self.where_possible(several)}{reason}")
        tried = not several and self.once_in(3)
        if tried:
            before = self.pick(("", "not ", f"{self.condition(1)} or ", f"{self.condition(1)} and "))
            asked = self.pick((self.condition(2), f"{verb} is possible", f"{self.condition(1)} or {verb} is not possible"))
            clauses.append(f"only if {before}after this {asked}{self.where_possible(several)}")
        self.scope = scope + nouns
        if self.once_in(8) and self.ends and not several:
            clauses.append(f"limit {self.pick(('1', '2', 'rounds'))} per {self.pick(self.ends)}")
        stops, self.stops = self.stops, self.stops and not tried
        body = self.used(nouns) + (self.body(depth - 1) if depth > 0 else self.change())
        self.scope, self.stops = scope, stops
        return [f"{verb}{head}{hidden}{shown}", *indented([*clauses, *body])]

    def where_possible(self, several: bool) -> str:
        return " unless impossible" if not several and self.once_in(4) else ""

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
            mixed = f"(any card from row, hand of {self.player()})"
            source, more = self.pick((("row", f"hand of {who}"), (f"hand of {who}", mixed)))
            kinds.append((f" a {card} from {source} and a card {second} from {more}", [card_noun, Noun(second, "card")]))
        if not self.known("card") and not self.known("cards"):
            many = self.pick(("2", "3", "rounds", "up to 2", "any number of"))
            alike = self.pick(("", "", ", all different", ", all of the same suit", ", all of different ranks"))
            aim = self.pick(("", "", f", with total rank {self.pick(('at least', 'at most', 'is'))} {self.upto(2, 7)}"))
            chosen = f" {many} cards from {self.pick((f'hand of {who}', 'row'))}{alike}{aim}"
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
