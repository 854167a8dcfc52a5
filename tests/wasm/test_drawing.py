"""A member of a rank is found in each of the ways in which playouts look for it, and draws from one set do not forget any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.machine.machine import Assign, Call, Const, Domain, If, Load, Local, Machine, Stmt, While
from rulesrun.interpreter.machine.random_streams import below
from rulesrun.interpreter.wasm.binary.code import Code
from rulesrun.interpreter.wasm.binary.encoding import encode
from rulesrun.interpreter.wasm.binary.module import PAGE, Function, Module, ValueType
from rulesrun.interpreter.wasm.emission.lowering import ahead, drawing, runtime
from rulesrun.interpreter.wasm.emission.lowering.emitter import GLOBALS, Emitter
from rulesrun.interpreter.wasm.emission.lowering.shrinking import MemberList, steadily_drawn
from rulesrun.interpreter.wasm.optimize.intervals import is_interval
from rulesrun.interpreter.wasm.running.compiled import Compiled
from rulesrun.interpreter.wasm.running.instance import Instance

from ..machine.tables import LOOP, Build, op
from ..pipeline import machine_of
from .test_by_hand import alike

PAGES = 600  # the tables lie behind what bots think with
RANKS, FOUND, STREAM, AHEAD = (PAGE * (PAGES - 1) + 256 * number for number in range(4))  # in the last page, which is free


def instance_of(make: Callable[[Emitter], Iterable[Function]]) -> Instance:
    """Functions beside those of some machine."""
    emitter = Emitter(dealing(CARDS, "")[0], 0)
    for function in make(emitter):
        emitter.add("tried", function.name, partial(_itself, function))
    functions = emitter.finish()
    assert emitter.tables.end <= RANKS
    return Instance(Compiled(encode(Module(functions, GLOBALS, (emitter.tables.data(),), PAGES)), {"exports": {}}))


def _itself(function: Function) -> Function:
    return function


def of_rank(words: int, way: Callable[[Code, Sequence[int], int], int]) -> Function:
    parameters: list[ValueType] = ["i64"] * words
    code = Code([*parameters, "i32"], ["i32"])
    code.get(way(code, range(words), words))
    return code.function("of rank", "of rank")


@cache
def finder(words: int, few: bool | None) -> Instance:
    return instance_of(
        lambda emitter: [of_rank(words, lambda code, kept, rank: drawing.member_of_rank(code, emitter, kept, rank, few))]
    )


@cache
def in_interval() -> Instance:
    return instance_of(lambda _: [of_rank(1, lambda code, kept, rank: drawing.member_of_interval(code, kept[0], rank))])


@cache
def drawer() -> Instance:
    code = Code(["i32", "i32"], ["i32"])
    runtime.draw_below(code, 0, 1)
    return instance_of(lambda _: [code.function("draw", "draw")])


@cache
def drawer_ahead() -> Instance:
    begin = Code()
    ahead.fill(begin, STREAM, AHEAD, 2)
    code = Code(["i32", "i32"], ["i32"])
    ahead.draw_below(code, 0, 1)
    return instance_of(lambda _: [begin.function("begin", "begin"), code.function("draw", "draw")])


@cache
def dealer(bits: int) -> Instance:
    return instance_of(lambda emitter: [deal(emitter, bits)])


def deal(emitter: Emitter, bits: int) -> Function:
    """(set, n): n times takes out the member of the rank that stands in `RANKS`, and puts it into `FOUND`."""
    code = Code(["i64", "i32"], ["i32"])
    domain = Domain(tuple(map(str, range(bits))))
    members, at = MemberList(code, emitter, domain), code.local("i32")
    members.fill(0)
    with code.block() as after, code.block("loop") as head:
        code.get(at)
        code.get(1)
        code.add("i32.ge_u")
        code.br_if(after)
        rank = code.temporary("i32")
        code.get(at)
        code.add("i32.load8_u", RANKS)
        code.set(rank)
        code.get(at)
        code.get(members.take(rank))
        code.add("i32.store8", FOUND)
        code.get(at)
        code.i32(1)
        code.add("i32.add")
        code.set(at)
        code.br(head)
    code.get(members.count)
    return code.function("deal", "deal")


runs = st.builds(lambda size: set(range(size)), st.integers(0, 64))
sets = st.one_of(st.sets(st.integers(0, 63), max_size=12), st.sets(st.integers(0, 63)), runs)


@pytest.mark.slow
@given(st.lists(sets, min_size=1, max_size=6), st.data())
@pytest.mark.parametrize("few", [None, False, True])
def test_the_member_of_a_rank(few: bool | None, parts: list[set[int]], data: st.DataObject) -> None:
    if few:
        parts = [set(sorted(part)[: runtime.FEW]) for part in parts]
    members = [64 * number + member for number, part in enumerate(parts) for member in sorted(part)]
    if members:
        rank = data.draw(st.integers(0, len(members) - 1))
        words = [sum(1 << member for member in part) for part in parts]
        assert finder(len(parts), few).export("of rank")(*words, rank) == members[rank]


@given(st.integers(0, 63), st.integers(0, 63), st.data())
def test_the_member_of_a_rank_in_an_interval(one: int, other: int, data: st.DataObject) -> None:
    members = range(min(one, other), max(one, other) + 1)
    rank = data.draw(st.integers(0, len(members) - 1))
    assert in_interval().export("of rank")(sum(1 << member for member in members), rank) == members[rank]


bounds = st.one_of(st.integers(1, 80), st.integers(1, (1 << 32) - 1))


@given(st.integers(0, (1 << 64) - 1), bounds)
def test_a_draw_is_what_the_stream_says(state: int, n: int) -> None:
    instance = drawer()
    instance.put(STREAM, state, 8)
    after, value = below(state, n)
    assert instance.export("draw")(STREAM, n) & 0xFFFF_FFFF == value
    assert instance.number(STREAM, 8) == after


@given(st.lists(st.integers(0, (1 << 64) - 1), min_size=2, max_size=2), st.lists(st.tuples(st.booleans(), bounds), max_size=9))
def test_what_is_drawn_ahead_is_what_the_streams_say(states: list[int], draws: list[tuple[bool, int]]) -> None:
    instance = drawer_ahead()
    for stream, state in enumerate(states):
        instance.put(STREAM + 8 * stream, state, 8)
    instance.export("begin")()
    for stream, n in draws:
        states[stream], value = below(states[stream], n)
        assert instance.export("draw")(AHEAD + ahead.PAIR * stream, n) & 0xFFFF_FFFF == value


@pytest.mark.slow
@given(st.integers(1, 64), sets, st.data())
def test_what_is_taken_from_a_list_is_what_a_set_would_give(bits: int, members: set[int], data: st.DataObject) -> None:
    left = sorted(member for member in members if member < bits)
    word = sum(1 << member for member in left)
    ranks = [data.draw(st.integers(0, size - 1)) for size in range(len(left), data.draw(st.integers(0, len(left))), -1)]
    instance = dealer(bits)
    instance.memory[RANKS : RANKS + len(ranks)] = bytes(ranks)
    assert instance.export("deal")(word, len(ranks)) == len(left) - len(ranks)
    assert instance.memory[FOUND : FOUND + len(ranks)].tolist() == [left.pop(rank) for rank in ranks]


# ---- Which loops draw from a list


CARDS = Domain(tuple(f"card {n}" for n in range(40)))
CARD, LEFT = Local(900, "card"), Local(901, "left")
CASES = {
    "a deal": (CARDS, "", True),
    "numbers from 1": (Domain(CARDS.names, low=1), "", False),
    "equal cards": (Domain(CARDS.names[:20], copies=tuple(n // 2 for n in range(40))), "", False),
    "put back": (CARDS, "put back", False),
    "put back by another routine": (CARDS, "called", False),
    "not taken at once": (CARDS, "later", False),
    "taken here and there": (CARDS, "sometimes", False),
    "something else is drawn": (CARDS, "die", False),
}


def dealing(domain: Domain, how: str) -> tuple[Machine, While]:
    """A game in which up to twelve of forty cards are drawn; what is in the hand then is the score."""
    build = Build()
    pool, hand = build.field("pool", bits=40), build.field("hand", bits=40)
    back = Assign(pool, op("union", Load(pool), 0b1010))
    build.routine("put back", [], back, stops=False)
    card = op("bit", op("-", Load(CARD), domain.low) if domain.low else Load(CARD))
    take, keep = Assign(pool, op("minus", Load(pool), card)), Assign(hand, op("union", Load(hand), card))
    drawn: tuple[Stmt, ...] = (build.draw(CARD, Load(pool), domain), take, keep)
    match how:
        case "put back":
            drawn += (back,)
        case "called":
            drawn += (Call("put back"),)
        case "later":
            drawn = (drawn[0], keep, take)
        case "sometimes":
            drawn = (drawn[0], If(op("<", 20, Load(CARD)), (take,)), keep)
        case "die":
            drawn += (build.draw(Local(902, "die"), 0b111, Domain(("1", "2", "3"))),)
    less = Assign(LEFT, op("-", Load(LEFT), 1))
    loop = While(op("and", op("<", 0, Load(LEFT)), op("not", op("=", Load(pool), 0))), (*drawn, less), LOOP, 12)
    build.routine("deal", [], Assign(pool, Const(0xF0_FFFF_FF0F)), Assign(LEFT, Const(12)), loop)
    parts = [op("*", weight, op("count", op("intersect", Load(hand), mask))) for weight, mask in MASKS]
    for name in ("score", "score of team"):
        build.function(name, [build.local("player")], op("+", *parts))
    return build.machine("deal", score="score"), loop


MASKS = [(1 << digit, sum(1 << card for card in range(40) if card >> digit & 1)) for digit in range(6)]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_loop_draws_from_a_list_where_nothing_else_changes_its_set(case: str) -> None:
    domain, how, listed = CASES[case]
    machine, loop = dealing(domain, how)
    assert (steadily_drawn(loop, machine.routines) is not None) == listed
    alike(machine)


# ---- Intervals


@pytest.mark.slow
@given(st.sets(st.integers(0, 20)), st.sets(st.integers(0, 20)))
def test_what_is_called_an_interval_has_no_gap(one: set[int], other: set[int]) -> None:
    def gap(members: set[int]) -> bool:
        return bool(members) and len(members) <= max(members) - min(members)

    first, second = (Const(sum(1 << member for member in part)) for part in (one, other))
    assert is_interval(first, lambda part: part) == (not gap(one))
    if is_interval(op("intersect", first, second), lambda part: part):
        assert not gap(one & other)
    perhaps = op("union", op("if", Load(CARD), first, 0), second)
    if is_interval(perhaps, lambda part: part):
        assert not gap(one | other)
        assert not gap(other)


DEALT_IN_TURN = """
game small
    players 3
cards card, 1 of each
    rank: 1..13
zone deck: pile of card, hidden
zone hand of player: set of card, open
setup
    shuffle every card into deck
phase only
    for each player: do deal of player
step deal of player
    repeat 3 times: draw 1 from deck to hand of player
    player chooses
        give a card from hand of player
            move card to deck
            shuffle deck
score of player
    cards: total rank of hand of player
winner highest score, then shared
"""


def test_each_time_that_a_loop_begins_its_list_is_made_anew() -> None:
    """The same loop stands several times in a module: in each round of another one that is written out."""
    alike(machine_of(DEALT_IN_TURN))
