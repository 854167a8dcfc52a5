"""Recognises common slips of people who are new to the rules, and says what they meant to write.

A slip is looked for by its own words, before the guesses that try any word: those can propose a sentence that fits and means
something else. Where the whole line can be mended, the mended line is parsed before it is proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from re import sub
from typing import Final

from attrs import evolve, frozen

from ...common.nouns import singular, with_article
from ..parsing.parser_tables import Start
from ..parsing.sentence import Stuck, sentence
from ..parsing.tokens import Word, cut
from ..parsing.words import RESERVED

_WHO: Final = ("nobody", "somebody", "everybody")
_OPERATORS: Final = {
    "minus": "-",
    "plus": "+",
    "times": "*",
    "except": "without",
    "excluding": "without",
    "than": "without",
}
_HOLDING: Final = ("contains", "contain", "includes", "include", "holds", "hold", "have")
# Functions of programming languages and of mathematics.
_FUNCTIONS: Final = {"max": "larger of A and B", "min": "smaller of A and B", "abs": "distance between A and B"}
# What values begin with that can stand only where a whole one can; in a filter or behind `of` they need brackets.
_LONG: Final = ("best", "any", "larger", "smaller", "distance", "count", "total", "highest", "lowest", "first")

HOW_TO_GO_ON: Final = "put brackets around a part that goes on in the next line, or end the line above with a comma"
# Words that stand inside a sentence only.
GOING_ON: Final = ("and", "or", "unless", "then", "is", "at", "with", "where", "+", "-", "*", "/")
_NO_PLACES: Final = (["by"], ["to"], ["from"], ["in"], ["on"], ["with"], ["and"])
_PLACES: Final = ("of", "for", "after", "at", "against")
_SIGNS: Final = ("+", "-", "*", "/", "mod")
_JOINING: Final = ("+", "-", "*", "/", "mod", "in", "with", "where", "without")


@frozen
class Slip:
    """The words ``first`` to ``last`` (indexes, both included) that are wrong. ``help``: what to write instead."""

    first: int
    last: int
    message: str
    help: str


def slip(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """The slip on this line that is known, if there is one."""
    return (
        _kinds(words, start, stuck) or _either(words, start) or _equal_to(words, stuck) or _to_everybody(words, start)
        or _is_in(words, start) or _hyphen(words, start) or _draw_cards(words, start) or _shown_to(words, start)
        or _looks_at(words, start) or _selected(words, start) or _nobody_has(words, stuck)
        or _operator(words, stuck) or _all_are(words, stuck) or _contains(words, stuck) or _called(words, stuck)
        or _with_in(words, start, stuck) or _extreme_key(words, stuck)
        or _condition(words, start, stuck) or _long(words, start, stuck) or _reveal_to(words, start, stuck)
        or _loses(words, stuck) or _taken(words, start) or _order(words, start, stuck)
        or _all_of_a_kind(words, start, stuck) or _has_this(words, stuck) or _loop_in_a_line(words, stuck)
        or _all_at_once(words, start) or _so_many(words, start) or _given_every(words, start, stuck)
        or _added_to(words, start) or _from_a(words, start, stuck) or _below_zero(words, start, stuck) or _goes_on(words, stuck)
        or _if_first(words, stuck)
        or _no_place(words, start, stuck)
        or _argument(words, start, stuck)
        or _most_turns(words, stuck) or _other_score(words, start, stuck) or _player_counts(words, stuck) or _teams(words, stuck)
        or _shape(words, start, stuck)
        or _every_among(words, stuck) or _numbers(words, stuck) or _long_verb(words, start, stuck)
    )  # fmt: skip


def _kinds(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``zone bank: set of gem and gold, open``, where each component is one or the other."""
    joins = ("and", ",")
    at = next((place for place in (stuck.at, stuck.at - 1) if 0 < place < len(words) - 1 and words[place].text in joins), 0)
    if words[0].text != "zone" or not at:
        return None
    mended = list(words)
    for place in range(at, len(words) - 2):  # behind the last comma stands who sees it
        if words[place].text in joins:
            mended[place] = evolve(words[place], text="or", shape=words[0].shape)
    help = f"write `{words[at - 1].text} or {words[at + 1].text}`"
    return Slip(at, at, "a zone holds one kind or another", help) if _fits(mended, start) else None


