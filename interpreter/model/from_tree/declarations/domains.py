"""Domains, the values that a thing can have, and the lists of words behind them."""

from __future__ import annotations

from ....common.nouns import plural
from ....syntax import tree
from ... import model
from ...model import NUMBER, UNKNOWN, Const, Type
from ..expressions import number
from ..names.scope import Attribute, Scope
from ..names.types import fixed

WORDS_LIMIT = 1_000  # words of one list; a set of them must stay small

NUMBERS_LIMIT = 2_000_000_000  # the ends of a range of numbers: they must fit in 32 bits


def word_list(name: str, domain: tree.WordsDomain, scope: Scope) -> model.WordList:
    words = domain.words
    if len(words) > WORDS_LIMIT:
        scope.complain("R216", f"`{name}` has {len(words)} words; {WORDS_LIMIT} are allowed", domain.span)
        words = words[:1]
    for word in sorted({w for w in words if words.count(w) > 1}):
        scope.complain("R202", f"`{word}` stands twice in `{name}`", domain.span)
    return model.WordList(name, tuple(dict.fromkeys(words)), span=domain.span)


def words_of(name: tree.Name) -> str:
    """What a list of words is called that stands behind a name which means something else: an option, a marker."""
    return f"word of {name.text}"


def domain_of(domain: tree.Domain, name: str, scope: Scope) -> model.Domain:
    """The domain behind a name; words that stand right there become a list of that name."""
    base = domain.base
    match base:
        case tree.RangeDomain(low=low, high=high):
            ends = [number(low, scope), number(high, scope)]
            for end in ends:
                if not fixed(end):
                    scope.complain("R215", "the ends of a range are fixed before the game: numbers and options", end.span)
                    ends = [Const(0, type=NUMBER, span=end.span)] * 2
            if all(isinstance(e, Const) for e in ends):
                a, b = (e.value for e in ends if isinstance(e, Const))
                if a > b and all(end.type == NUMBER for end in ends):
                    scope.complain("R215", f"there is no number from {a} to {b}", base.span, help=f"did you mean {b}..{a}?")
                elif max(abs(a), abs(b)) > NUMBERS_LIMIT:
                    scope.complain("R216", f"numbers go from {-NUMBERS_LIMIT} to {NUMBERS_LIMIT}", base.span)
                elif domain.optional and a < 0:
                    scope.complain("R215", "a domain with `or none` has no numbers below 0", base.span)
            type = NUMBER.maybe if domain.optional else NUMBER
            return model.Domain(type, ends[0], ends[1])
        case tree.NumbersDomain(values=values):
            for value in sorted({v for v in values if values.count(v) > 1}):
                scope.complain("R202", f"{value} stands twice here", base.span)
            low_end, high_end = (Const(end(values), type=NUMBER, span=base.span) for end in (min, max))
            return model.Domain(NUMBER.maybe if domain.optional else NUMBER, low_end, high_end, tuple(dict.fromkeys(values)))
        case tree.WordsDomain():
            found = word_list(name, base, scope)
            earlier = scope.symbol(name)
            if isinstance(earlier, model.WordList) and earlier.words == found.words:
                pass  # two kinds have the same attribute
            elif earlier is None:
                scope.set_symbol(name, found)
                scope.spans[name] = base.span
            else:
                scope.complain(
                    "R202",
                    f"the words of `{name}` would be a list called `{name}`, and that name is taken",
                    base.span,
                    *([(at, "here")] if (at := scope.declared_at(name)) else []),
                    help="declare the words once, as a `list`",
                )
                return model.Domain(UNKNOWN)
            type = Type("word", name)
            return model.Domain(type.maybe if domain.optional else type)
        case tree.NamedDomain(name=noun, grid=grid):
            found_type = named(tree.Name(noun, span=base.span), grid, scope)
            if found_type is None:
                types = scope.type_names()
                scope.unknown(noun, base.span, "list, kind or attribute", types)
                return model.Domain(UNKNOWN)
            if found_type == NUMBER:
                symbol = scope.symbol(noun)
                if isinstance(symbol, Attribute):
                    printed = symbol.any.domain
                    return model.Domain(NUMBER.maybe if domain.optional else NUMBER, printed.low, printed.high)
            return model.Domain(found_type.maybe if domain.optional else found_type)


def named(noun: tree.Name, grid: tree.Name | None, scope: Scope) -> Type | None:
    """The type of a noun, or of ``cell in GRID``; None if nothing is called so. A finding where the grid is not clear."""
    if grid is None:
        if noun.text == "cell" and len(scope.grids()) > 1:
            names = " or ".join(f"`cell in {grid.name}`" for grid in scope.grids())
            message = "there are several grids, and it is not clear on which this cell is"
            scope.complain("R249", message, noun.span, help=f"write {names}")
            return UNKNOWN
        return scope.type_named(noun.text)
    if not isinstance(scope.symbol(grid.text), model.Grid):
        scope.unknown(grid.text, grid.span, "grid", scope.names_of(model.Grid))
        return UNKNOWN
    if noun.text != "cell":
        help = f"write `cell in {grid.text}`"
        scope.complain("R204", f"on a grid there are cells, and no {plural(noun.text)}", noun.span, help=help)
    return Type("cell", grid.text)
