/** Grids and boards: squares, hexagons, points and lines. Every cell lies at a place in per cent of the board. */
import { html, useContext, useState } from "../vendor/preact-htm.js";
import { row, t } from "../words.js";
import { cellKey } from "./choosing.js";
import { Hands, Spot } from "./spot.js";
import { Face, Part, factsOf } from "./thing.js";

const ROW = 0.866; // height of a row of hexagons, in widths of one
const AROUND = 1; // cells that are shown around what lies on a grid for tiles
const LEAST = 5; // cells that such a grid shows at least
const STOPS = 12; // cells that can be chosen up to which Tab stops at each; on a board with more, it stops once, and arrows go on

/** Where the middle of each cell lies, in cells, with y downwards. */
function middles(grid) {
  const known = grid.places.map((place, index) => ({ cell: place.cell, x: place.x ?? index, y: place.y ?? 0 }));
  // On a board of triangles only every second place of a row exists.
  const parity = grid.lines.length > 0 && known.every((place) => (place.x + place.y) % 2 === (known[0].x + known[0].y) % 2);
  return known.map(({ cell, x, y }) => ({
    cell,
    column: x,
    row: y,
    x: grid.hexagonal ? x + y / 2 : parity ? x * 0.577 : x,
    y: -(grid.hexagonal ? y * ROW : y),
  }));
}

/** The cells to show: all, or around the tiles and what can be done. */
function shown(zone, places, tiled, legal) {
  if (!tiled) return places;
  const used = new Set(zone.components.flatMap((component) => component.cells ?? []));
  const wanted = places.filter(
    (place) => used.has(place.cell) || legal.has(cellKey({ zone: zone.zone, owner: zone.owner }, place.cell)),
  );
  if (wanted.length === 0) return places;
  const range = (name) => {
    const all = places.map((place) => place[name]);
    const [first, last] = [Math.min(...all), Math.max(...all)];
    let [low, high] = [
      Math.min(...wanted.map((place) => place[name])) - AROUND,
      Math.max(...wanted.map((place) => place[name])) + AROUND,
    ];
    while (high - low + 1 < LEAST) (low--, high - low + 1 < LEAST && high++);
    return [Math.max(low, first), Math.min(high, last)];
  };
  const [left, right] = range("column");
  const [low, high] = range("row");
  return places.filter((place) => place.column >= left && place.column <= right && place.row >= low && place.row <= high);
}

/** The part of a tile that lies in a cell already picked, or that would lie where the pointer is. */
function ghostAt(hand, key) {
  if (!hand.ghost) return null;
  const picked = hand.picked.indexOf(key);
  const part = hand.ghost.parts[picked >= 0 ? picked : hand.picked.length];
  if (!part || (picked < 0 && !hand.next.legal.has(key))) return null;
  return html`<span class=${`ghost ${picked >= 0 ? "laid" : ""}`}
    ><${Part} facts=${part.facts} style=${hand.ghost.style}
  /></span>`;
}

