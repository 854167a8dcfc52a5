"""What the language server answers: our values as those of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from lsprotocol import types

from ..interpreter.common.diagnostics import Diagnostic, Edit, tables_text
from ..interpreter.editing.colours import Coloured
from ..interpreter.editing.completion import Completion
from ..interpreter.editing.names import Sort
from ..interpreter.editing.outline import Entry, Shape
from .places import Addresses, Places

SOURCE: Final = "rulesrun"
_UNUSED: Final = frozenset({"R320", "R321"})  # codes of what editors draw faintly

COLOURS: Final = (
    "keyword", "comment", "string", "number", "class", "enum", "enumMember", "property", "variable", "parameter", "function"
)  # fmt: skip
MODIFIERS: Final = ("declaration",)

_Kind = types.CompletionItemKind
_COMPLETIONS: Final[dict[Sort | str, types.CompletionItemKind]] = {
    "keyword": _Kind.Keyword, "snippet": _Kind.Snippet, "option": _Kind.Constant, "list": _Kind.Enum, "kind": _Kind.Class,
    "attribute": _Kind.Property, "zone": _Kind.Variable, "counter": _Kind.Variable, "marker": _Kind.Variable,
    "table": _Kind.Function, "column": _Kind.Property, "define": _Kind.Function, "phase": _Kind.Method, "step": _Kind.Method,
    "score term": _Kind.Property, "variant": _Kind.Module, "word": _Kind.EnumMember, "point": _Kind.EnumMember,
    "act": _Kind.Event, "player": _Kind.Constant, "game": _Kind.Module, "name": _Kind.Variable,
}  # fmt: skip

_SHAPES: Final[dict[Shape, types.SymbolKind]] = {
    "game": types.SymbolKind.Module,
    "kind": types.SymbolKind.Class,
    "place": types.SymbolKind.Field,
    "value": types.SymbolKind.Variable,
    "table": types.SymbolKind.Array,
    "rule": types.SymbolKind.Function,
    "step": types.SymbolKind.Method,
    "score": types.SymbolKind.Number,
    "variant": types.SymbolKind.Package,
    "test": types.SymbolKind.Event,
}


def page_of(code: str) -> str:
    """The address of the page about a code."""
    folder = files(__name__.partition(".")[0]) / "docs" / "codes"
    return Path(str(folder / f"{code}.md")).as_uri()


def diagnostic_of(diagnostic: Diagnostic, places: Places, addresses: Addresses) -> types.Diagnostic:
    """A finding, at its first place; the others are related information."""
    span = diagnostic.span
    text = [diagnostic.message]
    text += [f"with: {tables_text(diagnostic)}"] if diagnostic.tables else []
    text += [f"help: {diagnostic.help}"] if diagnostic.help else []
    text += [diagnostic.how_to_see] if diagnostic.replay else []
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(addresses.uri(Path(label.span.source.path)), places.range(label.span)), label.text or "this one"
        )
        for label in diagnostic.labels[1:]
    ]
    return types.Diagnostic(
        types.Range(types.Position(0, 0), types.Position(0, 0)) if span is None else places.range(span),
        "\n".join(text),
        severity=types.DiagnosticSeverity.Error if diagnostic.severity == "error" else types.DiagnosticSeverity.Warning,
        code=diagnostic.code,
        code_description=types.CodeDescription(page_of(diagnostic.code)),
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if diagnostic.code in _UNUSED else None,
        related_information=related or None,
    )


def completion_of(
    completion: Completion, place: int, start: types.Position, end: types.Position, fills: bool
) -> types.CompletionItem:
    """One of the things that can follow. ``place``: its number among them, which is their order; ``fills``: whether the editor
    knows places to fill in."""
    snippet = completion.sort == "snippet" and fills
    return types.CompletionItem(
        completion.label,
        kind=_COMPLETIONS[completion.sort],
        detail=completion.detail or None,
        sort_text=f"{place:04}",
        filter_text=completion.label,
        insert_text_format=types.InsertTextFormat.Snippet if snippet else types.InsertTextFormat.PlainText,
        insert_text_mode=types.InsertTextMode.AdjustIndentation,
        text_edit=types.TextEdit(types.Range(start, end), completion.text if snippet else completion.plain),
    )


def symbol_of(entry: Entry, places: Places) -> types.DocumentSymbol:
    """A thing in the outline."""
    return types.DocumentSymbol(
        entry.name or "?",
        _SHAPES[entry.shape],
        places.range(entry.span),
        places.range(entry.name_span),
        children=[symbol_of(inner, places) for inner in entry.inside],
    )


def tokens_of(colours: Iterable[Coloured], places: Places) -> list[int]:
    """Coloured words as the protocol packs them: each with its distance from the one before."""
    data: list[int] = []
    line, column = 0, 0
    for each in colours:
        position = places.position(each.span.source, each.span.start)
        step = position.line - line
        data += [
            step,
            position.character - (0 if step else column),
            places.units(each.span.text),
            COLOURS.index(each.colour),
            int(each.declares),
        ]
        line, column = position.line, position.character
    return data


def changes_of(edits: Mapping[Path, Iterable[Edit]], places: Places, addresses: Addresses) -> types.WorkspaceEdit:
    """Changes of several files."""
    return types.WorkspaceEdit(
        changes={
            addresses.uri(path): [types.TextEdit(places.range(edit.span), edit.text) for edit in some]
            for path, some in edits.items()
        }
    )
