/** What a person can do beside the game: take back, ask for a hint, read the rules, leave a note, say a name, send links. */
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { linksKey, nameKey } from "../pages/set_up.js";
import { hasServer } from "../server.js";
import { local, session } from "../storage.js";
import { t } from "../words.js";

export function Menu({ state, token, say, names, forced, setForced, readRules }) {
  const { table, position } = state;
  const [open, setOpen] = useState("");
  const box = useRef(/** @type {any} */ (null));
  const sits = table.seat > 0;
  const close = () => setOpen("");
  useEffect(() => {
    if (!open) return;
    box.current?.querySelector("input, textarea, button, a")?.focus();
    const outside = (event) => !event.target.closest?.("nav") && close();
    const key = (event) => event.key === "Escape" && close();
    addEventListener("pointerdown", outside);
    addEventListener("keydown", key);
    return () => {
      removeEventListener("pointerdown", outside);
      removeEventListener("keydown", key);
    };
  }, [open]);
  const send = (type) => (text) => {
    say({ type, text });
    if (type === "name") local.set(nameKey, text);
    close();
  };
  const own = names[table.seat - 1];
  return html`<nav aria-label=${t("Table menu")}>
    ${
      sits &&
      html`<button type="button" disabled=${!position.undo} onClick=${() => say({ type: "undo" })}>${t("Undo")}</button>
        <button type="button" disabled=${!position.decision} onClick=${() => say({ type: "hint" })}>${t("Hint")}</button>`
    }
    <button type="button" onClick=${() => readRules({})}>${t("Rules")}</button>
    ${sits && html`<button type="button" aria-expanded=${open === "note"} onClick=${() => setOpen(open === "note" ? "" : "note")}>${t("Note")}</button>`}
    <button type="button" aria-expanded=${open === "more"} onClick=${() => setOpen(open === "more" ? "" : "more")}>
      ${t("More")}
    </button>
    ${
      open === "note" &&
      html`<div class="pop" ref=${box}>
        <${Words}
          label=${t("Is something unclear here? Tell the designer.")}
          button=${t("Leave the note")}
          most=${2000}
          long=${true}
          send=${send("note")}
        />
      </div>`
    }
    ${
      open === "more" &&
      html`<div class="pop" ref=${box}>
        ${
          sits &&
          html`<${Words}
              label=${t("Your name")}
              button=${t("Take it")}
              most=${40}
              start=${own === t("you") ? "" : own}
              send=${send("name")}
            />
            <label class="switch"
              ><input type="checkbox" checked=${forced} onChange=${(event) => setForced(event.target.checked)} />
              ${t("Forced moves play themselves")}</label
            >`
        }
        ${hasServer() && html`<${Links} token=${token} names=${names} />`}
        <p><a href="#">${t("Leave for other games")}</a>; ${t("the table stays as it is")}.</p>
      </div>`
    }
  </nav>`;
}

/** @param {{label: string, button: string, most: number, start?: string, long?: boolean, send(text: string): void}} props */
function Words({ label, button, most, start = "", long = false, send }) {
  const [text, setText] = useState(start);
  const done = (event) => {
    event.preventDefault();
    if (text.trim()) send(text.trim());
  };
  const change = (event) => setText(event.target.value);
  return html`<form class="words" onSubmit=${done}>
    <label
      >${label}
      ${long ? html`<textarea rows="3" maxlength=${most} value=${text} onInput=${change}></textarea>` : html`<input maxlength=${most} value=${text} onInput=${change} />`}
    </label>
    <button type="submit">${button}</button>
  </form>`;
}

/** The addresses of the seats, for whoever made the table. */
function Links({ token, names }) {
  const [copied, setCopied] = useState("");
  const known = JSON.parse(session.get(linksKey(token)) ?? "null");
  const links = [
    ...(known?.links ?? []).map((link) => [t("for {player}", { player: names[link.seat - 1] }), link.token]),
    ...(known?.watch ? [[t("to watch"), known.watch]] : []),
    [t("your own seat, for another device"), token],
  ];
  const copy = async (address) => {
    await navigator.clipboard?.writeText(address);
    setCopied(address);
  };
  return html`<fieldset class="links">
    <legend>${t("Links to send")}</legend>
    ${links.map(([text, key]) => {
      const address = `${location.origin}/#table/${key}`;
      return html`<label key=${key}
        >${text}<span
          ><input readonly value=${address} onFocus=${(event) => event.target.select()} />
          ${navigator.clipboard && html`<button type="button" onClick=${() => copy(address)}>${copied === address ? t("Copied") : t("Copy")}</button>`}</span
        ></label
      >`;
    })}
  </fieldset>`;
}
