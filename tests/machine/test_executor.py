"""The executor stops where it should, and a game can be saved, copied and queried there."""

from __future__ import annotations

import pytest
from attrs import define, evolve, field
from rulesrun.interpreter.machine.machine import (
    DECISIONS_LIMIT,
    ROUNDS_LIMIT,
    Alternative,
    Assign,
    Call,
    Chance,
    Choose,
    Condition,
    Const,
    Domain,
    Field,
    Finish,
    If,
    Invoke,
    Load,
    Local,
    Machine,
    Note,
    Return,
    Say,
    Show,
    Stmt,
    While,
)
from rulesrun.interpreter.machine.record import hash_of
from rulesrun.interpreter.machine.reference import closures, steps
from rulesrun.interpreter.machine.reference.executor import Executor, FunctionFault
from rulesrun.interpreter.machine.reference.stops import Stop

from .tables import LOOP, SPAN, Build, card_game, fail, op, say

Cells = list[int]


def bots(executor: Executor, cells: Cells, stop: Stop) -> Stop:
    """One step by the random bots and the game's own chance."""
    if stop.kind == "decision":
        return executor.choose(cells, executor.pick(cells, executor.player(cells)))
    return executor.happen(cells, executor.draw(cells))


def play(executor: Executor, seed: int, game: int = 0) -> tuple[Cells, Stop, list[int | str]]:
    """A whole game by bots: its last cells and stop, and what happened."""
    cells = executor.fresh(seed, game)
    stop = executor.enter(cells)
    events: list[int | str] = []
    while stop.node is not None:
        before = list(cells)
        options = executor.options(cells) if stop.kind == "decision" else [value for value, _ in executor.outcomes(cells)]
        assert len(options) > (0 if stop.kind == "decision" else 1)
        assert options == sorted(options)
        stop = bots(executor, cells, stop)
        events += [stop.kind, len(options), sum(a != b for a, b in zip(before, cells, strict=True))]
    return cells, stop, events


def element(machine: Machine, name: str, index: int = 0) -> int:
    """The slot of an element of a field."""
    return next(place.slot for variable, place in machine.layout.record.items() if variable.name == name) + index


# ---- Whole games


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_come_to_an_end(seats: int) -> None:
    executor = Executor(card_game(seats))
    for game in range(20):
        cells, stop, events = play(executor, 1, game)
        assert stop == Stop("over")
        assert executor.stop(cells) == stop
        assert len(events) > 20
        for player in range(seats):
            assert -40 <= executor.evaluate(cells, "score", player) <= 198


def test_the_same_seed_gives_the_same_game() -> None:
    executor = Executor(card_game())
    assert play(executor, 5, 3) == play(Executor(card_game()), 5, 3)
    assert play(executor, 5, 3) != play(executor, 5, 4)
    assert play(executor, 5, 3) != play(executor, 6, 3)


def test_a_game_resumed_at_every_stop_is_the_same_game() -> None:
    executor = Executor(card_game(4))
    expected, _, _ = play(executor, 9)
    data = executor.pack(executor.fresh(9))
    cells = executor.unpack(data)
    stop = executor.enter(cells)
    while stop.node is not None:
        data = executor.pack(cells)
        cells = executor.record.unpack(data)  # without the executor's own numbers, too
        assert executor.stop(cells) == stop
        assert executor.pack(cells) == data
        stop = bots(executor, cells, stop)
    assert executor.pack(cells) == executor.pack(expected)


def test_unpacked_games_need_not_be_asked_for_their_stop_first() -> None:
    executor = Executor(card_game())
    cells = executor.fresh(1)
    stop = executor.enter(cells)
    while stop.kind != "decision":
        stop = bots(executor, cells, stop)
    assert executor.options(executor.unpack(executor.pack(cells))) == executor.options(cells)
    assert executor.options(executor.record.unpack(executor.pack(cells))) == executor.options(cells)


