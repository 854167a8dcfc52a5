/** What the compiler makes of the rules, stage by stage. */
import { html, useState } from "../../vendor/preact-htm.js";
import { useAnswer } from "../answers.js";
import { TableChoice, Waiting, counted } from "../parts.js";

const STAGES = [
  ["tree", "Tree", "the sentences, taken apart"],
  ["model", "Model", "names and types"],
  ["table", "Table", "the rules for these players, variants and options"],
  ["machine", "Machine", "what is executed"],
  ["wat", "WebAssembly", "what your browser runs"],
];
const MOST = 400_000; // letters that are shown

export function Machine({ desk, table, active }) {
  const [stage, choose] = useState("machine");
  const { seed: _seed, ...params } = desk.tableParams();
  const answer = useAnswer(desk, "show", { stage, ...params }, { active, seconds: 30 });
  const text = answer.value?.text ?? "";
  return html`<div class="whole">
    <div class="controls">
      <fieldset class="steps">
        <legend class="read">Stage of the compiler</legend>
        ${STAGES.map(
          ([name, title]) =>
            html`<label
              ><input type="radio" name="stage" checked=${stage === name} onChange=${() => choose(name)} /><span
                >${title}</span
              ></label
            >`,
        )}
      </fieldset>
      <${TableChoice} desk=${desk} table=${table} />
    </div>
    <p class="quiet told">
      ${STAGES.find(([name]) => name === stage)?.[2]}${text && `: ${counted(text.split("\n").length, "line")}`}
    </p>
    <${Waiting} answer=${answer} desk=${desk} what="Compiling …" />
    ${text && html`<pre class=${`output plain-text ${answer.old ? "old" : ""}`} tabindex="0" aria-label="Text of the stage">${text.slice(0, MOST)}${text.length > MOST && "\n…"}</pre>`}
  </div>`;
}
