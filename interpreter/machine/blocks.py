"""Basic blocks: the flow of a game as a flat list, so that it can stop in the middle and go on later.

The problem. The flow of a game is nested: phases call steps, steps loop over players, and deep inside somebody decides. At a
decision the machine must let go of the processor, with everything it needs to go on in one flat record; later it must be back
inside the same loops and calls, in this process or another, today or next year. A Python generator or a native stack cannot be
copied, saved, hashed or sent to a browser.

The choice. Routines in which nothing stops stay as they are: functions with structured control flow, run in one piece. The others
are flattened together into one list of basic blocks: each runs some statements that cannot stop, then ends with one of few jumps
(`End`). Within a block, loops and conditions without a stop inside stay structured, so a block is large and the number of jumps
small. The position of the flow is then

- the *site* of the decision or chance event at which it stopped (each stands at the end of one block), and
- for each routine that is running, where to go when it returns. As routines never call themselves, one number for each routine is
  enough: a field of the record, ``return to NAME``. It numbers the calls of that routine from 1; 0 means that the machine then
  halts, so that a test or a driver can enter a routine on its own.

Numbers of blocks never enter the record: they change whenever the emitter gets cleverer, sites and call numbers only with the
rules.

Why not a generated state machine for each routine with its own program counter: a saved game would then hold a counter for each
routine although all but the innermost follow from the calls. Why not one field for the whole call chain: there are as many chains
as paths in the call graph, and each block that returns would need a table of them.

Before and after::

    routine round                        0: [count = 0]                       goto 1
        count = 0                        1: [] each round while count < 3     -> 2, else 4
        while count < 3                  2: []                                decide site 0 -> 3, impossible 3
            decide site 0 ...            3: [.. count = count + 1]            goto 1
            count = count + 1            4: []                                return from round
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from attrs import define, evolve, field, frozen

from .machine import (
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Expr,
    Fail,
    Finish,
    If,
    Leave,
    Note,
    Return,
    Routine,
    Show,
    Stmt,
    While,
)
from .traverse import bodies, most_rounds


@frozen
class Goto:
    """Go on with a block."""

    target: int


@frozen
class Branch:
    """Go on with ``then`` where the condition holds, else with ``otherwise``."""

    condition: Expr
    then: int
    otherwise: int


@frozen
class Begin:
    """Go on with ``target``, the head of a loop of which no round was made yet."""

    target: int
    loop: While


@frozen
class Round:
    """The head of a loop: where its condition holds, count a round and go on with ``body``, else with ``after``."""

    loop: While
    body: int
    after: int


@frozen
class Enter:
    """Call a routine that stops: assign its parameters, let ``return to ROUTINE`` be ``address``, go on with ``entry``.

    It comes back to block ``back``.
    """

    routine: str
    args: tuple[Expr, ...]
    address: int
    entry: int
    back: int


@frozen
class Exit:
    """Return from a routine that stops: clear ``return to ROUTINE``, and go on with the ``targets[address - 1]``; halt at 0."""

    routine: str
    targets: tuple[int, ...]


@frozen
class Decide:
    """A decision. It goes on with the chosen alternative's block, or at once with ``impossible`` where nothing is legal."""

    choose: Choose
    bodies: tuple[int, ...]
    impossible: int


@frozen
class Happen:
    """A chance event, then block ``after``; it goes there at once where the pool has one bit."""

    chance: Chance
    after: int


@frozen
class Over:
    """The end of the game."""


End = Goto | Branch | Begin | Round | Enter | Exit | Decide | Happen | Over


@frozen
class BasicBlock:
    """Statements that neither stop nor jump out, and where to go then. ``routine``: whose they are ("" for the main flow)."""

    routine: str
    body: tuple[Stmt, ...]
    end: End


@frozen(eq=False)
class Flow:
    """The whole flow of a game.

    ``entries``: the first block of each routine that stops. ``main``: where the main flow calls its n-th routine, and last
    where the game ends. ``sites``: the block that ends with the decision or chance event of a site. ``calls``: how many
    calls each routine that stops has.
    """

    blocks: tuple[BasicBlock, ...]
    entries: dict[str, int]
    main: tuple[int, ...]
    sites: dict[int, int]
    calls: dict[str, int]