def test_clones_go_their_own_ways() -> None:
    executor = Executor(card_game())
    cells = executor.fresh(2)
    stop = executor.enter(cells)
    for _ in range(12):
        stop = bots(executor, cells, stop)
    before = executor.pack(cells)
    clone = list(cells)
    other = stop
    while other.node is not None:
        other = bots(executor, clone, other)
    assert executor.pack(cells) == before
    again = list(cells)
    while stop.node is not None:
        stop = bots(executor, again, stop)
    assert executor.pack(again) == executor.pack(clone)


def test_what_a_person_chooses_does_not_change_the_deal() -> None:
    """Chance and each bot draw from streams of their own."""
    executor = Executor(card_game())
    streams = element(executor.machine, "random streams")
    cells = executor.fresh(3)
    stop = executor.enter(cells)
    while stop.kind != "decision":
        stop = bots(executor, cells, stop)
    before = cells[streams : streams + 3]
    executor.pick(cells, 1)
    after = cells[streams : streams + 3]
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, True, False]


def test_a_bot_picks_every_legal_option_about_as_often() -> None:
    executor = Executor(card_game())
    cells = executor.fresh(3)
    stop = executor.enter(cells)
    while stop.kind != "decision":
        stop = bots(executor, cells, stop)
    picked = [executor.pick(cells, 0) for _ in range(200 * len(executor.options(cells)))]
    assert sorted(set(picked)) == executor.options(cells)
    assert all(140 < picked.count(option) < 260 for option in executor.options(cells))


# ---- Stops, and what is none


def small(*body: object, seats: int = 2, build: Build | None = None) -> Executor:
    """A machine whose main flow is one routine with this body."""
    found = build or Build(seats)
    statements = [stmt for stmt in body if isinstance(stmt, Assign | If | While | Call | Finish | Show | Note | Choose | Chance)]
    assert len(statements) == len(body)
    found.routine("main", [], *statements, stops=any(isinstance(stmt, Choose | Chance | While | Call) for stmt in statements))
    return Executor(found.machine("main"))


def test_a_chance_event_with_one_copy_is_no_event_but_observed() -> None:
    build = Build()
    result, kept = build.local("result"), build.field("kept", high=9)
    twins = Domain(("a", "b"), copies=(0, 1, 1))
    executor = small(build.draw(result, 0b100, twins), Assign(kept, Load(result)), build=build)
    cells = executor.fresh(1)
    streams = element(executor.machine, "random streams")
    before = cells[streams : streams + 3]
    assert executor.enter(cells).kind == "over"
    assert cells[element(executor.machine, "kept")] == 1
    assert cells[streams : streams + 3] == before
    digest = element(executor.machine, "seen by seat")
    assert cells[digest : digest + 2] != [0, 0]


def test_that_copies_are_equal_is_not_told_by_the_event_that_is_missing() -> None:
    build = Build()
    executor = small(build.draw(build.local("result"), 0b110, Domain(("a", "b"), copies=(0, 1, 1))), build=build)
    cells = executor.fresh(1)
    assert executor.enter(cells).kind == "chance"
    assert executor.outcomes(cells) == [(1, 2)]


def test_outcomes_are_weighted_by_copies() -> None:
    build = Build()
    domain = Domain(("a", "b", "c"), low=5, copies=(5, 5, 5, 6, 7))
    executor = small(build.draw(build.local("result"), 0b10111, domain), build=build)
    cells = executor.fresh(1)
    assert executor.enter(cells).kind == "chance"
    assert executor.outcomes(cells) == [(5, 3), (7, 1)]
    drawn = [executor.draw(cells) for _ in range(4000)]
    assert set(drawn) == {5, 7}
    assert 2850 < drawn.count(5) < 3150
    with pytest.raises(ValueError, match="6 is not possible"):
        executor.happen(cells, 6)
    with pytest.raises(ValueError, match="not at a decision"):
        executor.choose(cells, 0)
    assert executor.happen(cells, 7).kind == "over"


def test_a_decision_without_a_legal_option_is_no_decision() -> None:
    build = Build()
    kept = build.field("kept", high=9)
    never = evolve(build.verb("never"), legal=Const(0))
    executor = small(build.decide(0, never, impossible=(Assign(kept, Const(4)),)), build=build)
    cells = executor.fresh()
    assert executor.enter(cells).kind == "over"
    assert cells[element(executor.machine, "kept")] == 4
    assert cells[element(executor.machine, "decisions made")] == 0


