/** The language server of the editor: which files it knows, what it finds in them, and how it repairs them. */
import { ChangeSet, LSPClient, LSPPlugin, Text, Workspace, hoverTooltips, serverCompletion, setDiagnostics, signatureHelp } from "../vendor/codemirror.js"; // prettier-ignore
import { isRules } from "./files.js";
import { colourNow } from "./meaning.js";
import { sanitised } from "./markdown.js";
import { rules } from "./language.js";

const FOLDER = "file:///game/";
const SYNC = 120; // milliseconds after a change until the server hears of it
const PATIENCE = 60_000; // milliseconds until a question is given up: the server may be proving something

export const addressOf = (/** @type {string} */ name) => FOLDER + encodeURIComponent(name);
export const nameOf = (/** @type {string} */ address) =>
  address.startsWith(FOLDER) ? decodeURIComponent(address.slice(FOLDER.length)) : "";

/** All files of a game, whether or not the editor shows them. The texts are those of `editor`. */
class Files extends Workspace {
  constructor(client, editor) {
    super(client);
    this.editor = editor;
    /** @type {any[]} */
    this.files = [];
    this.versions = 0;
  }
  add(name) {
    const file = {
      uri: addressOf(name),
      languageId: isRules(name) ? "rulesrun" : "csv",
      version: ++this.versions,
      doc: this.editor.doc(name),
      view: null,
      getView: () => file.view,
    };
    this.files.push(file);
    this.client.didOpen(file);
    return file;
  }
  remove(name) {
    this.files = this.files.filter((file) => file.uri !== addressOf(name));
    this.client.didClose(addressOf(name));
  }
  syncFiles() {
    const found = [];
    for (const file of this.files) {
      const now = this.editor.doc(nameOf(file.uri));
      const before = file.doc;
      if (!now || now === before || now.eq(before)) continue;
      const plugin = file.view?.state.doc === now ? LSPPlugin.get(file.view) : null; // it may still show the file of another game
      const known = plugin?.syncedDoc.eq(before) ? plugin.unsyncedChanges : null;
      const changes = known ?? ChangeSet.of({ from: 0, to: before.length, insert: now }, before.length);
      file.doc = now;
      file.version = ++this.versions;
      plugin?.clear();
      found.push({ file, prevDoc: before, changes });
    }
    return found;
  }
  openFile(uri, _language, view) {
    const file = this.getFile(uri) ?? this.add(nameOf(uri));
    file.view = view;
  }
  closeFile(uri, view) {
    const file = this.getFile(uri);
    if (file?.view === view) file.view = null;
  }
  updateFile(uri, update) {
    this.editor.update(nameOf(uri), update);
  }
  displayFile(uri) {
    return Promise.resolve(this.getFile(uri) ? this.editor.show(nameOf(uri)) : null);
  }
}

export class Server {
  /** @param {any} editor @param {{found: (counts: Map<string, number>) => void}} tell */
  constructor(editor, tell) {
    this.editor = editor;
    this.tell = tell;
    /** What was found in each file, as the protocol says it. @type {Map<string, any[]>} */
    this.findings = new Map();
    this.timer = 0;
    this.client = new LSPClient({
      rootUri: FOLDER.slice(0, -1),
      timeout: PATIENCE,
      sanitizeHTML: sanitised,
      highlightLanguage: (name) => (name === "rules" || name === "rulesrun" ? rules : null),
      workspace: (client) => new Files(client, editor),
      notificationHandlers: {
        "textDocument/publishDiagnostics": (_client, params) => this.found(params),
        "window/logMessage": () => true,
      },
      extensions: [
        serverCompletion({ override: true }),
        hoverTooltips({ hoverTime: 350 }),
        signatureHelp(),
        { clientCapabilities: CAPABILITIES },
      ],
    });
    this.files = /** @type {Files} */ (this.client.workspace);
    // As long as no server is there, it has no answers: CodeMirror takes each error for a mistake of the page.
    const { client } = this;
    const request = client.request.bind(client);
    client.request = (method, params) => (client.connected ? request(method, params) : Promise.resolve(null));
  }

  /** Speak with a server that has just started. @param {{say: (text: string) => void, hear: (text: string) => void}} machine */
  async connect(machine) {
    if (this.client.connected) this.client.disconnect();
    /** @type {Set<(text: string) => void>} */
    const handlers = new Set();
    machine.hear = (text) => handlers.forEach((handler) => handler(text));
    this.client.connect({
      send: (text) => machine.say(text),
      subscribe: (handler) => handlers.add(handler),
      unsubscribe: (handler) => handlers.delete(handler),
    });
    await this.client.initializing;
  }

  extension(name) {
    return this.client.plugin(addressOf(name), isRules(name) ? "rulesrun" : "csv");
  }

