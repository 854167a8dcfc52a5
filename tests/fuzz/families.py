"""Whole rules files that grow: chains, trees, cliques, nests and repeats over every construct of the language.

Three tables say how constructs can be put together, and small shapes grow them to any size:

- `NAMED`: constructs that have a name and refer to others of their sort (``do s0``, ``needs v0``). `SHAPES` says
  which refers to which.
- `AROUND`: sentences and expressions that hold others. They nest, and where they hold two, they branch.
- `LISTED`: parts of which a line, or the lines under it, hold any number.

Two more sources need no table. Each line of the small games in ``games.py`` is repeated with all that stands under it, and put
into itself. Names are made alike and misspelt. ``test_families.py`` checks that every class of the syntax tree grows in some
family, so a construct that is added later must be added here.

``size`` counts what grows: about so many links, parts or levels. The first file of each result is the one to be read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import define, field, frozen
from rulesrun.interpreter.syntax import tree

from .games import SMALL_GAMES

Files = dict[str, str]
Lines = list[str]
Class = type[tree.Node]
MAIN = "grown.rules"


@frozen
class Family:
    """Files that grow. ``grows``: the classes of the tree of which a larger file holds more.

    ``sound``: whether a small file of it has no fault. ``plain``: whether this is the simplest shape of what grows.
    """

    name: str
    grows: frozenset[Class]
    sound: bool
    write: Callable[[int], Files] = field(repr=False)
    plain: bool = False


# ---- The frame into which lines are put


@define
class File:
    """The lines of one file by their place; the frame around them declares what they use."""

    declarations: Lines = field(factory=list)
    attributes: Lines = field(factory=list)
    setup: Lines = field(factory=list)
    body: Lines = field(factory=list)
    phases: Lines = field(factory=list)
    terms: Lines = field(factory=list)
    keys: Lines = field(factory=list)
    match: Lines = field(factory=list)
    variants: Lines = field(factory=list)
    tests: Lines = field(factory=list)
    beside: Files = field(factory=dict)

    def add(self, place: str, *lines: str) -> None:
        getattr(self, place).extend(lines)

    def files(self) -> Files:
        return {MAIN: self.text(), **self.beside}

    def text(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from FRAME.strip().splitlines()
        yield from under("cards card, 2 of each", ["colour: suit", "rank: 1..3", *self.attributes])
        yield from self.declarations
        yield from under("setup", ["shuffle every card into deck", "draw 3 from deck to row", *self.setup])
        yield from under("phase only", ["step only_step: add 1 to n", *self.body])
        yield from self.phases
        yield from under("score of player", ["coins: coins of player", *self.terms])
        yield from under("winner", ["main: highest score", *self.keys, "shared"])
        yield from self.match
        yield from self.variants
        yield from self.tests


FRAME = """
game grown
    players 2..4
option wide: 0..3, default 1
list suit: red, green
list mood: calm, angry
pieces stone, 3 for each player
    hue: black, white
dice die, 3
    face: 1..6
