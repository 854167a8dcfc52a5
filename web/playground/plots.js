/** Small plots, drawn as SVG. */
import { html } from "../vendor/preact-htm.js";
import { seatColour } from "../colours.js";

const MOST_BARS = 40;

/** The 95 % interval of a share by Wilson's formula. @param {number} share @param {number} count */
export function interval(share, count) {
  if (count === 0) return [0, 1];
  const z = 1.96;
  const middle = share + (z * z) / (2 * count);
  const reach = z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const scale = 1 + (z * z) / count;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}

export const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;

/** Shares as bars, each with its interval. @param {{rows: {name: string, share: number, colour: string}[], count: number, even: number}} props */
export function Shares({ rows, count, even }) {
  const most = Math.max(...rows.map((row) => interval(row.share, count)[1]), even) * 1.04 || 1;
  const at = (share) => `${(100 * share) / most}%`;
  return html`<div class="shares" role="list">
    ${rows.map((row) => {
      const [low, high] = interval(row.share, count);
      return html`<div role="listitem" class="share">
        <span class="name"><i style=${{ background: row.colour }}></i>${row.name}</span>
        <svg height="22" aria-hidden="true">
          <rect x="0" y="4" width=${at(row.share)} height="14" rx="2" fill=${row.colour} opacity="0.75" />
          <line class="even" x1=${at(even)} x2=${at(even)} y1="0" y2="22" />
          <line class="reach" x1=${at(low)} x2=${at(high)} y1="11" y2="11" />
          <line class="reach" x1=${at(low)} x2=${at(low)} y1="7" y2="15" />
          <line class="reach" x1=${at(high)} x2=${at(high)} y1="7" y2="15" />
        </svg>
        <span class="figure"><b>${percent(row.share)}</b> <small>${percent(low)} to ${percent(high)}</small></span>
      </div>`;
    })}
  </div>`;
}

/**
 * How often each value came, as columns. Neighbouring values share a column when there are many.
 * @param {{name: string, counts: Record<string, number>, range?: number[], most?: number, colour?: string, what: string}} props
 */
export function Histogram({ name, counts, range, most, colour = "var(--accent)", what }) {
  const [low, high] = range ?? rangeOf([counts]);
  const { columns, size } = binned(counts, low, high);
  const whole = columns.reduce((sum, each) => sum + each, 0);
  const peak = most ?? Math.max(...columns);
  const mean = Object.entries(counts).reduce((sum, [value, count]) => sum + Number(value) * count, 0) / Math.max(whole, 1);
  const width = 100 / columns.length;
  const label = `${name}: mean ${mean.toFixed(2)} ${what}, from ${rangeOf([counts]).join(" to ")}`;
  return html`<figure class="histogram">
    <figcaption><span>${name}</span> <span class="quiet">mean ${mean.toFixed(2)}</span></figcaption>
    <svg role="img" aria-label=${label} height="64" viewBox="0 0 100 64" preserveAspectRatio="none">
      ${columns.map(
        (count, index) =>
          html`<rect
            x=${index * width + width * 0.06}
            width=${width * 0.88}
            y=${62 - (60 * count) / peak}
            height=${(60 * count) / peak}
            fill=${colour}
            ><title>${binName(low + index * size, size, high)}: ${count} (${percent(count / whole)})</title></rect
          >`,
      )}
      <line class="ground" x1="0" x2="100" y1="62.5" y2="62.5" vector-effect="non-scaling-stroke" />
    </svg>
    <div class="ends quiet" aria-hidden="true"><span>${low}</span><span>${high}</span></div>
  </figure>`;
}

const binName = (from, size, high) => (size === 1 ? `${from}` : `${from} to ${Math.min(from + size - 1, high)}`);

/** The least and the greatest value. @param {Record<string, number>[]} all @returns {[number, number]} */
export function rangeOf(all) {
  const values = all.flatMap((counts) => Object.keys(counts).map(Number));
  return values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];
}

/** @param {Record<string, number>} counts */
export function binned(counts, low, high) {
  const size = Math.max(1, Math.ceil((high - low + 1) / MOST_BARS));
  const columns = Array.from({ length: Math.ceil((high - low + 1) / size) }, () => 0);
  for (const [value, count] of Object.entries(counts)) columns[Math.floor((Number(value) - low) / size)] += count;
  return { columns, size };
}

export { seatColour };
