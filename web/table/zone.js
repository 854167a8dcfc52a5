/** A zone by its shape: a fan of cards, a pile with its count, a slot, a grid. */
import { html, useContext } from "../vendor/preact-htm.js";
import { seatColour } from "../colours.js";
import { Grid } from "./grid.js";
import { Hands, Spot } from "./spot.js";
import { Face, factsOf } from "./thing.js";

const MANY = 6; // components from which a zone that is no hand is drawn small
const BACKS_SHOWN = 20; // unknown components that are drawn one by one

export const zoneKey = ({ zone, owner }) => `${zone}/${owner}`;

/** What the table says of a zone; a zone of a family is called by its instance. */
export const aboutZone = (table, zone) =>
  table.zones.find(({ name }) => zone.zone === name) ?? table.zones.find(({ name }) => zone.zone.startsWith(`${name} `));

/** Whether a zone is the box that everything comes from. */
export const isBox = (zone) => zone.zone.startsWith("box of ");

/** @param {{zone: any, table: any, styles: Map<string, any>, badges: Map<string, any[]>, mine: boolean}} props */
export function Zone({ zone, table, styles, badges, mine }) {
  const about = aboutZone(table, zone);
  const title = zone.zone.replaceAll("_", " ");
  const data = {
    "data-zone": zone.zone,
    "data-place": zoneKey(zone),
    "data-owner": zone.owner || undefined,
    "data-visibility": about?.visibility,
  };
  const grid = about?.grid && (zone.shape === "grid" || zone.shape === "board");
  const pile = zone.shape === "pile";
  const count = pile || zone.count > 3 ? html` <small>${zone.count}</small>` : null;
  return html`<section
    class=${`zone ${grid ? "gridded" : zone.shape} ${zone.count === 0 && !grid ? "bare" : ""} ${!pile && zone.count > MANY && about?.visibility !== "private" ? "many" : ""} ${mine ? "mine" : ""}`}
    aria-label=${`${title}: ${zone.count}`}
    ...${data}
  >
    <h3>${title}${count}</h3>
    ${grid ? html`<${Grid} zone=${zone} about=${about} styles=${styles} />` : pile ? html`<${Pile} zone=${zone} styles=${styles} />` : html`<${Fan} zone=${zone} styles=${styles} badges=${badges} />`}
  </section>`;
}

function Thing({ thing, style, badges, place }) {
  const form = style?.form ?? "card";
  const marks = badges?.get(thing.name) ?? [];
  const label = [thing.name ?? `a ${thing.kind}, face down`, ...marks.map(({ name, value }) => `${name}: ${value}`)].join(", ");
  return html`<${Spot}
    keys=${thing.id ? [`id:${thing.id}`] : []}
    label=${label}
    class=${`thing ${form}-thing`}
    rest=${{ ...factsOf(thing), "data-id": thing.id, ...place }}
  >
    <${Face} thing=${thing} style=${style} />
    ${marks.map(({ name, value }) => {
      const seat = /^player (\d+)$/.exec(value);
      return html`<span
        aria-hidden="true"
        class=${`badge ${seat ? "seat" : ""}`}
        title=${`${name}: ${value}`}
        style=${seat ? { "--band": seatColour(Number(seat[1])) } : {}}
        >${seat ? `♟${seat[1]}` : value}</span
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
