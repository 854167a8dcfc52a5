/** A zone by its shape: a fan of cards, a pile with its count, a slot, a grid. */
import { html, useContext } from "../vendor/preact-htm.js";
import { seatColour } from "../colours.js";
import { one, row, t, said } from "../words.js";
import { Grid } from "./grid.js";
import { Hands, Spot } from "./spot.js";
import { Face, factsOf } from "./thing.js";

const MANY = 6; // components from which a zone that is no hand is drawn small
const OVERLAPPING = 4; // cards from which they overlap
const BACKS_SHOWN = 20; // unknown components that are drawn one by one

export const zoneKey = ({ zone, owner }) => `${zone}/${owner}`;

/** What the table says of a zone; a zone of a family is called by its instance. */
export const aboutZone = (table, zone) =>
  table.zones.find(({ name }) => zone.zone === name) ?? table.zones.find(({ name }) => zone.zone.startsWith(`${name} `));

/** Whether a zone is the box that everything comes from. */
export const isBox = (zone) => zone.zone.startsWith("box of ");

/** Whether each player has such a slot that all see: these lie in the middle, each before its owner. */
export const isShared = (about) => about?.owned && about.shape === "slot" && about.visibility === "open";

/** How a zone is named where it is called so at the table: one of a family by its instance, an own one by itself. */
const titleOf = (zone) => zone.label ?? zone.zone.replaceAll("_", " ");

/** @param {{zone: any, table: any, styles: Map<string, any>, badges: Map<string, any[]>, mine: boolean, title?: any}} props */
export function Zone({ zone, table, styles, badges, mine, title = titleOf(zone) }) {
  const about = aboutZone(table, zone);
  const grid = about?.grid && (zone.shape === "grid" || zone.shape === "board");
  const pile = zone.shape === "pile" && about?.visibility !== "open"; // what all see of a pile lies side by side
  const bare = zone.count === 0 && !grid;
  const flat = ["card", "playing-card"].includes(styles.get(zone.kind ?? zone.components[0]?.kind)?.form ?? "card");
  const hand = mine && zone.shape === "set" && about?.visibility === "private" && !bare;
  const classes = [
    "zone",
    grid ? "gridded" : zone.shape,
    bare && "bare",
    hand && "hand",
    !pile && !hand && zone.count > MANY && "many",
    !pile && !grid && flat && zone.count >= OVERLAPPING && "overlapping",
    mine && "mine",
  ];
  const count = pile || zone.count > 3 ? html` <small>${zone.count}</small>` : null;
  return html`<section
    class=${classes.filter(Boolean).join(" ")}
    aria-label=${`${titleOf(zone)}: ${zone.count}`}
    data-zone=${zone.zone}
    data-place=${zoneKey(zone)}
    data-owner=${zone.owner || undefined}
    data-visibility=${about?.visibility}
  >
    <h3>${title}${count}</h3>
    ${grid ? html`<${Grid} zone=${zone} about=${about} styles=${styles} />` : pile ? html`<${Pile} zone=${zone} styles=${styles} />` : html`<${Fan} zone=${zone} styles=${styles} badges=${badges} />`}
  </section>`;
}

/** The same slot of all players, side by side in their order. @param {{name: string, zones: any[], show: (zone: any, title: any) => any, names: string[]}} props */
export function Slots({ name, zones, show, names }) {
  return html`<section class="slots" aria-label=${said("zone", name)}>
    <h3>${said("zone", name)}</h3>
    <div class="row-of-slots">
      ${zones.map(
        (zone) =>
          html`<div key=${zone.owner} style=${{ "--band": seatColour(zone.owner) }}>
            ${show(zone, html`<i class="chip-of"></i>${names[zone.owner - 1]}`)}
          </div>`,
      )}
    </div>
  </section>`;
}

function Thing({ thing, style, badges, place }) {
  const form = style?.form ?? "card";
  const marks = badges?.get(thing.name) ?? [];
  const name = thing.label ?? thing.name ?? t("{thing}, face down", { thing: one(thing.kind) });
  const markOf = ({ name, label, value, said: told }) => t("{value}: {now}", { value: label ?? name, now: told ?? value });
  const label = row([name, ...marks.map(markOf)]);
  return html`<${Spot}
    keys=${thing.id ? [`id:${thing.id}`] : []}
    label=${label}
    class=${`thing ${form}-thing`}
    rest=${{ ...factsOf(thing), "data-id": thing.id, ...place }}
  >
    <${Face} thing=${thing} style=${style} />
    ${marks.map((mark) => {
      const { value } = mark;
      const seat = /^player (\d+)$/.exec(value);
      return html`<span
        aria-hidden="true"
        class=${`badge ${seat ? "seat" : ""}`}
        title=${markOf(mark)}
        style=${seat ? { "--band": seatColour(Number(seat[1])) } : {}}
        >${seat ? `♟${seat[1]}` : (mark.said ?? value)}</span
      >`;
    })}
  <//>`;
}

function Fan({ zone, styles, badges }) {
  const unknown = Math.max(0, zone.count - zone.components.length);
  const kind = zone.kind ?? zone.components[0]?.kind;
  const things = [
    ...zone.components,
    ...Array.from({ length: Math.min(unknown, BACKS_SHOWN) }, () => ({ kind: kind ?? "card" })),
  ];
  return html`<div class="fan" style=${{ "--n": things.length }}>
    ${things.map((thing, index) => html`<${Thing} key=${thing.id ?? `back ${index}`} thing=${thing} style=${styles.get(thing.kind)} badges=${badges} place=${{ style: { "--i": index } }} />`)}
    ${things.length === 0 && html`<span class="empty" aria-hidden="true"></span>`}
  </div>`;
}

function Pile({ zone, styles }) {
  const hand = useContext(Hands);
  const able = zone.components.filter((thing) => hand.next.legal.has(`id:${thing.id}`));
  const top = able.length > 0 ? null : { kind: zone.kind ?? "card" };
  if (zone.count === 0) return html`<div class="fan"><span class="empty" aria-hidden="true"></span></div>`;
  if (!top)
    return html`<div class="fan" style=${{ "--n": able.length }}>
      ${able.map((thing, index) => html`<${Thing} key=${thing.id} thing=${thing} style=${styles.get(thing.kind)} place=${{ style: { "--i": index } }} />`)}
    </div>`;
  return html`<div class="fan stack" style=${{ "--depth": Math.min(zone.count, 12) }}>
    <${Thing} thing=${top} style=${styles.get(top.kind)} /><span class="count" aria-hidden="true">${zone.count}</span>
  </div>`;
}
