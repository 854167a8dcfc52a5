/** The page of the playground. */
import { html, render, useEffect, useLayoutEffect, useReducer, useRef, useState } from "../vendor/preact-htm.js";
import { useAnswer } from "./answers.js";
import { local } from "../storage.js";
import { Desk } from "./desk.js";
import { DownloadDialog, KeysDialog, NameDialog, NewDialog, OpenDialog, ShareDialog } from "./dialogs.js";
import { freeName, isRules, titleOf } from "./files.js";
import { Findings } from "./panes/findings.js";
import { Game } from "./panes/game.js";
import { Machine } from "./panes/machine.js";
import { Statistics } from "./panes/statistics.js";
import { Table } from "./panes/table.js";
import { Tests } from "./panes/tests.js";
import { Tabs, counted } from "./parts.js";
import { Tour } from "./tour.js";

/** @type {[string, string, any][]} */
const PANES = [
  ["game", "Game", Game],
  ["table", "Table", Table],
  ["findings", "Findings", Findings],
  ["tests", "Tests", Tests],
  ["statistics", "Statistics", Statistics],
  ["machine", "Machine", Machine],
];
const ICON = new URL("../icon.svg", import.meta.url).href;
const WELCOMED = "rulesrun playground welcomed";
const WIDTH = "rulesrun playground width";

