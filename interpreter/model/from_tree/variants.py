"""Binds variants: the edits of each, in a ring of names of its own inside the game's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve

from ...common.nouns import listed
from ...common.source import Span
from ...syntax import tree
from .. import model
from .declarations import declare
from .declarations.defines import bind_define, pending_define
from .declarations.matches import is_match, match
from .declarations.scoring import note_term, place, removed_keys, term, winner
from .declarations.steps import step_head, step_with_body
from .declarations.tables import table
from .expressions import truth, wanted
from .names.scope import Column, Pending, Scope
from .names.types import must_be_fixed
from .statements import body

EDITS = (tree.Needs, tree.Excludes, tree.Always, tree.SetOption, tree.Replace, tree.Insert, tree.AddToScore, tree.Remove)


def variant_names(lines: Iterable[tree.Variant], scope: Scope) -> dict[str, Span]:
    """All variants by name; two of one name are a fault."""
    found: dict[str, Span] = {}
    for line in lines:
        earlier = found.get(line.name.text)
        if earlier is not None:
            scope.complain("R202", f"`{line.name.text}` is declared twice", line.name.span, (earlier, "here first"))
        found.setdefault(line.name.text, line.name.span)
    return found


def in_order_of_need(lines: Sequence[tree.Variant], names: Mapping[str, Span], scope: Scope) -> list[tree.Variant]:
    """The variants, each behind those that it needs; a finding where that leads back to itself."""
    by_name = {line.name.text: line for line in lines}
    found: dict[str, tree.Variant] = {}

    def add(name: str, path: tuple[str, ...]) -> None:
        for other in _needed(by_name[name], names, scope):
            if other.text in (*path, name):
                circle = [*(*path, name)[(*path, name).index(other.text) :], other.text]
                scope.complain(
                    "R221",
                    f"`{other.text}` needs itself",
                    other.span,
                    (by_name[other.text].name.span, "the variant"),
                    help=f"the circle is {' -> '.join(circle)}",
                )
                scope.faults.doubtful |= {other.text}
            elif other.text not in found:
                add(other.text, (*path, name))
        found[name] = by_name[name]

    for name in by_name:
        if name not in found:
            add(name, ())
    return list(found.values())


def _needed(line: tree.Variant, names: Mapping[str, Span], game: Scope) -> list[tree.Name]:
    """The variants that a variant needs."""
    found = [_bare_name(edit.condition) for edit in line.body if isinstance(edit, tree.Needs)]
    return [name for name in found if name is not None and name.text in names and game.symbol(name.text) is None]


def _bare_name(condition: tree.Expression) -> tree.Name | None:
    bare = isinstance(condition, tree.Ref) and condition.of is None and condition.key is None
    return tree.Name(condition.name, span=condition.span) if isinstance(condition, tree.Ref) and bare else None


def bind_variant(
    line: tree.Variant,
    game: Scope,
    names: dict[str, Span],
    rings: Mapping[str, Scope],
    score: set[str],
    keys: dict[str, dict[str, str]],
) -> tuple[model.Variant, Scope]:
    """A variant, and the ring of names inside it, in which it knows what the variants that it needs declare.

    ``rings``: of those variants; ``score``: the terms of the game; ``keys``: its `winner_names`.
    """
    scope = game.ring()
    builds_on = _needed(line, names, game)
    for other in builds_on:
        if other.text in rings:  # it is not in a circle
            scope.take_in(rings[other.text])
    gone = {edit.name.text for edit in line.body if isinstance(edit, tree.Remove) and edit.source == "score"}
    score = score | scope.terms
    scope.terms -= gone  # one that a needed variant added may come back as another
    own = [x for x in line.body if not isinstance(x, EDITS)]
    finish = declare(own, scope)
    adds: list[model.Declaration] = []
    replaces: list[model.Declaration | model.NamedBlock] = []
    insertions: list[model.Insertion] = []
    needs: list[model.Expr] = []
    always: list[model.Expr] = []
    excludes: list[model.OtherVariant] = []
    options: list[tuple[str, model.Expr]] = []
    removes: list[model.Removal] = []
    for edit in line.body:
        match edit:
            case tree.Needs(condition=condition):
                named = _bare_name(condition)
                if named is not None and named.text not in (*scope.known_names(), *names):
                    known = scope.names_of(model.OptionDeclaration) | set(names)
                    scope.unknown(named.text, named.span, "option or variant", known)
                elif named is None or named not in builds_on:
                    needs.append(must_be_fixed(truth(condition, scope), "what a variant needs", scope))
            case tree.Always(condition=condition):
                if always:
                    help = "join their conditions by `or`, in one line"
                    scope.complain("R202", f"`{line.name.text}` has two lines `always when`", edit.span, help=help)
                always.append(must_be_fixed(truth(condition, scope), "whether a variant is always in play", scope))
            case tree.Excludes(name=name):
                if name.text == line.name.text:
                    scope.complain("R204", f"`{name.text}` excludes itself", name.span, help="name another variant")
                    continue
                if name.text not in names:
                    scope.unknown(name.text, name.span, "variant", set(names))
                excludes.append(model.OtherVariant(name.text, span=name.span))
            case tree.SetOption(name=name, value=value):
                option = set_option(name, value, scope)
                if option is not None:
                    options.append(option)
            case tree.Replace(declaration=declaration):
                found = _replacement(declaration, scope)
                if found is not None:
                    replaces.append(found)
            case tree.Insert(where=where, step=step, body=lines):
                if step.text not in scope.all_steps():
                    scope.unknown(step.text, step.span, "step", scope.all_steps(), "R226")
                there = scope.place_of(step.text)
                inserted = body(lines, scope.at(there, step.span))
                insertions.append(model.Insertion(where, step.text, inserted, there, span=edit.span))
            case tree.AddToScore(terms=terms):
                for line_of_score in terms:
                    note_term(line_of_score, scope, gone)
                    if isinstance(line_of_score, tree.Majority):
                        adds.append(place(line_of_score, scope))
                    adds.append(term(line_of_score, scope))
            case tree.Remove(name=name, source="score"):
                if name.text not in score:
                    scope.unknown(name.text, name.span, "line of the score", score, "R226")
                removes.append(model.Removal(name.text, "score", span=name.span))
            case tree.Remove(name=name):
                removes += [model.Removal(label, "winner", span=name.span) for label in removed_keys(edit, keys, scope)]
            case _:
                pass  # its own declarations are finished below
    adds += [done for done in (f() for f in finish) if done is not None]
    adds += scope.made
    texts = tuple((t.language, t.text) for t in line.texts)
    others = tuple(model.OtherVariant(other.text, span=other.span) for other in builds_on)
    return model.Variant(
        line.name.text, texts, tuple(needs), others, tuple(excludes), tuple(always), tuple(options), tuple(adds),
        tuple(replaces), tuple(insertions), tuple(removes), span=line.name.span,
    ), scope  # fmt: skip


def set_option(name: tree.Name, value: tree.Expression, scope: Scope) -> tuple[str, model.Expr] | None:
    """``set OPTION to E`` of a variant or test."""
    option = scope.symbol(name.text)
    if not isinstance(option, model.OptionDeclaration):
        known = scope.names_of(model.OptionDeclaration)
        scope.unknown(name.text, name.span, "option", known)
        return None
    return name.text, must_be_fixed(wanted(value, scope, option.domain.type), f"the value of `{name.text}`", scope)


def _replacement(line: tree.Declaration, scope: Scope) -> model.Declaration | model.NamedBlock | None:
    match line:
        case tree.Define(name=name):
            old = scope.symbol(name.text)
            if not isinstance(old, Pending) and isinstance(line, tree.Returns):
                scope.complain("R225", "there are no returns to replace", line.span, help="write it without `replace`")
                return None
            if not isinstance(old, Pending):
                known = scope.names_of(Pending)
                scope.unknown(name.text, name.span, "define", known, "R226")
                return None
            new = pending_define(line, scope)
            if new.parameters != old.parameters:
                scope.complain(
                    "R225",
                    f"`{name.text}` must be asked as before",
                    name.span,
                    (old.line.name.span, "as here"),
                    help="repeat its `of ...` and `for ...` as they stand there",
                )
                return None
            before, after = bind_define(old, name.span), bind_define(new, name.span)
            if before is None or after is None:
                return None
            if before.value.type.required != after.value.type.required and "unknown" not in (
                before.value.type.base,
                after.value.type.base,
            ):
                scope.complain(
                    "R225",
                    f"`{name.text}` was {before.value.type} and would become {after.value.type}",
                    name.span,
                    (old.line.name.span, "it is defined here"),
                )
            return after
        case tree.Setup() | tree.Phase() | tree.Step():
            head = step_head(line, scope)
            old_step = scope.symbol(head.name)
            if head.form == "setup":
                return step_with_body(head, line, scope)
            form = old_step.form if isinstance(old_step, model.Step) else "step" if head.name in scope.all_steps() else head.form
            if head.form != form:
                help = f"write `replace {form} {head.name}`"
                scope.complain("R225", f"`{head.name}` is a {form}, not a {head.form}", head.span, help=help)
                return None
            if not isinstance(old_step, model.Step):
                if head.name in scope.all_steps() and head.parameters:
                    names = listed([f"`{name}`" for name in scope.place_of(head.name).known if " " not in name])
                    help = f"write `replace step {head.name}`" + (f"; it knows {names} of the lines around it" if names else "")
                    message = f"`{head.name}` stands inside other lines, so nothing follows its name"
                    scope.complain("R225", message, head.span, help=help)
                    return None
                if head.name in scope.all_steps():
                    there = scope.place_of(head.name)
                    inner = scope.at(there, head.span)
                    inner.around = (*there.around, head.name)
                    return model.NamedBlock(head.name, body(line.body, inner), there, span=head.span)
                scope.unknown(head.name, head.span, "step or phase", scope.all_steps(), "R226")
                return None
            if head.places != old_step.places or [p.type for p in head.parameters] != [p.type for p in old_step.parameters]:
                scope.complain(
                    "R225",
                    f"`{head.name}` must be done as before",
                    head.span,
                    (old_step.span, "as here"),
                    help="repeat its `of ...` and `for ...` as they stand there",
                )
                return None
            return step_with_body(evolve(head, form=old_step.form), line, scope)
        case tree.Winner():
            return winner(line, scope)
        case tree.TableDeclaration():
            return _table_instead(line, scope)
        case tree.Match():
            if not is_match(scope):
                if "match" in scope.faults.doubtful:
                    return None
                scope.complain("R225", "there is no match to replace", line.span, help="write it without `replace`")
                return None
            return match(line, scope)
        case tree.Score():
            scope.complain(
                "R225", "a score is changed term by term", line.span, help="`remove NAME from score` and `add to score`"
            )
            return None
        case _:
            scope.complain(
                "R225",
                "this cannot be replaced",
                line.span,
                help="what can be: a define, table, setup, phase, step, the winner or the match",
            )
            return None


def _table_instead(line: tree.TableDeclaration, scope: Scope) -> model.TableDeclaration | None:
    """A table in the place of another: other rows, but asked in the same way and giving things of the same types."""
    old = next((s.table for s in scope.all_symbols().values() if isinstance(s, Column) and s.table.name == line.name.text), None)
    if old is None:
        known = {s.table.name for s in scope.all_symbols().values() if isinstance(s, Column)}
        scope.unknown(line.name.text, line.name.span, "table", known, "R226")
        return None
    new = table(line, scope)
    if new is None:
        return None
    same_types = [t.required for t in new.types] == [t.required for t in old.types]
    if (new.by, new.key, new.columns, new.parameters) != (old.by, old.key, old.columns, old.parameters) or not same_types:
        scope.complain(
            "R225",
            f"the table `{line.name.text}` must have the same columns as before",
            line.name.span,
            (old.span, "as here"),
            help=f"it is by {old.by}, with {', '.join(old.columns)}",
        )
        return None
    return new
