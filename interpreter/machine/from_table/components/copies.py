"""Copies of components in sets of bits.

Each face has a run of bits, one for each copy; the copies in a set fill the run from the left. Where all components differ, a
face and its bit have the same number, and the code is plain set algebra.
"""

from __future__ import annotations

from collections.abc import Callable

from ....common.source import Span
from ....model import model
from ...machine import (
    FACES,
    NONE,
    Assign,
    Const,
    Constants,
    Expr,
    Function,
    Invoke,
    Load,
    Local,
    Lookup,
    OpName,
    Return,
    Stmt,
    While,
)
from ..building.builder import Builder, Components
from ..building.values import Binding, Bits, Scalar, Spot, bits_of, op, some


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
    return Lookup(Constants(f"copies of {components.kind.name}", components.blocks, components.bits), face)


def _first_copy(face: Expr, components: Components) -> Expr:
    """The first copy of a face, as a set."""
    firsts = tuple(1 << start for start in components.starts)
    return Lookup(Constants(f"first {components.kind.name} of a face", firsts, components.bits), face)


def put(bits: Expr, face: Expr, components: Components) -> Expr:
    """A set with one more of a face."""
    if components.distinct:
        return op("union", bits, op("bit", face))
    block = copies_of_face(face, components)
    raised = op("union", op("left", op("intersect", bits, block), Const(1)), _first_copy(face, components))
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
    """The first bit of a face of a kind."""
    return first_bit(face, model.Type("component", kind), b)


def faces(bits: Expr, components: Components) -> Expr:
    """The faces that occur in a set, by their first bit."""
    return bits if components.distinct else op("intersect", bits, Const(components.first_bits))


SHIFTS_LIMIT = 12  # of a set; with more, a loop over what is in it is shorter


def face_numbers(bits: Expr, components: Components, b: Builder) -> Expr:
    """The faces that occur in a set, by number: the first copies of faces, moved together."""
    if components.distinct:
        return bits
    name = f"{FACES}{components.kind.name}s"
    if name not in b.functions:
        these, found = b.local("these", components.bits), b.local("faces", len(components.starts))
        by_distance: dict[int, int] = {}
        for face, start in enumerate(components.starts):
            by_distance[start - face] = by_distance.get(start - face, 0) | 1 << start
        body: list[Stmt] = []
        if len(by_distance) <= SHIFTS_LIMIT:
            result: Expr = Const(0)
            for distance, firsts in by_distance.items():
                moving = op("intersect", Load(these), Const(firsts))
                result = op("union", result, op("right", moving, Const(distance)) if distance else moving)
        else:
            bit, rest, result = b.local("copy"), b.local("rest", components.bits), Load(found)
            face_of = Lookup(Constants(f"face of {components.kind.name}", components.domain.copies), Load(bit))
            one: list[Stmt] = [Assign(found, op("union", Load(found), op("bit", face_of)))]
            loop = for_members(rest, faces(Load(these), components), bit, one, (), components.kind.span)
            body = [Assign(found, Const(0)), *loop]
        b.functions[name] = Function(name, (these,), len(components.starts), (*body, Return(result)))
    return Invoke(name, (bits,))


def less(bits: Expr, part: Expr, components: Components, b: Builder) -> Expr:
    """A set without a part of it, face by face."""
    if components.distinct:
        return op("minus", bits, part)
    return _face_by_face(f"{components.kind.name}s without", "minus", taken, bits, part, components, b)


def together(bits: Expr, part: Expr, components: Components, b: Builder) -> Expr:
    """Two sets added, face by face."""
    if components.distinct:
        return op("union", bits, part)
    return _face_by_face(f"{components.kind.name}s together", "union", put, bits, part, components, b)


def _face_by_face(
    name: str,
    plain: OpName,
    change: Callable[[Expr, Expr, Components], Expr],
    bits: Expr,
    part: Expr,
    components: Components,
    b: Builder,
) -> Expr:
    """A set changed by another: at once by faces of which there is one, by others copy by copy. ``name``: of the function."""
    if name not in b.functions:
        these, those, face = b.local("these", components.bits), b.local("those", components.bits), b.local("face")
        one = Assign(these, change(Load(these), Load(face), components))
        rest, copies = b.local("rest", components.bits), components.domain.copies
        alone = Const(components.first_bits & components.last_bits)
        at_once = Assign(these, op(plain, Load(these), op("intersect", Load(those), alone)))
        loop = for_members(rest, op("minus", Load(those), alone), face, [one], copies, components.kind.span)
        b.functions[name] = Function(name, (these, those), components.bits, (at_once, *loop, Return(Load(these))))
    return Invoke(name, (bits, part))
