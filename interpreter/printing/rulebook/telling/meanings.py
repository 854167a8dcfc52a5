"""What the words of a game mean, for its glossary, and values that differ from case to case."""

from __future__ import annotations

from collections.abc import Iterator

from ....model import model as m
from .book import Item
from .statements import Statements


def meaning(each: m.Define, teller: Statements) -> Item:
    """What a word means; a player of whom it is said is "you"."""
    name, parameters = teller.define_name(each.name), list(each.parameters)
    if parameters and parameters[0].type.base == "player" and not parameters[0].type.is_set:
        you = parameters.pop(0)
        teller = teller.to(m.VarValue(you, type=you.type, span=each.span))
        if each.value.type.base != "truth":
            name = teller.phrase("your {thing}", thing=name)
    name = teller.strong(teller.sentence(name))
    if parameters:
        of = teller.listed([teller.a(teller.variable(var)) for var in parameters])
        name = teller.phrase("{word} (for {of})", word=name, of=of)
    value = each.value
    if isinstance(value, m.Cases):
        head = teller.phrase("{name}: the first of these that fits.", name=name)
        return Item(head, each.span, tuple(cases(value, teller)), told=(each,))
    if value.type.base == "truth" and not value.type.is_set:
        said = teller.phrase("{name} means: {condition}.", name=name, condition=teller.condition(value))
    else:
        said = teller.phrase("{name}: {value}.", name=name, value=_value(value, teller))
    return Item(said, each.span, told=(each,))


def _value(value: m.Expr, teller: Statements) -> str:
    """A closed number as it comes about, with what it comes to."""
    number = teller.number(value)
    if number is not None and isinstance(value, m.Arithmetic):
        return teller.phrase("{value}, that is {number}", value=teller.arithmetic(value), number=number)
    return teller.thing(value)


def cases(node: m.Cases, teller: Statements) -> Iterator[Item]:
    """The values of the cases, one under the other."""
    for condition, value in node.cases:
        said = teller.phrase("{value} if {condition}", value=teller.thing(value), condition=teller.condition(condition))
        yield Item(teller.phrase("{sentence}.", sentence=teller.sentence(said)), value.span)
    said = teller.phrase("otherwise {value}", value=teller.thing(node.otherwise))
    yield Item(teller.phrase("{sentence}.", sentence=teller.sentence(said)), node.otherwise.span)
