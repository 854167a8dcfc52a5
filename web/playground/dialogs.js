/** Dialogs: what can be opened, a link to share, the name of a file. */
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { download, titleOf } from "./files.js";
import { works } from "./kept.js";

/** A dialog that is open as long as it is drawn. */
function Dialog({ title, close, children }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    box.current?.showModal();
  }, []);
  const outside = (event) => event.target === box.current && close();
  return html`<dialog ref=${box} aria-labelledby="dialog-title" onClose=${close} onClick=${outside}>
    <div class="inside">
      <header>
        <h2 id="dialog-title">${title}</h2>
        <button type="button" class="plain close" aria-label="Close" onClick=${close}>✕</button>
      </header>
      ${children}
    </div>
  </dialog>`;
}

const FOLDERS = [
  ["templates", "To start from"],
  ["", "Games"],
  ["designs", "Games of our own"],
  ["classics", "Well-known games"],
];
const folderOf = (/** @type {string} */ id) => {
  const folder = id.includes("/") ? id.split("/")[0] : "";
  return FOLDERS.some(([name]) => name === folder) ? folder : "";
};

export function OpenDialog({ desk, close }) {
  const [wanted, want] = useState("");
  const [mine, setMine] = useState(works);
  const fits = (title) => title.toLowerCase().includes(wanted.toLowerCase());
  const open = (act) => () => {
    act();
    close();
  };
  const read = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    await desk.openFile(file);
    close();
  };
  const games = (desk.games ?? []).filter((game) => fits(game.title));
  return html`<${Dialog} title="Open" close=${close}>
    <div class="bar">
      <input
        type="search"
        placeholder="Find a game"
        aria-label="Find a game"
        value=${wanted}
        onInput=${(event) => want(event.target.value)}
      />
      <label class="button file"
        >From a file <input class="read" type="file" accept=".rules,.csv,.rulespack" onChange=${read}
      /></label>
    </div>
    ${
      mine.length > 0 &&
      html`<h3>Your rules</h3>
        <ul class="choices">
          ${mine
            .filter((work) => fits(work.title))
            .map(
              (work) =>
                html`<li>
                  <button type="button" onClick=${open(() => desk.openWork(work))}>
                    <b>${work.title}</b> <small class="quiet">${when(work.changed)}</small>
                  </button>
                  ${
                    !(desk.origin.kind === "work" && desk.origin.id === work.id) &&
                    html`<button
                      type="button"
                      class="plain close"
                      aria-label=${`Forget ${work.title}`}
                      title="Forget"
                      onClick=${() => {
                        desk.forgetWork(work.id);
                        setMine(works());
                      }}
                    >
                      ✕
                    </button>`
                  }
                </li>`,
            )}
        </ul>`
    }
    ${desk.games === null && html`<p class="quiet">Looking for games …</p>`}
    ${FOLDERS.map(([folder, title]) => {
      const found = games.filter((game) => folderOf(game.id) === folder);
      if (found.length === 0) return null;
      return html`<h3>${title}</h3>
        <ul class="choices many">
          ${found.map(
            (game) =>
              html`<li>
                <button type="button" title=${game.about || undefined} onClick=${open(() => desk.openGame(game))}>
                  <b>${game.title || titleOf(game)}</b>
                </button>
              </li>`,
          )}
        </ul>`;
    })}
    ${games.length === 0 && desk.games !== null && html`<p class="quiet">No game has this name.</p>`}
  <//>`;
}

const when = (time) => new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Begin with a small game, or with nothing. */
export function NewDialog({ desk, close }) {
  const begin = (how) => () => {
    desk.openNew(how);
    close();
  };
  return html`<${Dialog} title="New" close=${close}>
    <ul class="choices many">
      <li>
        <button type="button" onClick=${begin({})}>
          <b>A small game</b> <small class="quiet">with a comment at each line, to be changed</small>
        </button>
      </li>
      <li>
        <button type="button" onClick=${begin({ empty: true })}>
          <b>An empty file</b> <small class="quiet">the findings say what comes first</small>
        </button>
      </li>
    </ul>
  <//>`;
}

