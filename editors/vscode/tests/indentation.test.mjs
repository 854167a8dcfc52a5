// Enter indents after lines that open a block, as the shipped games show. Lines that offer a choice (`pass`) open a block or none,
// and nothing in them says which: after these the writer indents.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { games } from "./games.mjs";

const MISSED = 0.15; // share of the lines that open a block and are not known for it
const INDENTED = 0.01; // lines after which nothing is deeper, although Enter would indent: for each that opens a block

const configuration = JSON.parse(readFileSync(new URL("../language-configuration.json", import.meta.url), "utf8"));
const opening = configuration.onEnterRules.map((rule) => new RegExp(rule.beforeText.pattern));
const depth = (line) => line.search(/\S/);

test("Enter indents after lines that open a block", () => {
  let opened = 0;
  const missed = [];
  const indented = [];
  for (const { path, lines } of games()) {
    const said = lines.filter((line) => line.trim() && !line.trim().startsWith("#"));
    said.forEach((line, number) => {
      const opens = number + 1 < said.length && depth(said[number + 1]) === depth(line) + 4;
      const known = opening.some((pattern) => pattern.test(line));
      opened += Number(opens);
      if (opens && !known) missed.push(`${path}: ${line}`);
      if (known && !opens) indented.push(`${path}: ${line}`);
    });
  }
  console.log(
    `${opened} lines open a block; ${missed.length} are not known for it; ${indented.length} others are taken for such`,
  );
  assert.ok(opened > 900);
  assert.ok(missed.length <= MISSED * opened, missed.join("\n"));
  assert.ok(indented.length <= INDENTED * opened, indented.join("\n"));
});
