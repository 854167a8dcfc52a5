"""The declared effects of statements: what each moves, sets, names, shows, and whether it leaves what is around it.

The checks know most statements only by these. So a new statement is one more case of `effect_of`, and mypy demands it. An effect
is what the statement does by itself, without the statements inside of it; `checks/dataflow/effects.py` says what whole bodies do
at a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeGuard, assert_never, get_args

from attrs import frozen

from . import model
from .model import Expr, Node, Spot, Statement, Var

OfPile = model.Draw | model.HoldBack | model.Mix | model.Peek  # what is done with the top of a pile

# The statements that hold no others and do none elsewhere: all that they do is their effect.
Simple = (
    model.Move | model.Lay | OfPile | model.Reveal
    | model.SetVariable | model.Let | model.Gather | model.Include | model.Announce | model.Tell | model.Remember | model.End
)  # fmt: skip


@frozen(repr=False, eq=False)
class Movement:
    """Components that go somewhere.

    ``what``: these; None: ``count`` from the top of the pile ``source``. ``to``: into this zone; None: onto ``grid``, or if there
    is none, they stay where they are and never come into play (`remove ... unseen`). ``owner``: whose zone or grid, where it is
    written. ``on``: the cells. ``moved``: a name for them afterwards.
    """

    what: Expr | None = None
    count: Expr | None = None
    source: Spot | None = None
    to: Spot | None = None
    grid: str = ""
    owner: Expr | None = None
    on: tuple[Expr, ...] = ()
    moved: Var | None = None

    @property
    def place(self) -> str:
        """The zone or grid to which they go; "" if to none."""
        return self.grid if self.to is None else self.to.zone


@frozen(repr=False, eq=False)
class Setting:
    """A counter or marker gets a value. ``owner``: whose it is, if it belongs to somebody or something."""

    name: str
    owner: Expr | None
    value: Expr


@frozen(repr=False, eq=False)
class Effect:
    """What one statement does, in order.

    ``names``: names that it gives, each for a value or for a member of a set. ``gathers``: names that it gives to sets which are
    empty here, and from what their members are taken. ``includes``: names of such sets that get one more member, and that.
    ``shows``: what players learn. ``mixes``: piles that lose their order. ``leaves``: whether it leaves a step or the game.
    """

    moves: tuple[Movement, ...] = ()
    sets: tuple[Setting, ...] = ()
    names: tuple[tuple[Var, Expr], ...] = ()
    gathers: tuple[tuple[Var, Expr], ...] = ()
    includes: tuple[tuple[Var, Expr], ...] = ()
    shows: tuple[Expr, ...] = ()
    mixes: tuple[Spot, ...] = ()
    leaves: bool = False

    @property
    def arrivals(self) -> tuple[Movement, ...]:
        """The movements into a zone or onto a grid."""
        return tuple(move for move in self.moves if move.place)


NONE = Effect()


def effect_of(node: Statement) -> Effect:
    """What a statement does by itself."""
    match node:
        case model.Move(what=what, to=to, moved=moved):
            return Effect(moves=(Movement(what, to=to, owner=to.owner, moved=moved),))
        case model.Lay(what=what, grid=grid, owner=owner, on=on):
            return Effect(moves=(Movement(what, grid=grid, owner=owner, on=on),))
        case model.Draw(count=count, source=source, to=to, moved=moved):
            return Effect(moves=(Movement(None, count, source, to, owner=to.owner, moved=moved),))
        case model.HoldBack(count=count, pile=pile):
            return Effect(moves=(Movement(None, count, pile),))
        case model.SetVariable(name=name, owner=owner, value=value):
            return Effect(sets=(Setting(name, owner, value),))
        case model.Mix(pile=pile):
            return Effect(mixes=(pile,))
        case model.Reveal(what=what):
            return Effect(shows=(what,))
        case model.Let(var=var, value=value):
            return Effect(names=((var, value),))
        case model.Gather(var=var, of=of):
            return Effect(gathers=((var, of),))
        case model.ForEach(var=var, members=of) | model.TakeTurns(var=var, among=of):
            return Effect(names=((var, of),))
        case model.Include(var=var, member=member):
            return Effect(includes=((var, member),))
        case model.Choose(options=options):
            arguments = (argument for option in options for argument in option.arguments)
            return Effect(names=tuple((each.var, each.source) for each in arguments if isinstance(each.source, model.Typed)))
        case model.End():
            return Effect(leaves=True)
        case model.Announce() | model.Tell() | model.Remember() | model.Peek():
            return NONE  # nothing that lies anywhere, is set, or is not known yet; or only what one player sees of a pile
        case model.If() | model.Repeat() | model.RepeatTimes() | model.Do() | model.NamedBlock():
            return NONE  # besides what is done inside
        case _:
            assert_never(node)


_KINDS = frozenset(get_args(Statement))


def is_statement(node: Node) -> TypeGuard[Statement]:
    return type(node) in _KINDS


def effects_of(nodes: Iterable[Node]) -> Iterator[tuple[Statement, Effect]]:
    """The statements among some nodes, each with what it does."""
    return ((node, effect_of(node)) for node in nodes if is_statement(node))
