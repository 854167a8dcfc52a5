"""Gives every option its value: the one the user gave, or a variant sets, or else the default."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ...common.diagnostics import did_you_mean
from ...common.source import Span
from ...model import model
from ...model.visitor import walk
from ..table import Column
from .components import said, words_of
from .fold import Settled

Given = Mapping[str, str | int | bool]


def settle_options(
    declared: Mapping[str, model.OptionDeclaration],
    chosen: Sequence[model.Variant],
    given: Given,
    column_of: Callable[[str, str], Column],
    settled: Settled,
) -> None:
    """Give every option its value. ``column_of``: the columns of tables for which options ask."""
    settled.options = {}
    for name in given:
        if name not in declared:
            listed = ", ".join(declared) or "none"
            settled.complain(
                "R404", f"there is no option `{name}`", None, help=did_you_mean(name, declared, f"options: {listed}")
            )
    setting: dict[str, tuple[str, model.Expr]] = {}
    for variant in chosen:
        for name, value in variant.options:
            if name in setting and settled.value(value) != settled.value(setting[name][1]):
                other, earlier = setting[name]
                if other == variant.name:
                    message, first, again = f"`{other}` sets `{name}` twice", "here first", "here again"
                    help = "leave one of the lines out"
                else:
                    message = f"`{other}` and `{variant.name}` both set `{name}`"
                    first, again = f"here by `{other}`", f"here by `{variant.name}`"
                    help = f"write `excludes {other}` under `{variant.name}`, or let one of them set it to the same"
                settled.complain("R403", message, value.span, (earlier.span, first), label=again, help=help)
            setting[name] = (variant.name, value)
    asked: set[str] = set()

    def option_of(name: str) -> int:
        option = declared[name]
        if name in settled.options:
            return settled.options[name]
        if name in asked:
            settled.complain("R221", f"the default of `{name}` depends on itself", option.default.span)
            return 0
        asked.add(name)
        value = _value_of(option, setting.get(name), given, settled)
        settled.options[name] = value
        return value

    settled.option_of = option_of
    settled.column_of = column_of
    for name in declared:
        option_of(name)


def _value_of(option: model.OptionDeclaration, setting: tuple[str, model.Expr] | None, given: Given, settled: Settled) -> int:
    """The value of one option; ``setting``: the variant that sets it, and to what. After a finding, some value."""
    value: int | None
    if option.name in given:
        value = _given_value(option, given, settled)
        if setting is not None and value is not None and value != settled.value(setting[1]):
            settled.complain(
                "R407",
                f"the variant `{setting[0]}` sets `{option.name}` itself",
                setting[1].span,
                (option.span, f"{said(option.domain.type, value, settled)} is asked for"),
                label=f"here by `{setting[0]}`",
                help=f"leave `{option.name}` alone, or play without `{setting[0]}`",
            )
    else:
        value = settled.value(setting[1] if setting else option.default)
    if value is None:
        return 0
    if not _admits(option.domain, value, settled):
        values = _said_range(option.domain, settled)
        default = settled.value(option.default)
        if option.name in given:
            settled.complain("R405", f"`{option.name}` can be {values}, not {value}", None)
        elif setting is not None and (default is None or _admits(option.domain, default, settled)):
            settled.complain(
                "R405",
                f"`{option.name}` can be {values}, not {value}",
                setting[1].span,
                (option.span, f"declared here, with the default {option.default.span.text}"),
                help=f"set it to one of its values ({values}), or declare it with more of them",
            )
        elif not any(diagnostic.code == "R221" for diagnostic in settled.found):  # else its default has no value
            help = "write one of its values, or declare it with more of them"
            message = f"`{option.name}` can be {values}, and its default is {said(option.domain.type, value, settled)}"
            settled.complain("R405", message, option.default.span, *_rows_of(option.default, settled), help=help)
    return value


def _rows_of(default: model.Expr, settled: Settled) -> Iterator[tuple[Span, str]]:
    """The rows for these players that a default asks for."""
    for node in walk(default):
        if isinstance(node, model.ColumnFor) and settled.column_of is not None:
            column = settled.column_of(node.table, node.column)
            if settled.players in column.rows:
                yield column.rows[settled.players], f"`{node.column}` is {column.values[settled.players]} here"


def _admits(domain: model.Domain, value: int, settled: Settled) -> bool:
    """Whether an option of this domain can have a value."""
    if domain.low is None or domain.high is None or (value == -1 and domain.type.optional):
        return True  # of words none other is given
    low, high = settled.value(domain.low) or 0, settled.value(domain.high) or 0
    return value in domain.values if domain.values else low <= value <= high


def _said_range(domain: model.Domain, settled: Settled) -> str:
    """``10 to 50``, ``24, 36 or 48``."""
    if domain.low is None or domain.high is None or not domain.values:
        ends = (domain.low, domain.high)
        return " to ".join(str(settled.value(end) or 0) for end in ends if end is not None)
    *most, last = map(str, domain.values)
    return " or ".join(filter(None, (", ".join(most), last)))


def _given_value(option: model.OptionDeclaration, given: Given, settled: Settled) -> int | None:
    """The value of an option as a user wrote it; a finding and None when it is none of the domain's."""
    value = given[option.name]
    text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    type = option.domain.type
    if text == "none" and type.optional:
        return -1
    known = words_of(type, settled)
    if known is None:
        sign, digits = text[: text.startswith("-")], text.removeprefix("-")
        if digits.isdecimal():
            return int(sign + (digits.lstrip("0")[:40] or "0"))  # a longer one is as far out of range
        settled.complain("R405", f"`{option.name}` is a number, and `{text[:40]}` is none", None)
        return None
    if text in known:
        return known.index(text)
    settled.complain(
        "R405",
        f"`{text[:40]}` is no value of `{option.name}`",
        None,
        help=did_you_mean(text, known, f"values: {', '.join(known[:20])}"),
    )
    return None