zone cup: set of die, open
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone row: set of card, open
zone lot: slot of card, open
zone board: grid of stone, 5 x 5, open
counter n: 0..2000
counter coins of player: 0..2000
marker first_one: player or none
marker feeling: mood or none
marker ready of player: yes or no
define low of card: rank of card < 3
define happy of player: coins of player > 2
""".replace("\n    hue: black, white", "")


def under(head: str, lines: Sequence[str]) -> Lines:
    """A line and the lines under it."""
    return [head, *("    " + line for line in lines)]


def nested(heads: Sequence[str], inner: Sequence[str]) -> Lines:
    """Each of the lines under the one before."""
    return [*("    " * depth + head for depth, head in enumerate(heads)), *("    " * len(heads) + line for line in inner)]


# ---- Named constructs, and who refers to whom


@frozen
class Named:
    """A construct with a name. ``write``: puts one into a file, given its own name and those to which it refers.

    ``use``: puts a use of it where play begins, if it needs one.
    """

    grows: tuple[Class, ...]
    write: Callable[[File, str, Sequence[str]], None]
    use: Callable[[File, str], None] = lambda file, name: None
    sound: bool = True


def backward(size: int) -> Links:
    return [(i - 1,) if i else () for i in range(size)]


def forward(size: int) -> Links:
    return [(i + 1,) if i + 1 < size else () for i in range(size)]


def circle(size: int) -> Links:
    return [((i + 1) % size,) for i in range(size)]


def doubling(size: int) -> Links:
    return [(i - 1, i - 1) if i else () for i in range(size)]


def doubling_forward(size: int) -> Links:
    return [(i + 1, i + 1) if i + 1 < size else () for i in range(size)]


def ladder(size: int) -> Links:
    return [tuple(j for j in (i - 1, i - 2) if j >= 0) for i in range(size)]


def binary_tree(size: int) -> Links:
    return [tuple(j for j in (2 * i + 1, 2 * i + 2) if j < size) for i in range(size)]


def clique(size: int) -> Links:
    many = int(math.sqrt(2 * size)) + 1
    return [tuple(range(i)) for i in range(many)]


def mutual_clique(size: int) -> Links:
    many = int(math.sqrt(size)) + 1
    return [tuple(j for j in range(many) if j != i) for i in range(many)]


def star(size: int) -> Links:
    return [(), *((0,) for _ in range(size - 1))]


def fan(size: int) -> Links:
    return [*(() for _ in range(size - 1)), tuple(range(size - 1))]


def alone(size: int) -> Links:
    return [() for _ in range(size)]


Links = list[tuple[int, ...]]
SHAPES: Mapping[str, Callable[[int], Links]] = {
    shape.__name__: shape
    for shape in (
        backward,
        forward,
        circle,
        doubling,
        doubling_forward,
        ladder,
        binary_tree,
        clique,
        mutual_clique,
        star,
        fan,
        alone,
    )
}
SOUND = ("backward", "alone")  # the shapes in which each construct can be used


def plus(names: Sequence[str], leaf: str = "1", form: str = "{}") -> str:
    return " + ".join(map(form.format, names)) or leaf


def all_of(names: Sequence[str], leaf: str = "wide is 1", form: str = "{}") -> str:
    return " and ".join(map(form.format, names)) or leaf


def option_default(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"option {me}: 0..5, default {plus(others)}")


def option_range(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"option {me}: 0..{plus(others)}, default 0")


def list_of_list(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"list {me}: {me}a, {me}b{''.join(f', {other}' for other in others)}")


def attribute_range(file: File, me: str, others: Sequence[str]) -> None:
    file.add("attributes", f"{me}: 1..{plus(others)}")


def attribute_list(file: File, me: str, others: Sequence[str]) -> None:
    file.add("attributes", f"{me}: {others[0] if others else f'{me}a, {me}b'}")


def attribute_of_kind(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", *under(f"cards k{me}, {plus(others)} of each", [f"{me}: 1..1"]))


def kind(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", *under(f"cards {me}, 1 of each", [f"of_{me}: {others[0] if others else 'suit'}", f"w{me}: 1..2"]))
    file.add("declarations", f"zone z{me}: set of {me}, open")


def copies(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"option {me}: 0..3, default {plus(others)}", f"pieces p{me}, {me} for each player")


def table_of_players(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"table {me} by players: 2: {plus(others)}, otherwise: {plus(others)}")


def table_of_list(file: File, me: str, others: Sequence[str]) -> None:
    rows = ["suit | " + me, f"red | {plus(others, form='{} for red')}", "green | 2"]
    file.add("declarations", *under(f"table t{me} by suit", rows))


def counter(file: File, me: str, others: Sequence[str]) -> None:
    file.add(
        "declarations",
        f"option {me}: 0..3, default {plus(others)}",
        f"counter c{me}: 0..{me} + 2",
        f"counter d{me} of player: 0..{me}",
    )
    file.add("setup", f"set c{me} to c{others[0] if others else me}")


def marker(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"marker {me}: player or none", f"marker of_{me} of player: suit or none")
    file.add("setup", f"set {me} to {others[0] if others else 'none'}")


def zone(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"zone {me}: set of card, open", f"zone p{me} of player: pile of card, private")
    file.add("body", *(f"move {other} to {me}" for other in others))


def grid(file: File, me: str, others: Sequence[str]) -> None:
    file.add(
        "declarations", f"option {me}: 2..4, default {plus(others, '2')}", f"zone g{me}: grid of stone, {me} x {me} + 1, open"
    )


def listed_board(file: File, me: str, others: Sequence[str]) -> None:
    block = [f"    east{me}: p{me}, q{me}", f"    r{me}", f"    p{me} - q{me} - r{me}"]
    file.add("declarations", f"zone b{me}: board of stone, open", *block)


def drawn_board(file: File, me: str, others: Sequence[str]) -> None:
    rows = [f'    "p{me}-o"', '    "|"', f'    "q{me}"']
    file.add("declarations", f"zone b{me}: board of stone, open", *rows)


def define_number(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"define {me}: {plus(others, 'n')}")


def define_of_player(file: File, me: str, others: Sequence[str]) -> None:
    terms = [f"{other} of {'left of ' * (at % 2)}player" for at, other in enumerate(others)]
    file.add("declarations", f"define {me} of player: {plus(terms, 'coins of player')}")


def define_for(file: File, me: str, others: Sequence[str]) -> None:
    terms = [f"({other} of card for suit) mod 5" for other in others]
    file.add("declarations", f"define {me} of card for suit: {plus(terms, 'rank of card')}")


def define_truth(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"define {me} of card: {all_of(others, 'rank of card > 1', '{} of card')}")


def define_set(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"define {me}: {plus(others, 'row', '({} where low)')}")


def define_best(file: File, me: str, others: Sequence[str]) -> None:
    inner = plus(others, "row")
    file.add("declarations", f"define {me}: all best of {inner} by highest rank, then low")


def define_cases(file: File, me: str, others: Sequence[str]) -> None:
    cases = [f"{other} + 1 if {other} < {at + 3}" for at, other in enumerate(others)]
    file.add("declarations", *under(f"define {me}", [*(cases or ["1 if n < 4"]), "otherwise 0"]))


def define_count(file: File, me: str, others: Sequence[str]) -> None:
    terms = [f"count of row with {other} 1" for other in others]
    file.add("declarations", f"define {me} of card: {plus(terms, 'rank of card')}")


def define_cells(file: File, me: str, others: Sequence[str]) -> None:
    terms = [f"(({other} of cell) shifted north)" for other in others]
    file.add("declarations", f"define {me} of cell: {plus(terms, 'board with column (column of cell)')}")


def define_regions(file: File, me: str, others: Sequence[str]) -> None:
    terms = [f"{other} of player + count of regions of board by owner" for other in others]
    file.add("declarations", f"define {me} of player: {plus(terms, 'count of board with owner player')}")


def step(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", *under(f"step {me}", [f"do {other}" for other in others] or ["add 1 to n"]))


def step_with_more(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", *under(f"step {me}", ["add 1 to n", *(f"do {other}" for other in others), "take 1 from n"]))


def step_of_player(file: File, me: str, others: Sequence[str]) -> None:
    calls = [f"do {other} of {'left of ' * (at % 2)}player" for at, other in enumerate(others)]
    file.add("declarations", *under(f"step {me} of player", calls or ["add 1 to coins of player"]))


def step_of_others(file: File, me: str, others: Sequence[str]) -> None:
    calls = [f"do {other} of {at} seats left of player" for at, other in enumerate(others)]
    file.add("declarations", *under(f"step {me} of player", ["add 1 to coins of player", *calls]))


def step_for(file: File, me: str, others: Sequence[str]) -> None:
    calls = [f"do {other} of right of player for {'suit' if at % 2 else 'red'}" for at, other in enumerate(others)]
    file.add("declarations", *under(f"step {me} of player for suit", calls or ["if suit is red: add 1 to coins of player"]))


def step_that_stops(file: File, me: str, others: Sequence[str]) -> None:
    choice = ["player 1 chooses", f"    yes_{me}: add 1 to n", f"    no_{me}: nothing"]
    file.add("declarations", *under(f"step {me}", [*choice, *(f"do {other}" for other in others)]))


def step_with_a_stop_inside(file: File, me: str, others: Sequence[str]) -> None:
    lines = [f"do {other}" for other in others] or ["player 1 chooses", "    go: add 1 to n", "    stay: nothing"]
    file.add("declarations", *under(f"step {me}", lines))


def step_of_player_that_stops(file: File, me: str, others: Sequence[str]) -> None:
    choice = ["player chooses", "    go: add 1 to coins of player", "    stay: nothing"]
    calls = [f"do {other} of {'left of ' * (at % 2)}player" for at, other in enumerate(others)]
    file.add("declarations", *under(f"step {me} of player", calls or choice))


def step_with_chance(file: File, me: str, others: Sequence[str]) -> None:
    lines = ["set first_one to a random player", *(f"do {other}" for other in others)]
    file.add("declarations", *under(f"step {me}", lines))


def step_in_loops(file: File, me: str, others: Sequence[str]) -> None:
    calls = [line for other in others for line in under(f"for each player p{me}", [f"do {other} of p{me}"])]
    file.add("declarations", *under(f"step {me} of player", calls or ["add 1 to coins of player"]))


def step_in_repeats(file: File, me: str, others: Sequence[str]) -> None:
    calls = [line for other in others for line in under("repeat 2 times", [f"do {other}"])]
    file.add("declarations", *under(f"step {me}", calls or ["add 1 to n"]))


def step_under_conditions(file: File, me: str, others: Sequence[str]) -> None:
    calls = [
        line for at, other in enumerate(others) for line in under(f"if n < {at + 5}", [f"do {other}", f"if n > 3: end {me}"])
    ]
    file.add("declarations", *under(f"step {me}", calls or ["add 1 to n"]))


def step_in_options(file: File, me: str, others: Sequence[str]) -> None:
    options = [line for at, other in enumerate(others) for line in under(f"go{at}_{me}", [f"do {other}"])]
    file.add("declarations", *under(f"step {me}", under("player 1 chooses", [*options, "stay: nothing"])))


def step_in_auctions(file: File, me: str, others: Sequence[str]) -> None:
    auction = ["auction for first_one", "    bidders: players", "    bids: 1..3", "    once around", "    won"]
    calls = [f"        do {other}" for other in others] or ["        add 1 to n"]
    file.add("declarations", *under(f"step {me}", [*auction, *calls]))


def step_with_let(file: File, me: str, others: Sequence[str]) -> None:
    calls = [f"do {other} of x" for other in others] or ["add 1 to coins of x"]
    file.add("declarations", *under(f"step {me} of player", ["let x be left of player", *calls]))


def step_with_moves(file: File, me: str, others: Sequence[str]) -> None:
    calls = [f"do {other} of card" for other in others]
    file.add("declarations", *under(f"step {me} of card", ["move card to lot", "move lot to row", *calls]))


def limits(file: File, me: str, others: Sequence[str]) -> None:
    options = [line for at, other in enumerate(others) for line in under(f"l{at}_{me}", [f"limit 1 per {me}", f"do {other}"])]
    stay = under("stay", [f"limit 2 per {me}", "nothing"])
    file.add("declarations", *under(f"step {me}", under("player 1 chooses", [*options, *stay, "rest: nothing"])))


def whenever(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"zone z{me}: set of card, open")
    moves = [f"move card to z{other}" for other in others] or ["move card to row"]
    file.add("declarations", *under(f"whenever a card enters z{me}", moves))


def whenever_some(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"zone z{me} of player: set of card, open")
    moves = [f"if rank of card < {at + 2}: move card to z{other} of player" for at, other in enumerate(others)]
    head = f"whenever a card with rank > {len(others) % 3} where low enters z{me} of player"
    file.add("declarations", *under(head, moves or ["move card to hand of player"]))


def whenever_draws(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"zone z{me}: set of card, open")
    draws = [f"draw 1 from deck to z{other}" for other in others] or ["add 1 to n"]
    file.add("declarations", *under(f"whenever a card enters z{me}", draws))


def whenever_does(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"zone z{me}: set of card, open")
    file.add("declarations", *under(f"step s{me}", [f"draw 1 from deck to z{me}"]))
    file.add("declarations", *under(f"whenever a card enters z{me}", [f"do s{other}" for other in others] or ["add 1 to n"]))


def variant_needs(file: File, me: str, others: Sequence[str]) -> None:
    file.add("variants", *under(f"variant {me}", [*(f"needs {other}" for other in others), "set wide to 2"]))


def variant_changes(file: File, me: str, others: Sequence[str]) -> None:
    needs = [f"needs {other}" for other in others]
    adds = [f"add after x{other}: add 1 to n" for other in others] or ["add after only_step: add 1 to n"]
    inside = [f"counter of_{me}: 0..2", f"phase x{me}", f"    add 1 to of_{me}", *adds]
    file.add("variants", *under(f"variant {me}", [*needs, *inside]))


def variant_after(file: File, me: str, others: Sequence[str]) -> None:
    adds = [f"add after s{other}: do s{me}" for other in others] or [f"add before only_step: do s{me}"]
    needs = [f"needs {other}" for other in others]
    file.add("variants", *under(f"variant {me}", [*needs, f"step s{me}: add 1 to n", *adds]))


def variant_excludes(file: File, me: str, others: Sequence[str]) -> None:
    file.add("variants", *under(f"variant {me}", [*(f"excludes {other}" for other in others), "set wide to 2"]))


def variant_always(file: File, me: str, others: Sequence[str]) -> None:
    condition = all_of([f"o{other} is 1" for other in others], "wide is 1")
    file.add("declarations", f"option o{me}: 0..3, default 0")
    edits = ["add before only_step: add 1 to n", "remove coins from score" if others else "nothing_here: 1"][:1]
    file.add("variants", *under(f"variant {me}", [f"always when {condition}", *edits, "add to score", f"    of_{me}: 1"]))


def variant_sets(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"option o{me}: 0..3, default 0")
    sets = [f"set o{me} to {plus([f'o{other}' for other in others])}", "always when players > 1"]
    file.add("variants", *under(f"variant {me}", sets))


def variant_replaces(file: File, me: str, others: Sequence[str]) -> None:
    needs = [f"needs {other}" for other in others]
    file.add("declarations", f"define d{me}: 1", f"step s{me}: add 1 to n")
    calls = [f"do s{other}" for other in others] or ["add 2 to n"]
    replaced = [f"replace define d{me}: {plus([f'd{other}' for other in others])}", *under(f"replace step s{me}", calls)]
    file.add("variants", *under(f"variant {me}", [*needs, *replaced]))
    file.add("body", f"do s{me}")


def variant_at_one_place(file: File, me: str, others: Sequence[str]) -> None:
    file.add(
        "variants",
        *under(f"variant {me}", ["always when players > 1", "add after only_step: add 1 to n", "add before only: take 1 from n"]),
    )


def variant_after_steps(file: File, me: str, others: Sequence[str]) -> None:
    file.add("body", f"step x{me}: add 1 to n")
    adds = [line for other in others for line in under(f"add after x{other}", ["add 1 to n"])]
    file.add("variants", *under(f"variant {me}", ["always when players > 1", *(adds or ["add before only_step: add 1 to n"])]))


def steps_in_place(file: File, me: str, others: Sequence[str]) -> None:
    file.add("body", *under(f"step {me}", ["add 1 to n", f"if n > 3: end {me}"]))


def phases(file: File, me: str, others: Sequence[str]) -> None:
    file.add("phases", *under(f"phase {me}", ["add 1 to n", f"if n > 9: end {me}", "for each player: add 1 to coins of player"]))


def phases_that_stop(file: File, me: str, others: Sequence[str]) -> None:
    file.add(
        "phases",
        *under(f"phase {me}", under("for each player", under("player chooses", [f"yes_{me}: add 1 to n", "no_: nothing"]))),
    )


def score_terms(file: File, me: str, others: Sequence[str]) -> None:
    terms = [f"score of player for {other}" for other in others]
    file.add("terms", f"{me} for each suit: {plus(terms, 'count of hand of player with colour suit')} if n > 1")


def majorities(file: File, me: str, others: Sequence[str]) -> None:
    file.add(
        "terms",
        *under(f"{me} for each suit: majority", ["among: players with coins > 0", "by: most coins, then shared", "prizes: 4, 2"]),
    )


def lets(file: File, me: str, others: Sequence[str]) -> None:
    file.add("body", f"let {me} be {plus(others, 'n')}")


def lets_of_sets(file: File, me: str, others: Sequence[str]) -> None:
    file.add("body", f"let {me} be {plus(others, 'row')}")


def lets_of_truths(file: File, me: str, others: Sequence[str]) -> None:
    file.add("body", f"let {me} be {all_of(others, 'n > 1')}")


def stores(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"counter {me}: 0..9")
    file.add("body", f"set {me} to ({plus(others, 'n')}) mod 10")


def tests(file: File, me: str, others: Sequence[str]) -> None:
    lines = [
        "players Ann, Bob",
        "given n: 3",
        "given row: [red 1]",
        "start only",
        f"expect n is {3 + len(others)}",
        *(f'expect finding R301 "{o}"' for o in others[:9]),
    ]
    file.add("tests", *under(f'test "{me}"', lines))


def returns(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", *under("returns of player", [f"1 if n is {len(others)}", "otherwise 0"]))


def teams(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", "teams of 2, in turn")


def matches(file: File, me: str, others: Sequence[str]) -> None:
    file.add("match", *under("match until n > 3, at most 3 games, highest score, then shared", ["keep n, first_one"]))


def winners(file: File, me: str, others: Sequence[str]) -> None:
    file.add("declarations", f"winner {me}")


def extensions(file: File, me: str, others: Sequence[str]) -> None:
    extends = [f'extends "{other}.rules"' for other in others[:1]] or ['extends "base.rules"']
    file.beside[f"{me}.rules"] = "\n".join([*extends, *under(f"variant v{me}", ["set wide to 2"])]) + "\n"


def call(file: File, name: str) -> None:
    file.add("body", f"do {name}")


def call_of_player(file: File, name: str) -> None:
    file.add("body", f"for each player: do {name} of player")


def call_for(file: File, name: str) -> None:
    file.add("body", f"for each player: do {name} of player for green")


def call_of_card(file: File, name: str) -> None:
    file.add("body", *under("for each card in row", [f"do {name} of card"]))


def ask_number(file: File, name: str) -> None:
    file.add("body", f"if {name} > 1: add 1 to n")


def ask_of_player(file: File, name: str) -> None:
    file.add("body", f"for each player with {name} > 2: add 1 to n")


def ask_for(file: File, name: str) -> None:
    file.add("body", f"for each card in row: if {name} of card for red > 2: add 1 to n".replace("row: if", "row\n        if"))


def ask_of_card(file: File, name: str) -> None:
    file.add("body", f"for each card in row where {name}: add 1 to n")


def ask_set(file: File, name: str) -> None:
    file.add("body", f"if count of {name} > 1: add 1 to n")


def ask_count(file: File, name: str) -> None:
    file.add("body", f"for each card in row with {name} 2: add 1 to n")


def ask_cells(file: File, name: str) -> None:
    file.add("body", f"if {name} of a1 is not empty: add 1 to n")


def move_in(file: File, name: str) -> None:
    file.add("body", f"draw 1 from deck to z{name}")


def move_to_player(file: File, name: str) -> None:
    file.add("body", f"draw 1 from deck to z{name} of player 1")


def spend(file: File, name: str) -> None:
    file.add("body", f"if {name} > 3: add 1 to n")


def spend_of_card(file: File, name: str) -> None:
    file.add("body", f"if total {name} of row > 3: add 1 to n")


def ask_truth(file: File, name: str) -> None:
    file.add("body", f"if {name}: add 1 to n")


def with_it(file: File, name: str) -> None:
    file.add("tests", *under(f'test "with {name}"', ["players Ann, Bob", f"with {name}", "start only", "expect n > 0"]))


NAMED: Mapping[str, Named] = {
    "options by default": Named((tree.OptionDeclaration,), option_default, spend),
    "options by range": Named((tree.OptionDeclaration, tree.RangeDomain), option_range, spend),
    "lists": Named((tree.ListDeclaration, tree.WordsDomain), list_of_list),
    "attributes by range": Named((tree.Attribute, tree.RangeDomain), attribute_range, spend_of_card, sound=False),
    "attributes by list": Named((tree.Attribute, tree.Domain), attribute_list),
    "copies by attribute": Named((tree.Copies,), attribute_of_kind, sound=False),
    "kinds": Named((tree.Kind, tree.NamedDomain, tree.Zone), kind, sound=False),
    "copies by option": Named((tree.Copies, tree.Kind), copies),
    "tables by players": Named((tree.TableDeclaration,), table_of_players, spend, sound=False),
    "tables by a list": Named((tree.TableDeclaration, tree.Row), table_of_list, sound=False),
    "counters": Named((tree.Counter,), counter),
    "markers": Named((tree.Marker,), marker),
    "zones": Named((tree.Zone,), zone),
    "grids": Named((tree.Grid,), grid),
    "listed boards": Named((tree.Board, tree.Points, tree.Chain), listed_board, sound=False),
    "drawn boards": Named((tree.Board, tree.PictureRow), drawn_board, sound=False),
    "defines": Named((tree.Define,), define_number, spend),
    "defines of a player": Named((tree.Define,), define_of_player, ask_of_player),
    "defines for a word": Named((tree.Define,), define_for, ask_for),
    "truths": Named((tree.Define,), define_truth, ask_of_card),
    "sets": Named((tree.Define,), define_set, ask_set),
    "rankings": Named((tree.Define, tree.Best), define_best, ask_set),
    "defines by cases": Named((tree.Define, tree.Case), define_cases, spend),
    "counts": Named((tree.Define, tree.Count), define_count, ask_count),
    "cells": Named((tree.Define, tree.Shifted), define_cells, ask_cells),
    "regions": Named((tree.Define,), define_regions, ask_of_player),
    "steps": Named((tree.Step, tree.Do), step, call),
    "steps with more": Named((tree.Step, tree.Do), step_with_more, call),
    "steps of a player": Named((tree.Step, tree.Do), step_of_player, call_of_player),
    "steps of many players": Named((tree.Step, tree.Do), step_of_others, call_of_player),
    "steps for a word": Named((tree.Step, tree.Do), step_for, call_for),
    "steps that stop": Named((tree.Step, tree.Choose), step_that_stops, call),
    "steps with one stop inside": Named((tree.Step, tree.Do), step_with_a_stop_inside, call),
    "steps of a player with one stop": Named((tree.Step, tree.Do), step_of_player_that_stops, call_of_player),
    "steps with chance": Named((tree.Step, tree.RandomOne), step_with_chance, call),
    "steps in loops": Named((tree.Step, tree.ForEach), step_in_loops, call_of_player),
    "steps in repeats": Named((tree.Step, tree.Repeat), step_in_repeats, call),
    "steps under conditions": Named((tree.Step, tree.End), step_under_conditions, call),
    "steps in options": Named((tree.Step, tree.Option), step_in_options, call),
    "steps in auctions": Named((tree.Step, tree.Auction), step_in_auctions, call),
    "steps with names": Named((tree.Step, tree.Let), step_with_let, call_of_player),
    "steps that move": Named((tree.Step, tree.Move), step_with_moves, call_of_card),
    "limits": Named((tree.Limit,), limits, call),
    "triggers": Named((tree.Whenever,), whenever, move_in),
    "triggers with filters": Named((tree.Whenever,), whenever_some, move_to_player),
    "triggers that draw": Named((tree.Whenever,), whenever_draws, move_in),
    "triggers by steps": Named((tree.Whenever, tree.Step), whenever_does, move_in),
    "variants that need": Named((tree.Variant, tree.Needs), variant_needs, with_it),
    "variants that change": Named((tree.Variant, tree.Insert), variant_changes, with_it),
    "variants after one another": Named((tree.Variant, tree.Insert), variant_after, with_it),
    "variants that exclude": Named((tree.Variant, tree.Excludes), variant_excludes, with_it),
    "variants by condition": Named((tree.Variant, tree.Always, tree.AddToScore), variant_always),
    "variants that set": Named((tree.Variant, tree.SetOption), variant_sets),
    "variants that replace": Named((tree.Variant, tree.Replace), variant_replaces, with_it),
    "variants at one place": Named((tree.Variant, tree.Insert), variant_at_one_place),
    "variants after steps": Named((tree.Variant, tree.Insert), variant_after_steps),
    "steps in place": Named((tree.StepHere, tree.End), steps_in_place),
    "phases": Named((tree.Phase,), phases),
    "phases that stop": Named((tree.Phase, tree.Choose), phases_that_stop),
    "score terms": Named((tree.ScoreTerm,), score_terms, sound=False),
    "majorities": Named((tree.Majority,), majorities),
    "names": Named((tree.Let,), lets, spend),
    "names of sets": Named((tree.Let,), lets_of_sets, ask_set),
    "names of truths": Named((tree.Let,), lets_of_truths, ask_truth),
    "stores": Named((tree.Set,), stores),
    "tests": Named((tree.Test, tree.Given, tree.Start, tree.Expect), tests),
    "returns": Named((tree.Returns,), returns, sound=False),
    "teams": Named((tree.Teams,), teams, sound=False),
    "matches": Named((tree.Match,), matches, sound=False),
    "winners": Named((tree.Winner,), winners, sound=False),
    "extensions": Named((), extensions),
}


def grown(construct: Named, shape: Callable[[int], Links], size: int) -> Files:
    """A file in which so many of one construct refer to one another."""
    file = File()
    links = shape(max(1, size))
    for at, others in enumerate(links):
        construct.write(file, f"x_{at}", [f"x_{other}" for other in others])
    for root in roots(links):
        construct.use(file, f"x_{root}")
    if construct.write is extensions:
        last = f"x_{roots(links)[0]}.rules"
        return {last: file.beside[last], **file.beside, "base.rules": file.text()}
    return file.files()


def roots(links: Links) -> list[int]:
    """Those to which none refers; the first, where there are only circles."""
    named = {other for others in links for other in others}
    return [at for at in range(len(links)) if at not in named] or [0]


# ---- What holds others


@frozen
class Around:
    """Text around other texts: ``form`` with ``{0}`` and perhaps ``{1}``, and what stands innermost.

    ``place``: a line of the body in which the whole stands.
    """

    grows: tuple[Class, ...]
    form: str
    leaf: str
    place: str
    sound: bool = True


NUMBER = "if {} > 3: nothing"
TRUTH = "if {}: nothing"
CARDS = "if count of ({}) > 3: nothing"
CELLS = CARDS
PLAYER = "set first_one to {}"
AROUND: Mapping[str, Around] = {
    "sums": Around((tree.Arithmetic,), "{0} + {1}", "n", NUMBER),
    "sums on the right": Around((tree.Arithmetic,), "n - ({0})", "n", NUMBER),
    "products": Around((tree.Arithmetic,), "({0} mod 7) * ({1} mod 5)", "n", NUMBER),
    "products without brackets": Around((tree.Arithmetic,), "{0} * {1}", "1", NUMBER),
    "divisions": Around((tree.Division,), "{0} / 2 rounded up", "n", NUMBER),
    "negatives": Around((tree.Negative,), "- {0}", "n", NUMBER),
    "and": Around((tree.Logic,), "{0} and {1}", "n > 1", TRUTH),
    "or": Around((tree.Logic,), "{0} or {1}", "n > 1", TRUTH),
    "and or": Around((tree.Logic,), "({0} or n is 2) and {1}", "n > 1", TRUTH),
    "not": Around((tree.Not,), "not {0}", "n > 1", TRUTH),
    "not in brackets": Around((tree.Not,), "not ({0})", "n > 1", TRUTH),
    "comparisons": Around((tree.Comparison,), "({0}) is ({1})", "n > 1", TRUTH),
    "counts of both": Around(
        (tree.Count, tree.Arithmetic), "count of row with rank ({0}) + count of row with rank ({1})", "n", NUMBER, sound=False
    ),
    "memberships": Around((tree.Membership,), "n in ({0})..({1})", "1", TRUTH, sound=False),
    "memberships of sets": Around(
        (tree.Membership,), "({0}) in (no, yes) or ({1}) in (yes, no)", "first_one in players", TRUTH, sound=False
    ),
    "has": Around((tree.Has, tree.Where), "row has a card where low with rank (count of ({0}))", "row", CARDS, sound=False),
    "kinds": Around((tree.IsA,), "({0}) is a card", "any card from row", TRUTH, sound=False),
    "somebody": Around(
        (tree.Somebody,), "somebody with coins (highest coins among (players with coins > ({0})))", "n", TRUTH, sound=False
    ),
    "neighbours": Around((tree.Ref,), "left of {0}", "player 1", PLAYER),
    "seats away": Around((tree.SeatsAway,), "2 seats left of {0}", "player 1", PLAYER),
    "best players": Around(
        (tree.Best, tree.Key),
        "best of (({0}) + player 2) by highest coins, then lowest seat",
        "(player 1, player 2)",
        "let x be {}",
    ),
    "filters": Around((tree.Filtered, tree.With), "({0} with rank at least 2)", "row", CARDS),
    "filters by sets": Around((tree.Filtered, tree.With), "(row with rank (count of {0}))", "row", CARDS),
    "filters where": Around((tree.Filtered, tree.Where), "({0} where low)", "row", CARDS),
    "filters by conditions": Around((tree.Filtered, tree.Where), "({0} where (rank < 2 or low of card))", "row", CARDS),
    "filters by conditions within": Around(
        (tree.Filtered, tree.Where), "(row where (rank > count of {0}))", "row", CARDS, sound=False
    ),
    "sets without": Around((tree.Filtered, tree.Within), "({0} without {1})", "row", CARDS),
    "sets also in": Around((tree.Filtered, tree.Within), "({0} also in {1})", "row", CARDS),
    "has only": Around((tree.HasOnly,), "row has only cards with rank (count of ({0}))", "row", CARDS, sound=False),
    "larger": Around((tree.LargerOf,), "larger of {0} and {1}", "n", NUMBER),
    "distances": Around((tree.Distance,), "(distance between {0} and n)", "n", NUMBER),
    "distances on both sides": Around((tree.Distance,), "(distance between {0} and {1})", "n", NUMBER),
    "joined sets": Around((tree.Arithmetic,), "{0} + {1}", "row", CARDS),
    "joined sets in brackets": Around((tree.Arithmetic,), "({0} + {1})", "row", CARDS),
    "counts within": Around((tree.Count,), "count of row with rank ({0})", "n", NUMBER),
    "totals within": Around((tree.Total,), "total rank of (row with rank at least ({0}))", "n", NUMBER),
    "highest within": Around((tree.Extreme,), "highest rank among (row with rank at least ({0}))", "n", NUMBER, sound=False),
    "first ones": Around((tree.First,), "first player with coins > 3 clockwise from ({0})", "player 1", PLAYER),
    "any ones": Around((tree.AnyOne,), "(any card from ({0}))", "row", "if row is not empty: move ({}) to row", sound=False),
    "random ones": Around((tree.RandomOne,), "a random card from ({0})", "row", "move {} to row", sound=False),
    "groups": Around((tree.Group,), "({0}, {1})", "player 1", "if count of {} > 1: nothing", sound=False),
    "touches": Around((tree.Touches,), "(({0}) touches board)", "board", TRUTH, sound=False),
    "cells next to": Around((tree.CellsNextTo,), "cells next to {0}", "board", CELLS),
    "empty cells": Around((tree.EmptyCells,), "empty cells of {0}", "board", CELLS, sound=False),
    "shifted": Around((tree.Shifted,), "({0} shifted north)", "board", CELLS),
    "joined cells": Around((tree.Shifted, tree.Arithmetic), "(({0}) shifted east) + (({1}) shifted west)", "board", CELLS),
    "lines from": Around((tree.LinesFrom,), "lines from a1 through ({0}) to ({1})", "board", CELLS),
    "lines": Around((tree.HasLine,), "({0}) has a line of 3", "board", TRUTH, sound=False),
    "longest lines": Around((tree.LongestLine,), "count of longest line through a1 in ({0})", "board", NUMBER, sound=False),
    "shifted in directions": Around((tree.Shifted,), "(({0}) shifted diagonals)", "board", CELLS),
    "paths": Around((tree.HasPath,), "(({0}) shifted north) has a path from a1 to b2", "board", TRUTH, sound=False),
    "regions within": Around(
        (tree.Regions,), "regions of ({0}) by owner", "board", "for each region in {}: nothing", sound=False
    ),
    "every": Around((tree.Every,), "{0} + every hand + {1}", "every card", CARDS),
    "picks": Around((tree.Pick,), "{0} + all [red] + {1}", "[red 1]", CARDS, sound=False),
    "owners": Around((tree.Ref,), "owner of {0}", "a1", PLAYER, sound=False),
    "lookups": Around((tree.Ref,), "coins of first_one + count of hand of {0}", "player 1", NUMBER, sound=False),
    "specials": Around((tree.Special,), "({0}) is no", "ready of player 1", TRUTH),
    "players by number": Around((tree.PlayerNumber,), "{0} + player 2", "player 1", "if count of ({}) > 1: nothing"),
    "numbers": Around((tree.Number,), "{0} + 1", "n", NUMBER),
}


def in_row(around: Around, size: int) -> str:
    """The first hole filled again and again: ``a + b + c``."""
    text = around.leaf
    for _ in range(size):
        text = around.form.format(text, around.leaf)
    return text


def in_row_on_the_right(around: Around, size: int) -> str:
    text = around.leaf
    for _ in range(size):
        text = around.form.format(around.leaf, text)
    return text


def in_brackets(around: Around, size: int) -> str:
    text = around.leaf
    for _ in range(size):
        text = "(" + around.form.format(text, around.leaf) + ")"
    return text


def in_both(around: Around, size: int) -> str:
    """Both holes filled with the same, so deep that about ``size`` leaves come out."""
    text = around.leaf
    for _ in range(max(1, size).bit_length()):
        text = around.form.format(text, text)
    return text


def wrapped(text: str) -> str:
    """A long line in several: a bracket around it is open."""
    return re.sub(r"((?: \S+){40})", r"\1\n       ", f" ({text})").strip()


FILLINGS: Mapping[str, Callable[[Around, int], str]] = {
    "in a row": in_row,
    "on the right": in_row_on_the_right,
    "in brackets": in_brackets,
    "in both": in_both,
    "in lines": lambda around, size: wrapped(in_row(around, size)),
}

# Lines that hold blocks: the line, and what may stand innermost. Other lines can stand before and behind.
BLOCKS: Mapping[str, tuple[tuple[Class, ...], Lines]] = {
    "if": ((tree.If,), ["if n > {}"]),
    "otherwise": ((tree.If,), ["if n > {}: nothing", "otherwise"]),
    "for each player": ((tree.ForEach,), ["for each player p{}"]),
    "for each of a set": ((tree.ForEach,), ["for each card c{} in row where low"]),
    "for each by keys": ((tree.ForEach, tree.ByKeys), ["for each player p{} by highest coins, then lowest seat"]),
    "for each clockwise": ((tree.ForEach, tree.Clockwise), ["for each player p{} clockwise from first_one"]),
    "for each in random order": ((tree.ForEach, tree.InRandomOrder), ["for each player p{} in random order"]),
    "for each at once": ((tree.ForEach, tree.AtOnce), ["for each player p{} at once", "    p{} chooses", "        name_it{}"]),
    "for each word": ((tree.ForEach,), ["for each suit s{}"]),
    "for each cell": ((tree.ForEach,), ["for each cell c{} in board"]),
    "for each region": ((tree.ForEach, tree.Regions), ["for each region r{} in regions of board by owner"]),
    "repeat": ((tree.Repeat,), ["repeat 2 times"]),
    "repeat until": ((tree.Repeat,), ["repeat until n > {} at most 3 times"]),
    "repeat otherwise": ((tree.Repeat,), ["repeat until n > {} at most 3 times", "    add 1 to n", "otherwise"]),
    "turns": ((tree.TakeTurns,), ["take turns clockwise from first_one until n > {}"]),
    "step in place": ((tree.StepHere,), ["step inner{}"]),
    "choices": ((tree.Choose, tree.Option), ["player 1 chooses", "    other{}: nothing", "    verb{}"]),
    "choices with things": (
        (tree.Choose, tree.Argument),
        ["player 1 chooses", "    other{}: nothing", "    verb{} a card c{} from row"],
    ),
    "choices of several": (
        (tree.Choose, tree.Several),
        ["player 1 chooses", "    other{}: nothing", "    verb{} 2 cards c{} from row"],
    ),
    "nothing possible": (
        (tree.Choose,),
        ["player 1 chooses", "    other{}", "        only if n > {}", "        nothing", "    if impossible"],
    ),
    "auctions": (
        (tree.Auction,),
        ["auction for first_one", "    bidders: players", "    bids: b{} from 1..3", "    once around", "    won"],
    ),
    "no bids": (
        (tree.Auction,),
        ["auction for first_one", "    bidders: players", "    bids: b{} from 1..3", "    a pass is final", "    no bids"],
    ),
    "cannot pay": (
        (tree.Auction, tree.PayCounter),
        [
            "auction for first_one",
            "    bidders: players",
            "    bids: b{} from 1..3",
            "    sealed",
            "    payment: coins of winner to n",
            "    cannot pay",
        ],
    ),
    "placings": (
        (tree.Option, tree.Placing),
        ["player 1 chooses", "    other{}: nothing", "    lay{} stone of player 1 on board"],
    ),
}
INNERMOST = ("add 1 to n", "do last_step", "draw 1 from deck to row", "player 1 chooses\n    go: nothing\n    stay: nothing")


def blocks(lines: Lines, inner: Lines, depth: int, around: Lines) -> Lines:
    """Each block in the one before, so deep. ``around``: what stands before and behind each."""
    text = inner
    for level in reversed(range(depth)):
        *heads, last = [line.replace("{}", str(level)) for line in lines]
        indent = " " * (len(last) - len(last.lstrip()) + 4)
        text = [*around, *heads, last, *(indent + line for line in text), *around]
    return text


# ---- Lists


@frozen
class Listed:
    """A list: ``part`` is written with its number, again and again; ``place`` and the line ``head`` say where it all stands."""

    grows: tuple[Class, ...]
    place: str
    head: str | None  # the line above, if any
    part: str
    joint: str = "\n"
    before: str = ""
    behind: str = ""
    sound: bool = True


REALM = """
tiles tile, 1 of each
    number: 1..2
    marker boss: player or none
    shape "ab"
        land: wood, lake