def test_finish_ends_the_game_from_anywhere() -> None:
    build = Build()
    kept = build.field("kept", high=9)
    build.routine("inner", [], While(Const(1), (Assign(kept, Const(1)), Finish()), LOOP), stops=False)
    build.routine("outer", [], Call("inner"), Assign(kept, Const(2)), stops=False)
    executor = small(build.decide(0, build.verb("go")), Call("outer"), build=build)
    cells = executor.fresh()
    executor.enter(cells)
    assert executor.choose(cells, 0) == Stop("over")
    assert cells[element(executor.machine, "kept")] == 1


def test_routines_and_parts_can_be_entered_on_their_own() -> None:
    executor = Executor(card_game())
    cells = executor.fresh(1)
    assert executor.stop(cells) == Stop("halt")
    assert executor.enter(cells, "draw", (1,)) == Stop("halt")  # the deck is empty
    cells[element(executor.machine, "deck")] = 0b11 << 10
    assert executor.enter(cells, "draw", (1,)).kind == "chance"
    assert executor.happen(cells, 8) == Stop("halt")
    assert cells[element(executor.machine, "hand", 1)] == 1 << 10
    assert executor.enter(cells, "settle") == Stop("halt")
    assert executor.enter_main(cells, 2) == Stop("over")
    assert executor.enter_main(cells, 1).kind == "decision"
    assert executor.player(cells) == 1  # player 1 has no card
    for call in (
        lambda: executor.enter(cells, "nowhere"),
        lambda: executor.enter(cells, "draw"),
        lambda: executor.enter_main(cells, 9),
        lambda: executor.evaluate(cells, "nothing at all"),
        lambda: executor.evaluate(cells, "score"),
    ):
        with pytest.raises(ValueError, match=r"no routine|takes 1|no part|no function"):
            call()


# ---- Options


def at_a_hide(seed: int = 1) -> tuple[Executor, Cells]:
    """A card game at its first decision."""
    executor = Executor(card_game())
    cells = executor.fresh(seed)
    stop = executor.enter(cells)
    while stop.kind != "decision":
        stop = bots(executor, cells, stop)
    return executor, cells


def test_options_that_are_not_legal_say_why_and_cannot_be_taken() -> None:
    executor, cells = at_a_hide()
    executor.choose(cells, next(option for option in executor.options(cells) if option < 20))
    stop = executor.stop(cells)
    while stop.kind != "decision":
        stop = bots(executor, cells, stop)
    before = executor.pack(cells)
    legal = executor.options(cells)
    texts = {}
    for option in range(executor.machine.options):
        refusal = executor.why_not(cells, option)
        assert (refusal is None) == (option in legal)
        if refusal is not None:
            texts[refusal.text] = refusal.condition
            with pytest.raises(ValueError, match="not legal"):
                executor.choose(cells, option)
            with pytest.raises(ValueError, match="not legal"):
                executor.seen(cells, option)
    assert texts["it is not in your hand"] is None
    assert any(text.startswith("you must follow, not ") and condition is not None for text, condition in texts.items())
    assert executor.pack(cells) == before
    with pytest.raises(ValueError, match="no option 81"):
        executor.why_not(cells, 81)


def test_an_option_of_another_decision_is_not_on_offer() -> None:
    build = Build()
    first, second = build.verb("one"), build.verb("two")
    executor = small(build.decide(0, first), build.decide(0, second), build=build)
    cells = executor.fresh()
    executor.enter(cells)
    refusal = executor.why_not(cells, 1)
    assert refusal is not None
    assert (refusal.condition, refusal.text) == (None, "this is not on offer now")


