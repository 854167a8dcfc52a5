"""The server: receives what an editor does and asks, and hands it to `interpreter/editing`.

Names and sentences are looked at after each key. Proofs, tests and games follow when nothing was typed for a moment, in a process
of their own; the next key stops them. What they found stays in the editor while its line stays as it was.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import wraps
from itertools import count
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from attrs import define, field
from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from ..interpreter.common.diagnostics import Diagnostic
from ..interpreter.common.source import Source, Span
from ..interpreter.editing import hints as beside
from ..interpreter.editing import mending, outline
from ..interpreter.editing.colours import PLAIN, colours
from ..interpreter.editing.completion import completions
from ..interpreter.editing.hover import about, about_word, hover
from ..interpreter.editing.renaming import NotRenamed, renamed, uses
from ..interpreter.editing.signatures import signature
from ..interpreter.editing.stale import still_there
from ..interpreter.editing.workspace import Document, Workspace
from .answers import COLOURS, MODIFIERS, changes_of, completion_of, diagnostic_of, symbol_of, tokens_of
from .checker import Checker, Checks, Job, News
from .places import Addresses, Places

KEY: Final = 0.005  # seconds after a change before names are looked at: keys that come together are one
TESTS: Final = 0.1  # seconds without a change before tests are looked at, where the game has changed
PAUSE: Final = 0.6  # seconds without a change before proofs begin
ALONE: Final = 3.0  # seconds without a change before games are played

EXPLAINED: Final = 40  # things that can follow, from the first on, that are explained at once to an editor that asks for no more

RUN_TESTS: Final = "rulesrun.server.test"
CHECK: Final = "rulesrun.server.check"

_Handler = TypeVar("_Handler", bound=Callable[..., Any])


class _Feature(Protocol):
    """What makes a function the answer to a method of the protocol."""

    def __call__(self, method: str, options: Any = None, /) -> Callable[[_Handler], _Handler]: ...


@define(eq=False)
class Open:
    """What is known about an open file of rules besides its document. ``deep``: what proofs and games found, in which text;
    ``of_tests``: what is wrong with sentences and names of tests, in which text; ``results``: of the tests, by title; ``shown``:
    the files for which something is shown because of this one."""

    deep: tuple[Diagnostic, ...] = ()
    deep_text: str = ""
    of_tests: tuple[Diagnostic, ...] = ()
    of_tests_text: str = ""
    results: dict[str, bool] = field(factory=dict)
    shown: set[str] = field(factory=set)
    timer: asyncio.TimerHandle | None = None


class _Protocol(LanguageServerProtocol):
    """Leaves the texts of changed files to the server: pygls would cut lines where only Python does, as at U+2028."""

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        self.workspace.get_text_document(params.text_document.uri).version = params.text_document.version
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None


class RulesServer(LanguageServer):
    """The state of one editor."""

    loop: asyncio.AbstractEventLoop  # from the moment on that the editor says who it is

    def __init__(self, version: str, checker: Checks | None = None) -> None:
        super().__init__("rulesrun", version, protocol_cls=_Protocol)
        self.files = Workspace()
        self.addresses = Addresses()
        self.open: dict[Path, Open] = {}
        self.checker = checker or Checker(lambda call: self.loop.call_soon_threadsafe(call))
        self.was_shut_down = False
        self.client_commands = False
        self.client_grammar = False
        self._sent: dict[str, dict[Path, list[types.Diagnostic]]] = {}  # by address: what each open file has found there
        self._numbers = count()
        self._bar: str | None = None  # the token of the bar that shows how far games are played
        self._bar_is_there = False

    @property
    def places(self) -> Places:
        return Places(str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding) or "utf-16"))

    def document(self, uri: str) -> Document:
        return self.files.document(self.addresses.path(uri))

    def at(self, params: Any) -> tuple[Document, int]:
        """The document and the offset that a question is about."""
        document = self.document(params.text_document.uri)
        return document, self.places.offset(document.source, params.position)

    # ---- Findings

    def changed(self, path: Path, soon: float = KEY) -> None:
        """A file is another now: look at it, and at the open files that are made from it."""
        self.stop_checking()
        for other in self.open:
            if other == path or self.files.depends_on(other, path):
                state = self.open[other]
                if state.timer is not None:
                    state.timer.cancel()
                state.timer = self.loop.call_later(soon, self.look, other)

    def look(self, path: Path) -> None:
        """Show what is wrong with sentences and names of a game, and what was found before and still holds; then look at all."""
        state = self.open.get(path)
        if state is None:
            return
        glance = self.files.glance(path)
        if glance is None:
            return self.look_at_all(path)
        of_tests = still_there(state.of_tests, state.of_tests_text, glance.source)
        self.publish(path, self.with_deep(path, glance.source, _with(glance.findings, of_tests)))
        state.timer = self.loop.call_later(TESTS, self.look_at_all, path)

    def look_at_all(self, path: Path) -> None:
        """Show what is wrong with sentences and names, tests included; then prove after a pause."""
        state = self.open.get(path)
        if state is None:
            return
        document = self.files.document(path)
        self.publish(path, self.found(path))
        text = document.source.text
        # Places in a text that is typed move with it; these are of another one, which stays.
        state.of_tests, state.of_tests_text = still_there(document.of_tests, text, Source(document.source.path, text)), text
        if document.rules.model is not None:
            state.timer = self.loop.call_later(PAUSE, self.prove, path, False)
        else:
            state.timer = None

    def found(self, path: Path) -> tuple[Diagnostic, ...]:
        """All that is known to be wrong with a file now."""
        document, state = self.files.document(path), self.open[path]
        if state.deep_text == document.source.text or document.rules.model is None:
            return state.deep if state.deep_text == document.source.text else document.findings
        return self.with_deep(path, document.source, document.findings)

    def with_deep(self, path: Path, source: Source, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """Findings about a text, and what proofs and games found before and still holds."""
        state = self.open[path]
        return _with(found, still_there(state.deep, state.deep_text, source))

    def prove(self, path: Path, plays: bool) -> None:
        """Prove, run the tests and perhaps play, elsewhere."""
        state = self.open.get(path)
        if state is None:
            return
        state.timer = None
        document = self.files.document(path)
        text = document.source.text

        def tell(news: News) -> None:
            state = self.open.get(path)
            if state is None or self.files.document(path).source.text != text:
                return
            if news.stage in ("proved", "played"):
                state.deep, state.deep_text = news.findings, text
                self.publish(path, self.found(path))
            elif news.stage == "tests" and news.results is not None and news.results != state.results:
                state.results = news.results
                self.renew_lenses()
            elif news.stage == "playing" and self.shows_progress():
                self.show_progress(path, 100 * news.done // max(news.whole, 1))

        def over() -> None:
            self.end_progress()
            if not plays and path in self.open:
                self.open[path].timer = self.loop.call_later(ALONE - PAUSE, self.prove, path, True)

        self.checker.check(Job(path, self.files.unsaved, plays), tell, over)

    def stop_checking(self) -> None:
        """Stop what is proved or played now."""
        self.checker.stop()
        self.end_progress()

    def show_progress(self, path: Path, percentage: int) -> None:
        """Show how far games are played, in a bar of the editor."""
        bar = self.work_done_progress
        if self._bar is None:
            self._bar = token = f"rulesrun-{next(self._numbers)}"

            def begin(answer: object) -> None:
                if self._bar == token:
                    self._bar_is_there = True
                    bar.begin(token, types.WorkDoneProgressBegin(f"Playing {path.name}", percentage=0))

            bar.create(token, begin)
        elif self._bar_is_there:
            bar.report(self._bar, types.WorkDoneProgressReport(percentage=min(percentage, 99)))

    def end_progress(self) -> None:
        if self._bar is not None and self._bar_is_there:
            self.work_done_progress.end(self._bar, types.WorkDoneProgressEnd())
        self._bar, self._bar_is_there = None, False

    def publish(self, path: Path, found: tuple[Diagnostic, ...]) -> None:
        """Show findings, each at its file. What other open files found there stays."""
        places, state = self.places, self.open.get(path)
        by_uri: dict[str, list[types.Diagnostic]] = {self.addresses.uri(path): []}
        for diagnostic in found:
            at = path if diagnostic.span is None else Path(diagnostic.span.source.path)
            by_uri.setdefault(self.addresses.uri(at), []).append(diagnostic_of(diagnostic, places, self.addresses))
        for uri in {*by_uri, *(state.shown if state is not None else ())}:
            self._sent.setdefault(uri, {})[path] = by_uri.get(uri, [])
            once: dict[tuple[Any, ...], types.Diagnostic] = {}
            for some in self._sent[uri].values():
                for each in some:
                    start = each.range.start
                    once.setdefault((each.code, each.message, start.line, start.character), each)
            version = self.version_of(uri) if uri == self.addresses.uri(path) else None
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, list(once.values()), version))
        if state is not None:
            state.shown = set(by_uri)

    def version_of(self, uri: str) -> int | None:
        return self.workspace.get_text_document(uri).version

    def shows_progress(self) -> bool:
        window = self.client_capabilities.window
        return bool(window is not None and window.work_done_progress)

    @property
    def fills_snippets(self) -> bool:
        """Whether the editor knows places to fill in."""
        return bool(get_capability(self.client_capabilities, "text_document.completion.completion_item.snippet_support"))

    @property
    def resolves_explanations(self) -> bool:
        """Whether the editor asks for the explanation of what it completes when somebody looks at it."""
        support = get_capability(self.client_capabilities, "text_document.completion.completion_item.resolve_support")
        return support is not None and "documentation" in support.properties

    @property
    def resolves_edits(self) -> bool:
        """Whether the editor asks for the edits of a change when somebody wants it."""
        support = get_capability(self.client_capabilities, "text_document.code_action.resolve_support")
        return support is not None and "edit" in support.properties

    def renew_lenses(self) -> None:
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None, callback=lambda _: None)

    def close_file(self, path: Path) -> None:
        """A file is no longer open: what was shown because of it goes."""
        state = self.open.get(path)
        if state is not None:
            if state.timer is not None:
                state.timer.cancel()
            self.stop_checking()
            self.publish(path, ())
            for sent in self._sent.values():
                sent.pop(path, None)
            del self.open[path]


def _with(found: tuple[Diagnostic, ...], kept: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Findings, and those of earlier ones that they do not say again."""
    known = {(each.code, each.message) for each in found}
    return (*found, *(each for each in kept if (each.code, each.message) not in known))


