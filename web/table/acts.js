/** Acts that no thing on the table stands for: buttons, and a slider where there are many numbers. */
import { html, useContext, useEffect, useState } from "../vendor/preact-htm.js";
import { t } from "../words.js";
import { Hands, Spot } from "./spot.js";

const MANY = 10; // numbers from which there is a slider
const NEXT_BIDS = 4; // numbers that have a button beside the slider
const SHOWN_REFUSED = 14; // choices of a verb up to which refused ones are shown, too

/** @param {{onTable: Set<string>, about: string, back(): void, verb: string | null, setVerb(verb: string | null): void}} props */
export function Acts({ onTable, about, back, verb, setVerb }) {
  const hand = useContext(Hands);
  const { verbs } = hand.next;
  const groups = verbs
    .map((group) => groupOf(group, onTable))
    .filter((group) => group.whole.length + group.buttons.length + group.numbers.length > 0);
  const words = [
    ...new Set(verbs.filter((group) => [...group.steps.values()].some(isLegal)).map((group) => group.verb.replace(/[:：]$/, ""))),
  ];
  const stepping = hand.picked.length > 0 || verb !== null;
  const onThings = verbs.some((group) =>
    [...group.steps.values()].some((one) => isLegal(one) && one.step.keys.some((key) => onTable.has(key))),
  );
  return html`<div class="acts" role="group" aria-label=${t("What you can do")}>
    <p class="prompt">
      ${about && html`<b>${about.replaceAll("_", " ")}</b> `} ${stepping && html`<span>${hand.trail}</span> `}
      ${onThings && html`<span class="quiet">${t("{acts}: choose what glows", { acts: words.reduce((first, last) => t("{first} or {last}", { first, last })) })}</span>`}
    </p>
    ${groups.map((group) => html`<${Group} key=${group.verb} group=${group} several=${groups.length > 1} setVerb=${setVerb} />`)}
    ${stepping && html`<button type="button" class="plain" onClick=${back}>${t("Back")} <kbd>Esc</kbd></button>`}
  </div>`;
}

const isLegal = ({ choices }) => choices.some(({ option }) => option.legal);

function groupOf(group, onTable) {
  const steps = [...group.steps.values()];
  const loose = steps.filter(
    ({ step }) => !["component", "cell"].includes(step.type) || !step.keys.some((key) => onTable.has(key)),
  );
  const numbers = loose
    .filter((one) => one.step.type === "number" && isLegal(one))
    .map(({ step }) => ({ key: step.keys[0], value: Number(step.text) }));
  const slide = numbers.length > MANY;
  const rest = loose.filter((one) => !(slide && one.step.type === "number"));
  // What is refused is shown beside what is not, as long as it is few, and never a thing that is not on the table.
  const buttons = rest.filter(
    (one) =>
      isLegal(one) || (rest.length <= SHOWN_REFUSED && rest.some(isLegal) && !["component", "cell"].includes(one.step.type)),
  );
  return {
    verb: group.verb,
    whole: group.whole,
    buttons,
    numbers: slide ? numbers.sort((one, two) => one.value - two.value) : [],
  };
}

function Group({ group, several, setVerb }) {
  const hand = useContext(Hands);
  const verb = group.verb.replaceAll("_", " ");
  return html`<div class="group">
    ${group.whole.map(({ option }) => html`<${Whole} key=${option.number} option=${option} />`)}
    ${group.buttons.length + group.numbers.length > 0 && html`<span class="verb">${verb}</span>`}
    ${group.buttons.map(
      ({ step }) =>
        html`<${Spot} key=${`${step.type} ${step.text}`} keys=${step.keys} label=${`${verb} ${step.text}`} class="word"
          ><span aria-hidden="true">${hand.nameOf(step)}</span><//
        >`,
    )}
    ${group.numbers.length > 0 && html`<${Numbers} verb=${verb} numbers=${group.numbers} />`}
  </div>`;
}

function Whole({ option }) {
  const hand = useContext(Hands);
  const tell = (event) => !option.legal && hand.why(option, event.currentTarget);
  const quiet = () => hand.why(null, null);
  return html`<button
    type="button"
    class=${`spot whole ${option.legal ? "can" : "cannot"} ${hand.hinted.has(`option:${option.number}`) ? "hinted" : ""}`}
    aria-disabled=${option.legal ? undefined : "true"}
    onClick=${() => hand.take(option)}
    onMouseEnter=${tell}
    onMouseLeave=${quiet}
    onFocus=${tell}
    onBlur=${quiet}
  >
    ${option.text.replaceAll("_", " ")}
  </button>`;
}

function Numbers({ verb, numbers }) {
  const hand = useContext(Hands);
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [numbers[0].value]);
  const chosen = numbers[Math.min(at, numbers.length - 1)];
  return html`${numbers.slice(0, NEXT_BIDS).map(({ key, value }) => html`<${Spot} key=${key} keys=${[key]} label=${`${verb} ${value}`} class="word"><span aria-hidden="true">${value}</span><//>`)}
    <input
      type="range"
      min="0"
      max=${numbers.length - 1}
      value=${at}
      aria-label=${verb}
      aria-valuetext=${chosen.value}
      onInput=${(event) => setAt(Number(event.target.value))}
    />
    <button type="button" class="spot word can" onClick=${() => hand.choose([chosen.key], `${verb} ${chosen.value}`)}>
      ${verb} ${chosen.value}
    </button>`;
}
