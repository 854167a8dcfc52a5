/** Counters, markers and other values as tokens. */
import { html } from "../vendor/preact-htm.js";
import { seatColour } from "../colours.js";
import { SuitSign, isSuit } from "./playing.js";
import { Spot } from "./spot.js";

const NOTHING = new Set(["none", "no", ""]);
const STONES = 24; // that are drawn one by one in a place

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

/** @param {{values: any[], about: any[], names: string[], owner: number, seat: number, colours: Map<string, string>}} props
 *   `about`: what the table says of its values, by name. */
export function Values({ values, about, names, owner, seat, colours }) {
  const groups = new Map();
  for (const value of values) groups.set(value.name, [...(groups.get(value.name) ?? []), value]);
  if (groups.size === 0) return null;
  return html`<div class="values">
    ${[...groups].map(([name, found]) => {
      const places = found.length > 1 && found.every((value) => /^\d+$/.test(value.value) && /^\d+$/.test(value.of));
      const list = about.find((one) => one.name === name)?.of?.at(-1).of ?? "";
      return html`<div class=${`value ${places ? "places" : ""}`} key=${name} data-value=${name}>
        <span class="name">${found[0].label ?? name.replaceAll("_", " ")}</span>
        ${found.map((value) => html`<${Token} key=${value.of} value=${value} list=${list} names=${names} colours=${colours} reachable=${owner === 0 || owner === seat} />`)}
      </div>`;
    })}
  </div>`;
}

/** A value. Of a number, as many stones as it says are there for a look to show. */
function Token({ value, list, names, reachable, colours }) {
  const seat = Number(/^player (\d+)$/.exec(value.value)?.[1] ?? 0);
  const shown = seat ? (names[seat - 1] ?? value.value) : (value.said ?? value.value.replaceAll("_", " "));
  const last = value.of.split(" for ").at(-1);
  const band = seat ? seatColour(seat) : (colours.get(last) ?? colours.get(value.value));
  const amount = /^\d+$/.test(value.value) ? Number(value.value) : 0;
  const style = {
    ...(band && { "--band": band }),
    ...(/^\d+$/.test(last) && { "--of": last }),
    ...(amount && { "--amount": amount }),
  };
  const sign = isSuit(value.value) ? html`<${SuitSign} suit=${value.value} />` : "";
  return html`<${Spot}
    keys=${reachable && value.of ? [`word:${list}/${last}`] : []}
    label=${`${value.label ?? value.name.replaceAll("_", " ")} ${value.of && (value.which ?? value.of)}: ${shown}`}
    class=${`token ${NOTHING.has(value.value) ? "nil none" : value.value === "0" ? "nil" : ""}`}
    rest=${{ "data-of": value.of || undefined, "data-amount": amount || undefined, style }}
  >
    ${value.of && html`<small aria-hidden="true">${value.which ?? value.of.replaceAll("_", " ")}</small>`}<b aria-hidden="true"
      >${sign}${shown}</b
    >${amount > 0 && amount <= STONES && html`<span class="stones" aria-hidden="true">${Array.from({ length: amount }, () => html`<i></i>`)}</span>`}
  <//>`;
}