def flatten(routines: Mapping[str, Routine], main: tuple[str, ...]) -> Flow:
    """The main flow and all routines that stop, as basic blocks."""
    stopping = {name: routine for name, routine in routines.items() if routine.stops}
    flattener = _Flattener(stopping)
    starts = flattener.main_flow(main)
    for routine in stopping.values():
        flattener.routine(routine)
    return flattener.flow(starts)


@define
class _Draft:
    """A block in the making; ``end`` is None while statements may be added."""

    routine: str
    body: list[Stmt] = field(factory=list)
    end: End | None = None


class _Flattener:
    def __init__(self, stopping: Mapping[str, Routine]) -> None:
        self.stopping = stopping
        self.drafts: list[_Draft] = []
        self.labels: dict[str, int] = {}
        self.backs: dict[str, list[int]] = {name: [] for name in stopping}
        self.name = ""
        self.exit = 0
        self.entries = {name: self.block(name) for name in stopping}
        self.exits = {name: self.block(name) for name in stopping}

    def block(self, routine: str | None = None) -> int:
        """A new empty block."""
        self.drafts.append(_Draft(self.name if routine is None else routine))
        return len(self.drafts) - 1

    def main_flow(self, main: tuple[str, ...]) -> tuple[int, ...]:
        starts = [self.block("") for _ in range(len(main) + 1)]
        for index, name in enumerate(main):
            if name in self.stopping:
                self.drafts[starts[index]].end = self.call(name, (), starts[index + 1])
            else:
                self.drafts[starts[index]] = _Draft("", [Call(name)], Goto(starts[index + 1]))
        self.drafts[starts[-1]].end = Over()
        return tuple(starts)

    def routine(self, routine: Routine) -> None:
        self.name = routine.name
        self.exit = self.exits[routine.name]
        last = self.sequence(routine.body, self.entries[routine.name])
        self.end(last, Goto(self.exit))

    def end(self, block: int, end: End) -> None:
        """Let a block end so; nothing, if it has ended already (what follows a jump is never reached)."""
        if self.drafts[block].end is None:
            self.drafts[block].end = end

    def call(self, name: str, args: tuple[Expr, ...], back: int) -> Enter:
        self.backs[name].append(back)
        return Enter(name, args, len(self.backs[name]), self.entries[name], back)

    def sequence(self, statements: tuple[Stmt, ...], block: int) -> int:
        """Add statements to a block; the block in which what follows them belongs."""
        for stmt in statements:
            if self.drafts[block].end is not None:
                break
            if self.jumps(stmt, frozenset()):
                block = self.statement(stmt, block)
            else:
                self.drafts[block].body.append(stmt)
        return block

    def branch(self, statements: tuple[Stmt, ...], after: int) -> int:
        """A new block with these statements, which goes on with ``after``."""
        first = self.block()
        self.end(self.sequence(statements, first), Goto(after))
        return first

    def statement(self, stmt: Stmt, block: int) -> int:
        """Flatten a statement that jumps, at the end of a block; the block in which what follows belongs."""
        match stmt:
            case If(condition=condition, then=then, otherwise=otherwise):
                after = self.block()
                self.end(block, Branch(condition, self.branch(then, after), self.branch(otherwise, after)))
                return after
            case While(body=body):
                head, after = self.block(), self.block()
                self.end(block, Goto(head) if most_rounds(stmt) else Begin(head, stmt))
                self.end(head, Round(stmt, self.branch(body, head), after))
                return after
            case Block(label=label, body=body):
                after = self.labels[label] = self.block()
                self.end(self.sequence(body, block), Goto(after))
                return after
            case Leave(label=label):
                self.end(block, Goto(self.labels[label]))
                return block
            case Return():
                self.end(block, Goto(self.exit))
                return block
            case Finish():
                self.end(block, Over())
                return block
            case Call(routine=routine, args=args):
                after = self.block()
                self.end(block, self.call(routine, args, after))
                return after
            case Choose(alternatives=alternatives, impossible=impossible):
                after = self.block()
                chosen = tuple(self.branch(alternative.body, after) for alternative in alternatives)
                self.end(block, Decide(stmt, chosen, self.branch(impossible, after)))
                return after
            case Chance():
                after = self.block()
                self.end(block, Happen(stmt, after))
                return after
            case Assign() | Fail() | Show() | Note():
                raise AssertionError("a statement without a jump stays in its block")
            case _:
                assert_never(stmt)

    def jumps(self, stmt: Stmt, inside: frozenset[str]) -> bool:
        """Whether a statement holds a stop, or a jump to a place outside the statement that holds the labels ``inside``."""
        match stmt:
            case Choose() | Chance() | Return() | Finish():
                return True
            case Call(routine=routine):
                return routine in self.stopping
            case Leave(label=label):
                return label not in inside
            case Block(label=label, body=body):
                return any(self.jumps(inner, inside | {label}) for inner in body)
            case _:
                return any(self.jumps(inner, inside) for body in bodies(stmt) for inner in body)

    def flow(self, starts: tuple[int, ...]) -> Flow:
        """The finished flow: jumps to empty blocks go straight to where those lead, and unreachable blocks are left out."""
        for name, number in self.exits.items():
            self.end(number, Exit(name, tuple(self.backs[name])))
        ends = [_ended(draft) for draft in self.drafts]
        straight = [self.straight(number) for number in range(len(ends))]
        ends = [_redirected(end, straight) for end in ends]
        roots = [straight[number] for number in (*starts, *self.entries.values())]
        kept = _reachable(roots, ends)
        numbers = {old: new for new, old in enumerate(kept)}
        blocks = tuple(
            BasicBlock(self.drafts[old].routine, tuple(self.drafts[old].body), _redirected(ends[old], numbers)) for old in kept
        )
        sites = {}
        for number, block in enumerate(blocks):
            match block.end:
                case Decide(choose=node) | Happen(chance=node):
                    sites[node.site] = number
                case _:
                    pass
        return Flow(
            blocks,
            {name: numbers[straight[number]] for name, number in self.entries.items()},
            tuple(numbers[straight[number]] for number in starts),
            sites,
            {name: len(backs) for name, backs in self.backs.items()},
        )

    def straight(self, number: int) -> int:
        """Where a jump to a block really leads: past empty blocks of the same routine (a circle of them leads nowhere)."""
        passed = set()
        while number not in passed:
            passed.add(number)
            draft = self.drafts[number]
            if draft.body or not isinstance(draft.end, Goto):
                break
            number = draft.end.target
        return number