def _either(words: Sequence[Word], start: Start) -> Slip | None:
    """``take a gem or gold from bank``: of things of several kinds, any free word means each."""
    for at, word in enumerate(words[2:-2], 2):
        before, after = words[at - 2].text, words[at + 2].text
        one_of = before in ("a", "an", "each", "any", "random") and after in ("in", "from", "among")
        if word.text == "or" and one_of and _fits([*words[:at], *words[at + 2 :]], start):
            help = f"take another word for both: `{'a' if before == 'an' else before} thing {after} ...`"
            return Slip(at, at + 1, "one word is wanted here, for whatever it is", help)
    return None


def _is_in(words: Sequence[Word], start: Start) -> Slip | None:
    """``player is in winners``, where ``is`` says nothing."""
    found = list(_phrases(words, ("is", "in"))) + list(_phrases(words, ("is", "not", "in")))
    if not found or 0 in found or not _fits([word for at, word in enumerate(words) if at not in found], start):
        return None
    at = found[0]
    last = at + 1 if words[at + 1].text == "in" else at + 2
    first = at - 1
    while first >= 2 and words[first - 1].text == "of":
        first -= 2
    single = words[last + 1].shape == "word" and (last + 2 == len(words) or words[last + 2].text != "of")
    texts = [*(word.text for word in (*words[first:at], *words[at + 1 : last + 1])), words[last + 1].text if single else "..."]
    written = " ".join(word.text for word in words[at : last + 1])
    return Slip(at, last, f"`{written}` cannot stand here", f"leave `is` out: `{' '.join(texts)}`")


def _hyphen(words: Sequence[Word], start: Start) -> Slip | None:
    """``players 3-4``: a range with the sign of a subtraction. (An option may lack its default besides.)"""
    for at in range(1, len(words) - 1):
        before, sign, after = words[at - 1 : at + 2]
        if sign.text == "-" and before.shape == after.shape == "number":
            mended = [*words[:at], *cut("..", sign.start), *words[at + 1 :]]
            defaulted = [*mended, *cut(f", default {before.text}", after.end)]
            if _fits(mended, start) or _fits(defaulted, start):
                shown = f"{before.text}..{after.text}"
                return Slip(at - 1, at + 1, "a range of numbers is written with two dots", f"write `{shown}`")
    return None


def _draw_cards(words: Sequence[Word], start: Start) -> Slip | None:
    """``draw 2 cards from deck``, where what is drawn is what lies there."""
    at = next((at for at, word in enumerate(words) if word.text == "from"), 0) - 1
    if words[0].text != "draw" or at < 2 or words[at].shape != "word" or not _fits([*words[:at], *words[at + 1 :]], start):
        return None
    return Slip(at, at, f"`{words[at].text}` cannot stand here", f"leave `{words[at].text}` out")


def _shown_to(words: Sequence[Word], start: Start) -> Slip | None:
    """``show hand of player``: what all see is revealed, what some see is shown to them."""
    first, to = words[0], next((at for at, word in enumerate(words) if word.text == "to"), 0)
    if first.text == "show" and not to and _fits([*cut("reveal", first.start), *words[1:]], start):
        return Slip(0, 0, "it is not said who sees this", "write `show ... to player`, or `show ... to all`")
    return None


def _looks_at(words: Sequence[Word], start: Start) -> Slip | None:
    """``player looks at deck``, ``player looks at the top 3 cards of deck``: the first so many of a pile are looked at."""
    texts = [word.text for word in words]
    looks = next((at for at in range(1, len(texts) - 1) if texts[at : at + 2] == ["looks", "at"]), 0)
    if not looks or start not in ("statement_line", "option_line"):
        return None
    noun = next((at for at in range(looks + 3, len(texts)) if texts[at] == "of"), 0) - 1
    if noun > looks + 2 and _fits([*words[:noun], *words[noun + 1 :]], start):
        return Slip(noun, noun, f"`{texts[noun]}` cannot stand here", f"leave `{texts[noun]}` out")
    if "top" in texts[looks:]:
        return None
    whom = " ".join(texts[:looks])
    help = f"write `{whom} looks at the top 3 of PILE`, or of a zone `show ZONE to {whom}`"
    return Slip(looks, looks + 1, "a player looks at the top of a pile", help)


