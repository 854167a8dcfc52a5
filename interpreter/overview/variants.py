"""An overview of a game's options and variants, and of what each variant changes.

It uses the words of the rules, with the lines on which they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from time import process_time
from typing import Any

from attrs import evolve, frozen

from ..checks.all_tables import REFUSED
from ..checks.one_table import findings_at
from ..common.deadline import OutOfTime, deadline
from ..common.diagnostics import Diagnostic, fault
from ..common.source import Span
from ..model import model
from ..model.show import name_of
from ..model.visitor import walk
from ..play.page import Line, Page
from ..rules import Rules
from ..syntax import tree
from .written import block, number_of_players, plain

NAMED = 3  # variants that a message names


@frozen
class Sentence:
    """Something that the rules say, and where."""

    text: str
    path: str
    line: int

    @classmethod
    def at(cls, text: str, span: Span) -> Sentence:
        return cls(text, span.source.path, span.line)

    def shown(self, file: str) -> str:
        """With its place, for a reader of ``file``."""
        return f"{self.text} ({_place(self.path, self.line, file)})"

    def as_json(self) -> dict[str, Any]:
        return {"text": self.text, "path": self.path, "line": self.line}


@frozen
class OptionOverview:
    """``domain`` and ``default``: as they are written. ``set_by``: the variants that set it, and to what."""

    name: str
    domain: str
    default: str
    comment: str
    declared: Sentence
    set_by: tuple[tuple[str, Sentence], ...]


@frozen
class VariantOverview:
    """``texts``: by language. ``players``: the numbers of players with which it can be played, with no
    others but those that it needs. ``refused``: other
    numbers of players, by the code of what is wrong there. Both are None where no table was looked at."""

    name: str
    texts: tuple[tuple[str, str], ...]
    comment: str
    declared: Sentence
    needs: tuple[Sentence, ...]
    excludes: tuple[Sentence, ...]
    always: tuple[Sentence, ...]
    changes: tuple[Sentence, ...]
    players: tuple[int, ...] | None = None
    refused: Mapping[str, tuple[int, ...]] | None = None


@frozen
class Overview:
    file: str
    game: str
    players: tuple[int, int]
    options: tuple[OptionOverview, ...]
    variants: tuple[VariantOverview, ...]


def overview(rules: Rules) -> Overview:
    """The options and variants of a file, without the tables of variants. Raises `RulesError` when its rules have errors."""
    whole = rules.required()
    assert rules.tree is not None
    options = tuple(_option(line, whole) for line in _option_lines(rules.tree))
    places = _places(whole)
    comments = {variant.name.text: (variant.comments.after or "").strip() for variant in rules.tree.variants}
    variants = tuple(_variant(variant, comments.get(variant.name, ""), places) for variant in whole.variants)
    return Overview(rules.path, whole.game, whole.players, options, variants)


def with_tables(found: Overview, whole: model.Model, seconds: float | None) -> Overview:
    """An overview with the tables of its variants, one variant after the other until so many seconds of processor time are over
    (None: never)."""
    variants = [*found.variants]
    try:
        with deadline(seconds, process_time):
            for place, variant in enumerate(whole.variants):
                faults = _faults(variant, whole)
                variants[place] = evolve(
                    variants[place],
                    players=tuple(players for players, code in faults.items() if code is None),
                    refused={c: tuple(n for n, other in faults.items() if other == c) for c in faults.values() if c is not None},
                )
    except OutOfTime:
        pass
    return evolve(found, variants=tuple(variants))


def left_out(found: Overview, seconds: float) -> list[Diagnostic]:
    """What is said of the variants whose tables were not looked at in so many seconds (R820), if there are any."""
    names = [f"`{variant.name}`" for variant in found.variants if variant.players is None]
    if not names:
        return []
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    said = f"looking at each variant was still going after {seconds:.0f} seconds: with how many players"
    message = f"{said} {', '.join(names[:NAMED])}{more} can be played was not looked at"
    return [fault("R820", message, help="put variants into files of their own that extend the game")]


def _option_lines(whole: tree.Tree) -> Iterator[tree.OptionDeclaration]:
    bodies: Iterable[Iterable[tree.Line]] = (whole.declarations, *(variant.body for variant in whole.variants))
    return (line for body in bodies for line in body if isinstance(line, tree.OptionDeclaration))


def _option(line: tree.OptionDeclaration, whole: model.Model) -> OptionOverview:
    name = line.name.text
    set_by = tuple((v.name, _set(name, value)) for v in whole.variants for option, value in v.options if option == name)
    return OptionOverview(
        name,
        plain(line.domain.span.text),
        plain(line.default.span.text),
        (line.comments.after or "").strip(),
        Sentence.at(plain(line.span.text), line.span),
        set_by,
    )


def _set(name: str, value: model.Expr) -> Sentence:
    return Sentence.at(f"sets {name} to {plain(value.span.text)}", value.span)


def _variant(variant: model.Variant, comment: str, places: Mapping[str, Span]) -> VariantOverview:
    changes = sorted(_changes(variant, places), key=lambda said: said.line)
    return VariantOverview(
        variant.name,
        variant.texts,
        comment,
        Sentence.at(f"variant {variant.name}", variant.span),
        tuple(Sentence.at(f"needs {plain(c.span.text)}", c.span) for c in (*variant.builds_on, *variant.needs)),
        tuple(Sentence.at(f"excludes {e.variant}", e.span) for e in variant.excludes),
        tuple(Sentence.at(f"always in play when {plain(c.span.text)}", c.span) for c in variant.always),
        tuple(dict.fromkeys(changes)),
    )


def _faults(variant: model.Variant, whole: model.Model) -> dict[int, str | None]:
    """The numbers of players for which the rules offer a variant, each with the code of the first fault there."""
    low, high = whole.players
    found: dict[int, str | None] = {}
    for players in range(low, high + 1):
        diagnostics = findings_at(whole, players, whole.with_needed([variant.name]))
        if not any(d.code in REFUSED for d in diagnostics):
            found[players] = next((d.code for d in diagnostics), None)
    return found


def _changes(variant: model.Variant, places: Mapping[str, Span]) -> Iterator[Sentence]:
    """What a variant changes. ``places``: where what it can replace stands in the game."""
    for name, value in variant.options:
        yield _set(name, value)
    for added in variant.adds:
        if isinstance(added, model.Declared) and " " in added.name and not isinstance(added, model.Step):
            continue  # it is part of an auction or a majority
        text = block(added.span)[0].text
        if isinstance(added, model.Term) and added.name in variant.changed_terms:
            yield Sentence.at(f"replaces in the score: {text}{_instead(added, places)}", added.span)
        else:
            yield Sentence.at(f"adds to the score: {text}" if isinstance(added, model.Term) else f"adds {text}", added.span)
    for replaced in variant.replaces:
        lines = block(replaced.span)
        text = lines[0].text.removeprefix("replace ") if len(lines) == 1 else _called(replaced)
        yield Sentence.at(f"replaces {text}{_instead(replaced, places)}", replaced.span)
    for insertion in variant.insertions:
        lines = block(insertion.span)
        what = lines[1].text if len(lines) == 2 else lines[0].text.partition(": ")[2] or f"{len(lines) - 1} lines"
        yield Sentence.at(f"adds {insertion.where} {insertion.step}: {what}", insertion.span)
    for removal in variant.removes:
        if removal.source == "score" and removal.name in variant.changed_terms:
            continue
        yield Sentence.at(f"removes {removal.name} from the {removal.source}", removal.span)


def _instead(new: model.Declaration | model.NamedBlock, places: Mapping[str, Span]) -> str:
    """Where that stands in the game in the place of which a variant puts something."""
    before = places.get(_called(new))
    return "" if before is None else f", instead of {_place(before.source.path, before.line, new.span.source.path)}"


def _place(path: str, line: int, file: str) -> str:
    """A place as it is told to a reader of ``file``."""
    return f"line {line}" if path == file else f"{path}:{line}"


def _called(replaced: model.Declaration | model.NamedBlock) -> str:
    return f"step {replaced.name}" if isinstance(replaced, model.NamedBlock) else name_of(replaced)


def _places(whole: model.Model) -> dict[str, Span]:
    """Where everything stands in the game that a variant can replace, by what it is called."""
    found: dict[str, Span] = {}
    for declaration in whole.declarations:
        found.setdefault(name_of(declaration), declaration.span)
        for node in walk(declaration):
            if isinstance(node, model.NamedBlock):
                found.setdefault(_called(node), node.span)
    return found


# ---- As a page, and as data


def page(found: Overview) -> Page:
    """An overview to be read."""
    lines = [Line("title", f"{found.game}, {number_of_players(range(found.players[0], found.players[1] + 1))}")]
    if not found.options and not found.variants:
        return (*lines, Line("text", f"{found.file} has no options and no variants"))
    if found.options:
        lines.append(Line("heading", "Options"))
    for option in found.options:
        place = _place(option.declared.path, option.declared.line, found.file)
        lines.append(Line("act", f"{option.name}: {option.domain}, default {option.default} ({place})"))
        lines += [Line("note", option.comment)] if option.comment else []
        lines += [Line("note", f"{variant} {said.shown(found.file)}") for variant, said in option.set_by]
    if found.variants:
        lines.append(Line("heading", "Variants"))
    for variant in found.variants:
        texts = "; ".join(f"{language} {text}".strip() for language, text in variant.texts)
        place = _place(variant.declared.path, variant.declared.line, found.file)
        lines.append(Line("act", f"{variant.name}: {texts} ({place})" if texts else f"{variant.name} ({place})"))
        lines += [Line("note", variant.comment)] if variant.comment else []
        lines.append(Line("note", _with_players(variant)))
        for code, counts in (variant.refused or {}).items():
            lines.append(Line("note", f"{number_of_players(counts)}: refused by check, {code}"))
        for said in (*variant.needs, *variant.excludes, *variant.always, *variant.changes):
            lines.append(Line("note", said.shown(found.file)))
    return tuple(lines)


def _with_players(variant: VariantOverview) -> str:
    return "with how many players: not looked at" if variant.players is None else f"with {number_of_players(variant.players)}"


def as_json(found: Overview) -> dict[str, Any]:
    """An overview as JSON data."""

    def all_of(said: tuple[Sentence, ...]) -> list[dict[str, Any]]:
        return [each.as_json() for each in said]

    return {
        "file": found.file,
        "game": found.game,
        "players": list(range(found.players[0], found.players[1] + 1)),
        "options": [
            {
                "name": option.name, "domain": option.domain, "default": option.default, "comment": option.comment,
                "path": option.declared.path, "line": option.declared.line,
                "set_by": [{"variant": variant, **said.as_json()} for variant, said in option.set_by],
            }
            for option in found.options
        ],
        "variants": [
            {
                "name": variant.name, "texts": dict(variant.texts), "comment": variant.comment,
                "path": variant.declared.path, "line": variant.declared.line,
                "needs": all_of(variant.needs), "excludes": all_of(variant.excludes), "always": all_of(variant.always),
                "changes": all_of(variant.changes), "players": None if variant.players is None else list(variant.players),
                "refused": None
                if variant.refused is None
                else [{"code": code, "players": list(counts)} for code, counts in variant.refused.items()],
            }
            for variant in found.variants
        ],
    }  # fmt: skip
