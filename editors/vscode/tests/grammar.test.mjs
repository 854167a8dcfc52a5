// Colours every word of the shipped games as the parser takes it.
//
// editors/word_classes.py says how the parser takes each word. It needs a Python with rulesrun: RULESRUN_PYTHON names it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { classOf, loadGrammar, tokens } from "./colouring.mjs";
import { ROOT, games } from "./games.mjs";

const MOST_DIFFERENT = 0; // words of all games that may be coloured otherwise than the parser takes them

test("words are coloured as the parser takes them", async () => {
  const python = process.env.RULESRUN_PYTHON ?? "python3";
  const paths = games().map(({ path }) => path);
  const printed = execFileSync(python, ["editors/word_classes.py", ...paths], { cwd: ROOT, maxBuffer: 1e9, encoding: "utf8" });
  const classes = JSON.parse(printed);
  const grammar = await loadGrammar();
  const different = [];
  let words = 0;
  for (const { path, lines } of games()) {
    const coloured = tokens(grammar, lines);
    for (const [line, column, length, kind] of classes[path]) {
      words += 1;
      const own = coloured[line].filter((token) => token.startIndex < column + length && token.endIndex > column);
      const found = [...new Set(own.map((token) => classOf(token.scopes)))].join("+") || "nothing";
      const word = lines[line].slice(column, column + length);
      if (found !== kind)
        different.push(`${path}:${line + 1}: \`${word}\` is a ${kind}, coloured as ${found}: ${lines[line].trim()}`);
    }
  }
  console.log(`${paths.length} games, ${words} words, ${different.length} coloured otherwise`);
  assert.ok(words > 30_000);
  assert.ok(different.length <= MOST_DIFFERENT, different.join("\n"));
});

test("what is half written does not colour the lines after it", async () => {
  const grammar = await loadGrammar();
  const lines = ["define half: (side / 2", "zone hand of player: set of card, private", 'title en "open', "phase play"];
  const coloured = tokens(grammar, lines);
  const first = (line) => classOf(coloured[line][0].scopes);
  assert.deepEqual([first(0), first(1), first(3)], ["keyword", "keyword", "keyword"]);
});
