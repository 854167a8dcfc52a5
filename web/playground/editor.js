/** The editor: one view, and a state for each file. */
import {
  Compartment, EditorState, EditorView, Prec, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, codeFolding,
  completionKeymap, defaultKeymap,
  drawSelection, dropCursor, findReferencesKeymap, foldGutter, foldKeymap, highlightActiveLine, highlightActiveLineGutter,
  highlightSelectionMatches, highlightSpecialChars, history, historyKeymap, indentWithTab, jumpToDefinition, jumpToDefinitionKeymap, keymap,
  lineNumbers, lintGutter, lintKeymap, LSPPlugin, renameKeymap, search, searchKeymap, Text,
} from "../vendor/codemirror.js"; // prettier-ignore
import { isRules } from "./files.js";
import { beginsBlock, rulesLanguage } from "./language.js";
import { colourByMeaning, colourNow } from "./meaning.js";
import { Server } from "./server.js";

const NONCE = "rulesrun-editor"; // of the styles that CodeMirror makes; see the policy in index.html

export class Editor {
  /**
   * @param {{changed: (name: string) => void, shown: (name: string) => void, found: (counts: Map<string, number>) => void}} tell
   */
  constructor(tell) {
    this.tell = tell;
    /** @type {Map<string, any>} */
    this.states = new Map();
    this.open = "";
    this.server = new Server(this, { found: tell.found });
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.shade = new Compartment();
    this.view = new EditorView({ state: EditorState.create({ extensions: [EditorView.cspNonce.of(NONCE)] }) });
    this.dark.addEventListener("change", () => this.view.dispatch({ effects: this.shade.reconfigure(this.theme()) }));
  }

  theme = () => EditorView.theme({}, { dark: this.dark.matches });

  /** Put the view into the page. @param {HTMLElement} parent */
  mount(parent) {
    parent.append(this.view.dom);
    this.view.requestMeasure();
  }

  /** Show other files instead of all there are. @param {import("./files.js").Project} project */
  load({ files, open }) {
    if (this.states.has(this.open)) this.states.set(this.open, this.view.state);
    this.open = "";
    for (const name of [...this.states.keys()]) if (!Object.hasOwn(files, name)) this.drop(name);
    for (const [name, text] of Object.entries(files)) {
      if (!this.states.has(name)) this.add(name, text);
      else if (this.text(name) !== text) this.states.set(name, this.fresh(name, text));
    }
    this.show(open);
    this.server.client.sync();
  }

  add(name, text) {
    this.states.set(name, this.fresh(name, text));
    this.server.add(name);
  }

  drop(name) {
    this.states.delete(name);
    this.server.remove(name);
  }

  doc = (name) => (name === this.open ? this.view.state.doc : this.states.get(name)?.doc);
  text = (name) => this.doc(name).toString();
  texts = () => Object.fromEntries([...this.states.keys()].map((name) => [name, this.text(name)]));

  /** @param {string} name */
  show(name) {
    if (name !== this.open) {
      this.server.client.sync();
      if (this.states.has(this.open)) this.states.set(this.open, this.view.state);
      this.open = name;
      this.view.setState(this.states.get(name));
      this.view.dispatch({ effects: this.shade.reconfigure(this.theme()) });
      this.server.show(name);
      this.tell.shown(name);
    }
    return this.view;
  }

  /** Apply a change that the server or a dialog makes. */
  update(name, update) {
    if (name === this.open) this.view.dispatch(update);
    else if (this.states.has(name)) {
      this.states.set(name, this.states.get(name).update(update).state);
      this.server.changed();
      this.tell.changed(name);
    }
  }

  /** Replace a text as one step that can be undone. */
  write(name, text) {
    this.update(name, { changes: { from: 0, to: this.doc(name).length, insert: text } });
  }

  /** @param {string} name @param {number} line from 1 @param {number} column from 1 */
  goTo(name, line, column = 1) {
    if (!this.states.has(name)) return;
    const view = this.show(name);
    const there = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
    const anchor = Math.min(there.from + column - 1, there.to);
    view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    view.focus();
  }

