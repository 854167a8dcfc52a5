/** The designer's page: what happened at all tables. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { ask } from "../server.js";

export function Plays({ secret }) {
  const [data, setData] = useState(/** @type {any} */ (null));
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    document.title = "Test-plays";
    ask(`/api/plays/${encodeURIComponent(secret)}`).then(setData, (error) => setTrouble(error.message));
  }, [secret]);
  return html`<main class="page wide">
    <a href="#">Games</a>
    <h1>Test-plays</h1>
    ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
    ${
      data &&
      html`<p><a download="plays.json" href=${`/api/plays/${encodeURIComponent(secret)}`}>Everything as JSON</a></p>
        ${data.games.map(
          (game) =>
            html`<section key=${game.game}>
              <h2>${game.game}</h2>
              <${Facts} of=${without(game, "game")} />
            </section>`,
        )}
        <h2>Tables</h2>
        ${data.tables.map(
          (table) =>
            html`<details class="play">
              <summary>${table.game ?? ""} ${table.made ?? table.started ?? ""}</summary>
              <${Facts} of=${table} />
            </details>`,
        )}
        ${data.tables.length === 0 && html`<p>Nobody has played yet.</p>`}`
    }
  </main>`;
}

const without = (found, name) => Object.fromEntries(Object.entries(found).filter(([key]) => key !== name));

/** Data of any form: a list of equal things as a table, the rest by name. */
function Facts({ of }) {
  if (of === null || of === undefined) return "";
  if (typeof of !== "object") return String(of);
  if (Array.isArray(of)) {
    if (of.length === 0) return "none";
    if (typeof of[0] !== "object" || of[0] === null || Array.isArray(of[0]))
      return of.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(", ");
    const names = [...new Set(of.flatMap((row) => Object.keys(row)))];
    return html`<table>
      <thead>
        <tr>
          ${names.map((name) => html`<th scope="col">${name.replaceAll("_", " ")}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${of.map(
          (row) =>
            html`<tr>
              ${names.map((name) => html`<td><${Facts} of=${row[name]} /></td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
  return html`<dl>
    ${Object.entries(of).map(
      ([name, value]) =>
        html`<dt>${name.replaceAll("_", " ")}</dt>
          <dd><${Facts} of=${value} /></dd>`,
    )}
  </dl>`;
}