function Page({ desk }) {
  const [, again] = useReducer((count) => count + 1, 0);
  const [pane, choose] = useState("game");
  const [visited, visit] = useState(new Set(["game"]));
  const [side, turn] = useState("rules"); // which half a narrow page shows
  const [dialog, setDialog] = useState("");
  useEffect(() => desk.subscribe(() => again(0)), []);
  useEffect(() => {
    desk.onGoTo = () => turn("rules");
    const moved = () => desk.go();
    const leaving = () => desk.flush();
    addEventListener("hashchange", moved);
    addEventListener("pagehide", leaving);
    return () => {
      removeEventListener("hashchange", moved);
      removeEventListener("pagehide", leaving);
    };
  }, []);
  const table = useAnswer(desk, "table", {}, { active: true });
  useEffect(() => {
    if (table.value && !table.trouble) desk.fitTable(table.value);
  }, [table.value]);
  const show = (id) => {
    visit((now) => new Set([...now, id]));
    choose(id);
  };
  const close = () => setDialog("");
  const wide = useWide();
  const found = [...desk.counts.values()].reduce((sum, each) => sum + each, 0);
  const badges = { findings: found > 0 && html` <span class="badge">${found}</span>` };
  const dropped = (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return; // a text, which the editor takes
    event.preventDefault();
    desk.openFile(file);
  };
  const over = (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault();
  return html`<div
    class="playground"
    onDropCapture=${dropped}
    onDragOver=${over}
    data-side=${side}
    data-tour=${desk.lesson > 0 ? "yes" : "no"}
  >
    <header class="top">
      <a class="brand" href="../"><${Brand} /><b>rulesrun</b> <span class="quiet">playground</span></a>
      <nav class="acts" aria-label="Rules">
        <button type="button" onClick=${() => setDialog("open")}>Open</button>
        <button type="button" onClick=${() => setDialog("new")}>New</button>
        <button type="button" onClick=${() => setDialog("share")}>Share</button>
        <button type="button" onClick=${() => setDialog("download")}>Download</button>
        <button
          type="button"
          class=${desk.lesson ? "" : "main"}
          aria-pressed=${desk.lesson ? "true" : "false"}
          onClick=${() => (desk.lesson ? desk.leaveTour() : (location.hash = "tour"))}
        >
          Tour
        </button>
      </nav>
    </header>
    <${Banner} desk=${desk} />
    <main class="halves" ref=${wide.halves}>
      <h1 class="read">Playground: ${desk.shown && titleOf(desk.project())}</h1>
      <section class="half rules-half" aria-label="Rules">
        ${desk.lesson > 0 && html`<${Tour} desk=${desk} />`}
        <${Files} desk=${desk} ask=${setDialog} />
        <${EditorBox} desk=${desk} />
        <${Status}
          desk=${desk}
          found=${found}
          showFindings=${() => (show("findings"), turn("results"))}
          showKeys=${() => setDialog("keys")}
        />
      </section>
      <${Divider} wide=${wide} />
      <section class="half results-half" aria-label="Results">
        <div class="strip-of-tabs">
          <${Tabs}
            label="Results"
            panel="results"
            chosen=${pane}
            choose=${show}
            tabs=${PANES.map(([id, title]) => ({ id, title, badge: badges[id] }))}
          />
        </div>
        <div class="pane" data-pane=${pane} id="results" role="tabpanel" aria-labelledby=${`results-tab-${pane}`} tabindex="-1">
          ${PANES.filter(([id]) => visited.has(id)).map(
            ([id, , Pane]) =>
              html`<div key=${id} class=${`pane-${id}`} hidden=${id !== pane}>
                <${Pane} desk=${desk} table=${table.value} active=${id === pane} />
              </div>`,
          )}
        </div>
      </section>
    </main>
    <nav class="sides" aria-label="Halves of the page">
      ${[
        ["rules", "Rules"],
        ["results", "Results"],
      ].map(
        ([id, title]) =>
          html`<button type="button" aria-pressed=${side === id ? "true" : "false"} onClick=${() => turn(id)}>${title}</button>`,
      )}
    </nav>
    ${dialog === "open" && html`<${OpenDialog} desk=${desk} close=${close} />`}
    ${dialog === "share" && html`<${ShareDialog} desk=${desk} close=${close} />`}
    ${dialog === "new" && html`<${NewDialog} desk=${desk} close=${close} />`}
    ${dialog === "download" && html`<${DownloadDialog} desk=${desk} close=${close} />`}
    ${dialog === "keys" && html`<${KeysDialog} close=${close} />`}
    ${
      dialog === "add" &&
      html`<${NameDialog}
        title="Add a file"
        name=${freeName("variant.rules", desk.editor.texts())}
        wrong=${(name) => desk.wrong(name)}
        take=${(name) => desk.addFile(name)}
        close=${close}
      />`
    }
    ${
      dialog.startsWith("rename ") &&
      html`<${NameDialog}
        title="Rename a file"
        name=${dialog.slice(7)}
        wrong=${(name) => desk.wrong(name)}
        take=${(name) => name !== dialog.slice(7) && desk.renameFile(dialog.slice(7), name)}
        close=${close}
      />`
    }
  </div>`;
}

const Brand = () => html`<img src=${ICON} width="26" height="26" alt="" />`;

/** Where the rules come from, if they are not the person's own, and what went wrong. */
function Banner({ desk }) {
  const { notice, origin } = desk;
  const mine = origin.kind === "link" ? desk.mine() : null;
  if (notice)
    return html`<div class=${`banner ${notice.bad ? "bad" : ""}`} role=${notice.bad ? "alert" : "status"}>
      <span>${notice.text}</span>
      ${notice.action && html`<button type="button" onClick=${notice.act}>${notice.action}</button>`}
      <button type="button" class="plain close" aria-label="Close this message" onClick=${() => desk.say("")}>✕</button>
    </div>`;
  if (origin.kind === "game" && origin.id === "" && !local.get(WELCOMED))
    return html`<div class="banner" role="status">
      <span
        >rulesrun checks, plays and measures the rules of tabletop games, which you write as text. Change a line on the left, and
        see what it does.</span
      >
      <button
        type="button"
        class="plain close"
        aria-label="Close this message"
        onClick=${() => (local.set(WELCOMED, "yes"), desk.tell())}
      >
        ✕
      </button>
    </div>`;
  if (origin.kind === "link")
    return html`<div class="banner" role="status">
      <span>These rules come from a link. If you change them, you change a copy of your own.</span>
      ${mine && html`<button type="button" onClick=${() => desk.openWork(mine)}>Back to my rules</button>`}
    </div>`;
  return null;
}

function Files({ desk, ask }) {
  const names = desk.names();
  return html`<div class="strip-of-tabs files">
    <${Tabs}
      label="Files"
      panel="editor"
      chosen=${desk.shown}
      choose=${(name) => desk.show(name)}
      rename=${(name) => ask(`rename ${name}`)}
      tabs=${names.map((name) => {
        const found = desk.counts.get(name) ?? 0;
        return { id: name, title: name, badge: found > 0 && html` <span class="badge" title="findings">${found}</span>` };
      })}
    />
    <span class="file-acts">
      <button
        type="button"
        class="plain"
        aria-label="Add a file"
        title="Add a file: rules that extend these, or a table"
        onClick=${() => ask("add")}
      >
        +
      </button>
      <button
        type="button"
        class="plain"
        aria-label=${`Rename ${desk.shown}`}
        title="Rename this file"
        onClick=${() => ask(`rename ${desk.shown}`)}
      >
        <${Pencil} />
      </button>
      ${
        names.length > 1 &&
        html`<button
          type="button"
          class="plain"
          aria-label=${`Delete ${desk.shown}`}
          title="Delete this file"
          onClick=${() => desk.removeFile(desk.shown)}
        >
          <${Bin} />
        </button>`
      }
    </span>
  </div>`;
}

const Pencil = () => html`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d="M3 13l.8-3.2L11 2.6l2.4 2.4-7.2 7.2z" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linejoin="round" /></svg>`; // prettier-ignore
const Bin = () => html`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d="M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.6 9h5.8l.6-9" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linejoin="round" /></svg>`; // prettier-ignore

function EditorBox({ desk }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => desk.editor.mount(box.current), []);
  return html`<div
    class="editor-box"
    id="editor"
    role="tabpanel"
    aria-labelledby=${`editor-tab-${desk.shown}`}
    ref=${box}
  ></div>`;
}

