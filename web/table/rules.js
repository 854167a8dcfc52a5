/** The rules that the table goes by, to read; a line of them stands out. */
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { ask } from "../server.js";
import { t } from "../words.js";

/** The texts of a table's rules, by file, once somebody wants them. @param {string} token @param {boolean} wanted */
export function useRules(token, wanted) {
  const [files, setFiles] = useState(/** @type {{name: string, text: string}[]} */ ([]));
  useEffect(() => {
    if (wanted && files.length === 0)
      ask(`/api/tables/${encodeURIComponent(token)}/rules`).then(({ files }) => setFiles(files), () => {}); // prettier-ignore
  }, [token, wanted]);
  return { files, forget: () => setFiles([]) };
}

/** A line of the rules, as it is written. @param {{name: string, text: string}[]} files @param {string} file @param {number} line */
export const lineOf = (files, file, line) =>
  files
    .find(({ name }) => name === file)
    ?.text.split("\n")
    [line - 1]?.trim();

/** @param {{files: {name: string, text: string}[], at: {file?: string, line?: number}, close(): void}} props */
export function RulesToRead({ files, at, close }) {
  const box = useRef(/** @type {any} */ (null));
  useEffect(() => box.current?.showModal(), []);
  useEffect(() => box.current?.querySelector(".marked")?.scrollIntoView({ block: "center" }), [files]);
  const file = files.find(({ name }) => name === at.file) ?? files[0];
  return html`<dialog class="rules" ref=${box} onClose=${close} aria-label=${t("The rules")}>
    <header>
      <h2>${file?.name ?? t("The rules")}</h2>
      <button type="button" autofocus onClick=${() => box.current.close()}>${t("Close")}</button>
    </header>
    <div class="text" tabindex="0" role="region" aria-label=${t("Text of the rules")}>
      ${
        file
          ? file.text
              .trimEnd()
              .split("\n")
              .map(
                (text, index) =>
                  html`<${Line} text=${text} number=${index + 1} marked=${file.name === at.file && index + 1 === at.line} />`,
              )
          : "Reading the rules …"
      }
    </div>
  </dialog>`;
}

function Line({ text, number, marked }) {
  const cut = /^((?:[^"#]|"[^"]*")*)(#.*)$/.exec(text);
  const indent = text.length - text.trimStart().length;
  return html`<p
    class=${`line ${marked ? "marked" : ""} ${indent === 0 && text && !cut ? "head" : ""}`}
    style=${{ "--indent": indent }}
  >
    <span class="number">${number}</span
    ><span>${(cut ? cut[1] : text).trim() || (cut ? "" : "\u00a0")}${cut && html`<em> ${cut[2]}</em>`}</span>
  </p>`;
}
