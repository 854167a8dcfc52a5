/** What everybody at the table has to hear of: somebody asks for something, the rules have changed, something went wrong. */
import { hasServer } from "../server.js";
import { html, useState } from "../vendor/preact-htm.js";
import { row, t } from "../words.js";
import { named } from "./telling.js";

export function Notices({ state, say, clear, names, readRules }) {
  const { table, undo, rules, findings, trouble, news } = state;
  return html`<div class="notices">
    ${hasServer() && table.seed_chosen && table.players.filter((player) => player.kind === "person").length > 1 && html`<${SeedChosen} />`}
    <${Asking} asking=${undo} what="undo" table=${table} say=${say} names=${names} />
    <${Asking} asking=${rules} what="rules" table=${table} say=${say} names=${names} />
    ${findings && html`<${Findings} findings=${findings} sits=${table.seat > 0} say=${say} close=${() => clear({ findings: null })} readRules=${readRules} />`}
    ${trouble && html`<p class="notice trouble" role="alert">${named(trouble, names)} <${Close} close=${() => clear({ trouble: "" })} /></p>`}
    ${news && html`<p class="notice news" role="status">${named(news, names)} <${Close} close=${() => clear({ news: "" })} /></p>`}
  </div>`;
}

const Close = ({ close }) => html`<button type="button" class="plain" aria-label=${t("Close")} onClick=${close}>✕</button>`;

function SeedChosen() {
  const [read, setRead] = useState(false);
  if (read) return null;
  const told = t("Whoever made this table chose the seed of its chance, and can work out what lies hidden.");
  return html`<p class="notice" role="status">${told} <${Close} close=${() => setRead(true)} /></p>`;
}

function Asking({ asking, what, table, say, names }) {
  if (!asking || asking.waiting.length === 0) return null;
  const mine = asking.waiting.includes(table.seat);
  const others = asking.waiting.filter((seat) => seat !== table.seat).map((seat) => names[seat - 1]);
  const player = names[asking.asked_by - 1];
  const own = what === "undo" ? t("You ask to take back your last act.") : t("You ask to go on under the new rules.");
  const theirs =
    what === "undo"
      ? t("{player} asks to take back their last act.", { player })
      : t("{player} asks to go on under the new rules.", { player });
  return html`<div class="notice asking" role="alert">
    <p>
      <b>${asking.asked_by === table.seat ? own : theirs}</b>
      ${others.length > 0 && ` ${t("Waiting for {players}.", { players: row(others) })}`}
    </p>
    ${
      mine &&
      html`<button type="button" class="main" onClick=${() => say({ type: "answer", agree: true })}>${t("Agree")}</button>
        <button type="button" onClick=${() => say({ type: "answer", agree: false })}>${t("Refuse")}</button>`
    }
  </div>`;
}

function Findings({ findings, sits, say, close, readRules }) {
  const broken = findings.findings.some((one) => one.severity === "error");
  const all = findings.kept === findings.acts;
  return html`<div class="notice findings" role="alert">
    <p>
      <b>${t("The file of the rules has changed.")}</b> ${
        findings.can_change
          ? all
            ? t("All {number} acts so far fit the new rules.", { number: findings.acts })
            : t("{kept} of the {number} acts so far fit the new rules; then: {first}", {
                kept: findings.kept,
                number: findings.acts,
                first: findings.first,
              })
          : broken
            ? t("It cannot be played as it is, so the table goes on under its own rules.")
            : t("Nothing in it changes this table.")
      }
    </p>
    ${
      findings.findings.length > 0 &&
      html`<ul>
        ${findings.findings.map((one) => html`<li class=${one.severity}><b>${one.code}</b> ${one.file}${one.line ? `:${one.line}` : ""}: ${one.text}${one.help && html`<br /><small>${one.help}</small>`}</li>`)}
      </ul>`
    }
    ${findings.can_change && sits && html`<button type="button" class="main" onClick=${() => say({ type: "rules" })}>${t("Go on under the new rules")}</button> `}
    <button type="button" onClick=${() => readRules({})}>${t("The table's rules")}</button>
    <button type="button" onClick=${close}>${t("Not now")}</button>
  </div>`;
}
