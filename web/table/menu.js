/** What a person can do beside the game: take back, ask for a hint, leave a note, send links, answer others. */
import { html, useState } from "../vendor/preact-htm.js";
import { linksKey } from "../pages/set_up.js";

export function Menu({ state, token, say, clear, names }) {
  const { table, position, undo, rules, findings } = state;
  const [open, setOpen] = useState("");
  const [text, setText] = useState("");
  const known = JSON.parse(sessionStorage.getItem(linksKey(token)) ?? "null");
  const sits = table.seat > 0;
  const address = (one) => `${location.origin}/#table/${one}`;
  const toggle = (name) => setOpen(open === name ? "" : name);
  const send = (event) => {
    event.preventDefault();
    if (text.trim()) say({ type: open, text: text.trim() });
    setText("");
    setOpen("");
  };
  const asked = undo ?? rules;
  return html`<nav aria-label="Table menu">
    <a href="#" class="button">Games</a>
    ${sits && html`<button type="button" disabled=${!position.undo} onClick=${() => say({ type: "undo" })}>Undo</button>`}
    ${sits && html`<button type="button" disabled=${!position.decision} onClick=${() => say({ type: "hint" })}>Hint</button>`}
    ${sits && html`<button type="button" aria-expanded=${open === "note"} onClick=${() => toggle("note")}>Note</button>`}
    ${sits && html`<button type="button" aria-expanded=${open === "name"} onClick=${() => toggle("name")}>Name</button>`}
    <button type="button" aria-expanded=${open === "links"} onClick=${() => toggle("links")}>Links</button>
    ${
      (open === "note" || open === "name") &&
      html`<form class="pop" onSubmit=${send}>
        <label
          >${open === "note" ? "Something unclear here? Tell the designer." : "Your name"}
          <input value=${text} maxlength=${open === "note" ? 500 : 30} onInput=${(event) => setText(event.target.value)}
        /></label>
        <button type="submit">${open === "note" ? "Leave it here" : "Take it"}</button>
      </form>`
    }
    ${
      open === "links" &&
      html`<div class="pop">
        ${(known?.links ?? []).map((link) => html`<label>for ${names[link.seat - 1]} <input readonly value=${address(link.token)} onFocus=${(event) => event.target.select()} /></label>`)}
        ${known?.watch && html`<label>to watch <input readonly value=${address(known.watch)} onFocus=${(event) => event.target.select()} /></label>`}
        <label>your own <input readonly value=${address(token)} onFocus=${(event) => event.target.select()} /></label>
      </div>`
    }
    ${
      asked &&
      asked.waiting.length > 0 &&
      html`<div class="pop" role="alert">
        <p>
          ${names[asked.asked_by - 1] ?? "Somebody"}
          ${asked === undo ? "would like to take an act back." : "would like to go on under the new rules."} Waiting for
          ${asked.waiting.map((seat) => names[seat - 1]).join(", ")}.
        </p>
        ${
          asked.waiting.includes(table.seat) &&
          html`<button type="button" onClick=${() => say({ type: "answer", agree: true })}>Agree</button>
            <button type="button" onClick=${() => say({ type: "answer", agree: false })}>Refuse</button>`
        }
      </div>`
    }
    ${
      findings &&
      html`<div class="pop" role="alert">
        <p>
          ${findings.can_change ? `The rules have changed${findings.acts === undefined ? "" : `: ${findings.kept} of ${findings.acts} acts still fit`}.` : "The rules have changed, and cannot be played as they are."}
          ${findings.first ?? ""}
        </p>
        <ul>
          ${findings.findings.map((one) => html`<li><b>${one.code}</b> ${one.file}${one.line ? `:${one.line}` : ""}: ${one.text}</li>`)}
        </ul>
        ${findings.can_change && sits && html`<button type="button" onClick=${() => say({ type: "rules" })}>Go on under the new rules</button>`}
        <button type="button" onClick=${() => clear({ findings: null })}>Close</button>
      </div>`
    }
  </nav>`;
}
