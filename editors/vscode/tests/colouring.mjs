// The grammar at work: what VS Code would colour.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const FILE = new URL("../syntaxes/rulesrun.tmLanguage.json", import.meta.url);

export async function loadGrammar() {
  const wasm = readFileSync(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(FILE, "utf8"), "grammar.json"),
  });
  return registry.loadGrammar("source.rulesrun");
}

/** The tokens of each line. */
export function tokens(grammar, lines) {
  let state = textmate.INITIAL;
  return lines.map((line) => {
    const result = grammar.tokenizeLine(line, state);
    if (result.stoppedEarly) throw new Error(`took too long: ${line}`);
    state = result.ruleStack;
    return result.tokens;
  });
}

const CLASSES = [
  ["comment", /^comment\./],
  ["string", /^string\./],
  ["number", /^constant\.numeric\./],
  ["keyword", /^(keyword|storage|constant\.language)\./],
  ["name", /^(variable|entity\.name)\./],
];

/** The class of a token, as word_classes.py names them. */
export function classOf(scopes) {
  return CLASSES.find(([, pattern]) => scopes.some((scope) => pattern.test(scope)))?.[0] ?? "";
}
