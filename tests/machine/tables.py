"""Small machines for these tests, built by hand.

`Build` collects code and makes a `Machine` of it. `card_game` is a whole game for two to four players, in teams: it deals by
chance, takes turns in nested loops, calls routines from several places, hides and shows cards, and scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulesrun.interpreter.common.source import Source, Span
from rulesrun.interpreter.machine.analysis.layout import allocate
from rulesrun.interpreter.machine.machine import (
    NONE,
    Alternative,
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Condition,
    Const,
    Constants,
    Domain,
    Expr,
    Fail,
    Fault,
    Field,
    Function,
    Group,
    If,
    Invoke,
    Leave,
    Load,
    Local,
    Lookup,
    Machine,
    Message,
    Note,
    Op,
    OpName,
    Return,
    Routine,
    Say,
    Show,
    Stmt,
    Term,
    Variable,
    Visibility,
    While,
    ZoneView,
)


def zone_view(name: str, cards: Domain, visibility: Visibility, owner: Domain | None, content: Field) -> ZoneView:
    seats = (NONE,) if owner is None else tuple(range(len(owner.names)))
    return ZoneView(
        name=name, kind="card", domain=cards, shape="set", visibility=visibility, owner=owner, seats=seats, content=content
    )


SOURCE = Source("cards.rules", "game cards\n    repeat forever\n    player chooses\n")
SPAN = Span(SOURCE, 0, 10)
LOOP = Span(SOURCE, 15, 29)


def op(name: OpName, *args: Expr | int) -> Op:
    return Op(name, tuple(Const(arg) if isinstance(arg, int) else arg for arg in args))


def say(*parts: str | Say) -> Message:
    return Message(parts)


class Build:
    """A machine in the making."""

    def __init__(self, seats: int = 2) -> None:
        self.seats = seats
        self.fields: list[Field] = []
        self.functions: dict[str, Function] = {}
        self.routines: dict[str, Routine] = {}
        self.groups: list[Group] = []
        self.locals = 0
        self.sites = 0

    def field(self, name: str, **shape: Any) -> Field:
        found = Field(name, shape.pop("region", "game"), **shape)
        self.fields.append(found)
        return found

    def local(self, name: str, bits: int = 0) -> Local:
        self.locals += 1
        return Local(self.locals - 1, name, bits)

    def site(self) -> int:
        self.sites += 1
        return self.sites - 1

    def function(self, name: str, parameters: Sequence[Local], *body: Stmt | Expr, bits: int = 0) -> str:
        statements = tuple(Return(part) if isinstance(part, Const | Load | Lookup | Op | Invoke) else part for part in body)
        self.functions[name] = Function(name, tuple(parameters), bits, statements)
        return name

    def routine(self, name: str, parameters: Sequence[Local], *body: Stmt, stops: bool = True) -> str:
        self.routines[name] = Routine(name, tuple(parameters), body, stops)
        return name

    def group(self, verb: str, *arguments: Domain) -> int:
        size = 1
        for domain in arguments:
            size *= len(domain.names)
        base = sum(group.size for group in self.groups)
        self.groups.append(Group(verb, verb, arguments, base, size))
        return len(self.groups) - 1

    def decide(self, player: Expr | int, *alternatives: Alternative, impossible: Sequence[Stmt] = ()) -> Choose:
        asked = Const(player) if isinstance(player, int) else player
        return Choose(self.site(), asked, alternatives, tuple(impossible), SPAN)

    def verb(self, name: str, *body: Stmt) -> Alternative:
        """An option without arguments, always legal and seen by all."""
        return Alternative(self.group(name), (), Const(1), Const(1), say("no"), (), Const((1 << self.seats) - 1), body, SPAN)

    def draw(self, result: Local, pool: Expr | int, domain: Domain, seen: int | Expr | None = None) -> Chance:
        everybody = (1 << self.seats) - 1 if seen is None else seen
        known = Const(everybody) if isinstance(everybody, int) else everybody
        bits = Const(pool) if isinstance(pool, int) else pool
        text = say("it is ", Say(Load(result), domain))
        return Chance(self.site(), result, bits, domain, known, text, say("something happens"), SPAN)

    def machine(self, *main: str, teams: Sequence[int] = (), zones: Sequence[ZoneView] = (), score: str = "nothing") -> Machine:
        if "nothing" not in self.functions:
            self.function("nothing", [self.local("player")], Const(0))
        if "all" not in self.functions:
            players = self.local("players", bits=self.seats)
            self.function("all", [players], Load(players), bits=self.seats)
        layout, clear = allocate(self.fields, self.functions, self.routines, main, self.seats)
        return Machine(
            game="cards",
            seats=self.seats,
            seat_names=tuple(f"player {seat + 1}" for seat in range(self.seats)),
            groups=tuple(self.groups),
            functions=self.functions,
            routines=self.routines,
            main=main,
            steps={name: name for name in self.routines},
            layout=layout,
            zones=tuple(zones),
            variables=(),
            teams=tuple(teams) or tuple(1 << seat for seat in range(self.seats)),
            terms=(Term("score", score),),
            winner="all",
            keys=(),
            knowledge=(),
            kinds={},
            lists={},
            clear=clear,
        )


def fail(code: str = "R601", *parts: str | Say) -> Fail:
    return Fail(Fault(code, say(*parts), SPAN))


def card_game(seats: int = 2, hand: int = 3) -> Machine:
    """Deal, then rounds: each player plays a card, lower than none of the same suit if they can, or passes; then draws.

    The deck has 4 suits of 5 ranks, the first rank of each suit twice (24 cards, 20 faces). Partners sit opposite.
    """
    faces = tuple(suit * 5 + rank for suit in range(4) for rank in (0, 0, 1, 2, 3, 4))
    cards = Domain(tuple(f"{'ABCD'[face // 5]}{face % 5 + 1}" for face in range(20)), copies=faces)
    places = Domain(tuple(str(place) for place in range(hand)))
    deck_size = len(faces)
    every = (1 << deck_size) - 1
    players = Domain(tuple(f"player {seat + 1}" for seat in range(seats)))

    build = Build(seats)
    deck = build.field("deck", bits=deck_size)
    hands = build.field("hand", length=seats, bits=deck_size)
    table = build.field("table", bits=deck_size)
    points = build.field("points", length=seats, low=-20, high=200)
    leader = build.field("leader", low=-1, high=seats - 1)
    passes = build.field("passes", high=seats)

    face_cards = Constants("cards of face", tuple(_bits(faces, face) for face in range(20)), deck_size)
    first_copy = Constants("rank", tuple(face % 5 for face in faces))
    suit_cards = Constants("cards of suit", tuple(_suit_bits(faces, suit) for suit in range(4)), deck_size)

    # The faces of a set of cards, as a set over option positions; a loop, since nothing better is needed here.
    given, found, card = build.local("given", deck_size), build.local("found", 20), build.local("card")
    build.function(
        "faces",
        [given],
        Assign(found, Const(0)),
        Assign(card, Const(0)),
        While(
            op("<", Load(card), 20),
            (
                If(
                    op("not", op("=", op("intersect", Load(given), Lookup(face_cards, Load(card))), 0)),
                    (Assign(found, op("union", Load(found), op("bit", Load(card)))),),
                ),
                Assign(card, op("+", Load(card), 1)),
            ),
            LOOP,
        ),
        Load(found),
        bits=20,
    )
    # The lowest copy of a face in a set.
    owned, face = build.local("owned", deck_size), build.local("face")
    build.function("copy", [owned, face], op("first", op("intersect", Load(owned), Lookup(face_cards, Load(face)))))
    asked = build.local("asked")
    build.function("score", [asked], op("+", Load(points, Load(asked)), Load(points, op("mod", op("+", Load(asked), 1), seats))))

    # One card from the deck to a hand; only its owner sees it.
    to, drawn = build.local("to"), build.local("drawn")
    copy = Invoke("copy", (Load(deck), Load(drawn)))
    chance = build.draw(drawn, Load(deck), cards, seen=op("bit", Load(to)))
    taken = build.local("taken")
    build.routine(
        "draw",
        [to],
        If(op("=", Load(deck), 0), (Return(),)),
        chance,
        Assign(taken, copy),
        Assign(deck, op("minus", Load(deck), op("bit", Load(taken)))),
        Assign(hands, op("union", Load(hands, Load(to)), op("bit", Load(taken))), Load(to)),
        Note(say(Say(Load(to), players), " draws ", Say(Load(drawn), cards)), op("bit", Load(to)), say("a card is drawn")),
    )

    seat, count = build.local("seat"), build.local("count")
    build.routine(
        "setup",
        [],
        Assign(deck, Const(every)),
        Assign(leader, Const(-1)),
        Assign(seat, Const(0)),
        While(
            op("<", Load(seat), seats),
            (
                Assign(count, Const(0)),
                While(
                    op("<", Load(count), hand),
                    (Call("draw", (Load(seat),)), Assign(count, op("+", Load(count), 1))),
                    LOOP,
                ),
                Assign(seat, op("+", Load(seat), 1)),
            ),
            LOOP,
        ),
        Assign(leader, Const(0)),
    )

    # One player's turn.
    player, bonus, played, bid = build.local("player"), build.local("bonus"), build.local("played"), build.local("place")
    mine = Load(hands, Load(player))
    following = op(
        "if",
        op("=", Load(table), 0),
        mine,
        op("intersect", mine, Lookup(suit_cards, op("div", op("first", Load(table)), 6))),
    )
    must = op("if", op("=", following, 0), mine, following)
    lowest = Invoke("copy", (mine, Load(played)))
    not_following = say("you must follow, not ", Say(Load(played), cards))
    follows = Condition(op("has", Invoke("faces", (must,)), Load(played)), not_following, SPAN)
    play = Alternative(
        build.group("play", cards),
        (played,),
        Invoke("faces", (mine,)),
        Invoke("faces", (must,)),
        say("it is not in your hand"),
        (follows,),
        Const((1 << seats) - 1),
        (
            Assign(points, op("+", Load(points, Load(player)), op("+", Lookup(first_copy, lowest), Load(bonus))), Load(player)),
            Assign(table, op("union", Load(table), op("bit", lowest))),
            Assign(hands, op("minus", mine, op("bit", lowest)), Load(player)),
            Call("draw", (Load(player),)),
        ),
        SPAN,
    )
    hide = Alternative(
        build.group("hide", cards, places),
        (played, bid),
        op("if", op("<", op("count", mine), 2), 0, Const(_pairs(hand))),
        op("if", op("<", op("count", mine), 2), 0, Const(_pairs(hand))),
        say("you need two cards"),
        (),
        op("bit", Load(player)),
        (
            Assign(points, op("max", op("-", Load(points, Load(player)), Load(bid)), -20), Load(player)),
            Show(build.site(), op("bit", op("mod", op("+", Load(player), 1), seats)), mine, say("a look at a hand")),
        ),
        SPAN,
    )
    passing = Alternative(
        build.group("pass"),
        (),
        Const(1),
        op("not", op("=", Load(passes), seats)),
        say("no"),
        (Condition(op("not", op("=", Load(passes), seats)), say("all have passed"), SPAN),),
        Const((1 << seats) - 1),
        (Assign(passes, op("+", Load(passes), 1)), Leave("turn")),
        SPAN,
    )
    die, dice = build.local("die"), Domain(("1", "2", "3", "4", "5", "6"), low=1)
    build.routine(
        "turn",
        [player, bonus],
        Block(
            "turn",
            (
                If(op("=", mine, 0), (Leave("turn"),)),
                build.decide(Load(player), play, hide, passing, impossible=(fail("R601", "nobody can be stuck"),)),
                Assign(passes, Const(0)),
                build.draw(die, 0b111111, dice),
                If(op("=", Load(die), 6), (Call("draw", (Load(player),)),)),
            ),
        ),
    )

    trick, each = build.local("trick"), build.local("each")
    turn = op("mod", op("+", Load(leader), Load(each)), seats)
    build.routine(
        "rounds",
        [],
        Assign(trick, Const(0)),
        While(
            op("and", op("<", Load(trick), 6), op("<", Load(passes), seats)),
            (
                Assign(table, Const(0)),
                Assign(each, Const(0)),
                While(
                    op("<", Load(each), seats),
                    (
                        If(
                            op("=", Load(each), 0),
                            (Call("turn", (turn, Const(1))),),
                            (Call("turn", (turn, Const(0))),),
                        ),
                        Assign(each, op("+", Load(each), 1)),
                    ),
                    LOOP,
                ),
                Assign(leader, op("mod", op("+", Load(leader), 1), seats)),
                Assign(trick, op("+", Load(trick), 1)),
            ),
            LOOP,
        ),
    )
    last = build.local("last")
    build.routine(
        "settle",
        [],
        Assign(last, Const(0)),
        While(
            op("<", Load(last), seats),
            (
                Assign(points, op("min", Load(points, Load(last)), 99), Load(last)),
                Assign(last, op("+", Load(last), 1)),
            ),
            LOOP,
        ),
        stops=False,
    )
    teams = [(1 << seat) | (1 << (seat + 2) % seats) for seat in range(seats)]
    zones = [
        zone_view("deck", cards, "hidden", None, deck),
        zone_view("hand", cards, "private", Domain(tuple(f"player {seat + 1}" for seat in range(seats))), hands),
    ]
    return build.machine("setup", "rounds", "settle", teams=teams, zones=zones, score="score")


def _bits(faces: Sequence[int], face: int) -> int:
    return sum(1 << bit for bit, found in enumerate(faces) if found == face)


def _suit_bits(faces: Sequence[int], suit: int) -> int:
    return sum(1 << bit for bit, found in enumerate(faces) if found // 5 == suit)


def _pairs(hand: int) -> int:
    """Options "hide" for the first two faces, at every place."""
    return (1 << 2 * hand) - 1


def variables(machine: Machine) -> list[Variable]:
    """All variables of a machine that have a place."""
    return [*machine.layout.record, *machine.layout.scratch]