export function DownloadDialog({ desk, close }) {
  const take = (act) => () => {
    act();
    close();
  };
  return html`<${Dialog} title="Download" close=${close}>
    <ul class="choices many">
      <li>
        <button type="button" onClick=${take(() => download(desk.shown, desk.editor.text(desk.shown)))}>
          <b>${desk.shown}</b> <small class="quiet">this file</small>
        </button>
      </li>
      <li>
        <button type="button" onClick=${take(() => desk.savePack())}>
          <b>The game as a pack</b> <small class="quiet">all files that it needs in one, for this page and for rulesrun</small>
        </button>
      </li>
    </ul>
  <//>`;
}

export function ShareDialog({ desk, close }) {
  const [link, set] = useState("");
  const [large, sayLarge] = useState("");
  const [copied, tell] = useState(false);
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  useEffect(() => {
    desk.link().then(set, (error) => sayLarge(error.message));
  }, []);
  if (large)
    return html`<${Dialog} title="Share" close=${close}>
      <p role="alert">${large}</p>
      <p>Save the game as a pack instead, and send that file. It is opened here by <b>Open</b>.</p>
      <p class="bar"><button type="button" class="main" onClick=${() => desk.savePack()}>Save a pack</button></p>
    <//>`;
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      document.execCommand("copy");
    }
    tell(true);
  };
  return html`<${Dialog} title="Share" close=${close}>
    <p>Whoever opens this link gets a copy of these rules. They are in the link itself, and on no server.</p>
    <textarea
      ref=${field}
      class="link"
      readonly
      rows="4"
      aria-label="Link"
      value=${link}
      onFocus=${(event) => event.target.select()}
    ></textarea>
    <p class="bar">
      <button type="button" class="main" disabled=${!link} onClick=${copy}>Copy the link</button>
      <span class="quiet" role="status"
        >${copied ? "Copied." : `${link.length.toLocaleString("en")} characters${link.length > 8000 ? ": some programs cut such long links. A file is safer." : ""}`}</span
      >
    </p>
  <//>`;
}

/** Asks for the name of a file. @param {{title: string, name: string, wrong: (name: string) => string, take: (name: string) => void, close: () => void}} props */
export function NameDialog({ title, name, wrong, take, close }) {
  const [text, write] = useState(name);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(0, Math.max(0, name.lastIndexOf(".")));
  }, []);
  const trouble = text === name ? "" : wrong(text);
  const done = (event) => {
    event.preventDefault();
    if (wrong(text) && text !== name) return;
    if (text !== name || !wrong(name)) take(text);
    close();
  };
  return html`<${Dialog} title=${title} close=${close}>
    <form onSubmit=${done}>
      <label class="field tall"
        ><span>Name</span>
        <input
          ref=${field}
          value=${text}
          maxlength="100"
          spellcheck=${false}
          autocapitalize="off"
          aria-invalid=${trouble ? "true" : undefined}
          aria-describedby="name-trouble"
          onInput=${(event) => write(event.target.value)}
      /></label>
      <p id="name-trouble" class=${trouble ? "trouble" : "quiet"} role="status">
        ${trouble || "Rules end in .rules, tables that rules read end in .csv."}
      </p>
      <p class="bar">
        <button class="main" disabled=${Boolean(trouble)}>OK</button> <button type="button" onClick=${close}>Cancel</button>
      </p>
    </form>
  <//>`;
}

const KEYS = [
  ["Ctrl S", "format the rules"],
  ["Ctrl Space", "what can stand here"],
  ["F12, Ctrl click", "go to where a name is declared"],
  ["Shift F12", "where a name is used"],
  ["F2", "rename it everywhere; on a tab of a file, rename the file"],
  ["F8", "next finding"],
  ["Ctrl F", "search and replace"],
  ["Ctrl /", "make a line a comment"],
  ["Ctrl Shift [ and ]", "fold and unfold"],
  ["Escape, then Tab", "leave the editor"],
];

export function KeysDialog({ close }) {
  return html`<${Dialog} title="Keys" close=${close}>
    <dl class="keys">${KEYS.map(([key, what]) => [html`<dt><kbd>${key}</kbd></dt>`, html`<dd>${what}</dd>`])}</dl>
    <p class="quiet">On a Mac, Cmd stands for Ctrl. Point at a word to read what it means.</p>
  <//>`;
}
