"""Finds zones through which components only pass while statements are executed.

A card is drawn to the place in front of a player, who then puts it somewhere else: nothing has stayed there, whoever the player
was. The abstract interpreter alone misses this where the player is unknown, since one of several places gains a card, and one of
them loses one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from attrs import define, field

from ...model import model
from ...model.effects import Simple, effect_of, effects_of
from ...model.model import Body, Const, Expr
from ...table.table import Table

Held = tuple[Expr, ...]  # whose zone may hold what came into it; () where it has gone again
EMPTY: Held = ()


class _MayStay(Exception):
    """Something may stay in the zone, as far as anybody knows."""


def passing(table: Table) -> list[Passing]:
    """The zones of players at a table to which something comes, and of which somewhere all is moved away."""
    gain, lose = set(), set()
    for _, effect in effects_of(table.statements):
        for move in effect.arrivals:
            gain.add(move.place)
            if isinstance(move.what, model.ZoneContent):
                lose.add(move.what.zone)
    return [Passing(zone.name, table) for zone in table.zones.values() if zone.owned and zone.name in gain & lose]


@define(eq=False)
class Passing:
    """``through``: by identity, bodies behind which a zone that was empty is empty. Those that are being gone through are among
    them: what does itself leaves nothing if the rest of it does not."""

    zone: str
    table: Table
    through: set[int] = field(factory=set)

    def is_through(self, body: Body) -> bool:
        """Whether the zone, of whomever it is, holds no more behind a body than before it."""
        try:
            self.stays((body,), EMPTY)
        except _MayStay:
            self.through.clear()
            return False
        return True

    def after(self, body: Body, held: Held) -> Held:
        for line in body:
            held = self.after_line(line, held)
        return held

    def after_line(self, line: model.Statement, held: Held) -> Held:
        if isinstance(line, Simple):
            return self.after_simple(line, held)
        match line:
            case model.If(then=then, otherwise=otherwise):
                return self.after_one_of((then, otherwise), held)
            case model.Choose(options=options, impossible=impossible):
                bodies = [option.body for option in options]
                return self.after_one_of(bodies if impossible is None else [*bodies, impossible], held)
            case model.NamedBlock(body=body):
                return self.after(body, held)
            case model.ForEach(body=body) | model.RepeatTimes(body=body) | model.TakeTurns(body=body):
                self.stays((body,), held)
            case model.Repeat(body=body, otherwise=otherwise):
                self.stays((body, otherwise or ()), held)
            case model.Do(step=step):
                if held:
                    raise _MayStay
                self.stays((self.table.steps[step].body,), held)
            case _:
                assert_never(line)
        return held

    def after_simple(self, line: Simple, held: Held) -> Held:
        effect = effect_of(line)
        for move in effect.moves:
            if move.place == self.zone:
                if held or not isinstance(move.owner, model.VarValue | Const):
                    raise _MayStay
                held = (move.owner,)
            elif (
                isinstance(move.what, model.ZoneContent)
                and (move.what.zone, move.what.every) == (self.zone, False)
                and held == (move.what.owner,)
            ):
                held = EMPTY
        if effect.leaves and held:
            raise _MayStay
        return held

    def after_one_of(self, bodies: Sequence[Body], held: Held) -> Held:
        ends = {self.after(body, held) for body in bodies} - {EMPTY}
        if len(ends) > 1:
            raise _MayStay
        return ends.pop() if ends else EMPTY

    def stays(self, bodies: Iterable[Body], held: Held) -> None:
        """Behind each of some bodies it is as before, so it does not matter how often they are gone through."""
        for body in bodies:
            if held or id(body) not in self.through:
                if not held:
                    self.through.add(id(body))
                if self.after(body, held) != held:
                    raise _MayStay