def _ended(draft: _Draft) -> End:
    assert draft.end is not None, f"an open block in {draft.routine}"
    return draft.end


def _redirected(end: End, to: list[int] | dict[int, int]) -> End:
    """An end with every block number replaced."""
    match end:
        case Goto(target=target):
            return Goto(to[target])
        case Branch(then=then, otherwise=otherwise):
            return evolve(end, then=to[then], otherwise=to[otherwise])
        case Begin(target=target):
            return evolve(end, target=to[target])
        case Round(body=body, after=after):
            return evolve(end, body=to[body], after=to[after])
        case Enter(entry=entry, back=back):
            return evolve(end, entry=to[entry], back=to[back])
        case Exit(targets=targets):
            return evolve(end, targets=tuple(to[target] for target in targets))
        case Decide(bodies=chosen, impossible=impossible):
            return evolve(end, bodies=tuple(to[target] for target in chosen), impossible=to[impossible])
        case Happen(after=after):
            return evolve(end, after=to[after])
        case Over():
            return end
        case _:
            assert_never(end)


def successors(end: End) -> tuple[int, ...]:
    """The blocks that can come next."""
    match end:
        case Goto(target=target):
            return (target,)
        case Branch(then=then, otherwise=otherwise):
            return then, otherwise
        case Begin(target=target):
            return (target,)
        case Round(body=body, after=after):
            return body, after
        case Enter(entry=entry, back=back):
            return entry, back
        case Exit(targets=targets):
            return targets
        case Decide(bodies=chosen, impossible=impossible):
            return (*chosen, impossible)
        case Happen(after=after):
            return (after,)
        case Over():
            return ()
        case _:
            assert_never(end)


def _reachable(roots: list[int], ends: list[End]) -> list[int]:
    """The blocks that can be reached, in the order of a depth-first walk."""
    found: dict[int, None] = {}
    waiting = list(reversed(roots))
    while waiting:
        number = waiting.pop()
        if number not in found:
            found[number] = None
            waiting.extend(reversed(successors(ends[number])))
    return list(found)
