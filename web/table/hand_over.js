/** Several people at one screen: when another of them has to choose, they get the screen, and nobody sees a secret on the way. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { linksKey } from "../pages/set_up.js";
import { session } from "../storage.js";
import { t } from "../words.js";

const SOON = 700; // milliseconds for which the act before is seen, where nothing is secret
const COVERED = "rulesrun covered"; // the token whose secrets wait for its owner, also when the page is loaded again

/** The seats whose people sit at this screen. @param {string} token @returns {{seat: number, token: string}[]} */
export const hereWith = (token) => JSON.parse(session.get(linksKey(token)) ?? "null")?.here ?? [];

const goTo = (/** @type {string} */ token) => location.replace(`#table/${token}`);

/** Whether the table waits for its owner, and what shows it. @param {string} token @returns {[boolean, () => void]} */
export function useCover(token) {
  const [isCovered, setCovered] = useState(session.get(COVERED) === token);
  const uncover = () => {
    session.set(COVERED, "");
    setCovered(false);
  };
  return [isCovered, uncover];
}

/** Instead of the table, until its owner is there. @param {{ name: string, uncover: () => void }} props */
export const Curtain = ({ name, uncover }) =>
  html`<main class="curtain">
    <p>${t("It is the turn of {player}.", { player: name })}</p>
    <button type="button" class="main" onClick=${uncover}>${t("I am {player}", { player: name })}</button>
  </main>`;

/** @param {{ token: string, table: any, position: any, names: string[] }} props `names`: as this seat says them */
export function HandOver({ token, table, position, names }) {
  const next =
    position.over || position.deciding.includes(table.seat)
      ? null
      : hereWith(token).find(({ seat }) => seat !== table.seat && position.deciding.includes(seat));
  const hasSecrets = [...table.zones, ...table.values].some((one) => one.visibility === "private");
  useEffect(() => {
    if (!next || hasSecrets) return;
    const timer = setTimeout(() => goTo(next.token), SOON);
    return () => clearTimeout(timer);
  }, [next?.token, hasSecrets]);
  if (!next || !hasSecrets) return null;
  const handOver = () => {
    session.set(COVERED, next.token);
    goTo(next.token);
  };
  return html`<p class="notice hand-over">
    <button type="button" class="main" onClick=${handOver}>
      ${t("Hand the screen to {player}", { player: names[next.seat - 1] })}
    </button>
  </p>`;
}
