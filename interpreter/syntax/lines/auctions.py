"""Makes one node of the lines of an auction."""

from __future__ import annotations

from typing import Any, Final, cast

import attrs
from attrs import frozen

from ...common.diagnostics import fault
from .. import tree
from .expressions import Expressions, Part, subtree
from .reader import Line, Make, Reader

_HOW_IT_ENDS: Final[dict[str, tree.BiddingEnd]] = {
    "pass_out": "a pass is final",
    "round_and_round": "a pass is not final",
    "once_around": "once around",
    "sealed": "sealed",
}
_WANTED: Final = {
    "bidders": "`bidders: players clockwise from P`",
    "bids": "`bids: 1..20, each higher than the last`",
    "ends": "`a pass is final`, `a pass is not final`, `once around` or `sealed`",
}


@frozen
class AuctionLine(tree.Line):
    """One line under `auction for`: what it says (``part``, a field of `tree.Auction`) and the values of these fields."""

    part: str
    values: dict[str, Any]


@frozen
class PaymentCase(tree.Line):
    condition: tree.Expression | None
    payment: tree.Payment
    alone: bool = False


def auction_line(reader: Reader, line: Line) -> tree.Line | None:
    found: dict[str, AuctionLine] = {}
    faults_before = reader.faults
    what = "write who bids, what is bid and how it ends underneath: " + ", ".join(_WANTED.values())
    for node in cast("list[AuctionLine]", reader.block(line, "auction_line", what)):
        reader.once(found.get(node.part), node, _SAID[node.part])
        found.setdefault(node.part, node)
    missing = [said for part, said in _WANTED.items() if part not in found]
    if missing:
        if line.line.children and reader.faults == faults_before:
            help = "add " + ", and ".join(missing)
            reader.report(fault("R106", "this auction is not complete", reader.span(line.line), help=help))
        reader.doubt(line.line)
        return None
    values: dict[str, Any] = {"payment": (), "no_bids": None, "won": None, "cannot_pay": None}
    for node in found.values():
        values.update(node.values)
    comments = line.line.comments
    return attrs.evolve(tree.Auction(line.make.expression(line.parts[0]), **values, **reader.common(line)), comments=comments)


_SAID: Final = {
    "bidders": "bidders",
    "bids": "bids",
    "ends": "a pass is final / once around / sealed",
    "no_bids": "no bids",
    "payment": "payment",
    "won": "won",
    "cannot_pay": "cannot pay",
}


def bidders_line(reader: Reader, line: Line) -> tree.Line:
    who, order = line.parts
    values = {"bidders": line.make.expression(who), "order": line.make.order(order)}
    return AuctionLine("bidders", values, **reader.common(line))


def bids_line(reader: Reader, line: Line) -> tree.Line:
    *parts, rule = line.parts
    make = line.make
    bids = tuple(_bid_part(make, part) for part in parts)
    raise_by: tree.Expression | None = None
    if rule is not None:
        higher = subtree(rule)
        amount = tree.Number(1, span=make.span(higher))
        raise_by = amount if higher.data == "higher" else make.expression(higher.children[0])
    return AuctionLine("bids", {"bids": bids, "raise_by": raise_by}, **reader.common(line))


def _bid_part(make: Expressions, part: Part) -> tree.BidPart:
    whole = subtree(part)
    span = make.span(whole)
    match str(whole.data), whole.children:
        case "amount", [amounts]:
            name = None
        case "named_amount", [name_of, amounts]:
            name = make.name(name_of)
        case _:
            return tree.BidPart(make.name(whole.children[0]), None, span=span)
    interval = make.source_set(amounts)
    assert isinstance(interval, tree.Interval)
    return tree.BidPart(name, interval, span=span)


def ends_line(reader: Reader, line: Line) -> tree.Line:
    return AuctionLine("ends", {"ends": _HOW_IT_ENDS[line.kind]}, **reader.common(line))


def block_line(reader: Reader, line: Line) -> tree.Line:
    return AuctionLine(line.kind, {line.kind: reader.statements(line, line.parts[0])}, **reader.common(line))


def payment_line(reader: Reader, line: Line) -> tree.Line:
    cases: tuple[tuple[tree.Expression | None, tree.Payment], ...]
    if line.parts[0] is not None:
        reader.no_block(line)
        cases = ((None, _payment(line.make, line.parts[0])),)
    else:
        what = "write what is paid: `cards from hand of winner to discard`, or `if C: ...` and `otherwise: ...` underneath"
        below = cast("list[PaymentCase]", reader.block(line, "payment_line", what))
        if not below:
            reader.doubt(line.line)
        cases = tuple((case.condition, case.payment) for case in below)
        for case in below:
            if case.alone and len(below) > 1:
                help = "write `if C: ...` and `otherwise: ...`, or leave the others out"
                reader.report(fault("R107", "what is always paid stands alone", case.span, help=help))
        for case in below[:-1]:
            if case.condition is None and not case.alone:
                reader.report(fault("R107", "after `otherwise` no other case can hold", case.span, help="put it last"))
    return AuctionLine("payment", {"payment": cases}, **reader.common(line))


def payment_if_line(reader: Reader, line: Line) -> tree.Line:
    condition, payment = line.parts
    return PaymentCase(line.make.expression(condition), _payment(line.make, payment), **reader.common(line))


def payment_otherwise_line(reader: Reader, line: Line) -> tree.Line:
    return PaymentCase(None, _payment(line.make, line.parts[0]), **reader.common(line))


def payment_always_line(reader: Reader, line: Line) -> tree.Line:
    return PaymentCase(None, _payment(line.make, line.parts[0]), True, **reader.common(line))


def _payment(make: Expressions, part: Part) -> tree.Payment:
    whole = subtree(part)
    span = make.span(whole)
    if whole.data == "pay_counter":
        source, to = whole.children
        return tree.PayCounter(make.ref(source), make.ref(to), span=span)
    measure, cards, to = whole.children
    return tree.PayComponents(make.ref(measure), make.expression(cards), make.ref(to), span=span)


def bid_again_line(reader: Reader, line: Line) -> tree.Line:
    return tree.BidAgain(line.make.optional_name(line.parts[0]), **reader.common(line))


LEAVES: Final[dict[str, Make]] = {
    "bidders": bidders_line,
    "bids": bids_line,
    "pass_out": ends_line,
    "round_and_round": ends_line,
    "once_around": ends_line,
    "sealed": ends_line,
    "payment_if": payment_if_line,
    "payment_otherwise": payment_otherwise_line,
    "payment_always": payment_always_line,
    "bid_again": bid_again_line,
}
HEADS: Final[dict[str, Make]] = {
    "auction": auction_line,
    "no_bids": block_line,
    "payment": payment_line,
    "won": block_line,
    "cannot_pay": block_line,
}