def test_two_alternatives_of_one_verb_share_their_numbers() -> None:
    build = Build()
    kept = build.field("kept", high=99)
    domain = Domain(("a", "b", "c", "d"))
    group, argument = build.group("play", domain), build.local("argument")

    def alternative(legal: int, add: int) -> Alternative:
        condition = Condition(op("has", Const(legal), Load(argument)), say(f"only {add}"), SPAN)
        body = (Assign(kept, op("+", Load(argument), add)),)
        return Alternative(group, (argument,), Const(15), Const(legal), say("no"), (condition,), Const(3), body, SPAN)

    executor = small(build.decide(1, alternative(0b0011, 10), alternative(0b0110, 20)), build=build)
    cells = executor.fresh(4)
    executor.enter(cells)
    assert executor.options(cells) == [0, 1, 2]
    assert {executor.pick(cells, 1) for _ in range(50)} == {0, 1, 2}
    assert executor.why_not(cells, 2) is None
    refusal = executor.why_not(cells, 3)
    assert refusal is not None
    assert refusal.text == "only 10"
    for option, expected in [(0, 10), (1, 11), (2, 22)]:
        clone = list(cells)
        executor.choose(clone, option)
        assert clone[element(executor.machine, "kept")] == expected


def test_arguments_are_those_of_the_option_number() -> None:
    build = Build()
    kept = [build.field(f"kept {i}", low=-9, high=9) for i in range(3)]
    domains = [Domain(("a", "b"), low=-1), Domain(("c", "d", "e")), Domain(("f", "g"), low=5)]
    build.verb("before")
    group = build.group("place", *domains)
    arguments = [build.local(f"argument {i}") for i in range(3)]
    body = tuple(Assign(keep, Load(argument)) for keep, argument in zip(kept, arguments, strict=True))
    every = Const((1 << 12) - 1)
    place = Alternative(group, tuple(arguments), every, every, say("no"), (), Const(3), body, SPAN)
    executor = small(build.decide(0, place), build=build)
    start = executor.fresh()
    executor.enter(start)
    for option in range(1, 13):
        cells = list(start)
        executor.choose(cells, option)
        values = tuple(cells[element(executor.machine, f"kept {i}")] for i in range(3))
        assert values == executor.machine.groups[group].values(option - 1)


# ---- Faults


def test_a_loop_without_end_is_a_fault_at_its_line() -> None:
    build = Build()
    count = build.field("count", high=2 * ROUNDS_LIMIT)
    build.routine("spin", [], While(Const(1), (Assign(count, op("+", Load(count), 1)),), LOOP), stops=False)
    executor = small(build.decide(0, build.verb("go")), Call("spin"), build=build)
    cells = executor.fresh()
    executor.enter(cells)
    stop = executor.choose(cells, 0)
    assert stop.fault is not None
    assert (stop.kind, stop.fault.code, stop.fault.span) == ("fault", "R606", LOOP)
    assert "very many rounds" in stop.text
    assert cells[element(executor.machine, "count")] == ROUNDS_LIMIT
    saved = executor.unpack(executor.pack(cells))
    assert executor.stop(saved) == Stop("fault", None, stop.fault)
    with pytest.raises(ValueError, match="not at a decision"):
        executor.options(saved)


@pytest.mark.slow
def test_a_loop_with_stops_that_it_never_meets_is_a_fault() -> None:
    build = Build()
    count = build.field("count", high=2 * ROUNDS_LIMIT)
    ask = If(op("<", Load(count), 0), (build.decide(0, build.verb("go")),))
    executor = small(While(Const(1), (ask, Assign(count, op("+", Load(count), 1))), LOOP), build=build)
    cells = executor.fresh()
    stop = executor.enter(cells)
    assert stop.fault is not None
    assert stop.fault.code == "R606"
    assert cells[element(executor.machine, "count")] == ROUNDS_LIMIT


FEW = 100  # rounds that a loop may make which might not end, in tests that nest loops


def loop_down(left: Local, *body: Stmt, most: int = 0) -> While:
    return While(op("<", 0, Load(left)), (Assign(left, op("-", Load(left), 1)), *body), LOOP, most)