zone realm: grid of tile, 5 x 5, open
phase laying_all
    for each tile in every tile: do laying of tile"""
LISTED: Mapping[str, Listed] = {
    "otherwise if": Listed(
        (tree.Comparison,), "body", None, "otherwise if n is {}: add {} to n", before="if n is 9999: nothing\n"
    ),
    "otherwise if with blocks": Listed(
        (tree.Add,),
        "body",
        None,
        "otherwise if n is {}\n    add 1 to n\n    take 1 from n",
        before="if n > 99999: nothing\n",
        behind="\notherwise: nothing",
    ),
    "otherwise if that stop": Listed(
        (tree.Choose,),
        "body",
        None,
        "otherwise if n is {}\n    player 1 chooses\n        go: nothing\n        stay: add 1 to n",
        before="if n > 99999: nothing\n",
    ),
    "otherwise if in an option": Listed(
        (tree.Nothing,), "body", "player 1 chooses", "    otherwise if n is {}: nothing", before="go\n    if n > 99999: nothing\n"
    ),
    "ifs": Listed((tree.If,), "body", None, "if n is {}: add 1 to n"),
    "cases": Listed((tree.Case,), "declarations", "define d", "{} if n is {}", behind="\notherwise 0"),
    "cases of a player": Listed(
        (tree.Case,), "declarations", "define d of player", "{} if coins of player is {}", behind="\notherwise 0"
    ),
    "truth cases": Listed((tree.Case,), "declarations", "define d of card", "yes if rank of card is {}", behind="\notherwise no"),
    "cases of sets": Listed((tree.Case,), "declarations", "define d", "row if n is {}", behind="\notherwise every hand"),
    "cases of returns": Listed(
        (tree.Case,), "declarations", "returns of player", "{} if coins of player is {}", behind="\notherwise 0"
    ),
    "only if": Listed(
        (tree.OnlyIf,),
        "body",
        "player 1 chooses",
        "    only if n is not {}",
        before="stay: nothing\ngo\n",
        behind="\n    nothing",
    ),
    "only if with reasons": Listed(
        (tree.OnlyIf,),
        "body",
        "player 1 chooses",
        '    only if n is not {} unless coins of player 1 > {} otherwise "not {{n}}"',
        before="stay: nothing\ngo\n",
        behind="\n    nothing",
    ),
    "only if of a thing": Listed(
        (tree.OnlyIf,),
        "body",
        "player 1 chooses",
        "    only if rank of card is not {} or low of card",
        before="stay: nothing\ngo a card from row\n",
        behind="\n    nothing",
    ),
    "so that": Listed(
        (tree.SoThat,),
        "declarations",
        "step laying of tile",
        "        so that width of realm at most {} + 2",
        before="player 1 chooses\n    stay: nothing\n    lay tile on realm\n",
        behind="\n        nothing",
    ),
    "limits of an option": Listed(
        (tree.Limit,),
        "body",
        "player 1 chooses",
        "    limit {} per only",
        before="stay: nothing\ngo\n",
        behind="\n    nothing",
        sound=False,
    ),
    "options of a choice": Listed((tree.Option,), "body", "player 1 chooses", "go{}: nothing"),
    "options with blocks": Listed(
        (tree.Option, tree.OnlyIf),
        "body",
        "player 1 chooses",
        "go{}\n    only if n > {}\n    add 1 to n\n    do last_step",
        behind="\nstay: nothing",
    ),
    "options of one verb": Listed(
        (tree.Option, tree.OnlyIf),
        "body",
        "player 1 chooses",
        "go a number from 0..{}\n    only if n > number + {}\n    add 1 to n",
        behind="\nstay: nothing",
        sound=False,
    ),
    "options with arguments": Listed((tree.Argument,), "body", "player 1 chooses", "go{} a card from row and a suit: nothing"),
    "arguments": Listed((tree.Argument,), "body", "player 1 chooses", "a mood m{}", " and ", "go ", ": nothing", sound=False),
    "winner keys": Listed((tree.Key,), "keys", None, "k{}: highest coins"),
    "winner keys for each": Listed((tree.Key,), "keys", "for each suit", "s{}: most hand", sound=False),
    "winner keys for each, many": Listed((tree.KeysForEach,), "keys", None, "for each suit\n    s{}: most hand", sound=False),
    "keys in a row": Listed((tree.Key,), "body", None, "highest coins", ", then ", "for each player by ", ": add 1 to n"),
    "keys of best": Listed((tree.Key,), "body", None, "highest rank", ", then ", "let x be all best of row by "),
    "score lines": Listed((tree.ScoreTerm,), "terms", None, "t{}: coins of player * {} if n > {}"),
    "score lines for each": Listed((tree.ScoreTerm,), "terms", None, "t{} for each card in hand of player: rank of card"),
    "prizes": Listed(
        (tree.Number,), "terms", "rivals: majority", "1", ", ", "among: players\nby: most coins, then shared\nprizes: "
    ),
    "lines": Listed((tree.Add, tree.Take), "body", None, "add 1 to n\ntake 1 from n"),
    "sets of words": Listed((tree.Set,), "body", None, "set feeling to calm\nset first_one to player 1"),
    "moves": Listed((tree.Move,), "body", None, "move row to hand of player 1\nmove hand of player 1 to row"),
    "moves of some": Listed(
        (tree.Move,), "body", None, "move (every card with rank 1) to row\nmove any card from row to lot\nmove lot to row"
    ),
    "draws": Listed((tree.Draw, tree.Shuffle), "body", None, "draw 1 from deck to row\nshuffle row into deck"),
    "reveals": Listed(
        (tree.Reveal, tree.Show, tree.Look, tree.Swap),
        "body",
        None,
        "reveal row\nshow row to player 2\nplayer 1 looks at top 2 of deck\nswap row with hand of player 1",
    ),
    "conditions after": Listed(
        (tree.OnlyIf, tree.AfterThis, tree.Possible),
        "body",
        "player 1 chooses",
        "    only if after this n > {} unless stay is possible",
        before="go\n",
        behind="\n    add 1 to n\nstay: nothing",
        sound=False,
    ),
    "positions": Listed(
        (tree.Remember, tree.Repeats, tree.If),
        "body",
        None,
        "remember position\nif position repeats {} times: nothing",
        sound=False,
    ),
    "kinds with names": Listed((tree.ShownAs,), "declarations", None, 'pieces token{}, 2\n    shown as "token"', sound=False),
    "other copies": Listed((tree.OtherCopies,), "attributes", None, "3 of each with rank 2", sound=False),
    "counters of several": Listed(
        (tree.Counter, tree.Parameter), "declarations", None, "counter toll{} of player for suit after mood: 0..9", sound=False
    ),
    "totals for each": Listed(
        (tree.OverEach,), "body", None, "let sum{} be total (rank of card + n) for each card of row", sound=False
    ),
    "rolls": Listed((tree.Roll,), "body", None, "roll 1 die to cup\nroll cup\nmove cup to box"),
    "cards held back": Listed((tree.HoldBack,), "body", None, "remove 0 from deck unseen"),
    "payments": Listed((tree.Pay,), "body", None, "pay all from n to coins of player 1\npay 0 from coins of player 1 to n"),
    "puts": Listed(
        (tree.Put,), "body", None, "for each player: put stone of player on a1\nfor each cell in board: move stone of cell to box"
    ),
    "random values": Listed((tree.RandomOne,), "body", None, "set feeling to a random mood\nset n to a random number from 1..9"),
    "choices in a row": Listed((tree.Choose,), "body", None, "player 1 chooses\n    go: add 1 to n\n    stay: nothing"),
    "choices of all": Listed(
        (tree.Choose, tree.ForEach),
        "body",
        None,
        "for each player at once\n    player chooses\n        go: add 1 to n\n        stay: nothing",
    ),
    "choices of several in a row": Listed(
        (tree.Several, tree.Alike, tree.WithTotal),
        "body",
        None,
        "player 1 chooses\n    go up to 2 cards from row, all the same, with total rank at most 3: nothing\n    stay: nothing",
    ),
    "auctions in a row": Listed(
        (tree.Auction, tree.BidPart),
        "body",
        None,
        "auction for first_one\n    bidders: players\n    bids: 1..3 , each higher than the last\n    a pass is final\n"
        "    payment: coins of winner to n\n    cannot pay: bid again without winner",
        behind="",
    ),
    "auctions paid by cards": Listed(
        (tree.Auction, tree.PayComponents),
        "body",
        None,
        "auction for lot\n    bidders: players by most coins\n    bids: 1..3\n    once around\n"
        "    payment: cards from hand of winner to row\n    cannot pay\n        add 1 to n\n        bid again without winner",
    ),
    "payments by condition": Listed(
        (tree.PayCounter,),
        "body",
        "auction for first_one",
        "    if n is {}: coins of winner to n",
        before="bidders: players\nbids: 1..3\nonce around\ncannot pay: nothing\npayment\n",
        behind="\n    otherwise: coins of winner to n",
    ),
    "parts of a bid": Listed(
        (tree.BidPart,), "body", "auction for first_one", "b{} from 0..1", " and ", "bidders: players\nonce around\nbids: "
    ),
    "loops in a row": Listed(
        (tree.ForEach, tree.Repeat, tree.TakeTurns),
        "body",
        None,
        "for each player: add 1 to n\nrepeat 2 times: add 1 to n\ntake turns until n > 3: add 1 to n",
    ),
    "ends": Listed((tree.End,), "body", "step inner", "if n is {}: end inner"),
    "wins": Listed((tree.Wins,), "body", None, "if n is {}: player 1 wins\nif n is 1{}: nobody wins", sound=False),
    "calls": Listed((tree.Do,), "body", None, "do last_step"),
    "steps in place in a row": Listed((tree.StepHere,), "body", None, "step inner{}: add 1 to n"),
    "words": Listed((), "declarations", None, "w{}", ", ", "list many: ", "\nmarker one_of_many: many or none"),
    "words of an attribute": Listed((), "attributes", None, "w{}", ", ", "shade: "),
    "attributes": Listed((tree.Attribute,), "attributes", None, "a{}: 1..1"),
    "attributes that multiply": Listed((tree.Attribute,), "attributes", None, "a{}: 1..2"),
    "markers of components": Listed(
        (tree.Marker,), "declarations", "cards hero, 1 of each", "marker m{}: player or none", before="who: ann, bob\n"
    ),
    "rows of cards": Listed((tree.Row,), "declarations", "cards hero", "{}", before="might: 0..999999\nmight\n"),
    "rows of equal cards": Listed(
        (tree.Row,), "declarations", "cards hero", "1 | 2 | 1", before="might: 0..9\nother: 1..3\nmight | other | count\n"
    ),
    "rows left out": Listed(
        (tree.LeaveOut,),
        "declarations",
        "cards hero",
        "leave out rows with might > 1{}",
        before="might: 0..999999\nmight\n1\n2\n",
    ),
    "rows of a table": Listed((tree.Row,), "declarations", "table t by number", "{} | {}", before="number | value\n"),
    "entries of a table": Listed((tree.Row,), "declarations", None, "{}: {}", ", ", "table t by number: "),
    "columns of a table": Listed(
        (), "declarations", "table t by players", "c{}", " | ", "players | ", "\n2 | 1\n3 | 1\n4 | 1", sound=False
    ),
    "names of zones": Listed((tree.Name,), "declarations", None, "z{}", ", ", "zone ", ": set of card, open"),
    "kinds on a grid": Listed(
        (tree.Name,), "declarations", None, "stone", " or ", "zone g: grid of ", ", 3 x 3, open", sound=False
    ),
    "tiles with shapes": Listed(
        (tree.Shape, tree.Kind),
        "declarations",
        None,
        'tiles t{}, 1 of each\n    size{}: 1..1\n    shape "ab" "cd"\n        sort{}: wood, lake',
    ),
    "cards in rows": Listed((tree.Written, tree.Row), "declarations", None, "cards t{}\n    might{}: 1..2\n    might{}\n    1"),
    "cards beside": Listed((tree.FromFile,), "declarations", None, 'cards t{} from "t{}.csv"\n    might{}: 1..2', sound=False),
    "lines of a shape": Listed(
        (), "declarations", "tiles t, 1 of each", '"a"', " ", "size: 1..1\nshape ", "\n    land: wood, lake", sound=False
    ),
    "sides of a shape": Listed((), "declarations", "tiles t, 1 of each", "a", "", 'size: 1..1\nshape "', '"', sound=False),
    "texts": Listed((tree.Text,), "variants", None, 'l{} "text"', " ", "variant v ", "\n    set wide to 2", sound=False),
    "interpolations": Listed((), "body", "player 1 chooses", "{{n}}", " ", 'stay: nothing\ngo "', '": nothing', sound=False),
    "titles": Listed((), "declarations", None, 'title en "x{}"', sound=False),
    "games": Listed((), "declarations", None, "game again{}", sound=False),
    "players": Listed((), "declarations", None, "players 2..4", sound=False),
    "needs": Listed((tree.Needs,), "variants", "variant v", "needs players < 9{}"),
    "needs of options": Listed((tree.Needs,), "variants", "variant v", "needs wide is {}"),
    "excluded": Listed((tree.Excludes,), "variants", "variant v", "excludes w{}", sound=False),
    "always": Listed((tree.Always,), "variants", "variant v", "always when players > {}", sound=False),
    "settings": Listed((tree.SetOption,), "variants", "variant v", "set wide to 2"),
    "inserts": Listed((tree.Insert,), "variants", "variant v", "add after only_step: add 1 to n"),
    "inserts on both sides": Listed(
        (tree.Insert,),
        "variants",
        "variant v",
        "add before only_step: add 1 to n\nadd after only: take 1 from n\nadd after only_step\n    for each player: nothing",
    ),
    "score lines of a variant": Listed((tree.AddToScore, tree.ScoreTerm), "variants", "variant v", "add to score\n    t{}: 1"),
    "score lines removed": Listed((tree.Remove,), "variants", "variant v", "remove coins from score", sound=False),
    "winner keys removed": Listed((tree.Remove,), "variants", "variant v", "remove main from winner", sound=False),
    "replaced": Listed((tree.Replace,), "variants", "variant v", "replace define low of card: rank of card < 2", sound=False),
    "declarations of a variant": Listed(
        (tree.Counter, tree.Define), "variants", "variant v", "counter c{}: 0..3\ndefine e{}: c{} + 1"
    ),
    "acts": Listed((tree.Plays, tree.Act), "tests", 'test "t"', "Ann: go", before="players Ann, Bob\n", sound=False),
    "things of an act": Listed((tree.Number,), "tests", 'test "t"', "1", " ", "players Ann, Bob\nAnn: go ", sound=False),
    "expectations": Listed((tree.Expect,), "tests", 'test "t"', "expect n > 0", before="players Ann, Bob\nstart only\n"),
    "can and cannot": Listed(
        (tree.ExpectCan, tree.ExpectCannot, tree.Act),
        "tests",
        'test "t"',
        'expect Ann can go, go\nexpect Ann cannot go because "x"',
        before="players Ann, Bob\nstart only\n",
        sound=False,
    ),
    "knowledge": Listed(
        (tree.ExpectKnows, tree.GivenKnown),
        "tests",
        'test "t"',
        "given Ann knows row\nexpect Ann knows row",
        before="players Ann, Bob\n",
    ),
    "given": Listed(
        (tree.Given,), "tests", 'test "t"', "given n: {}", before="players Ann, Bob\n", behind="\nstart only\nexpect n > 1"
    ),
    "given on a grid": Listed(
        (tree.GivenLaid, tree.Laid),
        "tests",
        'test "t"',
        "given board: stone of Ann on a1, stone of Bob on b1",
        before="players Ann, Bob\n",
        behind="\nstart only\nexpect n > 1",
    ),
    "chances": Listed((tree.Chance,), "tests", 'test "t"', "chance: [red 1], [red 2]", before="players Ann, Bob\n", sound=False),
    "things of chance": Listed(
        (tree.Pick,), "tests", 'test "t"', "[red 1]", ", ", "players Ann, Bob\nchance: ", "\nexpect n > 0", sound=False
    ),
    "players of a test": Listed(
        (tree.Name,), "tests", 'test "t"', "p{}", ", ", "players ", "\nstart only\nexpect n > 1", sound=False
    ),
    "variants of a test": Listed(
        (tree.TestWith, tree.Name),
        "tests",
        'test "t"',
        "with v{}",
        before="players Ann, Bob\n",
        behind="\nexpect n > 0",
        sound=False,
    ),
    "setups of a test": Listed(
        (tree.RunSetup,), "tests", 'test "t"', "setup", before="players Ann, Bob\n", behind="\nexpect n > 0", sound=False
    ),
    "players lines of a test": Listed(
        (tree.TestPlayers,), "tests", 'test "t"', "players Ann, Bob", behind="\nexpect n > 0", sound=False
    ),
    "findings": Listed((tree.ExpectFinding,), "tests", 'test "t"', 'expect finding R301 "{}"', before="players Ann, Bob\n"),
    "kept": Listed((tree.Name,), "match", "match of 3 games", "n", ", ", "keep ", sound=False),
    "setups": Listed((tree.Setup,), "declarations", None, "setup: add 1 to n", sound=False),
    "scores": Listed((tree.Score,), "declarations", None, "score of player\n    t{}: 1", sound=False),
    "bid again": Listed(
        (tree.BidAgain,),
        "body",
        "auction for first_one",
        "        bid again without winner",
        before="bidders: players\nbids: 1..3\nonce around\ncannot pay\n    if n > 2\n",
        behind="\npayment: coins of winner to n",
        sound=False,
    ),
    "numbers of a domain": Listed((tree.NumbersDomain,), "declarations", None, "option p{}: 1, 3, 5, default 3"),
    "values of a domain": Listed((), "declarations", None, "{}", ", ", "option many: ", ", default 0"),
    "intervals": Listed((tree.Interval,), "body", None, "if n in 1..{} + 2: nothing"),
    "commas": Listed((), "declarations", None, ",", " ", "list many: a", sound=False),
    "misspelt lines": Listed((), "body", None, "ad 1 too n{}", sound=False),
    "misspelt declarations": Listed((), "declarations", None, "conter c{}: 0..1", sound=False),
    "comments": Listed((), "declarations", None, "# a comment {}\n\n"),
    "notes": Listed((tree.Note,), "declarations", None, 'note "n {}"'),
    "spaces": Listed((), "declarations", None, " ", "", "counter some:", "0..1"),
    "strings": Listed((), "body", "player 1 chooses", "words ", "", 'stay: nothing\ngo "', '": nothing'),
    "digits": Listed((), "body", None, "1", "", "add 0", " to n", sound=False),
    "long names": Listed((), "declarations", None, "long_", "", "counter ", "name: 0..1"),
    "brackets": Listed((), "body", None, "(", "", "if ", "n > 1: nothing", sound=False),
    "picks of many values": Listed((), "body", None, "1", " ", "if count of all [", "] > 1: nothing", sound=False),
}


def listed(construct: Listed, size: int) -> Files:
    file = File()
    parts = (construct.part.replace("{}", str(at)).replace("{{", "{").replace("}}", "}") for at in range(max(1, size)))
    text = construct.before + construct.joint.join(parts) + construct.behind
    lines = text.split("\n")
    file.add(construct.place, *(lines if construct.head is None else under(construct.head.replace("{}", "0"), lines)))
    if "laying of tile" in (construct.head or ""):
        file.add("declarations", *REALM.strip().splitlines())
    if "last_step" in text:
        file.add("declarations", "step last_step: add 1 to n")
    return file.files()


# ---- Names that are alike, misspelt, and files beside


MISSPELT = {
    "counters": ("counter counting_{}: 0..9", "body", "add 1 to couting_{}"),
    "steps": ("step stepping_{}: add 1 to n", "body", "do steping_{}"),
    "steps of players": ("step stepping_{} of player: add 1 to n", "body", "do steping_{} of player 1"),
    "zones": ("zone zoning_{}: set of card, open", "body", "move zonig_{} to row"),
    "defines": ("define defining_{}: n + 1", "body", "if defning_{} > 1: nothing"),
    "defines of players": ("define defining_{} of player: n + 1", "body", "if somebody with defning_{} > 1: nothing"),
    "markers": ("marker marking_{}: player or none", "body", "set markin_{} to player 1"),
    "options": ("option opting_{}: 0..3, default 1", "variants", "variant v{}\n    set opting__{} to 1"),
    "variants": ("", "variants", "variant varying_{}\n    needs varing_{}"),
    "places": ("", "variants", "variant varying_{}\n    add after onlystep_{}: nothing"),
    "phases": ("", "phases", "phase phasing_{}\n    end phasng_{}"),
    "kinds": ("", "declarations", "zone zoning_{}: set of crad_{}, open"),
    "lists": ("list listing_{}: la{}, lb{}", "declarations", "marker m{}: lsting_{} or none"),
    "words": ("list listing_{}: laa{}, lbb{}", "body", "set feeling to lab{}"),
    "attributes": ("", "body", "for each card in row with rnak{} 3: nothing"),
    "terms": ("", "variants", "variant varying_{}\n    remove conis{} from score"),
    "names of tests": (
        "",
        "tests",
        'test "t{}"\n    players Ann, Bob\n    An{}: go\n    with varing_{}\n    start onl{}\n    expect n is 1',
    ),
    "verbs": ("", "tests", 'test "t{}"\n    players Ann, Bob\n    start only\n    Ann: goo{}'),
    "columns": ("", "declarations", "cards hero{}\n    might: 1..2\n    migth{}\n    1"),
    "of and for": ("define defining_{} of player for suit: n", "body", "if defining_{} of player > 1: nothing"),
    "same names": ("counter counting: 0..9", "body", "add 1 to counting"),
    "swapped kinds": ("counter counting_{}: 0..9", "body", "do counting_{}"),
}


def misspelt(declared: str, place: str, used: str, size: int) -> Files:
    file = File()
    for at in range(max(1, size)):
        file.add("declarations", *(line for line in declared.replace("{}", str(at)).split("\n") if line))
        file.add(place, *used.replace("{}", str(at)).split("\n"))
    return file.files()


def alike(size: int) -> Files:
    """Names of many letters that differ in one, each used with another letter wrong."""
    file = File()
    letters = "abcdefghijklmnopqrstuvwxyz"
    for at in range(max(1, size)):
        name = "".join(letters[at // 26**place % 26] for place in range(3))
        file.add("declarations", f"counter {'quite_' * 8}{name}{'_long' * 8}: 0..9")
        file.add("body", f"add 1 to {'quite_' * 8}{name}{'_long' * 7}_lung")
    return file.files()


def rows_beside(size: int) -> Files:
    file = File()
    file.add("declarations", *under('cards hero from "heroes.csv"', ["might: 1..5", "side: suit"]))
    file.beside["heroes.csv"] = "might,side,count,other\n" + "".join(f"{at % 5 + 1},red,1,{at}\n" for at in range(max(1, size)))
    return file.files()


def rows_beside_left_out(size: int) -> Files:
    file = File()
    file.add("declarations", *under('cards hero from "heroes.csv"', ["might: 1..5", "leave out rows with other > players"]))
    file.beside["heroes.csv"] = "might,other\n" + "".join(f"{at % 5 + 1},{at}\n" for at in range(max(1, size)))
    return file.files()


def faulty_rows_beside(size: int) -> Files:
    file = File()
    file.add("declarations", *under('cards hero from "heroes.csv"', ["might: 1..5", "side: suit"]))
    file.beside["heroes.csv"] = "might,side\n" + "".join(f"{at + 6},rde{at}\n" for at in range(max(1, size)))
    return file.files()


def columns_beside(size: int) -> Files:
    file = File()
    columns = range(max(1, size))
    file.add("declarations", *under('cards hero from "heroes.csv"', [f"a{at}: 1..2" for at in columns]))
    file.beside["heroes.csv"] = ",".join(f"a{at}" for at in columns) + "\n" + ",".join("1" for _ in columns) + "\n"
    return file.files()


def cells_beside(size: int) -> Files:
    file = File()
    file.add("declarations", *under('cards hero from "heroes.csv"', ["might: 1..2"]))
    file.beside["heroes.csv"] = "might\n" + '"' + "x" * size + "\n" * (size // 2) + "\n1\n"
    return file.files()


# ---- All of them


def families() -> Iterator[tuple[str, Callable[[int], Files]]]:
    """Every family by its name, with the function that writes its files in a size."""
    for family in all_families():
        yield family.name, family.write


def all_families() -> Iterator[Family]:
    for name, construct in NAMED.items():
        for shape_name, shape in SHAPES.items():
            sound = construct.sound and shape_name in SOUND

            def write(size: int, construct: Named = construct, shape: Callable[[int], Links] = shape) -> Files:
                return grown(construct, shape, size)

            yield Family(f"{name}, {shape_name}", frozenset(construct.grows), sound, write, shape_name == "backward")
    yield from _expressions()
    yield from _blocks()
    for name, parts in LISTED.items():

        def write_list(size: int, parts: Listed = parts) -> Files:
            return listed(parts, size)

        yield Family(f"list of {name}", frozenset(parts.grows), parts.sound, write_list, True)
    for name, (declared, place, used) in MISSPELT.items():

        def write_misspelt(size: int, declared: str = declared, place: str = place, used: str = used) -> Files:
            return misspelt(declared, place, used, size)

        yield Family(f"misspelt {name}", frozenset(), False, write_misspelt)
    for beside in (alike, rows_beside, rows_beside_left_out, faulty_rows_beside, columns_beside, cells_beside):
        yield Family(beside.__name__.replace("_", " "), frozenset(), False, beside)
    for name, text in SMALL_GAMES.items():
        yield from _spread(name, text)


def _expressions() -> Iterator[Family]:
    for name, around in AROUND.items():
        for filling_name, filling in FILLINGS.items():

            def write(size: int, around: Around = around, filling: Callable[[Around, int], str] = filling) -> Files:
                file = File()
                file.add("body", around.place.replace("{}", filling(around, size)))
                return file.files()

            def write_asked(size: int, around: Around = around, filling: Callable[[Around, int], str] = filling) -> Files:
                """The same in a define that is asked again and again."""
                file = File()
                file.add("declarations", f"define grown_one: {filling(around, size)}")
                asked = around.place.replace("{}", "grown_one")
                file.add("body", *(asked for _ in range(size)))
                return file.files()

            plain = around.sound and filling_name in ("in a row", "in both")
            yield Family(f"{name} {filling_name}", frozenset(around.grows), plain, write, filling_name == "in a row")
            if filling_name in ("in a row", "in both"):
                yield Family(f"{name} {filling_name}, asked again", frozenset(around.grows), False, write_asked)


def _blocks() -> Iterator[Family]:
    for name, (grows, lines) in BLOCKS.items():
        for at, inner in enumerate(INNERMOST):
            both: tuple[Lines, Lines] = ([], ["add 1 to n"])
            for around in both:

                def write(size: int, lines: Lines = lines, inner: str = inner, around: Lines = around) -> Files:
                    file = File()
                    depth = max(1, size)
                    file.add("declarations", "step last_step: add 1 to n")
                    file.add("body", *blocks(lines, inner.split("\n"), depth, around))
                    return file.files()

                def write_wide(size: int, lines: Lines = lines, inner: str = inner, around: Lines = around) -> Files:
                    """As deep as blocks may be, and as many of these as the size says."""
                    file = File()
                    depth = 4
                    file.add("declarations", "step last_step: add 1 to n")
                    for again in range(-(-size // depth)):
                        renamed = [
                            re.sub(r"\{\}", f"{{}}w{again}", line)
                            if "inner" in line or "verb" in line or "other" in line
                            else line
                            for line in lines
                        ]
                        file.add("body", *blocks(renamed, inner.split("\n"), depth, around))
                    return file.files()

                tail = f"around {inner.split()[0]} {at}{' with more' if around else ''}"
                yield Family(f"nest of {name} {tail}", frozenset(grows), False, write, at == 0 and not around)
                yield Family(f"nests of {name} {tail}", frozenset(grows), False, write_wide)


def _spread(game: str, text: str) -> Iterator[Family]:
    """Each line of a small game again and again, with all that stands under it, and put into itself."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        end = next(
            (i for i in range(at + 1, len(lines)) if lines[i].strip() and len(lines[i]) - len(lines[i].lstrip()) <= indent),
            len(lines),
        )
        block = lines[at:end]

        def write(size: int, at: int = at, end: int = end, block: Lines = block) -> Files:
            again = [line for _ in range(max(1, size)) for line in block]
            return {MAIN: "\n".join([*lines[:at], *again, *lines[end:]]) + "\n"}

        def write_renamed(size: int, at: int = at, end: int = end, block: Lines = block) -> Files:
            """The first name of the block is another one each time."""
            words = re.findall(r"[a-z_]{3,}", block[0])
            name = words[1] if len(words) > 1 and block[0][:1] != " " else words[0] if words else ""
            again = [
                line
                for i in range(max(1, size))
                for line in (re.sub(rf"\b{name}\b", f"{name}{i or ''}", block[0], count=1), *block[1:])
            ]
            return {MAIN: "\n".join([*lines[:at], *again, *lines[end:]]) + "\n"}

        def write_nested(size: int, at: int = at, end: int = end, block: Lines = block, indent: int = indent) -> Files:
            """The block at the end of itself, deeper and deeper."""
            text = list(block)
            inner = text[-1]
            step = max(4, len(inner) - len(inner.lstrip()) - indent)
            grown: Lines = []
            for depth in range(max(1, size)):
                grown += [" " * min(step * depth, 3000) + line for line in text]
            return {MAIN: "\n".join([*lines[:at], *grown, *lines[end:]]) + "\n"}

        yield Family(f"{game} {at + 1} again", frozenset(), False, write)
        yield Family(f"{game} {at + 1} again, renamed", frozenset(), False, write_renamed)
        if len(block) > 1:
            yield Family(f"{game} {at + 1} in itself", frozenset(), False, write_nested)