function Status({ desk, found, showFindings, showKeys }) {
  return html`<footer class="status-line">
    ${
      desk.ready
        ? html`<button type="button" class="plain" onClick=${showFindings}>
            ${
              desk.gaveUp
                ? "These rules are too large for help while you write"
                : !desk.help
                  ? "Loading completion and explanations …"
                  : !desk.counts.has(desk.game)
                    ? "Reading the rules …"
                    : found === 0
                      ? "Nothing found"
                      : counted(found, "finding")
            }
          </button>`
        : html`<span class="loading" role="status"
            ><progress max="1" value=${desk.done || undefined} aria-label="Loading"></progress> ${desk.loading}</span
          >`
    }
    <span class="space"></span>
    ${isRules(desk.shown) && html`<button type="button" class="plain" disabled=${!desk.help} onClick=${() => desk.editor.format()}>Format</button>`}
    <button type="button" class="plain" onClick=${showKeys}>Keys</button>
  </footer>`;
}

/** How wide the left half is, in hundredths; kept in this browser. */
function useWide() {
  const halves = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, set] = useState(() => clamp(Number(local.get(WIDTH)) || 50));
  useLayoutEffect(() => {
    halves.current?.style.setProperty("--left", `${width}%`);
    local.set(WIDTH, String(width));
  }, [width]);
  return { halves, width, set: (next) => set(clamp(next)) };
}

const clamp = (width) => Math.min(75, Math.max(25, width));

function Divider({ wide }) {
  const drag = (event) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = wide.halves.current.getBoundingClientRect();
    wide.set(Math.round((1000 * (event.clientX - box.left)) / box.width) / 10);
  };
  const walk = (event) => {
    const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (step) wide.set(wide.width + step);
  };
  return html`<div
    class="divider"
    role="separator"
    aria-orientation="vertical"
    aria-label="Width of the halves"
    aria-valuenow=${Math.round(wide.width)}
    aria-valuemin="25"
    aria-valuemax="75"
    tabindex="0"
    onPointerDown=${(event) => event.currentTarget.setPointerCapture(event.pointerId)}
    onPointerMove=${drag}
    onKeyDown=${walk}
    onDblClick=${() => wide.set(50)}
  ></div>`;
}

const desk = new Desk();
const broken = () => desk.say("Something in this page broke. Your rules are kept: load the page again.", { bad: true });
addEventListener("error", broken);
addEventListener("unhandledrejection", broken);
navigator.serviceWorker?.register(new URL("../../offline.js", import.meta.url)).catch(() => {}); // without it, it needs the network
Object.assign(window, { rulesrun: { machine: desk.player } }); // for the frame of the table
desk.go();
render(html`<${Page} desk=${desk} />`, /** @type {Element} */ (document.getElementById("app")));
