"""How are components counted in sets of bits?

Each face has a run of bits, one for each copy; the copies in a set fill the run from the left. Where all components differ, a
face and its bit have the same number, and all this is plain set algebra.
"""

from __future__ import annotations

from collections.abc import Callable

from ....model import model
from ....source import Span
from ...machine import NONE, Assign, Const, Constants, Expr, Function, Invoke, Load, Local, Lookup, Return, Stmt, While
from ..builder import Builder, Components
from ..values import Binding, Bits, Scalar, Spot, bits_of, op, some


def for_members(rest: Local, of: Expr, member: Local, body: list[Stmt], copies: tuple[int, ...], span: Span) -> list[Stmt]:
    """``for each member of a set``: the lowest bit first."""
    bit = Load(member)
    head: list[Stmt] = [
        Assign(member, op("first", Load(rest))),
        Assign(rest, op("minus", Load(rest), op("bit", bit))),
    ]
    if copies:
        head.append(Assign(member, Lookup(Constants("face of copy", copies), bit)))
    return [Assign(rest, of), While(some(Load(rest)), (*head, *body), span)]


def single(value: Scalar, type: model.Type, b: Builder) -> Bits:
    """The set of one thing (none: empty)."""
    if value.constant is not None:
        return bits_of(0 if value.constant < 0 else 1 << _bit_number(value.constant, type, b))
    bit = op("bit", first_bit(value.expr, type, b))
    if value.low < 0:
        bit = op("if", op("<", value.expr, Const(0)), Const(0), bit)
    return Bits(bit, (1 << b.width(type)) - 1, 1)


def _bit_number(value: int, type: model.Type, b: Builder) -> int:
    return b.components[type.of].starts[value] if type.base == "component" else value


def first_bit(value: Expr, type: model.Type, b: Builder) -> Expr:
    """The bit number that says whether a value is in a set."""
    if type.base != "component" or b.components[type.of].distinct:
        return value
    return Lookup(Constants(f"first copy of {type.of}", b.components[type.of].starts), value)


def face_of_bit(bit: Expr, type: model.Type, b: Builder) -> Expr:
    """The value for which a bit of a set stands; -1 stays -1."""
    copies = copies_of(type, b)
    if not copies:
        return bit
    return Lookup(Constants(f"face of {type.of}, or none", (NONE, *copies)), op("+", bit, Const(1)))


def copies_of(type: model.Type, b: Builder) -> tuple[int, ...]:
    return b.components[type.of].domain.copies if type.base == "component" else ()


def block_of(value: int, type: model.Type, b: Builder) -> int:
    return b.components[type.of].block(value) if type.base == "component" else 1 << value


def join(left: Bits, right: Bits, kind: str, b: Builder) -> Bits:
    """Both sets together; copies of one face are added up."""
    most = min(left.most + right.most, (left.bound | right.bound).bit_count())
    if not kind or b.components[kind].distinct or left.most == 0 or right.most == 0:
        return Bits(op("union", left.expr, right.expr), left.bound | right.bound, most)
    components = b.components[kind]
    return Bits(together(left.expr, right.expr, components, b), components.all, min(left.most + right.most, components.bits))


def without(whole: Expr, part: Expr, kind: str, b: Builder) -> Expr:
    """A set without some of its members; copies of one face are counted. ``kind``: "" for what are no components."""
    return less(whole, part, b.components[kind], b) if kind else op("minus", whole, part)


def copies_of_face(face: Expr, components: Components) -> Expr:
    """All copies of a face."""
    blocks = tuple(components.block(each) for each in range(len(components.starts)))
    return Lookup(Constants(f"copies of {components.kind.name}", blocks, components.bits), face)


def put(bits: Expr, face: Expr, components: Components) -> Expr:
    """A set with one more of a face."""
    if components.distinct:
        return op("union", bits, op("bit", face))
    name = components.kind.name
    block = copies_of_face(face, components)
    first = op("bit", Lookup(Constants(f"first copy of {name}", components.starts), face))
    raised = op("union", op("left", op("intersect", bits, block), Const(1)), first)
    return op("union", bits, op("intersect", raised, block))


def taken(bits: Expr, face: Expr, components: Components) -> Expr:
    """A set with one less of a face (unchanged when it has none)."""
    if components.distinct:
        return op("minus", bits, op("bit", face))
    block = copies_of_face(face, components)
    lowered = op("intersect", op("right", op("intersect", bits, block), Const(1)), block)
    return op("union", op("minus", bits, block), lowered)


def member_binding(member: Local, type: model.Type, b: Builder, spots: tuple[Spot, ...] | None = None) -> Binding:
    """A member of a set as a name of its own; ``spots``: of a cell, on which grid it is."""
    return Binding(Scalar(Load(member), 0, b.size(type) - 1), spots)


def bit_of(face: Expr, kind: str, b: Builder) -> Expr:
    """The same for a face of a kind."""
    return first_bit(face, model.Type("component", kind), b)


def faces(bits: Expr, components: Components) -> Expr:
    """The faces that occur in a set, by their first bit."""
    return bits if components.distinct else op("intersect", bits, Const(components.first_bits))


def less(bits: Expr, part: Expr, components: Components, b: Builder) -> Expr:
    """A set without a part of it, face by face."""
    if components.distinct:
        return op("minus", bits, part)
    return _face_by_face(f"{components.kind.name}s without", taken, bits, part, components, b)


def together(bits: Expr, part: Expr, components: Components, b: Builder) -> Expr:
    """Two sets added, face by face."""
    if components.distinct:
        return op("union", bits, part)
    return _face_by_face(f"{components.kind.name}s together", put, bits, part, components, b)


def _face_by_face(
    name: str, change: Callable[[Expr, Expr, Components], Expr], bits: Expr, part: Expr, components: Components, b: Builder
) -> Expr:
    """A set changed by each component of another; the function that does it is made once."""
    if name not in b.functions:
        these, those, face = b.local("these", components.bits), b.local("those", components.bits), b.local("face")
        one = Assign(these, change(Load(these), Load(face), components))
        rest, copies = b.local("rest", components.bits), components.domain.copies
        loop = for_members(rest, Load(those), face, [one], copies, components.kind.span)
        b.functions[name] = Function(name, (these, those), components.bits, (*loop, Return(Load(these))))
    return Invoke(name, (bits, part))