/** @param {{zone: any, about: any, styles: Map<string, any>, preview?: string[]}} props */
export function Grid({ zone, about, styles }) {
  const hand = useContext(Hands);
  const grid = about.grid;
  const form = grid.lines.length > 0 ? "points" : grid.hexagonal ? "hexagons" : "squares";
  const tiled = form === "squares" && about.kinds.some((kind) => styles.get(kind)?.form === "tile");
  const places = shown(zone, middles(grid), tiled, hand.next.legal);
  const [left, right] = [Math.min(...places.map((place) => place.x)) - 0.5, Math.max(...places.map((place) => place.x)) + 0.5];
  const margin = form === "hexagons" ? 0.577 : 0.5;
  const [top, bottom] = [
    Math.min(...places.map((place) => place.y)) - margin,
    Math.max(...places.map((place) => place.y)) + margin,
  ];
  const [wide, high] = [right - left, bottom - top];
  const at = (place) => ({
    left: `${((place.x - left) / wide) * 100}%`,
    top: `${((place.y - top) / high) * 100}%`,
    width: `${100 / wide}%`,
  });
  const on = new Map();
  for (const component of zone.components)
    (component.cells ?? []).forEach((cell, part) => on.set(cell, [...(on.get(cell) ?? []), { component, part }]));
  const where = new Map(places.map((place) => [place.cell, place]));
  const place = { zone: zone.zone, owner: zone.owner };
  const [last, setLast] = useState("");
  const able = places.filter((spot) => hand.next.legal.has(cellKey(place, spot.cell)));
  const stops = new Set(able.map((spot) => spot.cell));
  const stop = able.length > STOPS ? (stops.has(last) ? last : able[0].cell) : null;

  function move(event) {
    const way = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    const cell = event.target.closest?.("[data-cell]")?.dataset.cell;
    const from = where.get(cell);
    if (!way || !from) return;
    event.preventDefault();
    // The nearest cell that lies in that direction and can have the focus.
    const far = (other) => {
      const along = (other.column - from.column) * way[0] + (other.row - from.row) * way[1];
      const aside = Math.abs((other.column - from.column) * way[1]) + Math.abs((other.row - from.row) * way[0]);
      return along > 0 ? along + 2 * aside : Infinity;
    };
    const nodes = [...event.currentTarget.querySelectorAll("button[data-cell]")].map((node) => ({
      node,
      place: where.get(node.dataset.cell),
    }));
    const best = nodes
      .filter((one) => one.place && far(one.place) < Infinity)
      .sort((one, two) => far(one.place) - far(two.place))[0];
    best?.node.focus();
  }

  return html`<div
    class=${`grid ${form}`}
    style=${{ "--wide": wide, "--high": high, aspectRatio: `${wide} / ${high}` }}
    onKeyDown=${move}
    onFocusIn=${(event) => setLast(event.target.closest?.("[data-cell]")?.dataset.cell ?? "")}
  >
    ${
      form === "points" &&
      html`<svg class="lines" viewBox=${`${left} ${top} ${wide} ${high}`} aria-hidden="true">
        ${grid.lines.map(
          (line) =>
            html`<polyline
              points=${line
                .map((cell) => where.get(cell))
                .filter(Boolean)
                .map(({ x, y }) => `${x},${y}`)
                .join(" ")}
            />`,
        )}
      </svg>`
    }
    ${places.map((spot) => {
      const lying = on.get(spot.cell) ?? [];
      const keys = [cellKey(place, spot.cell), ...lying.map(({ component }) => `id:${component.id}`)];
      const names = lying.map(({ component }) => component.label ?? component.name);
      const dark = form === "squares" && (spot.column + spot.row) % 2 === 0;
      return html`<${Spot}
        key=${spot.cell}
        keys=${keys}
        label=${`${spot.cell}: ${row(names) || t("empty")}`}
        class=${`cell ${dark ? "dark" : "bright"} ${lying.length > 0 ? "taken" : ""}`}
        roving=${true}
        stop=${stop === null || stop === spot.cell}
        rest=${{ style: at(spot), "data-cell": spot.cell }}
      >
        ${lying.map(({ component, part }) => {
          const style = styles.get(component.kind);
          if (component.parts?.length > 1)
            return html`<span class="half-of" ...${factsOf(component)} data-id=${part === 0 ? component.id : undefined}
              ><${Part} facts=${component.parts[part].facts} style=${style}
            /></span>`;
          return html`<span class="thing" ...${factsOf(component)} data-id=${component.id}
            ><${Face} thing=${component} style=${style}
          /></span>`;
        })}
        ${ghostAt(hand, keys[0])}
      <//>`;
    })}
    ${zone.components
      .filter((component) => component.cells?.length > 1)
      .map((component) => {
        const spots = component.cells.map((cell) => where.get(cell)).filter(Boolean);
        if (spots.length === 0) return null;
        const [x, y] = [Math.min(...spots.map((one) => one.x)), Math.min(...spots.map((one) => one.y))];
        const [x2, y2] = [Math.max(...spots.map((one) => one.x)), Math.max(...spots.map((one) => one.y))];
        const frame = {
          left: `${((x - 0.5 - left) / wide) * 100}%`,
          top: `${((y - 0.5 - top) / high) * 100}%`,
          width: `${((x2 - x + 1) / wide) * 100}%`,
          height: `${((y2 - y + 1) / high) * 100}%`,
        };
        return html`<span class="outline" aria-hidden="true" style=${frame}></span>`;
      })}
  </div>`;
}
