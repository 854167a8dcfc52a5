"""Scopes: the names that can be used at one place, and the things that they stand for.

Names live in three rings: the words of the language (`BUILT_IN`), what the file declares (one ring for the game, one more inside
each variant), and what the lines around bind (loop names, arguments, parameters). An inner ring may not hide an outer one. Faults
go to one list; a name from a line that could not be read is not reported here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import lru_cache

from attrs import define, evolve, field, frozen

from ....common.diagnostics import Case, Diagnostic, Edit, did_you_mean, fault, nearest, of_two_scripts, only_one_near
from ....common.giving_up import add_to
from ....common.source import Source, Span
from ....syntax import tree
from ... import model
from ...directions import DIRECTION, DIRECTIONS, DIRECTIONS_OF_HEXAGONS
from ...model import GAMES_PLAYED, PLAYER, TRUTH, UNKNOWN, Const, Expr, Type, Var
from .ties import Unended

Finish = Callable[[], model.Declaration | None]  # what finishes a declaration when all names are known; None after a finding

BUILT_IN = frozenset(
    {
        "players", "player", "owner", "left", "right", "seat", "team", "opponents", "score", "returns", "winners", "box",
        "game", "setup", "winner",
    }
)  # fmt: skip

COLUMNS = "columns of a file"  # among the doubtful names, where a table could not be read: nobody knows what it gives

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

SPECIAL = frozenset({"empty", "none", "yes", "no"})  # values that are words of the rules

MANY = 3  # times that a file has a name that it does not declare: it is hardly a slip of the pen

# What a name can be that is declared in a line of its own, as messages say it.
DECLARED_AS = frozenset(
    {
        "", "zone", "grid", "list", "zone, kind or list", "kind of component", "counter or marker", "zone, counter or marker",
        "list or kind", "player, list or kind",
    }
)  # fmt: skip


@define(eq=False)
class Column:
    """A column of a table, as a name."""

    table: model.TableDeclaration
    name: str
    type: Type


@define(eq=False)
class Attribute:
    """An attribute, as a name: one for each kind that has it, of the whole (``kinds``), of each part (``parts``) or of each
    word of a list (``keyed``)."""

    name: str
    kinds: dict[str, model.Attribute]
    parts: dict[str, model.Attribute] = field(factory=dict)
    keyed: dict[str, model.Attribute] = field(factory=dict)

    @property
    def key(self) -> str:
        """The list of which it has one for each word; "" for none."""
        return next((attribute.key for attribute in self.keyed.values()), "")

    @property
    def any(self) -> model.Attribute:
        """One of them; all have values of one type."""
        return next(iter((*self.kinds.values(), *self.parts.values(), *self.keyed.values())))


@define(eq=False)
class Pending:
    """A define whose parameters are known and whose value is bound when it is first needed, by ``bind``."""

    name: str
    line: tree.Define
    parameters: tuple[model.Parameter, ...]
    scope: Scope
    bind: Callable[[Pending, Span], model.Define | None]
    bound: model.Define | None = None
    running: bool = False


@define(eq=False)
class Auction:
    """An auction, where its lines are bound. ``failed``: the set of those who could not pay (None: not under ``cannot pay``)."""

    name: str
    winner: Var
    span: Span
    failed: Var | None = None
    bids_again: bool = False


Symbol = (
    model.OptionDeclaration
    | model.WordList
    | model.Kind
    | model.Zone
    | model.Grid
    | model.Variable
    | model.Step
    | Column
    | Attribute
    | Pending
)


@lru_cache(maxsize=4)
def _names(source: Source) -> Counter[str]:
    """How often each word stands in a file, outside of texts and comments."""
    return Counter(re.findall(r"[^\W\d]\w*", re.sub(r'"[^"\n]*"|#.*', "", source.text)))


def _named(name: str, source: Source) -> int:
    return _names(source)[name]


@frozen(eq=False)
class Sorted:
    """The kinds, lists and grids among some ``symbols`` and those around them, as they were at a ``revision``.

    ``ways``: in which values are those of a component, by the name of its kind and the values.
    """

    symbols: dict[str, Symbol]
    revision: int
    kinds: tuple[model.Kind, ...]
    lists: tuple[model.WordList, ...]
    grids: tuple[model.Grid, ...]
    ways: dict[tuple[str, tuple[str | int, ...]], tuple[tuple[tuple[str, int], ...], ...]] = field(factory=dict)


@define(eq=False)
class Faults:
    """The list of findings, and the names about which nothing is said."""

    doubtful: frozenset[str]
    misnamed: set[str] = field(factory=set)  # words of the language that the file declares: what is meant by them, is not known
    damaged: set[str] = field(factory=set)  # kinds of which something could not be read: they may have any values
    fragile: set[str] = field(factory=set)  # kinds that are damaged as soon as any line could not be read
    found: list[Diagnostic] = field(factory=list)
    lists: dict[str, tuple[str, ...]] = field(factory=dict)  # those that constructs make; no name of one can be written
    explaining: list[Pending] = field(factory=list)  # the defines that are being bound, each because the one before asks it
    positions: tuple[str, ...] = ()  # what some declaration says that a position is made up of
    unended: list[Unended] = field(factory=list)  # rankings that do not say what happens to a tie
    directions: model.WordList | None = None  # the built-in list, where the file uses it
    made: dict[str, int] = field(factory=dict)  # how often a name was made for something that the file gives none
    lets: set[str] = field(factory=set)  # names that some `let` gives
    replaced: dict[str, Span] = field(factory=dict)  # defines that some variant replaces, and where
    unknown: dict[str, frozenset[str]] = field(factory=dict)  # names that stand for nothing, and those that could stand there
    rows: dict[tuple[int, tuple[str, ...]], set[tuple[int | None, ...]]] = field(factory=dict)  # of kinds, by some attributes
    joints: dict[str, str] = field(factory=dict)  # of kinds that lie in one zone with others: the joint kind
    revision: int = 0  # counts the changes of symbols, in all scopes
    sorted: dict[int, Sorted] = field(factory=dict)  # by the `id` of their symbols

    @classmethod
    def where(cls, doubtful: frozenset[str]) -> Faults:
        """None so far, where lines with these words could not be read."""
        return cls(doubtful | {GAMES_PLAYED} if "match" in doubtful else doubtful)  # its line may be the one that failed

    def fresh(self, name: str) -> str:
        """A name that nothing else in the file has; it holds a space, so that nobody can declare it."""
        self.made[name] = self.made.get(name, 0) + 1
        return name if self.made[name] == 1 else f"{name} ({self.made[name]})"

    def add(self, diagnostic: Diagnostic) -> None:
        add_to(self.found, diagnostic)


@define(eq=False)
class Scope:
    """The names that can be used at one place."""

    faults: Faults
    read: Callable[[str, Span], Source | None]  # a file beside the rules; says what is wrong by itself
    symbols: dict[str, Symbol] = field(factory=dict)
    spans: dict[str, Span] = field(factory=dict)
    terms: set[str] = field(factory=set)  # names of score terms
    steps: set[str] = field(factory=set)  # names of steps, phases and steps in place
    coming: set[str] = field(factory=set)  # names of what changes in the game, known when all types are
    outer: Scope | None = None
    locals: dict[str, Expr] = field(factory=dict)
    it: Var | None = None  # what a ranking key is asked of
    around: tuple[str, ...] = ()  # the named steps and phases around this place
    auction: Auction | None = None  # the auction around this place
    verbs: frozenset[str] | None = None  # where a condition of an option is bound: the verbs of the choice around it
    made: list[model.Variable | model.Zone] = field(factory=list)  # what constructs keep, undeclared; one list for each ring
    places: dict[str, model.Place] = field(factory=dict)  # of steps, for variants: what is known there; one for each ring

    # -- finding

    def local(self, name: str) -> Expr | None:
        return self.locals.get(name)

    def symbol(self, name: str) -> Symbol | None:
        ring: Scope | None = self
        while ring is not None:
            if name in ring.symbols:
                return ring.symbols[name]
            ring = ring.outer
        return self.directions() if name == DIRECTION else None

    def directions(self) -> model.WordList | None:
        """The built-in list of directions, which is there with a grid; it counts as used from now on."""
        if self.faults.directions is None and (grids := self.grids()):
            words = DIRECTIONS_OF_HEXAGONS if all(grid.hexagonal for grid in grids) else DIRECTIONS
            self.faults.directions = model.WordList(DIRECTION, tuple(words), span=grids[0].span)
        return self.faults.directions

    def declared_at(self, name: str) -> Span | None:
        return self.spans.get(name) or (self.outer.declared_at(name) if self.outer else None)

    def where_declared(self, name: str) -> tuple[tuple[Span, str], ...]:
        """The place beside a finding about a name: where that is declared; nothing where no file declares it."""
        found = self.declared_at(name)
        return () if found is None else ((found, "declared here"),)

    def all_symbols(self) -> dict[str, Symbol]:
        return {**(self.outer.all_symbols() if self.outer else {}), **self.symbols}

    def set_symbol(self, name: str, symbol: Symbol) -> None:
        """Let a name stand for something in this ring."""
        self.symbols[name] = symbol
        self.faults.revision += 1

    def by_sort(self) -> Sorted:
        """The kinds, lists and grids among all symbols."""
        if not self.symbols and self.outer is not None:
            return self.outer.by_sort()
        faults, symbols = self.faults, self.symbols
        found = faults.sorted.get(id(symbols))
        if found is None or found.revision != faults.revision:
            everything = self.all_symbols().values()
            kinds = tuple(each for each in everything if isinstance(each, model.Kind))
            lists = tuple(each for each in everything if isinstance(each, model.WordList))
            grids = tuple(each for each in everything if isinstance(each, model.Grid))
            found = faults.sorted[id(symbols)] = Sorted(symbols, faults.revision, kinds, lists, grids)
        return found

    def names_of(self, *kinds: type) -> set[str]:
        """The names that stand for things of these kinds, to suggest one of them."""
        return {name for name, symbol in self.all_symbols().items() if isinstance(symbol, kinds)}

    def begins_anew(self, line: tree.Statement) -> bool:
        """Whether the bidding begins anew at a line, so that the lines after it are never reached."""
        return isinstance(line, tree.BidAgain) and self.auction is not None and self.auction.failed is not None

    def all_steps(self) -> set[str]:
        return {*self.steps, *self.places} | (self.outer.all_steps() if self.outer else set())

    def all_coming(self) -> set[str]:
        return self.coming | (self.outer.all_coming() if self.outer else set())

    def all_terms(self) -> set[str]:
        return self.terms | (self.outer.all_terms() if self.outer else set())

    def numbers_of(self, type: Type) -> tuple[int, ...]:
        """The numbers for which the words of a list stand; empty for any other type."""
        symbol = self.symbol(type.of) if type.base == "word" else None
        return symbol.numbers if isinstance(symbol, model.WordList) else ()

    def lists_with(self, word: str) -> list[model.WordList]:
        """The lists in which a word stands; the directions only where it is a word of no other."""
        found = [each for each in self.by_sort().lists if word in each.words]
        ways = self.symbol(DIRECTION) if word in DIRECTIONS and not found else None
        return [ways] if isinstance(ways, model.WordList) and word in ways.words else found

    def known_names(self) -> set[str]:
        words = {word for each in self.by_sort().lists for word in each.words}
        return set(self.all_symbols()) | set(self.locals) | words | BUILT_IN

    def type_named(self, noun: str) -> Type | None:
        """The type for which a noun stands: ``player``, a list, an attribute's list, a kind, ``yes or no``."""
        if noun == "player":
            return PLAYER
        if noun == "yes or no":
            return TRUTH
        match self.symbol(noun):
            case model.WordList():
                return Type("word", noun)
            case model.Kind():
                return self.component(noun)
            case Attribute() as attribute:
                return attribute.any.domain.type.required
            case None if noun == "cell" and len(self.grids()) == 1:
                return Type("cell", self.grids()[0].name)
            case _:
                return None

    def component(self, kind: str) -> Type:
        """The type of a component of a kind."""
        joint = self.faults.joints.get(kind)
        return Type("component", kind) if joint is None else Type("component", joint, only=(kind,))

    def type_names(self) -> set[str]:
        """The names that a noun can have."""
        return {"player"} | {name for name in self.all_symbols() if self.type_named(name)}

    def grids(self) -> list[model.Grid]:
        return list(self.by_sort().grids)

    # -- saying what is wrong

    def complain(
        self, code: str, message: str, span: Span, *others: tuple[Span, str], label: str = "", help: str = "", case: Case = ""
    ) -> None:
        self.faults.add(fault(code, message, span, *others, label=label, help=help, case=case))

    def could_be(self, name: str, names: Iterable[str]) -> None:
        """Note the names that could stand in the place of one that stands for nothing."""
        self.faults.unknown.setdefault(name, frozenset(names))

    def unknown(self, name: str, span: Span, what: str = "", known: set[str] | None = None, code: str = "R201") -> Const:
        """Complain about a name that stands for nothing (unless its line could not be read)."""
        names = self.known_names() | SPECIAL if known is None and not what else self.known_names() if known is None else known
        self.could_be(name, names)
        if name == "game" and re.search(r"\bwinner of (the )?$", span.source.text[: span.start]):
            return unclear(span)  # that there is no `winner` is said
        columns_unknown = COLUMNS in self.faults.doubtful and not what
        if name in self.faults.doubtful or name in self.faults.misnamed or columns_unknown:
            return unclear(span)
        if name in self.all_coming() and self.symbol(name) is None:
            self.complain(
                "R215",
                f"`{name}` is not settled before the game begins",
                span,
                help="what can stand here: numbers, words, options",
            )
        else:
            case: Case = ""
            listed = ", ".join(sorted(names)) if known and len(names) <= 12 else ""
            otherwise = f"there are: {listed}" if listed else "declare it, or use another name"
            if name in self.all_terms() and not what:
                help = f"the line of the score is `score for {name}`" if self.it else f"write `score of player for {name}`"
            elif name == "winner":
                help = "who has won the game: `winners`; who wins an auction is known in its `payment`, `won` and `cannot pay`"
            elif name == "player" and (here := [each for each in ("bidder", "winner") if self.local(each)]):
                does = {"bidder": "who bids", "winner": "who gets it"}
                help = " and ".join(f"{does[each]} is `{each}` here" for each in here)
            elif name in NUMBERS:
                help = f"write the number: `{NUMBERS.index(name)}`"
            elif name in self.faults.lets and self.symbol(name) is None:
                help = f"`let {name} be ...` names it up to the end of its block: write that line before the blocks that need it"
            elif self.type_named(name) is not None and not what:
                help, case = f"`{name}` stands for one inside `for each {name}`, or in what is declared `of {name}`", "one inside"
            else:
                help = self._declare_it(name, span, names) if what in DECLARED_AS and (what or known is None) else ""
                help = help or did_you_mean(name, names - {name}, otherwise)
                self.faults.doubtful |= {meant for meant in names if help == f"did you mean `{meant}`?"}
            near = only_one_near(name, names - {name}) if help.startswith("did you mean") and span.text == name else None
            message = f"there is no {what + ' ' if what else ''}`{name}` here"
            if near and (alike := of_two_scripts(name, near)):
                help += f" {alike[0].upper()}{alike[1:]}"
            meant = self.where_declared(near) if near and _named(near, span.source) == 1 else ()  # which may be what is misspelt
            edits = (Edit(span, near),) if near else ()
            self.faults.add(evolve(fault(code, message, span, *meant, help=help, case=case), edits=edits))
            self.faults.doubtful |= {name}  # said once; most often one declaration is missing or misspelt
        return unclear(span)

    def _declare_it(self, name: str, span: Span, names: set[str]) -> str:
        """The help for a name that stands in a file too often for a slip, while the nearest one is another thing; else ""."""
        times = _named(name, span.source)
        if times < MANY:
            return ""
        near = nearest(name, names - {name})
        if near is None:
            return f"declare it: it is named {times} times"
        return "" if _named(near, span.source) < 2 else f"declare it: it is named {times} times; or did you mean `{near}`?"

    # -- adding

    def keep(
        self, name: str, owner: Type | None, domain: model.Domain, visibility: model.Visibility, span: Span
    ) -> model.Variable:
        """A variable that a construct keeps; its name cannot be written, for it has a space in it."""
        parameters = () if owner is None else (model.Parameter("of", owner),)
        kept = model.Variable(self.faults.fresh(name), "kept", parameters, domain, visibility, span=span)
        self.made.append(kept)
        return kept

    def keep_aside(self, kind: str, span: Span) -> model.Zone:
        """A zone for a moment in which components of a kind (or joint kind) lie nowhere else; nobody sees what is there."""
        for zone in self.made:
            if isinstance(zone, model.Zone) and zone.kind == kind:
                return zone
        aside = model.Zone(self.faults.fresh(model.ASIDE), (), "set", kind, "hidden", span=span)
        self.made.append(aside)
        return aside

    def declare(self, name: str, symbol: Symbol, span: Span) -> bool:
        """Make a declared name known; False (and a finding) when the name is taken."""
        if name in BUILT_IN:
            self.complain("R203", f"`{name}` is a word of the language", span, help="choose another name")
            self.faults.misnamed.add(name)
            return False
        earlier = self.declared_at(name)
        if earlier is not None:
            self.complain("R202", f"`{name}` is declared twice", span, (earlier, "here first"), label="here again")
            return False
        self.set_symbol(name, symbol)
        self.spans[name] = span
        return True

    def bind(self, name: str, value: Expr, span: Span, help: str = "") -> None:
        """Make a name of the lines around known; a finding when it hides another.

        ``help``: how it gets a name of its own; by default as in a loop.
        """
        taken = self.symbol(name)
        hides = name in self.locals or (taken is not None and not isinstance(taken, model.WordList | model.Kind | Attribute))
        if hides or (name in BUILT_IN and name not in ("player", "number")):
            earlier = self.declared_at(name)
            behind = help or f"put a name behind the noun: `for each {name} other`"
            self.complain(
                "R205",
                f"`{name}` would hide another `{name}`",
                span,
                *([(earlier, "declared here")] if earlier and name not in self.locals else []),
                help=behind if self.type_named(name) else "take another name",
            )
        self.locals[name] = value

    def inner(self) -> Scope:
        """A scope at the same place with room for more local names."""
        return Scope(
            self.faults, self.read, self.symbols, self.spans, self.terms, self.steps, self.coming, self.outer, dict(self.locals),
            self.it, self.around, self.auction, self.verbs, self.made, self.places,
        )  # fmt: skip

    def place(self) -> model.Place:
        """What is known here and now; names that are bound here later are no part of it."""
        return model.Place(self.locals, len(self.locals), self.around)

    def place_of(self, step: str) -> model.Place:
        """What is known where a step stands: for one with a line of its own, inside it."""
        found = self.places.get(step)
        if found is None:
            return model.Place({}, 0, ()) if self.outer is None else self.outer.place_of(step)
        return found

    def at(self, place: model.Place, span: Span) -> Scope:
        """A scope at the place of a step, with the declared names of this ring; ``span``: where a variant writes for it."""
        inner = self.inner()
        inner.around = place.around
        for name, meant in place.known.items():
            if name in self.symbols:
                inner.bind(name, meant, span)
            else:
                inner.locals[name] = meant
        return inner

    @contextmanager
    def about(self, var: Var) -> Generator[Scope]:
        """The place of a ranking key: what needs an argument and has none is asked of ``var``."""
        scope = self.inner()
        scope.it = var
        yield scope

    def ring(self) -> Scope:
        """A further ring of declared names: the inside of a variant."""
        return Scope(self.faults, self.read, outer=self)

    def take_in(self, ring: Scope) -> None:
        """Know all that another ring declares."""
        self.symbols.update(ring.symbols)
        self.faults.revision += 1
        self.spans.update(ring.spans)
        self.steps |= ring.steps
        self.terms |= ring.terms
        self.places.update(ring.places)


def variable(var: Var, span: Span) -> model.VarValue:
    return model.VarValue(var, type=var.type, span=span)


def unclear(span: Span) -> Const:
    """What stands for an expression of which something has been said: it is of the unknown type, which fits everywhere."""
    return Const(0, type=UNKNOWN, span=span)