def collect_garbage_rarely() -> None:
    """Let Python look for garbage in circles once in a few changes of a file, and not many times in each.

    What is known about a file is tens of thousands of objects. Nearly all of them are freed without that search when the next
    change comes, and to go through them took half of the time of a key in a file of 3,000 lines.
    """
    gc.collect()
    gc.freeze()  # modules and classes stay to the end
    gc.set_threshold(100_000, 2, 5)


def make_server(version: str, checker: Checks | None = None) -> RulesServer:
    """A server with everything that it can be asked. ``checker``: what proves and plays (None: a process of its own)."""
    server = RulesServer(version, checker)
    for add in (_opening, _reading, _writing, _commands):
        add(server)
    return server


# ---- What the editor does. Handlers do not wait, so that all is done in the order in which it comes


def _opening(server: RulesServer) -> None:
    feature: _Feature = server.feature

    @feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.loop = asyncio.get_running_loop()
        server.client_commands = bool(_option(params.initialization_options, "commands"))
        server.client_grammar = bool(_option(params.initialization_options, "grammar"))
        work_in_folders()

    @feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            patterns = [types.FileSystemWatcher(pattern) for pattern in ("**/*.rules", "**/*.csv")]
            register = types.Registration(
                "watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, types.DidChangeWatchedFilesRegistrationOptions(patterns)
            )
            with suppress(Exception):  # a client that says it can and then cannot
                await server.client_register_capability_async(types.RegistrationParams([register]))

    def work_in_folders() -> None:
        root = server.workspace.root_uri  # what editors had before there were several folders
        uris = [folder.uri for folder in server.workspace.folders.values()] or ([root] if root else [])
        server.files.work_in(server.addresses.path(uri) for uri in uris if uri.startswith("file:"))

    @feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: types.DidChangeWorkspaceFoldersParams) -> None:
        work_in_folders()

    @feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        path = server.addresses.path(params.text_document.uri)
        server.files.write(path, params.text_document.text)
        if path.suffix == ".rules":
            server.open[path] = Open()
        server.changed(path, 0)

    @feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        path = server.addresses.path(params.text_document.uri)
        before = Source(str(path), server.files.unsaved.get(path, ""))
        server.files.write(path, server.places.changed(before, params.content_changes))
        server.changed(path)

    @feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        server.files.changed()

    @feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        path = server.addresses.path(params.text_document.uri)
        server.close_file(path)
        server.files.close(path)
        server.changed(path, 0)

    @feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        server.files.changed()
        for change in params.changes:
            path = server.addresses.path(change.uri)
            if not server.files.is_open(path):
                server.changed(path, 0)

    @feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.was_shut_down = True
        server.checker.close()


