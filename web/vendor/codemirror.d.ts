/** The types of what the playground uses of CodeMirror and marked, as loose as it needs them. */
export type EditorView = any;
export type EditorState = any;
export const Annotation: any, ChangeSet: any, Compartment: any, EditorSelection: any, EditorState: any, Prec: any, RangeSetBuilder: any;
export const StateEffect: any, StateField: any, Text: any;
export const Decoration: any, EditorView: any, ViewPlugin: any;
export const drawSelection: any, dropCursor: any, highlightActiveLine: any, highlightActiveLineGutter: any, highlightSpecialChars: any;
export const keymap: any, lineNumbers: any, tooltips: any;
export const defaultKeymap: any, history: any, historyKeymap: any, indentWithTab: any, redo: any, toggleComment: any, undo: any;
export const HighlightStyle: any, StreamLanguage: any, bracketMatching: any, codeFolding: any, foldGutter: any, foldKeymap: any;
export const foldService: any, indentService: any, indentUnit: any, syntaxHighlighting: any;
export const autocompletion: any, closeBrackets: any, closeBracketsKeymap: any, completionKeymap: any;
export const forEachDiagnostic: any, lintGutter: any, lintKeymap: any, nextDiagnostic: any, setDiagnostics: any;
export const highlightSelectionMatches: any, openSearchPanel: any, search: any, searchKeymap: any;
export class LSPClient {
  constructor(options: any);
  [name: string]: any;
}
export class Workspace {
  constructor(client: any);
  [name: string]: any;
}
export const LSPPlugin: any, findReferences: any, findReferencesKeymap: any, formatDocument: any, formatKeymap: any, hoverTooltips: any;
export const jumpToDefinition: any, jumpToDefinitionKeymap: any, renameKeymap: any, renameSymbol: any, serverCompletion: any;
export const signatureHelp: any, tags: any, Marked: any;
