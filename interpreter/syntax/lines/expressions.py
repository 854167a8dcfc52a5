"""Makes nodes of the parts of a line: names, expressions, rankings, domains."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from attrs import evolve, frozen
from lark import Token

from ...common.source import Source, Span
from .. import tree
from ..parsing.sentence import LarkTree

Part = LarkTree | Token | None

# `2..10, jack` is written out word by word.
MAX_WORDS_OF_RANGE: Final = 1_000

_OPERATORS: Final[dict[str, tree.CompareOp]] = {
    "is": "is",
    "is_not": "is not",
    "less": "<",
    "more": ">",
    "at_least": "at least",
    "at_most": "at most",
}

# The shapes of a filter.
FILTERS: Final = frozenset({"with_", "where", "where_not", "without", "also_in"})


class Misread(Exception):
    """A line whose words fit the grammar but say nothing: ``code``, ``message``, ``help`` and the words to mark."""

    def __init__(self, code: str, message: str, span: Span, help: str) -> None:
        super().__init__(message)
        self.code, self.message, self.span, self.help = code, message, span, help


def normal(text: str) -> str:
    """A name in Unicode's composed form, so that the same letters are the same name however they were typed."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def quoted(token: Part) -> str:
    """The text between the quotes."""
    assert isinstance(token, Token)
    return token[1:-1]


def subtree(part: Part) -> LarkTree:
    """A part of which the grammar says that it is there and is not a single word."""
    assert part is not None
    assert not isinstance(part, Token)
    return part


