/** Colours by meaning: the language server says what each word is. */
import { Decoration, LSPPlugin, Prec, StateEffect, StateField, ViewPlugin } from "../vendor/codemirror.js";
import { EditorView } from "../vendor/codemirror.js";

const PAUSE = 250; // milliseconds after a change

const coloured = StateEffect.define();
const marks = new Map();

/** @param {string} name */
function mark(name) {
  if (!marks.has(name)) marks.set(name, Decoration.mark({ class: name }));
  return marks.get(name);
}

const field = StateField.define({
  create: () => Decoration.none,
  update(found, transaction) {
    for (const effect of transaction.effects) if (effect.is(coloured)) return effect.value;
    return found.map(transaction.changes);
  },
  provide: (one) => Prec.highest(EditorView.decorations.from(one)),
});

/** The decorations for tokens as the protocol packs them: five numbers each, with the distance from the one before. */
function decorations(data, legend, doc) {
  const found = [];
  let line = 1;
  let column = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    if (data[at] > 0) column = 0;
    line += data[at];
    column += data[at + 1];
    if (line > doc.lines) break;
    const { from, to } = doc.line(line);
    const [start, end] = [Math.min(from + column, to), Math.min(from + column + data[at + 2], to)];
    const declares = data[at + 4] > 0 ? " r-declared" : "";
    if (end > start) found.push(mark(`r-${legend[data[at + 3]]}${declares}`).range(start, end));
  }
  return Decoration.set(found, true);
}

/** Asks anew after each change, and when the server is there. */
const asking = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.view = view;
      this.timer = 0;
      this.later(0);
    }
    later(pause) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(), pause);
    }
    async ask() {
      const plugin = LSPPlugin.get(this.view);
      if (!plugin?.client.connected) return;
      plugin.client.sync();
      const { doc } = this.view.state;
      try {
        await plugin.client.initializing;
        const found = await plugin.client.request("textDocument/semanticTokens/full", { textDocument: { uri: plugin.uri } });
        const legend = plugin.client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes;
        if (!found || !legend || this.gone || this.view.state.doc !== doc) return;
        this.view.dispatch({ effects: coloured.of(decorations(found.data, legend, doc)) });
      } catch {
        // The server was stopped, or has more urgent things to do: the colours by words stay.
      }
    }
    update(update) {
      if (update.docChanged) this.later(PAUSE);
    }
    destroy() {
      this.gone = true;
      clearTimeout(this.timer);
    }
  },
);

/** Ask for the colours of a text now, as when the server has come. */
export const colourNow = (view) => view.plugin(asking)?.later(0);

export const colourByMeaning = [field, asking];