def _option(options: Any, name: str) -> Any:
    return options.get(name) if isinstance(options, dict) else getattr(options, name, None)


# ---- What the editor asks about a text


def _of_rules(server: RulesServer) -> _Feature:
    """Adds answers for files of rules. For other open files, such as a csv, there is none: only their faults are shown."""

    def feature(method: str, options: Any = None, /) -> Callable[[_Handler], _Handler]:
        def add(handler: _Handler) -> _Handler:
            @wraps(handler)
            def answered(params: Any) -> Any:
                asked = getattr(params, "text_document", None)
                is_other = asked is not None and server.addresses.path(asked.uri).suffix != ".rules"
                return None if is_other else handler(params)

            server.feature(method, options)(answered)
            return handler

        return add

    return feature


def _reading(server: RulesServer) -> None:
    feature = _of_rules(server)

    @feature(types.TEXT_DOCUMENT_HOVER)
    def on_hover(params: types.HoverParams) -> types.Hover | None:
        document, offset = server.at(params)
        found = hover(document, offset)
        if found is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, found.text), server.places.range(found.span))

    @feature(types.TEXT_DOCUMENT_DEFINITION)
    def on_definition(params: types.DefinitionParams) -> list[types.Location]:
        document, offset = server.at(params)
        found = document.names.at(document.source.path, offset)
        return [] if found is None else [_location(server, place) for place in found.symbol.places]

    @feature(types.TEXT_DOCUMENT_REFERENCES)
    def on_references(params: types.ReferenceParams) -> list[types.Location]:
        document, offset = server.at(params)
        found = document.names.at(document.source.path, offset)
        if found is None:
            return []
        wanted = params.context.include_declaration
        places = (each.span for each in uses(server.files, document, found.symbol) if wanted or not each.declares)
        return [_location(server, place) for place in places]

    @feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def on_highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        document, offset = server.at(params)
        found = document.names.at(document.source.path, offset)
        if found is None:
            return []
        kinds = (types.DocumentHighlightKind.Read, types.DocumentHighlightKind.Write)
        return [
            types.DocumentHighlight(server.places.range(each.span), kinds[each.declares])
            for each in document.names.of(found.symbol)
            if each.span.source.path == document.source.path
        ]

    @feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def on_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        return [symbol_of(entry, server.places) for entry in outline.outline(server.document(params.text_document.uri))]

    @feature(types.WORKSPACE_SYMBOL)
    def on_all_symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        found = []
        for path in list(server.open):
            document = server.files.document(path)
            for symbol in document.names.symbols:
                if params.query.lower() in symbol.name.lower() and symbol.places and symbol.sort not in ("name", "player"):
                    where = _location(server, symbol.places[0])
                    found.append(types.WorkspaceSymbol(where, symbol.name, types.SymbolKind.Variable, container_name=symbol.sort))
        return found

    @feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def on_folds(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        kinds = (types.FoldingRangeKind.Region, types.FoldingRangeKind.Comment)
        return [
            types.FoldingRange(fold.first - 1, fold.last - 1, kind=kinds[fold.comment])
            for fold in outline.folds(server.document(params.text_document.uri))
        ]

    @feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def on_links(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        found = outline.links(server.document(params.text_document.uri))
        return [types.DocumentLink(server.places.range(link.span), target=server.addresses.uri(link.path)) for link in found]

    legend = types.SemanticTokensLegend(list(COLOURS), list(MODIFIERS))

    @feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def on_colours(params: types.SemanticTokensParams) -> types.SemanticTokens:
        found = colours(server.document(params.text_document.uri))
        if server.client_grammar:  # it is finer in all that a line shows by itself
            found = [each for each in found if each.colour not in PLAIN]
        return types.SemanticTokens(tokens_of(found, server.places))

    @feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def on_hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        document = server.document(params.text_document.uri)
        first, last = (server.places.offset(document.source, place) for place in (params.range.start, params.range.end))
        return [
            types.InlayHint(server.places.position(document.source, hint.offset), hint.text, tooltip=hint.why, padding_left=True)
            for hint in beside.hints(document)
            if first <= hint.offset <= last
        ]

    @feature(types.TEXT_DOCUMENT_CODE_LENS)
    def on_lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        document = server.document(params.text_document.uri)
        state = server.open.get(document.path)
        found = []
        for lens in beside.lenses(document, {} if state is None else state.results):
            own = {"test": RUN_TESTS, "check": CHECK}.get(lens.command)
            if own is None and not server.client_commands:
                continue  # nobody could do it
            place = server.places.position(document.source, lens.offset)
            command = types.Command(lens.title, own or f"rulesrun.{lens.command}", arguments=[params.text_document.uri])
            found.append(types.CodeLens(types.Range(place, place), command))
        return found


def _location(server: RulesServer, place: Span) -> types.Location:
    return types.Location(server.addresses.uri(Path(place.source.path)), server.places.range(place))


# ---- What helps to write


def _writing(server: RulesServer) -> None:
    feature = _of_rules(server)

    @feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" ", "["], resolve_provider=True))
    def on_completion(params: types.CompletionParams) -> types.CompletionList:
        document, offset = server.at(params)
        found = completions(server.files, document, offset)
        items = []
        for place, each in enumerate(found):
            start = server.places.position(document.source, each.start)
            item = completion_of(each, place, start, params.position, server.fills_snippets)
            item.data = {"uri": params.text_document.uri, "name": each.label}
            if not server.resolves_explanations and place < EXPLAINED:
                on_resolve(item)
            items.append(item)
        return types.CompletionList(False, items)

    @feature(types.COMPLETION_ITEM_RESOLVE)
    def on_resolve(item: types.CompletionItem) -> types.CompletionItem:
        uri, name = (_option(item.data, key) for key in ("uri", "name"))
        if isinstance(uri, str) and isinstance(name, str):
            document = server.document(uri)
            symbol = next((each for each in document.names.symbols if each.name == name), None)
            text = about(symbol, document) if symbol is not None else about_word(name.removesuffix(" ..."))
            if text:
                item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
        return item

    @feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=[" "]))
    def on_signature(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        document, offset = server.at(params)
        found = signature(document, offset)
        if found is None:
            return None
        parameters = [types.ParameterInformation(found.label[start:end]) for start, end in found.parameters]
        return types.SignatureHelp([types.SignatureInformation(found.label, parameters=parameters)], 0, found.active)

    @feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def on_prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        document, offset = server.at(params)
        found = document.names.at(document.source.path, offset)
        if found is None:
            return None
        return types.PrepareRenamePlaceholder(server.places.range(found.span), found.symbol.name)

    @feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def on_rename(params: types.RenameParams) -> types.WorkspaceEdit:
        document, offset = server.at(params)
        try:
            return changes_of(renamed(server.files, document, offset, params.new_name), server.places, server.addresses)
        except NotRenamed as reason:
            raise JsonRpcInvalidParams(str(reason)) from None

    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]

    @feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds, resolve_provider=True))
    def on_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = server.document(params.text_document.uri)
        first, last = (server.places.offset(document.source, place) for place in (params.range.start, params.range.end))
        found = server.found(document.path) if document.path in server.open else document.findings
        wanted = params.context.only
        result = []
        if not wanted or types.CodeActionKind.QuickFix in wanted:
            for action in mending.actions(document, found, first, last):
                result.append(
                    types.CodeAction(
                        action.title,
                        types.CodeActionKind.QuickFix,
                        [diagnostic_of(action.diagnostic, server.places, server.addresses)],
                        action.best,
                        edit=changes_of({document.path: action.edits}, server.places, server.addresses),
                    )
                )
        if any(mending.mendable(each, document) for each in found) and (
            not wanted or any(str(kind).startswith("source") for kind in map(_value, wanted))
        ):
            everything = types.CodeAction(
                "Mend everything that can be mended", types.CodeActionKind.SourceFixAll, data=params.text_document.uri
            )
            if server.resolves_edits:
                result.append(everything)
            elif params.context.trigger_kind != types.CodeActionTriggerKind.Automatic:  # it can take seconds
                result.append(on_action(everything))
        return result

    @feature(types.CODE_ACTION_RESOLVE)
    def on_action(action: types.CodeAction) -> types.CodeAction:
        if isinstance(action.data, str):
            document = server.document(action.data)
            text = mending.everything_mended(server.files, document)
            action.edit = types.WorkspaceEdit(changes={action.data: _instead(server, document.source, text)})
        return action

    @feature(types.TEXT_DOCUMENT_FORMATTING)
    def on_format(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = server.document(params.text_document.uri)
        return _instead(server, document.source, mending.in_style(document))

    @feature(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, types.DocumentOnTypeFormattingOptions("\n"))
    def on_new_line(params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit]:
        document = server.document(params.text_document.uri)
        source, line = document.source, params.position.line
        if params.ch != "\n" or not 0 < line < len(source.line_starts) or source.line(line + 1).strip():
            return []
        start = source.line_starts[line]
        wanted = mending.indentation(document, start)
        there = Span(source, start, start + len(source.line(line + 1)))
        if wanted is None or there.text == " " * wanted:
            return []
        return [types.TextEdit(server.places.range(there), " " * wanted)]


def _value(kind: Any) -> str:
    return str(getattr(kind, "value", kind))


def _instead(server: RulesServer, source: Source, text: str | None) -> list[types.TextEdit]:
    """Another text in the place of one: only the lines that differ are changed, so that the cursor stays where it was."""
    if text is None:
        return []
    return [types.TextEdit(server.places.range(edit.span), edit.text) for edit in mending.differences(source, text)]


# ---- Commands


def _commands(server: RulesServer) -> None:
    def now(uri: object, plays: bool) -> None:
        if isinstance(uri, str) and (path := server.addresses.path(uri)) in server.open:
            state = server.open[path]
            if state.timer is not None:
                state.timer.cancel()
            server.prove(path, plays)

    @server.command(RUN_TESTS)
    def run_tests(uri: str) -> None:
        now(uri, False)

    @server.command(CHECK)
    def check(uri: str) -> None:
        now(uri, True)