@frozen(eq=False)
class Expressions:
    """Nodes for the expressions of one line of ``source``, whose words stand from ``begin`` to ``end`` (offsets)."""

    source: Source
    begin: int
    end: int

    def span(self, part: LarkTree | Token) -> Span:
        """Where a part stands."""
        if isinstance(part, Token):
            # A token that covers several words (`player 1`) ends where its last word ends.
            start, end = part.start_pos, part.end_pos
        elif part.meta.empty:
            return Span(self.source, self.begin, self.end)
        else:
            start, end = part.meta.start_pos, part.meta.end_pos
        assert start is not None
        assert end is not None
        return Span(self.source, self.begin + start, self.begin + end)  # a parse counts from the first word on

    def name(self, part: Part) -> tree.Name:
        """A name, a verb or a language."""
        assert part is not None
        token = part if isinstance(part, Token) else part.children[0]
        assert isinstance(token, Token)
        return tree.Name(normal(str(token)), span=self.span(token))

    def optional_name(self, part: Part) -> tree.Name | None:
        return None if part is None else self.name(part)

    def optional(self, part: Part) -> tree.Expression | None:
        return None if part is None else self.expression(part)

    def ref(self, part: Part) -> tree.Ref:
        """An expression of which the grammar says that it is a reference."""
        node = self.expression(part)
        assert isinstance(node, tree.Ref)
        return node

    def expression(self, part: Part) -> tree.Expression:
        """Any expression."""
        t = subtree(part)
        kind, c, span = str(t.data), t.children, self.span(t)
        match kind:
            case "name" | "word_cell":
                return tree.Ref(str(self.name(c[0]).text), span=span)
            case "number":
                return tree.Number(int(str(c[0])), span=span)
            case "negative_number":
                number = self.span(_token(c[0]))
                return tree.Negative(tree.Number(int(str(c[0])), span=number), span=span)
            case "ref_of":
                return tree.Ref(self.name(c[0]).text, of=self.expression(c[1]), span=span)
            case "ref_for":
                return tree.Ref(self.name(c[0]).text, key=self.expression(c[1]), span=span)
            case "ref_of_for":
                return tree.Ref(self.name(c[0]).text, of=self.expression(c[1]), key=self.expression(c[2]), span=span)
            case "ref_for_further" | "ref_of_for_further" | "step_ref_further":
                name, *given = c
                own = [part for part in given if part is None or subtree(part).data != "further"]
                of, key = [None, *map(self.optional, own)][-2:]
                return tree.Ref(self.name(name).text, of, key, tuple(self._further(given[len(own) :])), span=span)
            case "step_ref":
                return tree.Ref(self.name(c[0]).text, of=self.optional(c[1]), key=self.optional(c[2]), span=span)
            case "none" | "empty" | "yes" | "no":
                return tree.Special(kind, span=span)
            case "one_pick" | "all_pick":
                values = tuple(self._pick_value(subtree(value)) for value in c)
                return tree.Pick(values, all=kind == "all_pick", span=span)
            case "every":
                return tree.Every(self.name(c[0]).text, span=span)
            case "player_number":
                return tree.PlayerNumber(int(str(c[0])), span=span)
            case "seats_left":
                return tree.SeatsAway(self.expression(c[0]), "left", self.expression(c[1]), span=span)
            case "seats_right":
                return tree.SeatsAway(self.expression(c[0]), "right", self.expression(c[1]), span=span)
            case "parenthesised":
                return self.expression(c[0])
            case "group":
                return tree.Group(tuple(self.expression(member) for member in c), span=span)
            case "filtered":
                return tree.Filtered(self.expression(c[0]), self.filters(c[1:]), span=span)
            case "count":
                return tree.Count(self.expression(c[0]), span=span)
            case "total":
                return tree.Total(self.name(c[0]), self.optional(c[1]), self.expression(c[2]), span=span)
            case "over_each" | "over_each_with":
                head = subtree(c[0])
                what: Literal["total", "highest", "lowest"] = str(head.data).removesuffix("_over")  # type: ignore[assignment]
                value, noun, name = head.children
                members: tree.Expression | tree.Interval | None = None
                filters: tuple[tree.Filter, ...] = ()
                if kind == "over_each_with":
                    filters = self.filters(c[1:])
                elif c[1] is not None:
                    members, filters = self.members(c[1])
                each = (self.name(noun), self.optional_name(name), members, filters)
                return tree.OverEach(what, self.expression(value), *each, span=span)
            case "highest_among":
                return self._extreme("highest", c, span)
            case "lowest_among":
                return self._extreme("lowest", c, span)
            case "first":
                return tree.First(self.name(c[0]), self.filters(c[1:-1]), self.expression(c[-1]), span=span)
            case "first_from":
                among = tree.Within(False, self.expression(c[1]), span=self.span(c[1]))
                return tree.First(self.name(c[0]), (among, *self.filters(c[2:-1])), self.expression(c[-1]), span=span)
            case "negative":
                return tree.Negative(self.expression(c[0]), span=span)
            case "plus":
                return tree.Arithmetic("+", self.expression(c[0]), self.expression(c[1]), span=span)
            case "minus":
                return tree.Arithmetic("-", self.expression(c[0]), self.expression(c[1]), span=span)
            case "times":
                return tree.Arithmetic("*", self.expression(c[0]), self.expression(c[1]), span=span)
            case "mod":
                return tree.Arithmetic("mod", self.expression(c[0]), self.expression(c[1]), span=span)
            case "rounded_down":
                return tree.Division(self.expression(c[0]), self.expression(c[1]), "down", span=span)
            case "rounded_up":
                return tree.Division(self.expression(c[0]), self.expression(c[1]), "up", span=span)
            case "is" | "is_not" | "less" | "more" | "at_least" | "at_most":
                return tree.Comparison(_OPERATORS[kind], self.expression(c[0]), self.expression(c[1]), span=span)
            case "is_full" | "is_not_full":
                free = tree.EmptyCells(self.expression(c[0]), span=span)
                return tree.Comparison("is" if kind == "is_full" else "is not", free, tree.Special("empty", span=span), span=span)
            case "in" | "not_in":
                return tree.Membership(kind == "not_in", self.expression(c[0]), self.source_set(c[1]), span=span)
            case "and":
                return tree.Logic("and", self.expression(c[0]), self.expression(c[1]), span=span)
            case "or":
                return tree.Logic("or", self.expression(c[0]), self.expression(c[1]), span=span)
            case "not":
                return tree.Not(self.expression(c[0]), span=span)
            case "is_a" | "is_not_a":
                return tree.IsA(self.expression(c[0]), kind == "is_not_a", self.name(c[1]), span=span)
            case "has" | "has_no":
                negated = kind == "has_no"
                return tree.Has(self.expression(c[0]), negated, self.name(c[1]), self.filters(c[2:]), span=span)
            case "somebody" | "nobody":
                return tree.Somebody(kind == "nobody", None, self.filters(c), span=span)
            case "somebody_in" | "nobody_in":
                return tree.Somebody(kind == "nobody_in", self.expression(c[0]), self.filters(c[1:]), span=span)
            case "everybody_in":
                whom, filters = self.expression(c[0]), self.filters(c[1:])
                while len(filters) > 1 and isinstance(filters[0], tree.Within):  # `without leader` says who is asked
                    whom, filters = tree.Filtered(whom, filters[:1], span=whom.span), filters[1:]
                return tree.HasOnly(whom, tree.Name("player", span=span), filters, span=span)
            case "somebody_is" | "nobody_is":
                return tree.Somebody(kind == "nobody_is", None, self._is_so(c[0]), span=span)
            case "has_only":
                return tree.HasOnly(self.expression(c[0]), self.name(c[1]), self.filters(c[2:]), span=span)
            case "everybody" | "everybody_is":
                filters = self.filters(c) if kind == "everybody" else self._is_so(c[0])
                return tree.HasOnly(tree.Ref("players", span=span), tree.Name("player", span=span), filters, span=span)
            case "best_of" | "all_best_of":
                return tree.Best(self.expression(c[0]), self.keys(c[1]), all=kind == "all_best_of", span=span)
            case "larger" | "smaller":
                return tree.LargerOf(self.expression(c[0]), self.expression(c[1]), kind == "smaller", span=span)
            case "distance":
                return tree.Distance(self.expression(c[0]), self.expression(c[1]), span=span)
            case "touches":
                return tree.Touches(self.expression(c[0]), self.expression(c[1]), span=span)
            case "touches_same":
                return tree.Touches(self.expression(c[0]), self.name(c[1]), span=span)
            case "empty_cells":
                return tree.EmptyCells(self.expression(c[0]), span=span)
            case "cells_next_to":
                return tree.CellsNextTo(self.expression(c[0]), span=span)
            case "shifted":
                return tree.Shifted(self.expression(c[0]), self.expression(c[1]), span=span)
            case "after_this":
                return tree.AfterThis(self.expression(c[0]), span=span)
            case "seen_before":
                return tree.Repeats(tree.Number(1, span=span), span=span)
            case "repeats":
                return tree.Repeats(self.expression(c[0]), span=span)
            case "possible":
                return tree.Possible(self.name(subtree(c[0]).children[0]).text, span=span)
            case "not_possible":
                asked = tree.Possible(self.name(subtree(c[0]).children[0]).text, span=span)
                return tree.Not(asked, span=span)
            case "has_line":
                return tree.HasLine(self.expression(c[0]), self.expression(c[1]), self.optional(c[2]), span=span)
            case "longest_line":
                return tree.LongestLine(self.expression(c[2]), self.optional(c[0]), self.optional(c[1]), span=span)
            case "has_path":
                return tree.HasPath(self.expression(c[0]), self.expression(c[1]), self.expression(c[2]), span=span)
            case "lines_from":
                return tree.LinesFrom(self.expression(c[0]), self.expression(c[1]), self.expression(c[2]), span=span)
            case "regions":
                return tree.Regions(self.expression(c[0]), self.name(c[1]), span=span)
            case "random_one":
                return tree.RandomOne(self.name(c[0]), None if c[1] is None else self.source_set(c[1]), span=span)
            case "any_one":
                return tree.AnyOne(self.name(c[0]), self.expression(c[1]), span=span)
            case "otherwise_cell":
                return tree.Ref("otherwise", span=span)
        raise AssertionError(f"the grammar has no such expression: {kind}")

    def _further(self, parts: Sequence[Part]) -> Iterator[tuple[tree.Place, tree.Expression]]:
        for place, value in (subtree(part).children for part in parts):
            yield self._place(place), self.expression(value)

    def _place(self, part: Part) -> tree.Place:
        found: tree.Place = str(subtree(part).data).removesuffix("_place")  # type: ignore[assignment]
        return found

    def parameters(self, parts: Sequence[Part]) -> tuple[tree.Parameter, ...]:
        """What something belongs to, or is given. Raises `Misread` where a place comes twice, or `for` is left out."""
        found: list[tree.Parameter] = []
        for t in map(subtree, parts):
            place, noun, *names = t.children
            found.append(tree.Parameter(self._place(place), self.name(noun), *map(self.optional_name, names), span=self.span(t)))
        places = [each.place for each in found]
        for index, each in enumerate(found):
            if each.place in places[:index]:
                help = "use another place: `of`, `for`, `after`, `at`, `against`"
                raise Misread("R112", f"`{each.place}` comes twice", each.span, help)
        if "for" not in places and any(place != "of" for place in places):
            first = next(each for each in found if each.place != "of")
            raise Misread("R112", f"`{first.place}` comes behind `for`", first.span, f"write `for {first.noun.text}`")
        return tuple(found)

    def source_set(self, part: Part) -> tree.Expression | tree.Interval:
        """What stands after ``in`` and ``from``."""
        t = subtree(part)
        if t.data == "interval":
            return tree.Interval(self.expression(t.children[0]), self.expression(t.children[1]), span=self.span(t))
        return self.expression(t)

    def members(self, part: Part) -> tuple[tree.Expression | tree.Interval, tuple[tree.Filter, ...]]:
        """What stands behind ``for each ... in``, and the filters at its end: they read alike and mean the same."""
        chosen = self.source_set(part)
        if isinstance(chosen, tree.Interval):  # no number can be filtered
            high, filters = _without_filters(chosen.high)
            return evolve(chosen, high=high), filters
        return (chosen.base, chosen.filters) if isinstance(chosen, tree.Filtered) else (chosen, ())

    def filters(self, parts: Sequence[Part]) -> tuple[tree.Filter, ...]:
        return tuple(self._filter(subtree(part)) for part in parts)

    def keys(self, part: Part) -> tuple[tree.Key, ...]:
        """A ranking: ``K1, then K2``."""
        return tuple(self.key(key) for key in subtree(part).children)

    def key(self, part: Part, label: str | None = None) -> tree.Key:
        t = subtree(part)
        kind, span = str(t.data), self.span(t)
        match kind:
            case "highest" | "lowest" | "most" | "fewest" | "fits":
                return tree.Key(kind, self.expression(t.children[0]), label, span=span)
            case "shared" | "split":
                return tree.Key(kind, None, label, span=span)
        return tree.Key("nobody", None, label, span=span)

    def order(self, part: Part) -> tree.Order | None:
        if part is None:
            return None
        t = subtree(part)
        c, span = t.children, self.span(t)
        match str(t.data):
            case "clockwise":
                return tree.Clockwise(span=span)
            case "clockwise_from":
                return tree.Clockwise(self.expression(c[0]), self.optional(c[1]), span=span)
            case "by_keys":
                return tree.ByKeys(self.keys(c[0]), span=span)
            case "at_once":
                return tree.AtOnce(span=span)
        return tree.InRandomOrder(span=span)

    def compare(self, part: Part) -> tree.CompareOp:
        """The operator of a filter."""
        return _OPERATORS[str(subtree(part).data).removeprefix("op_")]

    def domain(self, part: Part) -> tree.Domain:
        """Ranges and words, from which it is seen whether this is a range, a list of words or a name."""
        t = subtree(part)
        *parts, optional = t.children
        span = self.span(t)
        base: tree.RangeDomain | tree.NumbersDomain | tree.WordsDomain | tree.NamedDomain
        if t.data == "yes_or_no":
            base = tree.NamedDomain("yes or no", span=span)
        elif t.data == "in_grid":
            noun, grid = map(self.name, parts)
            base = tree.NamedDomain(noun.text, grid, span=noun.span)
        else:
            single = subtree(parts[0]) if len(parts) == 1 else None
            if single is not None and single.data == "interval" and self._letters(single) is None:
                low, high = single.children
                base = tree.RangeDomain(self.expression(low), self.expression(high), span=self.span(single))
            elif single is not None and single.data == "name":
                base = tree.NamedDomain(self.name(single).text, span=self.span(single))
            elif all(subtree(part).data == "number" for part in parts):
                numbers = tuple(int(str(subtree(part).children[0])) for part in parts)
                base = tree.NumbersDomain(numbers, span=span)
            else:
                base = self._words_domain(parts)
        return tree.Domain(base, optional is not None, span=span)

    def words_domain(self, part: Part) -> tree.WordsDomain:
        """The words of a list, where a range of numbers is a run of words too."""
        t = subtree(part)
        *parts, optional = t.children
        if t.data == "yes_or_no" or optional is not None:
            raise Misread("R112", "a list consists of words", self.span(t), "write it so: `list change: up, down, either`")
        return self._words_domain(parts)

    def range_domain(self, part: Part) -> tree.RangeDomain:
        domain = self.domain(part)
        if domain.optional or not isinstance(domain.base, tree.RangeDomain):
            raise Misread("R112", "a counter counts from one number to another", domain.span, "write it so: `counter pot: 0..5`")
        return domain.base

    def _words_domain(self, parts: Sequence[Part]) -> tree.WordsDomain:
        words: list[str] = []
        for part in parts:
            words += self._words(subtree(part))
            if len(words) > MAX_WORDS_OF_RANGE:
                raise Misread(
                    "R112",
                    "this is too long a list of words",
                    self.span(subtree(part)),
                    f"at most {MAX_WORDS_OF_RANGE:,} are read",
                )
        first, last = self.span(subtree(parts[0])), self.span(subtree(parts[-1]))
        return tree.WordsDomain(tuple(words), span=first.to(last))

    def _words(self, part: LarkTree) -> list[str]:
        if part.data == "name":
            return [self.name(part).text]
        if part.data == "number":
            return [str(int(str(part.children[0])))]
        if part.data == "interval":
            if letters := self._letters(part):
                return letters
            low, high = (subtree(end) for end in part.children)
            if low.data == high.data == "number":
                first, last = int(str(low.children[0])), int(str(high.children[0]))
                if first > last:
                    message, help = f"there is no number from {first} to {last}", f"did you mean {last}..{first}?"
                    raise Misread("R215", message, self.span(part), help)
                return [str(n) for n in range(first, min(last, first + MAX_WORDS_OF_RANGE) + 1)]
            if any(end.data == "negative" for end in (low, high)):
                message = "the numbers of a list are not below 0"
                raise Misread("R112", message, self.span(part), "count from 0, and take the rest away")
        raise Misread(
            "R112", "a list of words has words, numbers and runs of them", self.span(part), "write it so: `2..10, jack, queen`"
        )

    def _letters(self, interval: LarkTree) -> list[str] | None:
        """The letters of ``A..I``; None when the ends are not letters."""
        ends = [subtree(end) for end in interval.children]
        if any(end.data != "name" for end in ends):
            return None
        first, last = (self.name(end).text for end in ends)
        if len(first) != 1 or len(last) != 1 or not 0 <= ord(last) - ord(first) < MAX_WORDS_OF_RANGE:
            return None
        return [chr(code) for code in range(ord(first), ord(last) + 1)]

    def _filter(self, t: LarkTree) -> tree.Filter:
        c, span = t.children, self.span(t)
        match str(t.data):
            case "where" | "where_not" as kind:
                return tree.Where(kind == "where_not", self.expression(c[0]), span=span)
            case "without" | "also_in" as kind:
                return tree.Within(kind == "without", self.expression(c[0]), span=span)
        op: tree.CompareOp = "is" if c[3] is None else self.compare(c[3])
        return tree.With(self.name(c[0]), self.optional(c[2]), op, self.expression(c[4]), self.optional(c[1]), span=span)

    def _is_so(self, word: Part) -> tuple[tree.Filter, ...]:
        """The filter of ``somebody is WORD``."""
        span = self.span(_token(word))
        return (tree.Where(False, tree.Ref(self.name(word).text, span=span), span=span),)

    def _extreme(self, direction: Literal["highest", "lowest"], c: Sequence[Part], span: Span) -> tree.Extreme:
        return tree.Extreme(direction, self.name(c[0]), self.optional(c[1]), self.expression(c[2]), span=span)

    def _pick_value(self, t: LarkTree) -> str | int:
        token = _token(t.children[0])
        if token.type == "PLAYER_NUMBER":
            return f"player {token}"
        if token.type != "NUMBER":
            return normal(str(token))
        return -int(token) if t.data == "negative_pick_value" else int(token)


def _without_filters(node: tree.Expression) -> tuple[tree.Expression, tuple[tree.Filter, ...]]:
    """An expression without the filters at its end, and these."""
    if isinstance(node, tree.Arithmetic):
        right, filters = _without_filters(node.right)
        return evolve(node, right=right), filters
    return (node.base, node.filters) if isinstance(node, tree.Filtered) else (node, ())


def _token(part: Part) -> Token:
    assert isinstance(part, Token)
    return part
