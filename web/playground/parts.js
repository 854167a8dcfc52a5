/** Small parts that panes share: tabs, what is shown while something runs, choices of a table. */
import { html, useRef, useState } from "../vendor/preact-htm.js";

/**
 * Tabs that can be walked with arrow keys.
 * @param {{label: string, tabs: {id: string, title: any, badge?: any, name?: string}[], chosen: string, choose: (id: string) => void, panel: string, rename?: (id: string) => void}} props
 */
export function Tabs({ label, tabs, chosen, choose, panel, rename }) {
  const row = useRef(/** @type {HTMLElement | null} */ (null));
  const walk = (event) => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (event.key === "F2" && rename) {
      event.preventDefault();
      rename(chosen);
    }
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    choose(next.id);
    /** @type {HTMLElement | null} */ (row.current?.querySelector(`[data-tab="${CSS.escape(next.id)}"]`))?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${label} ref=${row} onKeyDown=${walk}>
    ${tabs.map(
      (tab) =>
        html`<button
          key=${tab.id}
          type="button"
          role="tab"
          data-tab=${tab.id}
          id=${`${panel}-tab-${tab.id}`}
          aria-selected=${tab.id === chosen ? "true" : "false"}
          aria-controls=${panel}
          tabindex=${tab.id === chosen ? 0 : -1}
          onClick=${() => choose(tab.id)}
          onDblClick=${rename && (() => rename(tab.id))}
        >
          ${tab.title}${tab.badge}
        </button>`,
    )}
  </div>`;
}

/**
 * A field whose text stays while somebody writes in it, whatever else happens to the page.
 * @param {{value: any, set: (text: string) => void, [attribute: string]: any}} props
 */
export function Field({ value, set, ...more }) {
  const [draft, write] = useState(/** @type {string | null} */ (null));
  const take = (event) => {
    write(null);
    set(event.target.value);
  };
  return html`<input ...${more} value=${draft ?? value} onInput=${(event) => write(event.target.value)} onChange=${take} />`;
}

/** What stands above an answer: that it is awaited, or that there is none. */
export function Waiting({ answer, desk, what }) {
  if (answer.trouble)
    return html`<div class="trouble-box" role="alert">
      <p class=${answer.trouble.includes("\n") ? "text" : undefined}>${answer.trouble}</p>
      <button type="button" onClick=${answer.again}>Try again</button>
    </div>`;
  if (answer.value !== null) return null;
  return html`<p class="quiet waiting" role="status">${desk.ready ? what : desk.loading}</p>`;
}

/** The seats, variants and options of a table. @param {{desk: any, table: any}} props */
export function TableChoice({ desk, table }) {
  const { players, variants, options } = desk.table;
  if (!table) return null;
  const [least, most] = table.players;
  const chosen = Object.keys(options).length + variants.length;
  return html`${
    least < most &&
    html`<label class="field"
      ><span>Players</span>
      <select value=${String(players || least)} onChange=${(event) => desk.setTable({ players: Number(event.target.value) })}>
        ${Array.from({ length: most - least + 1 }, (_, index) => html`<option value=${String(least + index)}>${least + index}</option>`)}
      </select></label
    >`
  }
  ${
    table.variants.length + table.options.length > 0 &&
    html`<details class="drop">
      <summary>Variants and options${chosen > 0 && html` <span class="badge">${chosen}</span>`}</summary>
      <div class="drop-box">
        ${table.variants.map(
          (variant) =>
            html`<label class="check"
              ><input
                type="checkbox"
                checked=${variants.includes(variant.name)}
                onChange=${(event) =>
                  desk.setTable({
                    variants: event.target.checked
                      ? [...variants, variant.name]
                      : variants.filter((name) => name !== variant.name),
                  })}
              />
              <span>${variant.title || variant.name}</span></label
            >`,
        )}
        ${table.options.map((option) => html`<${Option} option=${option} desk=${desk} />`)}
      </div>
    </details>`
  }`;
}

function Option({ option, desk }) {
  const { options } = desk.table;
  const value = options[option.name] ?? "";
  const set = (event) => {
    const { [option.name]: _old, ...others } = options;
    desk.setTable({ options: event.target.value === "" ? others : { ...others, [option.name]: event.target.value } });
  };
  return html`<label class="field"
    ><span>${option.title ?? option.name.replaceAll("_", " ")}</span> ${
      option.values?.length
        ? html`<select value=${value} onChange=${set}>
            <option value="">as in the rules (${String(option.default)})</option>
            ${option.values.map((one) => html`<option value=${String(one)}>${String(one)}</option>`)}
          </select>`
        : html`<${Field}
            value=${value}
            placeholder=${String(option.default)}
            set=${(text) => set({ target: { value: text } })}
          />`
    }</label
  >`;
}

/** How many, with the word for it. */
export const counted = (/** @type {number} */ count, one, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
