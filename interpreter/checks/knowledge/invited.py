"""Private information that shows by which players are asked to choose.

Everybody sees who is asked. Where that depends on a private hand or counter, others learn something about it. Much of this is
meant: a player who must show a card, or who pays with it, reveals it in any case. So it counts only where being asked reveals
more than the choice does:

- players are picked out of several, and could also be asked without the reason they were picked for (`Invited.tells`);
- a player is asked if a condition holds, and may decline, which leaves everything as it is for a player who is not asked
  (`may_be_declined`).
"""

from __future__ import annotations

from collections.abc import Collection

from attrs import define, field

from ...common.source import Span
from ...model import model
from ...model.effects import Effect, effect_of, is_statement
from ...model.model import PLAYER, Const, Var
from ...model.visitor import children, substituted
from ...table.table import Table
from ..dataflow.effects import PointsTo
from ..dataflow.sources import NOTHING, Reader, Source, Sources


@define(eq=False)
class Invited:
    """``named``: by what is private, and where that is read, players are in a set that has a name."""

    table: Table
    reader: Reader
    named: dict[Var, dict[Source, Span]] = field(factory=dict)
    _lying: PointsTo | None = None

    def by(self, members: model.Typed) -> dict[Source, Span]:
        """By what is private the players of a set are chosen out of others, with the places of the conditions that read it."""
        match members:
            case Const():
                return {}
            case model.VarValue(var=var):
                return self.named.get(var, {})
            case model.Apply(define=name, args=args):
                word = self.table.defines[name]
                return self.by(substituted(word.value, dict(zip(word.parameters, args, strict=True))))
            case model.Filter(of=of, var=var, condition=condition):
                self.reader.goes_through(var, of)
                found = dict.fromkeys(self.private(self.reader.sources(condition)), condition.span)
                return found | self.by(of)
        parts = (part for part in children(members) if isinstance(part, model.Typed) and part.type == PLAYER.set)
        return {source: span for part in parts for source, span in self.by(part).items()}

    def private(self, sources: Sources) -> Sources:
        """Those that only one of several players sees; what a construct keeps is told by itself."""
        if self.table.players == 1:
            return NOTHING
        zones, variables = self.table.zones, self.table.variables
        return frozenset(
            source
            for source in sources
            if (source.name in zones and zones[source.name].visibility == "private")
            or (source.name in variables and variables[source.name].visibility == "private" and " " not in source.name)
        )

    def tells(self, choice: model.Choose, source: Source) -> bool:
        """Whether it is the asking that tells something of a source: players who hold nothing there could be asked as well, since
        they need not show it, pay with it or choose from it."""
        is_choice = len(choice.options) > 1 or any(option.arguments for option in choice.options)
        return is_choice and any(self.is_open_without(option, source.name) for option in choice.options)

    def is_open_without(self, option: model.Option, name: str) -> bool:
        """Whether an option neither asks for what is in a place, or on a counter, nor takes something of it or shows it."""
        for argument in option.arguments:
            match argument.source:
                case (Const(value=low), high) if low <= 0 and name in self.names(high):
                    return True  # nothing is an amount, too
                case _:
                    pass
        ends = (argument.source for argument in option.arguments)
        asked = [part for end in ends if end is not None for part in (end if isinstance(end, tuple) else (end,))]
        tests = (condition.test for condition in option.conditions)
        return name not in {*self.names(*asked, *tests), *self.taken_or_shown(option)}

    def names(self, *nodes: model.Typed) -> set[str]:
        """The places and counters on which values depend."""
        return {source.name for node in nodes for source in self.reader.sources(node)}

    def taken_or_shown(self, option: model.Option) -> set[str]:
        """The places of which an option takes something or shows it, and the counters that it sets, whatever is so then."""
        found: set[str] = set()
        chosen = {argument.var for argument in option.arguments}
        seen: set[str] = set()
        todo: list[model.Node] = [*option.body]
        while todo:
            match todo.pop():
                case model.If():
                    pass
                case model.Do(step=name) if name not in seen:
                    seen.add(name)
                    todo += self.table.steps[name].body
                case line:
                    if is_statement(line):
                        found |= self.taken_or_shown_by(effect_of(line), chosen)
                    todo += (part for part in children(line) if not isinstance(part, model.Typed))
        return found

    def taken_or_shown_by(self, effect: Effect, chosen: Collection[Var]) -> set[str]:
        """See `taken_or_shown`. ``chosen``: what these stand for does not count, since somebody has chosen it."""
        found = {setting.name for setting in effect.sets}
        found |= {move.source.zone for move in effect.arrivals if move.source is not None}
        taken = (move.what for move in effect.moves if move.what is not None)
        for what in (*(each for each in taken if not (isinstance(each, model.VarValue) and each.var in chosen)), *effect.shows):
            found |= self.lying().zones(what)
        return found

    def lying(self) -> PointsTo:
        """Where components can lie; it takes a while to find, and is rarely asked for."""
        if self._lying is None:
            self._lying = PointsTo.of(self.table)
        return self._lying


def may_be_declined(choice: model.Choose, source: Source) -> bool:
    """Whether a player can choose that all is as it is for who is not asked."""
    return len(choice.options) > 1 and any(not option.arguments and not option.body for option in choice.options)