  /** The server hears of changes soon. */
  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.client.sync(), SYNC);
  }

  add = (name) => this.files.getFile(addressOf(name)) ?? this.files.add(name);

  remove(name) {
    this.files.remove(name);
    this.findings.delete(name);
  }

  found({ uri, diagnostics, version }) {
    const name = nameOf(uri);
    const file = this.files.getFile(uri);
    if (!file) return true;
    this.findings.set(name, diagnostics);
    this.tell.found(new Map([...this.findings].map(([key, found]) => [key, found.length])));
    if (file.view && (version == null || version === file.version)) {
      this.show(name, file);
      colourNow(file.view); // the server has read the text
    }
    return true;
  }

  /** Underline what was found in the file that is shown, and offer repairs when they are known. */
  async show(name, file = this.files.getFile(addressOf(name))) {
    const view = file?.view;
    const plugin = view && LSPPlugin.get(view);
    if (!plugin) return;
    const found = this.findings.get(name) ?? [];
    const underline = (repairs, texts = new Map()) => {
      const marks = found.map((one) => this.underlined(one, plugin, repairs, texts)).filter((one) => one !== null);
      view.dispatch(setDiagnostics(view.state, marks));
    };
    underline([]);
    if (found.length === 0 || !this.client.serverCapabilities?.codeActionProvider) return;
    const { doc } = view.state;
    const end = plugin.toPosition(doc.length);
    const range = { start: { line: 0, character: 0 }, end };
    const textDocument = { uri: plugin.uri };
    this.client.sync();
    const texts = new Map(this.files.files.map(({ uri, doc: text }) => [uri, text]));
    try {
      const context = { diagnostics: found, only: ["quickfix"] };
      const repairs = await this.client.request("textDocument/codeAction", { textDocument, range, context });
      if (repairs?.length && view.state.doc === doc && this.findings.get(name) === found && LSPPlugin.get(view) === plugin) {
        underline(repairs, texts);
      }
    } catch {
      // Without repairs, the findings stay.
    }
  }

  underlined(one, plugin, repairs, texts) {
    const place = (position) => {
      const doc = plugin.syncedDoc;
      const line = doc.line(Math.min(position.line + 1, doc.lines));
      return plugin.unsyncedChanges.mapPos(Math.min(line.from + position.character, line.to));
    };
    const [from, to] = [place(one.range.start), place(one.range.end)];
    if (from > to) return null;
    const same = (other) => other.code === one.code && other.range.start.line === one.range.start.line && other.range.start.character === one.range.start.character; // prettier-ignore
    return {
      from,
      to,
      severity: one.severity === 1 ? "error" : "warning",
      message: one.message,
      renderMessage: () => message(one),
      actions: repairs
        .filter((repair) => repair.edit && repair.diagnostics?.some(same))
        .map((repair) => ({ name: repair.title, apply: () => this.repair(repair.edit, texts) })),
    };
  }

  /** Repair what was found; nothing, if a text has changed since the server told how. @param {Map<string, any>} texts by address */
  repair(edit, texts) {
    const all = Object.entries(edit.changes ?? {});
    if (!all.every(([uri]) => texts.get(uri)?.eq(this.editor.doc(nameOf(uri))))) return;
    for (const [uri, edits] of all)
      this.files.updateFile(uri, { changes: changesOf(edits, texts.get(uri)), userEvent: "input.repair" });
  }

  /** Format a text. What the server answers fits the text that it knew: who has written on since is formatted anew. */
  async format(view) {
    const plugin = LSPPlugin.get(view);
    if (!plugin) return;
    this.client.sync();
    const { doc } = view.state;
    const options = { tabSize: 4, insertSpaces: true };
    let edits;
    try {
      edits = await this.client.request("textDocument/formatting", { textDocument: { uri: plugin.uri }, options });
    } catch {
      return; // The server was stopped. Whoever wants it asks again.
    }
    if (!edits || LSPPlugin.get(view) !== plugin) return;
    if (view.state.doc.eq(doc)) view.dispatch({ changes: changesOf(edits, doc), userEvent: "format" });
    else await this.format(view);
  }
}

/** Edits as the protocol says them, as changes of a text. @param {any[]} edits @param {any} doc */
function changesOf(edits, doc) {
  const at = ({ line, character }) => doc.line(line + 1).from + character;
  return edits.map(({ range, newText }) => ({ from: at(range.start), to: at(range.end), insert: Text.of(newText.split("\n")) }));
}

const CAPABILITIES = {
  textDocument: {
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
    publishDiagnostics: { versionSupport: true, relatedInformation: true },
    semanticTokens: {
      requests: { full: true },
      formats: ["relative"],
      tokenTypes: [],
      tokenModifiers: ["declaration"],
    },
  },
};

/** A finding for people: its sentences, and a link to the page of its code. */
function message(one) {
  const box = document.createElement("div");
  for (const [index, line] of one.message.split("\n").entries()) {
    const part = box.appendChild(document.createElement(index === 0 ? "b" : "div"));
    part.textContent = line;
  }
  if (/^R\d+$/.test(one.code ?? "")) {
    const link = box.appendChild(document.createElement("a"));
    Object.assign(link, { href: pageOf(one.code), target: "_blank", rel: "noopener", textContent: one.code });
  }
  return box;
}

/** The page about a code. @param {string} code */
export const pageOf = (code) => `../codes/${code}.html`;