def _selected(words: Sequence[Word], start: Start) -> Slip | None:
    """``take at most 2 cards from``, ``take 2 cards of the same rank from row``: how many, and what holds of them all."""
    texts = [word.text for word in words]
    if start != "chooses_line":
        return None
    if texts[1:3] == ["at", "most"] and _fits([words[0], *cut("up to", words[1].start), *words[3:]], start):
        return Slip(1, 2, "`at most` cannot stand here", "write `up to`")
    at = next((at for at in range(2, len(texts) - 3) if texts[at] == "of" and texts[at + 1] in ("same", "different")), 0)
    if at and "from" in texts[at:]:
        rest = texts.index("from", at)
        before, source = " ".join(texts[1:at]), " ".join(text for text in texts[rest:] if text != ":")
        said = " ".join("of the same" if text == "same" else text for text in texts[at + 1 : rest])
        said = said if texts[at + 1] == "same" else f"of {said}"
        return Slip(at, rest - 1, "what holds of all of them stands at the end", f"write `{before} {source}, all {said}`")
    return None


def _nobody_has(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``nobody has coins``: those of whom something holds are named by ``with``."""
    at = stuck.at
    if not 0 < at < len(words) or words[at].text not in ("has", "have") or words[at - 1].text not in _WHO:
        return None
    who = words[at - 1].text
    return Slip(at, at, f"`{words[at].text}` cannot follow `{who}` here", f"write `{who} with ...`, as in `{who} with coins < 3`")


def _so_many(words: Sequence[Word], start: Start) -> Slip | None:
    """``move 2 cards from hand of leader to table``, ``move the top 2 of deck to table``."""
    texts = [word.text for word in words]
    if start not in ("statement_line", "option_line") or texts[0] != "move" or len(words) < 4:
        return None
    number = 2 if texts[1] == "top" else 1
    if words[number].shape != "number" and texts[1] != "top":
        return None
    count = texts[number] if words[number].shape == "number" else "1"
    drawing = f"from a pile, write `draw {count} from PILE to ZONE`"
    if texts[1] == "top":
        return Slip(1, 1, "`move` takes a component by its name, or a set", drawing)
    help = (
        f"{drawing}; by chance, `repeat {count} times: move a random ... from SET to ZONE`; if a player is to choose, an option: "
        f"`give {count} cards from SET`, and below it `move cards to ZONE`"
    )
    return Slip(0, 1, "`move` takes one component or a set, and no number of them", help)


def _given_every(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``given hand of Ann: every coin``: a test names what lies there."""
    colon = next((at for at, word in enumerate(words) if word.text == ":"), len(words))
    at = stuck.at
    if start != "test_line" or words[0].text != "given" or not colon < at < len(words) or words[at].text != "every":
        return None
    help = "write as many as there are: `coin coin [moon 2]`"
    return Slip(at, at, "a test names the components that lie there, one by one", help)


def _operator(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``coins minus 2``, ``players except leader``, ``players other than leader``: an operator by another name."""
    at = stuck.at
    if 1 < at < len(words) and words[at - 1].text in _OPERATORS and at - 1 not in stuck.keywords:  # it was taken for a name
        at -= 1
    if not 0 < at < len(words) - 1 or words[at].text not in _OPERATORS:
        return None
    if words[at].text == "than" and words[at - 1].text != "other":
        return None
    first = at - 1 if words[at].text == "than" else at
    written = " ".join(word.text for word in words[first : at + 1])
    return Slip(first, at, f"`{written}` cannot stand here", f"write `{_OPERATORS[words[at].text]}`")


def _all_are(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``every card in hand of player is low``, ``all cards in hand of player have ...``: that all members fulfil something."""
    texts, at = [word.text for word in words], stuck.at
    if texts[max(at - 3, 0) : at - 1] == ["has", "only"]:
        help = "write `has only cards with ...`, or `where ...`"
        return Slip(at - 1, at - 1, "it is not said what all of them must be like", help)
    first = next((place for place, text in enumerate(texts) if text in ("every", "all")), len(words))
    verb = next((place for place in range(first, len(texts)) if texts[place] in ("is", "are", "has", "have")), 0)
    if texts[first + 2 : first + 3] not in (["in"], ["of"], ["among"], ["from"]) or not verb or at not in (first + 1, verb):
        return None
    noun = texts[first + 1] if texts[first] != "every" else f"{texts[first + 1]}s"
    said = f"write `{' '.join(texts[first + 3 : verb])} has only {noun} with ...`, or `where ...`"
    return Slip(first, verb, "this is not how to ask whether all of them are so", said)


def _contains(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``hand of player contains [moon 1]``, ``hand of player contains moon``."""
    at = stuck.at
    if not 0 < at < len(words) - 1 or words[at].text not in _HOLDING:
        return None
    what = words[at + 1]
    if what.text == "[" and (end := next((i for i in range(at, len(words)) if words[i].text == "]"), 0)):
        inside = " ".join(word.text for word in words[at + 2 : end])
        first = at - 1
        while first >= 2 and words[first - 1].text == "of":
            first -= 2
        holder = " ".join(word.text for word in words[first:at])
        return Slip(at, at, f"`{words[at].text}` is not a word of the rules", f"write `[{inside}] in {holder}`")
    named = what.shape == "word" and what.text not in RESERVED
    such = f", or `has {with_article(singular(what.text))}` if that is one" if named else ""
    help = f"write `has a card with ...`, where `card` is the kind{such}; of one component, `[...] in SET`"
    return Slip(at, at, f"`{words[at].text}` is not a word of the rules", help)


def _called(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``max(a, b)``; ``distance from a to b``."""
    at = stuck.at
    if not 0 < at < len(words):
        return None
    word, before = words[at], words[at - 1]
    if word.text in ("from", "of", "to") and before.text == "distance":
        return Slip(at - 1, at, f"`{word.text}` cannot follow `distance`", "write `distance between A and B`")
    if word.text == "(" and before.text in _FUNCTIONS:
        return Slip(at - 1, at - 1, f"`{before.text}` is not a word of the rules", f"write `{_FUNCTIONS[before.text]}`")
    return None


def _with_in(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``hand of player with rank in 5..6``: `with` compares with one value."""
    at = stuck.at
    if not 2 < at < len(words) - 1 or words[at].text != "in":
        return None
    begin = at - 3 if words[at - 1].text == "not" else at - 2
    if words[begin].text != "with":
        return None
    for end in range(at + 2, len(words) + 1):
        part = [word.text for word in words[begin + 1 : end]]
        inside = [*cut("where (", words[begin].start), *words[begin + 1 : end], *cut(")", words[end - 1].end)]
        if part.count("(") == part.count(")") and _fits([*words[:begin], *inside, *words[end:]], start):
            shown = sub(r" (\.\.) | (?=[,)])|(?<=\() ", r"\1", " ".join(part))
            return Slip(begin, end - 1, "`with` compares with one value", f"write `where ({shown})`")
    return None


def _extreme_key(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``best of players by highest rank among hand``: one `highest` asks the hand, another one orders the players."""
    at = stuck.at
    if not 2 < at < len(words) - 1 or words[at].text != "among" or words[at - 3].text not in ("by", "then"):
        return None
    first, name = words[at - 2].text, words[at - 1].text
    help = f"write `{first} ({first} {name} among ...)`: of these values the {first} comes first"
    return Slip(at - 2, at, f"`among` cannot follow `{name}` here", help)


def _condition(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``table has a card where rank > 3``, ``best of table by suit is moon, then highest rank``."""
    last = min(stuck.at, len(words) - 1)
    first = next((at + 1 for at in range(last - 1, 0, -1) if words[at].text in ("where", "by", "then")), 0)
    if not first or words[first].text == "(":
        return None
    begin = first + 1 if words[first].text == "not" else first
    return _in_brackets(words, start, begin, range(len(words), begin + 1, -1), "a condition stands in brackets here")


def _long(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``with rank best of table by highest rank``: where such a value is only a part, brackets say where it ends."""
    at = stuck.at
    if at >= len(words):
        return None
    begins = [at] if words[at].text in _LONG else [i for i in range(at) if words[i].text in _LONG and words[at].text in _JOINING]
    ends = [end for end in range(at + 2, len(words) + 1) if end == len(words) or words[end].text != "in"]
    for begin in reversed(begins):
        first = begin - 1 if begin and words[begin - 1].text == "all" else begin
        found = _in_brackets(words, start, first, ends, "it is not clear where this ends")
        if found is not None:
            return found
    return None


def _in_brackets(words: Sequence[Word], start: Start, first: int, ends: Iterable[int], message: str) -> Slip | None:
    """The slip of a part of the line, from ``first`` to the first of these ends with which it fits when it is in brackets."""
    for end in ends:
        inside = [*cut("(", words[first].start), *words[first:end], *cut(")", words[end - 1].end)]
        if _fits([*words[:first], *inside, *words[end:]], start):
            shown = " ".join(word.text for word in words[first:end])
            return Slip(first, end - 1, message, f"put brackets around it: `({shown})`")
    return None


def _reveal_to(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``reveal hand of other to player``: what is revealed, all see."""
    at = stuck.at
    if words[0].text != "reveal" or at >= len(words) or words[at].text != "to":
        return None
    shown = " ".join(word.text for word in words[1:])
    mends = _fits([*cut("show", words[0].start), *words[1:]], start)
    help = f"write `show {shown}`" if mends else "write `show SET to PLAYER`"
    return Slip(at, at, "`reveal` shows to everybody, so no `to` follows", help)


def _loses(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``player loses``: it is said who wins."""
    at = stuck.at
    if not 0 < at < len(words) or words[at].text not in ("loses", "lose"):
        return None
    return Slip(at, at, f"`{words[at].text}` is not a word of the rules", "say who wins: `left of player wins`, or `nobody wins`")


def _taken(words: Sequence[Word], start: Start) -> Slip | None:
    """``take any gem from bank`` as a statement: numbers are taken from counters."""
    texts = [word.text for word in words]
    source = texts.index("from") if "from" in texts else 0
    if start not in ("statement_line", "option_line") or texts[0] != "take" or source < 3:
        return None
    if words[1].shape != "number" and texts[1] not in ("a", "any", "all", "every", "up"):
        return None
    shown = " ".join(texts[source + 1 :]) or "SET"
    noun = singular(texts[2])
    what = f"draw {texts[1]} from {shown} to ZONE" if words[1].shape == "number" else f"move any {noun} from {shown} to ZONE"
    help = f"components are moved: `{what}`; if a player is to choose, write an option: `take {with_article(noun)} from {shown}`"
    return Slip(0, source, "`take` takes a number from a counter", help)


def _order(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``trade "with" a player``, ``give "away" face down``: what belongs to an option, in another order."""
    if start != "chooses_line" or stuck.at >= len(words):
        return None
    word, before = words[stuck.at], words[max(stuck.at - 1, 0)]
    if before.shape != "text" and (before.text != "down" or word.text == ":"):
        return None
    help = 'the order is: the verb, what it takes, `face down`, a text: `give a card from hand of player face down "give away"`'
    message = f"`{word.text}` cannot follow `{before.text}` here" if stuck.at else "a choice does not begin with its text"
    return Slip(stuck.at, stuck.at, message, help)


def _all_of_a_kind(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``move all card to deck``: `all` stands before sets that have a name."""
    at = stuck.at - 1
    if not 0 < at < len(words) - 1 or words[at].text != "all" or words[0].text != "move":
        return None
    if not _fits([*words[:at], *cut("every", words[at].start), *words[at + 1 :]], start):
        return None
    return Slip(at, at + 1, "`all` cannot stand before a kind", f"write `every {words[at + 1].text}`")


def _has_this(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``hand of player has [crown 4]``, where it is known which one."""
    at = stuck.at
    if not 0 < at < len(words) - 1 or words[at].text != "has" or words[at + 1].text != "[":
        return None
    return Slip(at, at, "after `has` comes `a` or `an`", "of one component, write `[...] in SET`")


def _loop_in_a_line(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``for each player: for each suit: ...``: behind the colon stands one statement that holds no others."""
    at = stuck.at
    if not 0 < at < len(words) or words[at - 1].text != ":" or words[at].text not in ("for", "if", "repeat"):
        return None
    what = "for each" if words[at].text == "for" else words[at].text
    return Slip(at, at, f"`{what}` cannot stand behind `:`", "leave the `:` out, and write it on a line of its own underneath")


def _from_a(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``take a colour from a crate``: two things that are chosen are joined."""
    at = stuck.at
    if start != "chooses_line" or not 1 < at < len(words) - 1:
        return None
    if words[at - 1].text != "from" or words[at].text not in ("a", "an"):
        return None
    help = f"two things that are chosen are joined by `and`: `and {words[at].text} {words[at + 1].text}`"
    return Slip(at - 1, at, f"`{words[at].text}` cannot follow `from` here", help)


def _added_to(words: Sequence[Word], start: Start) -> Slip | None:
    """``add to setup``: statements come before or after those of a step."""
    texts = [word.text for word in words]
    if start != "variant_line" or texts[:2] != ["add", "to"] or len(texts) < 3 or texts[2].startswith("score"):
        return None
    name = words[3].text if words[2].text in ("phase", "step") and len(words) > 3 else words[2].text
    help = f"write `add after {name}` or `add before {name}`"
    return Slip(0, len(words) - 1, "lines are added before or after what is there", help)


def _below_zero(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``do change of player for -1``: without its sign it would be another number."""
    at = stuck.at
    if not 0 < at < len(words) - 1 or words[at].text != "-" or words[at + 1].shape != "number":
        return None
    found = _in_brackets(words, start, at, (at + 2,), "a number below zero needs brackets here")
    return found and evolve(found, help=f"write `(-{words[at + 1].text})`")


def _argument(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``do tax of player after coins of player for sun``, ``set men for point + 1 to 2``: an argument of several words."""
    at = stuck.at
    if 1 < at < len(words) - 1 and words[at].text in _SIGNS and words[at - 2].text in _PLACES:
        message = f"`{words[at].text}` does not belong to what stands before it without brackets"
        found = _in_brackets(words, start, at - 1, range(at + 2, len(words) + 1), message)
        return found and evolve(found, first=at, last=at)
    if at >= len(words) - 1 or words[at].text not in _PLACES:
        return None
    before = [first for first in range(2, at - 1) if words[first - 1].text in _PLACES and words[first + 1].text in _PLACES]
    slips = (_in_brackets(words, start, first, range(at + 2, len(words) + 1), "") for first in reversed(before))
    found = next(filter(None, slips), None)
    if found is not None:
        return Slip(at, at, f"`{words[at].text}` does not belong to what stands before it without brackets", found.help)
    if words[at].text in _PLACES[2:] and _fits([*words[:at], *cut("for", words[at].start), *words[at + 1 :]], start):
        return Slip(at, at, f"`{words[at].text}` comes behind `for`", f"write `for {words[at + 1].text}`")
    return None


def _goes_on(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``or table is empty``: a sentence that goes on from the line above."""
    if stuck.at or words[0].text not in GOING_ON:
        return None
    return Slip(0, 0, f"no line begins with `{words[0].text}`", HOW_TO_GO_ON)


def _if_first(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``define worth of card: if low of card 3, otherwise 0``: the value comes first."""
    at = stuck.at - 1
    if at < 2 or words[at].text != "if" or words[at - 1].text != ":" or not {"define", "returns"} & {w.text for w in words[:2]}:
        return None
    return Slip(at, at, "the value stands before its condition", "write `VALUE if CONDITION, otherwise VALUE`")


def _no_place(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``counter owed of player by suit: 0..9``: a parameter behind a word that is no place."""
    texts, at = [word.text for word in words], stuck.at
    if texts[0] not in ("zone", "counter", "marker", "define", "step") or texts[at : at + 1] not in _NO_PLACES:
        return None
    place = next((place for place in ("of", "for", "at") if place not in texts[:at]), "against")
    if not _fits([*words[:at], evolve(words[at], text=place), *words[at + 1 :]], start):
        return None
    help = f"write `{place}`: the places of parameters are `of`, `for`, `after`, `at` and `against`"
    return Slip(at, at, f"`{texts[at]}` is no place of a parameter", help)


def _all_at_once(words: Sequence[Word], start: Start) -> Slip | None:
    """``all players at once``, ``at once for each player``."""
    said = " ".join(word.text for word in words)
    if start != "statement_line" or "at once" not in said or not said.startswith(("all ", "every", "at once")):
        return None
    help = "write `for each player at once`, and below it `player chooses`"
    return Slip(0, len(words) - 1, "this does not say who chooses at once", help)


def _equal_to(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``coins is equal to 3``."""
    found = next((at for at in _phrases(words, ("is", "equal", "to")) if at <= stuck.at <= at + 3), 0)
    return Slip(found, found + 2, "`is equal to` is no comparison", "write `is`") if found else None


def _every_among(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``every card among hand of player``, ``every card in hand of player``: the set itself, or its members of a kind."""
    at = stuck.at
    if not 1 < at < len(words) - 1 or words[at - 2].text != "every" or words[at].text not in ("among", "in", "from"):
        return None
    noun = words[at - 1].text
    help = f"write the set itself, as `hand of leader`; of a zone of several kinds, `{noun} of ZONE`"
    return Slip(at - 2, at, f"`every {noun}` is each of them, wherever it lies", help)


def _to_everybody(words: Sequence[Word], start: Start) -> Slip | None:
    """``show [moon 1] to everybody``."""
    last = len(words) - 1
    if words[0].text != "show" or words[last].text not in ("everybody", "everyone"):
        return None
    if not _fits([*words[:last], *cut("all", words[last].start)], start):
        return None
    return Slip(last, last, f"`{words[last].text}` cannot stand here", "write `to all`")


def _numbers(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``for each number 1..5``."""
    at = stuck.at
    if at != 3 or len(words) <= at or words[at].shape != "number" or [word.text for word in words[:2]] != ["for", "each"]:
        return None
    noun, until = words[2].text, "".join(word.text for word in words[3:6])
    return Slip(2, 3, f"`{words[3].text}` cannot follow `{noun}` here", f"write `{noun} in {until}`")


def _long_verb(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``trade hands with a player other``: a verb is one word."""
    first = next((at for at, word in enumerate(words) if word.text in ("a", "an")), 0)
    if start != "chooses_line" or first < 2 or stuck.at > first or any(word.shape != "word" for word in words[:first]):
        return None
    verb = "_".join(word.text for word in words[:first])
    short = [*cut(verb, words[0].start), *words[first:]]
    if not any(_fits(short[:end], start) for end in range(3, len(short) + 1)):
        return None
    return Slip(0, first - 1, "the verb of an option is one word", f"write `{verb}`; it is shown as `{verb.replace('_', ' ')}`")


def _most_turns(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``take turns until C at most 30 times``: turns are counted."""
    at = stuck.at
    if [word.text for word in words[:2]] != ["take", "turns"] or [word.text for word in words[at : at + 2]] != ["at", "most"]:
        return None
    help = "count the turns, and let it end then: `take turns until ... or turns is 30`, and below it `add 1 to turns`"
    return Slip(at, len(words) - 1, "turns have no `at most`", help)


def _other_score(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``points: 3 if C otherwise 0``, as a line of the score or in one line of a define."""
    at = stuck.at
    if not 2 < at < len(words) or words[at].text != "otherwise" or words[at - 1].text == ",":
        return None
    if _fits([*words[:at], *cut(",", words[at].start), *words[at:]], start):
        return Slip(at, at, "`otherwise` stands behind a comma", f"write `{words[at - 1].text}, otherwise`")
    if words[1].text == ":" and _fits(words[:at], start):
        help = "leave it out where it is 0; or define the value in cases, and name it here"
        return Slip(at, len(words) - 1, "a line of the score has no `otherwise`", help)
    return None


def _player_counts(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``players 4, 6, 8``."""
    if words[0].text != "players" or stuck.at != 2 or len(words) < 4 or words[2].text != "," or words[1].shape != "number":
        return None
    most = next(word.text for word in reversed(words) if word.shape == "number")
    help = f"write `players {words[1].text}..{most}`: none between can be left out"
    return Slip(2, len(words) - 1, "the numbers of players are a range", help)


def _teams(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``teams of players / 2``."""
    if [word.text for word in words[:2]] != ["teams", "of"] or stuck.at != 2 or len(words) < 3 or words[2].shape == "number":
        return None
    help = "write `teams of 2, in turn`, and another number in a variant"
    return Slip(2, len(words) - 1, "how many play in a team is a number", help)


def _shape(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """``shape: round, square``, an attribute that is called as what says how a tile lies."""
    if words[0].text != "shape" or stuck.at != 1 or not _fits([evolve(words[0], text="my_shape"), *words[1:]], start):
        return None
    return Slip(0, 0, "`shape` says which squares a tile has, so it cannot be a name", "take another name, such as `my_shape`")


def _phrases(words: Sequence[Word], texts: tuple[str, ...]) -> Iterator[int]:
    """Where these words stand one after the other."""
    for at in range(len(words)):
        if tuple(word.text for word in words[at : at + len(texts)]) == texts:
            yield at


def _fits(words: Sequence[Word], start: Start) -> bool:
    return not isinstance(sentence(words, start), Stuck)
