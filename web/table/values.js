/** Counters, markers and other values as tokens. */
import { html } from "../vendor/preact-htm.js";
import { seatColour } from "../colours.js";
import { Spot } from "./spot.js";

const NOTHING = new Set(["none", "no", ""]);

/** The values, divided: those of the table, those of each seat, and those that are a badge on a component. */
export function divide(values, components) {
  const named = new Set(components.map((component) => component.name));
  const shared = [];
  const seats = new Map();
  const badges = new Map();
  for (const value of values) {
    const seat = value.owner || Number(/^player (\d+)/.exec(value.of)?.[1] ?? 0);
    if (named.has(value.of) || (value.of && NOTHING.has(value.value))) {
      if (!NOTHING.has(value.value)) badges.set(value.of, [...(badges.get(value.of) ?? []), value]);
    } else if (seat) seats.set(seat, [...(seats.get(seat) ?? []), { ...value, of: value.of.replace(/^player \d+( for )?/, "") }]);
    else shared.push(value);
  }
  return { shared, seats, badges };
}

/** @param {{values: any[], names: string[], owner: number, seat: number}} props */
export function Values({ values, names, owner, seat }) {
  const groups = new Map();
  for (const value of values) groups.set(value.name, [...(groups.get(value.name) ?? []), value]);
  if (groups.size === 0) return null;
  return html`<div class="values">
    ${[...groups].map(
      ([name, found]) =>
        html`<div class="value" key=${name} data-value=${name}>
          <span class="name">${name.replaceAll("_", " ")}</span>
          ${found.map((value) => html`<${Token} key=${value.of} value=${value} names=${names} reachable=${owner === 0 || owner === seat} />`)}
        </div>`,
    )}
  </div>`;
}

function Token({ value, names, reachable }) {
  const seat = Number(/^player (\d+)$/.exec(value.value)?.[1] ?? 0);
  const shown = seat ? (names[seat - 1] ?? value.value) : value.value.replaceAll("_", " ");
  const last = value.of.split(" for ").at(-1);
  return html`<${Spot}
    keys=${reachable && value.of ? [`word:${last}`] : []}
    label=${`${value.name} ${value.of}: ${shown}`}
    class=${`token ${NOTHING.has(value.value) || value.value === "0" ? "nil" : ""}`}
    rest=${{ "data-of": value.of || undefined, style: seat ? { "--band": seatColour(seat) } : {} }}
  >
    ${value.of && html`<small aria-hidden="true">${value.of.replaceAll("_", " ")}</small>`}<b aria-hidden="true">${shown}</b>
  <//>`;
}
