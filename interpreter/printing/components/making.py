"""From rules to a printed document: chooses the tables, compares them with those of an earlier file, and makes HTML or PDF."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import evolve, frozen

from ...common.diagnostics import Diagnostic, RulesError, fault
from ...common.nouns import spoken
from ...model import model
from ...rules import Rules
from ...table.from_model import specialise
from ...table.table import Table
from ...words.words import Words
from .contents import Changed
from .looks import look_of, whole
from .pages import Setting, arrangement_of, document
from .sizes import Sizes, sizes_in
from .supply import Supply, supply_of

_TABLES = 12  # numbers of players behind the first


@frozen
class Choice:
    """The tables that are printed. ``players``: None for all numbers of players, so that there is enough for each."""

    players: int | None = None
    variants: tuple[str, ...] = ()
    options: Mapping[str, str] = {}


@frozen(eq=False)
class Components:
    """The components of a game, and the look with which they are printed ("" without one)."""

    supply: Supply
    look: str


def components_of(rules: Rules, choice: Choice, words: Words, setting: Setting) -> Components:
    """The components of a game. Raises `RulesError` for rules, a choice of tables, or sizes that are at fault."""
    whole_game = rules.required()
    look = look_of(rules.path)
    if isinstance(look, Diagnostic):
        raise RulesError([look])
    sizes = sizes_in(look)
    if sizes.diagnostics:
        raise RulesError(sizes.diagnostics)
    supply = supply_of(_tables(whole_game, choice), sizes, _title(whole_game, words), words, setting.paper)
    wrong = list(_too_large(supply, sizes, setting))
    if wrong:
        raise RulesError(wrong)
    return Components(supply, "" if look is None else whole(look))


def html_of(components: Components, setting: Setting, words: Words, changed: Changed | None = None) -> str:
    """The document; with ``changed``, only what has changed."""
    supply = components.supply
    if changed is not None:
        supply = evolve(supply, designs=changed.designs, boards=changed.boards)
    return document(supply, setting, components.look, words, changed)


def changed_since(old: Components, new: Components, file: str) -> Changed:
    """What has to be printed so that the components of an earlier file become those of a newer one."""
    before, after = old.supply, new.supply
    same_look = not old.look or old.look == new.look  # an earlier file often lies elsewhere, without its look
    had = before.designs if same_look else {}
    more = {design: n - had.get(design, 0) for design, n in after.designs.items() if n > had.get(design, 0)}
    kept = sum(min(n, had.get(design, 0)) for design, n in after.designs.items())
    gone = [
        (design, n - after.designs.get(design, 0)) for design, n in before.designs.items() if n > after.designs.get(design, 0)
    ]
    boards = {(board.name, board.content): board.copies for board in before.boards} if same_look else {}
    new_boards = [
        evolve(board, copies=board.copies - boards.get((board.name, board.content), 0))
        for board in after.boards
        if board.copies > boards.get((board.name, board.content), 0)
    ]
    names = tuple(f"{n} × {design.name}" if n > 1 else design.name for design, n in gone)
    return Changed(Path(file).name, more, tuple(new_boards), kept, names)


def _tables(game: model.Model, choice: Choice) -> list[tuple[Table, tuple[model.Declaration, ...]]]:
    """The tables by ascending number of players: the one that is asked for, or all that there can be."""
    low, high = game.players
    # of very many numbers of players, the first ones and the highest
    every = sorted({*range(low, min(high, low + _TABLES) + 1), high})
    asked = every if choice.players is None else [choice.players]
    found = []
    wrong: list[Diagnostic] = []
    for players in asked:
        made = specialise(game, players, choice.variants, choice.options)
        if made.table is None:
            wrong += made.diagnostics
        else:
            found.append((made.table, made.declarations))
    if not found:
        raise RulesError(tuple(dict.fromkeys(wrong))[:1])
    return found


def _title(game: model.Model, words: Words) -> str:
    """The title in the language of the words, else in English, else the first."""
    titles = dict(game.titles)
    said = words.name("title", game.game)
    if said != spoken(game.game):
        return said
    return titles.get(words.language) or titles.get("en") or titles.get("") or next(iter(titles.values()), "") or said


def _too_large(supply: Supply, sizes: Sizes, setting: Setting) -> Iterable[Diagnostic]:
    """The sizes that have no room on the paper (R840)."""
    for kind, size in dict.fromkeys((design.kind, design.size) for design in supply.designs):
        if arrangement_of(size.width, size.height, setting) is None:
            help = f"it must have room on {setting.paper.name} with 7.5 mm left at each edge"
            message = f"`{kind}` is too large to be printed: {size.width:g} x {size.height:g} mm"
            yield fault("R840", message, sizes.place_of(kind), help=help)


__all__ = ["Choice", "Components", "changed_since", "components_of", "html_of"]