@pytest.mark.parametrize("stops", [False, True])
def test_rounds_of_a_loop_that_ends_are_not_counted(stops: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (closures, steps):
        monkeypatch.setattr(module, "ROUNDS_LIMIT", FEW)
    build = Build()
    outer, inner = build.local("outer"), build.local("inner")
    ask = [If(op("<", Load(outer), 0), (build.decide(0, build.verb("go")),))] if stops else []
    nested = loop_down(outer, Assign(inner, Const(FEW)), loop_down(inner, *ask, most=FEW), most=2 * FEW)
    executor = small(Assign(outer, Const(2 * FEW)), nested, build=build)
    assert executor.enter(executor.fresh()).kind == "over"


def test_each_loop_that_might_not_end_counts_its_own_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closures, "ROUNDS_LIMIT", FEW)
    build = Build()
    outer, inner = build.local("outer"), build.local("inner")
    count = build.field("count", high=FEW + 1)
    again = loop_down(outer, Assign(inner, Const(FEW)), loop_down(inner))
    build.routine("ends", [], Assign(outer, Const(FEW)), again, stops=False)
    assert Executor(build.machine("ends")).enter(small(build=build).fresh()).kind == "over"
    endless = While(Const(1), (Assign(inner, Const(FEW)), loop_down(inner), Assign(count, op("+", Load(count), 1))), LOOP)
    build.routine("endless", [], endless, stops=False)
    executor = Executor(build.machine("endless"))
    cells = executor.fresh()
    stop = executor.enter(cells)
    assert stop.fault is not None
    assert (stop.fault.code, cells[element(executor.machine, "count")]) == ("R606", FEW)


def test_rounds_are_counted_from_stop_to_stop() -> None:
    build = Build()
    executor = small(While(Const(1), (build.decide(0, build.verb("go")),), LOOP), build=build)
    cells = executor.fresh()
    stop = executor.enter(cells)
    for _ in range(3):
        cells[element(executor.machine, "rounds since then")] = ROUNDS_LIMIT
        stop = executor.choose(cells, 0)
    assert stop.kind == "decision"


def test_a_game_without_end_is_a_fault() -> None:
    build = Build()
    executor = small(While(Const(1), (build.decide(0, build.verb("go")),), LOOP), build=build)
    cells = executor.fresh()
    executor.enter(cells)
    cells[element(executor.machine, "decisions made")] = DECISIONS_LIMIT - 2
    assert executor.choose(cells, 0).kind == "decision"
    stop = executor.choose(cells, 0)
    assert stop.fault is not None
    assert stop.fault.code == "R607"
    assert cells[element(executor.machine, "decisions made")] == DECISIONS_LIMIT


def test_a_fault_says_what_it_has_to_say() -> None:
    build = Build()
    number, suits = build.local("number"), Domain(("clubs", "hearts"))
    build.function(
        "guarded", [number], If(op("<", 1, Load(number)), (fail("R602", "no ", Say(Load(number), None), "!"),)), Load(number)
    )
    kept = build.field("kept", high=9)
    asked = Invoke("guarded", (op("+", Load(kept), 1),))
    text = say(
        "a ",
        Say(Load(kept), suits),
        ", ",
        Say(asked, None),
        ", ",
        Say(Const(0b11), suits, is_set=True),
        ", ",
        Say(Const(0), suits, is_set=True),
    )
    executor = small(Assign(kept, Const(1)), Assign(kept, asked), build=build)
    cells = executor.fresh()
    assert executor.evaluate(cells, "guarded", 1) == 1
    with pytest.raises(FunctionFault, match="no 7!") as caught:
        executor.evaluate(cells, "guarded", 7)
    assert caught.value.stop.kind == "fault"
    assert executor.stop(cells).kind == "halt"
    assert executor.text(cells, text) == "a clubs, 1, clubs, hearts, none"
    stop = executor.enter(cells)
    assert (stop.kind, stop.text) == ("fault", "no 2!")
    assert executor.text(cells, text) == "a hearts, ?, clubs, hearts, none"


