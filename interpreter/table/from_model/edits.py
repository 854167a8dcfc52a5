"""Applies the edits of the variants in play to the declarations, before anything is folded.

Two variants that would change the same thing are a fault that names both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from attrs import evolve, frozen

from ...common.diagnostics import Diagnostic, fault
from ...common.giving_up import TooMuch
from ...common.source import Span
from ...model import model
from ...model.visitor import body_with_bodies, walk, with_bodies, with_parts
from ..table import Table
from .fold import Settled

_N = TypeVar("_N", bound=model.Node)

REPLACED_LIMIT = 200  # steps in place that the variants of one table replace; real games have up to five


def check_compatible(game: model.Model, chosen: Sequence[model.Variant], named: Sequence[str], settled: Settled) -> None:
    """A finding where variants in play cannot be played here, or not with one another; what they both set is no matter then."""
    before = len(settled.found)
    in_play = {v.name: v for v in chosen}
    declared = {v.name: v for v in game.variants}
    for variant in chosen:
        for condition in variant.needs:
            if settled.value(condition) == 0:
                settled.complain(
                    "R402",
                    f"`{variant.name}` cannot be played here",
                    condition.span,
                    (variant.span, "the variant"),
                    label="this does not hold",
                    help=f"this table has {settled.players} players",
                )
        for needed in variant.builds_on:
            if needed.variant not in in_play:
                settled.complain(
                    "R402",
                    f"`{variant.name}` needs `{needed.variant}`",
                    needed.span,
                    (declared[needed.variant].span, "this is not in play"),
                    help=f"name both: `--variant {','.join(game.with_needed([variant.name]))}`",
                )
        for exclusion in variant.excludes:
            if exclusion.variant in in_play:
                other = in_play[exclusion.variant]
                asked_for = other.name in named
                always = f"`{other.name}` is always in play with {settled.players} players"
                settled.complain(
                    "R402",
                    f"`{variant.name}` excludes `{other.name}`",
                    exclusion.span,
                    (other.span if asked_for else other.always[0].span, "this is in play too"),
                    help="leave one of them out" if asked_for else always,
                )
    if len(settled.found) > before:
        settled.found[:] = [diagnostic for diagnostic in settled.found if diagnostic.code != "R403"]


def edited(game: model.Model, chosen: Sequence[model.Variant], settled: Settled) -> list[model.Declaration]:
    """The declarations of a game as the variants in play leave them: changed in file order, but first by what others need."""
    by_name = {variant.name: variant for variant in chosen}
    needed = {name: game.with_needed([name]) for name in by_name}
    return _Editor(game.declarations, [by_name[name] for name in game.with_needed(by_name)], needed, settled).whole()


class _Editor:
    def __init__(
        self,
        declarations: Sequence[model.Declaration],
        chosen: Sequence[model.Variant],
        needed: Mapping[str, tuple[str, ...]],
        settled: Settled,
    ) -> None:
        self.declared = declarations
        self.declarations = list(declarations)
        self.chosen = chosen
        self.needed = needed  # for each variant, those that it needs and that are changed before it
        self.settled = settled
        self.insertions = [insertion for variant in chosen for insertion in variant.insertions]

    def whole(self) -> list[model.Declaration]:
        """Change the declarations as the variants in play say, one after the other."""
        claims: list[_Claim] = []
        steps: dict[str, model.NamedBlock] = {}
        names = {named(d): d.span for d in self.declarations}
        order = dict.fromkeys(self.terms())  # of the lines of the score: one that comes back as another keeps its place
        for variant in self.chosen:
            taken: set[str] = set()
            for removal in variant.removes:  # before anything is added: a line of the score may come back as another
                if not self.is_claimed(_Claim(removal.source, removal.name, variant.name, removal.span), claims):
                    self.remove(removal)
                    names.pop(named_term(removal.name), None)
                elif removal.name in variant.changed_terms:
                    taken.add(named_term(removal.name))
            for new in variant.adds:
                if named(new) in taken:
                    continue
                if isinstance(new, model.Define) and isinstance(new.value, model.PlaceOf):
                    self.declarations.append(new)  # of a majority: its term is what can be there twice
                elif named(new) in names:
                    help = "leave one of the variants out" if named(new) in _ONLY_ONE else "give one of them another name"
                    self.settled.complain(
                        "R403",
                        f"`{named(new)}` is declared twice by the variants in play",
                        new.span,
                        (names[named(new)], "here first"),
                        help=help,
                    )
                else:
                    names[named(new)] = new.span
                    self.declarations.append(new)
            order |= dict.fromkeys(self.terms())
            for replaced in variant.replaces:
                name = replaced.name if isinstance(replaced, model.NamedBlock) else named(replaced)
                if self.is_claimed(_Claim(name, None, variant.name, replaced.span), claims):
                    continue
                if isinstance(replaced, model.NamedBlock):
                    steps[name] = replaced
                else:
                    self.declarations = [replaced if _same_place(d, replaced) else d for d in self.declarations]
                    if isinstance(replaced, model.Step) and not any(d is replaced for d in self.declarations):
                        self.declarations.append(replaced)  # a setup where there was none
        if len(steps) > REPLACED_LIMIT:
            message = f"the variants in play replace {len(steps)} steps in place; {REPLACED_LIMIT} are allowed"
            raise TooMuch(fault("R216", message, list(steps.values())[REPLACED_LIMIT].span, help="replace the phase around them"))
        for name, block in steps.items():

            def instead(old: model.NamedBlock, new: model.NamedBlock = block) -> model.Body | None:
                return (evolve(old, body=self.fitted(new.body, new, old)),) if old.name == new.name else None

            if not self.edit_steps(instead):
                self.no_step(name, f"there is no step `{name}` to replace in this game", block.span)
        self.insert()
        places = {name: place for place, name in enumerate(order)}
        terms = iter(sorted((d for d in self.declarations if isinstance(d, model.Term)), key=lambda term: places[term.name]))
        return [next(terms) if isinstance(d, model.Term) else d for d in self.declarations]

    def terms(self) -> list[str]:
        """The names of the lines of the score."""
        return [d.name for d in self.declarations if isinstance(d, model.Term)]

    def remove(self, removal: model.Removal) -> None:
        """Take a line from the score sheet, or a key from the winner line."""
        if removal.source == "score":
            self.declarations = [d for d in self.declarations if not (isinstance(d, model.Term) and d.name == removal.name)]
        else:
            self.declarations = [
                evolve(d, keys=tuple(k for k in d.keys if k.label != removal.name)) if isinstance(d, model.Winner) else d
                for d in self.declarations
            ]

    def is_claimed(self, claim: _Claim, earlier: list[_Claim]) -> bool:
        """Whether a variant in play has changed this thing, or a part of it, already (a finding); else it is noted."""
        for other in earlier:
            if other.variant != claim.variant and other.variant in self.needed[claim.variant]:
                continue  # it knows what that one changes
            if other.thing == claim.thing and (other.part == claim.part or None in (other.part, claim.part)):
                if other.variant == claim.variant:
                    message, help = f"`{claim.variant}` changes `{claim.name}` twice", "leave one of the two out"
                else:
                    message = f"`{other.variant}` and `{claim.variant}` both change `{claim.name}`"
                    help = "leave one of them out, or let one say `excludes` the other"
                self.settled.complain(
                    "R403",
                    message,
                    claim.span,
                    (other.span, f"here by `{other.variant}`"),
                    label=f"here by `{claim.variant}`",
                    help=help,
                )
                return True
        earlier.append(claim)
        return False

    def no_step(self, name: str, message: str, span: Span) -> None:
        """Complain about a step that is not there, and name the line that took the place of what it stood in."""
        steps = [d for d in self.declared if isinstance(d, model.Step)]
        around = {d.name for d in steps if name in _blocks_in(d)} | {b for d in steps for b in _blocks_in(d, name)}
        replaced = [r for v in self.chosen for r in v.replaces if isinstance(r, model.Step | model.NamedBlock)]
        gone = [r.span for r in replaced if r.name in around]
        self.settled.complain("R226", message, span, *((at, "it stood in what this replaces") for at in gone))

    def insert(self) -> None:
        """Put what variants add before and after steps there."""
        wanted: dict[str, list[model.Insertion]] = {}
        for insertion in self.insertions:
            wanted.setdefault(insertion.step, []).append(insertion)
        # What is put somewhere can hold steps that later ones stand beside: so the last come first, each whole when it is needed.
        whole: dict[str, list[model.Insertion]] = {}
        hit: set[str] = set()

        def sides(step: model.NamedBlock | model.Step) -> tuple[model.Body, model.Body]:
            hit.add(step.name)
            found: dict[str, list[model.Statement]] = {"before": [], "after": []}
            for insertion in whole[step.name]:
                found[insertion.where] += self.fitted(insertion.body, insertion, step)
            return tuple(found["before"]), tuple(found["after"])

        def around(body: model.Body) -> model.Body:
            found: list[model.Statement] = []
            for statement in body:
                if isinstance(statement, model.NamedBlock) and statement.name in whole:
                    before, after = sides(statement)
                    found += (*before, statement, *after)
                else:
                    found.append(statement)
            return tuple(found)

        for name, insertions in reversed(wanted.items()):
            whole[name] = [evolve(insertion, body=body_with_bodies(insertion.body, around)) for insertion in insertions]
        for index, step in enumerate(self.declarations):
            if whole and isinstance(step, model.Step):
                done = with_bodies(step, around)
                if done.name in whole and done.form != "setup":
                    before, after = sides(done)
                    done = evolve(done, body=(*before, *done.body, *after))
                self.declarations[index] = done
        for name, insertions in wanted.items():
            if name not in hit:
                first = next((each for each in insertions if each.where == "before"), insertions[0])
                self.no_step(name, f"there is no step `{name}` in this game", first.span)

    def fitted(
        self, body: model.Body, edit: model.NamedBlock | model.Insertion, step: model.NamedBlock | model.Step
    ) -> model.Body:
        """The statements of an edit, which was bound at one place, at the place of a step; they may differ where another variant
        has replaced what the step stands in. Names mean what they mean there; what is not there is a finding."""
        assert edit.place is not None
        there = _place(step)
        if there is edit.place:
            return body
        known = there.known
        values: dict[model.Var, model.Expr] = {}
        missing: dict[model.Var, str] = {}
        for name, meant in edit.place.known.items():
            found = known.get(name)
            renaming = None if found is None else _renaming(meant, found)
            if renaming is None:
                missing |= {part.var: name for part in walk(meant) if isinstance(part, model.VarValue)}
            else:
                values |= renaming
        inside = {node.name for node in walk(body) if isinstance(node, model.NamedBlock)}
        for node in walk(body):
            gone = ""
            if isinstance(node, model.VarValue) and node.var in missing:
                gone = f"there is no `{missing[node.var]}`"
            elif isinstance(node, model.End) and node.name not in ("game", *there.around, *inside):
                gone = f"`{node.name}` is not around"
            if gone:
                self.settled.complain(
                    "R226",
                    f"{gone} where the step `{step.name}` stands at this table",
                    node.span,
                    (step.span, "another variant has put it here"),
                )
        return tuple(_renamed(statement, values) for statement in body) if values else body

    def edit_steps(self, edit: Callable[[model.NamedBlock], model.Body | None]) -> bool:
        """Change steps in place: ``edit`` gives the statements that stand for a block, or None to leave it alone."""
        hit = False

        def in_body(body: model.Body) -> model.Body:
            nonlocal hit
            found: list[model.Statement] = []
            for statement in body:
                edited = edit(statement) if isinstance(statement, model.NamedBlock) else None
                hit = hit or edited is not None
                found.extend((statement,) if edited is None else edited)
            return tuple(found)

        self.declarations = [with_bodies(d, in_body) if isinstance(d, model.Step) else d for d in self.declarations]
        self.insertions = [with_bodies(insertion, in_body) for insertion in self.insertions]
        return hit


@frozen
class _Claim:
    """What a variant changes: a thing by its name, or a part of it (a line of the score, a key of the winner line)."""

    thing: str
    part: str | None
    variant: str
    span: Span

    @property
    def name(self) -> str:
        return self.thing if self.part is None else f"{self.part} of the {self.thing}"


def _place(step: model.NamedBlock | model.Step) -> model.Place:
    """What statements know beside a step in place, or in a step with a line of its own."""
    if isinstance(step, model.NamedBlock):
        assert step.place is not None
        return step.place
    names: dict[str, model.Expr] = {p.name: model.VarValue(p, type=p.type, span=step.span) for p in step.parameters}
    return model.Place(names, len(names), (step.name,))


def _renaming(meant: model.Expr, found: model.Expr) -> dict[model.Var, model.Expr] | None:
    """What to write for the names in one expression so that it says the same as another; None if nothing makes it so."""
    if isinstance(meant, model.VarValue):
        same = isinstance(found, model.VarValue) and found.var is meant.var
        return None if found.type != meant.type else {} if same else {meant.var: found}
    before, after = ([part for part in walk(node) if isinstance(part, model.VarValue)] for node in (meant, found))
    pairs = zip(before, after, strict=False)
    renaming: dict[model.Var, model.Expr] = {old.var: new for old, new in pairs if old.var is not new.var}
    return renaming if _renamed(meant, renaming) == found else None


def _renamed(node: _N, values: Mapping[model.Var, model.Expr]) -> _N:
    """A node with other things for names, also in what the steps in it know."""

    def change(part: Any) -> Any:
        if isinstance(part, model.VarValue) and part.var in values:
            return values[part.var]
        changed = with_parts(part, change)
        if isinstance(changed, model.NamedBlock) and changed.place is not None:
            names = {name: change(meant) for name, meant in changed.place.known.items()}
            return evolve(changed, place=model.Place(names, len(names), changed.place.around))
        return changed

    return change(node)  # type: ignore[no-any-return]


def _blocks_in(node: model.Step | model.NamedBlock, around: str | None = None) -> set[str]:
    """The names of the steps written inside a step; with ``around``, of those that hold a step of that name."""
    inside = [n for part in node.body for n in walk(part) if isinstance(n, model.NamedBlock)]
    return {n.name for n in inside if around is None or around in _blocks_in(n)}


def named(declaration: model.Declaration) -> str:
    """A name that only one declaration of a table may have; terms of the score have names of their own."""
    match declaration:
        case model.Term(name=name):
            return named_term(name)
        case model.Winner():
            return "winner"
        case model.Teams():
            return "teams"
        case model.Position():
            return "the position"
        case model.Match():
            return "match"
        case _:
            return declaration.name


_ONLY_ONE = ("setup", "winner", "teams", "the position", "match", model.RETURNS)  # names that nothing else can have


def named_term(name: str) -> str:
    return f"{name} of the score"


def lines_taken_out(asking: Sequence[model.Node], chosen: Sequence[model.Variant], table: Table) -> Iterator[Diagnostic]:
    """A finding wherever a line of the score is asked for that a variant in play takes out."""
    there = {term.name for term in table.terms}
    places = {line.name: line.span for variant in chosen for line in variant.removes if line.source == "score"}
    for node in walk(tuple(asking)) if places.keys() - there else ():
        if isinstance(node, model.ScoreOf) and node.term in places and node.term not in there:
            yield fault(
                "R201",
                f"there is no line `{node.term}` of the score at this table",
                node.span,
                (places[node.term], "a variant takes it out"),
                help="ask for another line, or leave this one in the score",
            )


def _same_place(old: model.Declaration, new: model.Declaration) -> bool:
    if isinstance(new, model.Winner | model.Match):
        return type(old) is type(new)
    if isinstance(new, model.Step) and new.form == "setup":
        return isinstance(old, model.Step) and old.form == "setup"
    return isinstance(old, model.Declared) and type(old) is type(new) and isinstance(new, model.Declared) and old.name == new.name
