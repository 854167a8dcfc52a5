"""The faces, counters and markers that the value of an expression depends on.

Everybody knows how many components lie in a place. So ``count of hand of player`` depends on nothing that could be hidden, and
``highest rank among hand of player`` depends on the faces there. Defines are followed.
"""

from __future__ import annotations

from attrs import define, field, frozen

from ...common.source import Span
from ...model import model
from ...model.model import NUMBER, PLAYER, Const, Expr, Typed, Var
from ...model.visitor import children, substituted
from ...table.table import Table


@frozen
class Source:
    """What a value depends on: the faces in a zone, or a counter or marker.

    ``owner``: whose it is (None: of the table or, with ``every``, of all players together). ``span``: where it is asked for.
    """

    name: str
    owner: Expr | None
    every: bool
    span: Span = field(eq=False, repr=False)

    @property
    def player(self) -> Expr | None:
        """The player to whom it belongs: the first one of what says which is meant."""
        return player_of(self.owner)


def player_of(owner: Expr | None) -> Expr | None:
    """The player to whom a thing belongs: the first one of what says which of many is meant (None: it is nobody's)."""
    parts = owner.parts if isinstance(owner, model.Index) else (owner,)
    return next((part for part in parts if part is not None and part.type.required == PLAYER), None)


Sources = frozenset[Source]
NOTHING: Sources = frozenset()


@define(eq=False)
class Reader:
    """What is known of the names in a table's steps, at the place that is looked at.

    ``faces``: on what it depends which component (or number, or word) a name stands for. ``members``: of what set a name
    is a member, one after the other.
    """

    table: Table
    faces: dict[Var, Sources] = field(factory=dict)
    members: dict[Var, Expr] = field(factory=dict)
    _words: dict[str, Sources] = field(factory=dict)  # of defines that take nothing

    def sources(self, node: model.Node) -> Sources:
        """What the value of an expression (or all that stands below another node) depends on."""
        match node:
            case Const():
                return NOTHING
            case model.VarValue(var=var):
                return self.faces.get(var, NOTHING)
            case model.ZoneContent(zone=zone, owner=owner, every=every):
                return self._of_owner(owner) | {Source(zone, owner, every, node.span)}
            case model.VariableValue(name=name, owner=owner):
                return self._of_owner(owner) | {Source(name, owner, False, node.span)}
            case model.Count(of=of) | model.Some(of=of):
                return self.amount(of)
            case model.Compare(op="=", left=left, right=right) if _is_nothing(left) or _is_nothing(right):
                return self.amount(right if _is_nothing(left) else left)
            case model.Apply(define=name, args=args):
                if not args and name in self._words:
                    return self._words[name]
                word = self.table.defines[name]
                said = self.sources(substituted(word.value, dict(zip(word.parameters, args, strict=True))))
                if not args:
                    self._words[name] = said
                return said
            case model.Possible(options=options):
                return NOTHING.union(*map(self._of_option, options))
            case (
                model.Filter(of=of, var=var)
                | model.Total(of=of, var=var)
                | model.Extreme(of=of, var=var)
                | model.Best(of=of, var=var)
                | model.PlaceOf(of=of, var=var)
            ):
                self.goes_through(var, of)
                rest = (part for part in children(node) if part is not of)  # each part once, however deep they are nested
                return self.faces[var].union(*map(self.sources, rest))
        return NOTHING.union(*map(self.sources, children(node)))

    def _of_option(self, option: model.Option) -> Sources:
        """On what it depends whether an option is possible."""
        found = NOTHING
        for argument in option.arguments:
            if isinstance(argument.source, Typed):
                self.goes_through(argument.var, argument.source)
                found |= self.amount(argument.source)
            elif argument.source is not None:
                found = found.union(*map(self.sources, argument.source))
        return found.union(*(self.sources(condition.test) for condition in option.conditions))

    def goes_through(self, var: Var, of: Expr) -> None:
        """A name stands for one member of a set after the other."""
        self.members[var] = of
        self.faces[var] = self.sources(of)

    def _of_owner(self, owner: Expr | None) -> Sources:
        return NOTHING if owner is None else self.sources(owner)

    def amount(self, of: Expr) -> Sources:
        """On what it depends how many members a set has."""
        match of:
            case model.ZoneContent(owner=owner):
                return self._of_owner(owner)
            case model.VarValue():
                return NOTHING
            case model.Join() | model.SetOf():
                found = NOTHING
                for part in children(of):
                    found |= self.amount(part)  # type: ignore[arg-type]
                return found
            case _:
                return self.sources(of)


@define(eq=False)
class Contents(Reader):
    """The sources of values that reveal a number or a word; a yes or no, or a player, counts as revealing nothing.

    "Who has the two of clubs begins" reveals something about a hand, but its owner may say so. "A coin for each point in your
    hand" reveals what the hand is.
    """

    def sources(self, node: model.Node) -> Sources:
        if isinstance(node, Typed) and node.type.base in ("truth", "player"):
            return NOTHING
        return super().sources(node)


def _is_nothing(node: Expr) -> bool:
    """Whether it is none, or the empty set."""
    return isinstance(node, Const) and (node.value == 0 if node.type.is_set else node.value == -1 and node.type != NUMBER)