@pytest.mark.parametrize(
    "broken",
    [op("div", 1, 0), op("bit", -1), Invoke("endless", ()), op("+", Invoke("empty", ()), 1)],
    ids=lambda expr: str(expr)[:20],
)
def test_a_broken_promise_is_a_fault_and_no_exception(broken: object) -> None:
    build = Build()
    kept = build.field("kept", high=9)
    build.function("endless", [], While(Const(1), (), LOOP))
    build.function("empty", [])
    assert isinstance(broken, type(op("+")) | Invoke)
    executor = small(Assign(kept, broken), build=build)
    cells = executor.fresh()
    stop = executor.enter(cells)
    assert stop.fault is not None
    assert stop.fault.code == ("R606" if broken == Invoke("endless", ()) else "R699")
    assert executor.stop(cells).kind == "fault"
    assert executor.enter_main(cells, 1) == Stop("over")


# ---- Equal positions


def game_hash(executor: Executor, cells: Cells) -> int:
    return hash_of(executor.record.game(executor.pack(cells)))


def test_equal_positions_have_equal_bytes() -> None:
    """A local that was read for the last time leaves nothing, whichever way the game came."""
    build = Build()
    total = build.field("total", high=9)
    chosen, other = build.local("chosen"), build.local("other")
    group = build.group("take", Domain(("0", "1", "2")))
    take = Alternative(group, (chosen,), Const(7), Const(7), say(), (), Const(3), (), SPAN)
    go = build.verb("go")
    executor = small(
        build.decide(0, take),
        Assign(other, op("*", Load(chosen), 2)),
        build.decide(0, build.verb("wait")),
        Assign(total, op("mod", op("+", Load(chosen), Load(other)), 3)),
        build.decide(0, go),
        build=build,
    )
    hashes = []
    for option in (0, 1, 2):
        cells = executor.fresh()
        executor.enter(cells)
        executor.choose(cells, option)
        hashes.append([game_hash(executor, cells)])
        executor.choose(cells, 4)
        hashes[-1].append(game_hash(executor, cells))
    waiting, going = zip(*hashes, strict=True)
    assert len(set(waiting)) == 3
    assert len(set(going)) == 1


def test_a_routine_called_from_several_places_leaves_nothing_either() -> None:
    """``first`` keeps a local through the shared routine; after it has returned, ``second`` comes by with another past."""
    build = Build()
    kept = build.field("kept", high=9)
    build.routine("shared", [], build.decide(0, build.verb("go")))
    secret, early = build.local("secret"), build.local("early")
    group = build.group("take", Domain(("0", "1", "2")))
    take = Alternative(group, (secret,), Const(7), Const(7), say(), (), Const(3), (), SPAN)
    also = Alternative(group, (early,), Const(7), Const(7), say(), (), Const(3), (), SPAN)
    build.routine("first", [], build.decide(0, take), Call("shared"), Assign(kept, op("*", Load(secret), 0)))
    build.routine(
        "second",
        [],
        build.decide(0, also),
        Call("shared"),
        Assign(kept, op("*", Load(early), 0)),
        Call("shared"),
    )
    executor = Executor(build.machine("first", "second"))

    def after(*options: int) -> int:
        cells = executor.fresh()
        executor.enter(cells)
        for option in options:
            executor.choose(cells, option)
        return game_hash(executor, cells)

    go = 0  # the only option of the group "go"
    assert after(1) != after(2)
    assert after(1, go) == after(2, go)
    assert after(1, go, 1) != after(1, go, 2)
    assert after(1, go, 1, go) == after(2, go, 2, go)


def test_the_end_keeps_no_trace_of_the_flow() -> None:
    executor = Executor(card_game())
    cells, _, _ = play(executor, 1)
    for variable, place in executor.machine.layout.record.items():
        if not isinstance(variable, Field) or variable.name.startswith("return to") or variable.name == "at site":
            assert cells[place.slot] == place.low


# ---- What seats observe


def digests(executor: Executor, cells: Cells) -> list[int]:
    return [executor.digest(cells, seat) for seat in range(executor.machine.seats)]


