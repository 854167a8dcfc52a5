/** What the playground uses of CodeMirror. `npm run build` writes it to ../codemirror.js. */
export { Annotation, ChangeSet, Compartment, EditorSelection, EditorState, Prec, RangeSetBuilder, StateEffect, StateField, Text } from "@codemirror/state";
export {
  Decoration,
  EditorView,
  ViewPlugin,
  drawSelection,
  dropCursor,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  tooltips,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab, redo, toggleComment, undo } from "@codemirror/commands";
export {
  HighlightStyle,
  StreamLanguage,
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  foldService,
  indentService,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
export { forEachDiagnostic, lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
export {
  LSPClient,
  LSPPlugin,
  Workspace,
  findReferences,
  findReferencesKeymap,
  formatDocument,
  formatKeymap,
  hoverTooltips,
  jumpToDefinition,
  jumpToDefinitionKeymap,
  renameKeymap,
  renameSymbol,
  serverCompletion,
  signatureHelp,
} from "@codemirror/lsp-client";
export { tags } from "@lezer/highlight";
export { Marked } from "marked";