  format() {
    this.server.format(this.view);
    this.view.focus();
    return true;
  }

  async connect(machine) {
    await this.server.connect(machine);
    colourNow(this.view);
  }

  fresh(name, text) {
    return EditorState.create({ doc: Text.of(text.replaceAll("\r\n", "\n").split("\n")), extensions: this.extensions(name) });
  }

  extensions(name) {
    const common = [
      EditorView.cspNonce.of(NONCE),
      this.shade.of(this.theme()),
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      dropCursor(),
      search({ top: true }),
      highlightSelectionMatches(),
      EditorView.contentAttributes.of({ "aria-label": `${name}, text`, tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        this.server.changed();
        this.tell.changed(this.open);
      }),
      this.server.extension(name),
    ];
    const keys = [...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab];
    if (!isRules(name)) return [common, keymap.of(keys)];
    return [
      Prec.highest(keymap.of([{ key: "Enter", run: closeWritten }])), // before the key of the list itself, which is in `common`
      common,
      rulesLanguage,
      colourByMeaning,
      codeFolding({ placeholderText: "…" }),
      foldGutter({ markerDOM: foldMark }),
      lintGutter(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false, maxRenderedOptions: 60 }),
      EditorView.domEventHandlers({ mousedown: (event, view) => this.jump(event, view) }),
      keymap.of([
        { key: "Mod-s", run: () => this.format(), preventDefault: true },
        { key: "Shift-Alt-f", run: () => this.format(), preventDefault: true },
        { key: "Enter", run: (view) => this.newLine(view) },
        ...closeBracketsKeymap,
        ...jumpToDefinitionKeymap,
        ...findReferencesKeymap,
        ...renameKeymap,
        ...lintKeymap,
        ...foldKeymap,
        ...keys,
      ]),
    ];
  }

  /** A click with Ctrl or Cmd goes to where a name is declared. */
  jump(event, view) {
    if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
    if (at === null) return false;
    view.dispatch({ selection: { anchor: at } });
    return jumpToDefinition(view);
  }

  /** Begin a line as deep as the last one, and then as deep as the server thinks it stands. */
  newLine(view) {
    const enter = defaultKeymap.find((one) => one.key === "Enter");
    if (!enter?.run(view)) return false;
    const plugin = LSPPlugin.get(view);
    if (!plugin?.client.serverCapabilities?.documentOnTypeFormattingProvider) return true;
    plugin.client.sync();
    const { doc, selection } = view.state;
    const at = selection.main.head;
    if (beginsBlock(doc, doc.lineAt(at).number)) return true;
    const asked = { textDocument: { uri: plugin.uri }, position: plugin.toPosition(at), ch: "\n", options: { tabSize: 4, insertSpaces: true } }; // prettier-ignore
    plugin.client.request("textDocument/onTypeFormatting", asked).then(
      (edits) => {
        if (!edits?.length || view.state.doc !== doc) return;
        const line = doc.lineAt(at);
        const { newText } = edits[0];
        if (!line.text.trim() && newText.length > line.text.length) view.dispatch({ changes: { from: line.from, to: line.to, insert: newText }, selection: { anchor: line.from + newText.length } }); // prettier-ignore
      },
      () => {},
    );
    return true;
  }
}

/** Close a list of completions whose first one is written already, so that Enter begins a line and takes nothing. */
function closeWritten(view) {
  const chosen = view.dom.querySelector(".cm-tooltip-autocomplete [aria-selected] .cm-completionLabel")?.textContent;
  const { head } = view.state.selection.main;
  if (chosen && view.state.sliceDoc(head - chosen.length, head) === chosen) {
    completionKeymap.find(({ key }) => key === "Escape").run(view);
  }
  return false;
}

function foldMark(open) {
  const mark = document.createElement("span");
  mark.className = "fold-mark";
  mark.textContent = open ? "⌄" : "›";
  mark.title = open ? "Fold" : "Unfold";
  return mark;
}