def test_seats_that_observe_the_same_have_equal_digests() -> None:
    build = Build(3)
    result = build.local("result")
    die = Domain(("1", "2", "3"), low=1)
    executor = small(
        build.draw(result, 0b111, die, seen=0b001), build.draw(build.local("open"), 0b111, die), build=build, seats=3
    )
    start = executor.fresh()
    executor.enter(start)
    assert executor.seen(start, 3) == 0b001
    with pytest.raises(ValueError, match="4 is not possible"):
        executor.seen(start, 4)

    def after(secret: int, known: int) -> list[int]:
        cells = list(start)
        executor.happen(cells, secret)
        executor.happen(cells, known)
        return digests(executor, cells)

    first, second, third = after(1, 3), after(2, 3), after(1, 2)
    assert first[1] == first[2] == second[1] == second[2] != third[1]
    assert first[0] not in (first[1], second[0], third[0])


def test_who_does_not_see_the_arguments_observes_the_verb() -> None:
    executor, cells = at_a_hide()
    hidden = [option for option in executor.options(cells) if 20 <= option < 80]
    actor = executor.player(cells)
    after = []
    for option in hidden[:2]:
        clone = list(cells)
        assert executor.seen(clone, option) == 1 << actor
        executor.choose(clone, option)
        after.append(digests(executor, clone))
    passed = list(cells)
    executor.choose(passed, 80)
    assert after[0][actor] != after[1][actor]
    assert after[0][1 - actor] == after[1][1 - actor] != digests(executor, passed)[1 - actor]


@pytest.mark.parametrize("bits", [10, 33, 100])
def test_a_shown_set_is_observed_whole_by_those_who_see_it(bits: int) -> None:
    def after(value: int) -> list[int]:
        build = Build()
        cards = build.field("cards", bits=bits)
        executor = small(Show(build.site(), Const(0b10), Load(cards), say("cards")), build=build)
        cells = executor.fresh()
        cells[element(executor.machine, "cards")] = value
        executor.enter(cells)
        return digests(executor, cells)

    none, low, high = after(0), after(1), after(1 << bits - 1)
    assert none[0] == low[0] == high[0] == 0
    assert len({0, none[1], low[1], high[1]}) == 4


# ---- The story


@define
class Heard:
    lines: list[tuple[str, int, str | None]] = field(factory=list)

    def note(self, text: str, seen: int, hidden: str | None, sentence: str) -> None:
        self.lines.append((text, seen, hidden))

    def show(self, text: str, seen: int, hidden: str | None, sentence: str) -> None:
        self.lines.append((text, seen, hidden or "shown"))


def test_a_story_is_told_and_changes_nothing() -> None:
    telling, silent = Executor(card_game(), narrate=True), Executor(card_game())
    heard, unheard = Heard(), Heard()
    cells, other = telling.fresh(8), silent.fresh(8)
    stop, same = telling.enter(cells, story=heard), silent.enter(other, story=unheard)
    while stop.node is not None:
        assert stop == same
        if stop.kind == "decision":
            what = telling.pick(cells, telling.player(cells))
            assert silent.pick(other, silent.player(other)) == what
            stop, same = telling.choose(cells, what, heard), silent.choose(other, what, unheard)
        else:
            what = telling.draw(cells)
            assert silent.draw(other) == what
            stop, same = telling.happen(cells, what, heard), silent.happen(other, what, unheard)
        assert telling.pack(cells) == silent.pack(other)
    assert unheard.lines == []
    assert ("player 1 draws A1", 0b01, "a card is drawn") in heard.lines or len(heard.lines) > 10
    assert any(hidden == "something happens" for _, _, hidden in heard.lines)
    assert any(hidden == "a card is drawn" for _, _, hidden in heard.lines)


def test_a_text_that_faults_is_told_with_a_question_mark() -> None:
    build = Build()
    build.function("broken", [], fail("R601", "no"))
    build.routine(
        "main",
        [],
        Note(say("a ", Say(Invoke("broken", ()), None)), Const(1)),
        Note(say("b"), Invoke("broken", ()), say("c")),
        Return(),
        stops=False,
    )
    executor, heard = Executor(build.machine("main"), narrate=True), Heard()
    assert executor.enter(executor.fresh(), story=heard).kind == "over"
    assert heard.lines == [("a ?", 1, None), ("b", 0, "c")]
