import assert from "node:assert/strict";
import test from "node:test";
import { expectation, inWords, report, resultOf, testsIn, unitsBefore } from "../dist/tests/results.mjs";
import { games } from "./games.mjs";

const TEXT = `game x
    players 2
test "one: two"  # a comment

    players Ann, Bob
# between
    expect 1 is 1

test "last"
    setup
variant other
    needs players is 2
    test "not a test"
`;

test("tests are found at the left edge, with what belongs to them", () => {
  assert.deepEqual(testsIn(TEXT), [
    { title: "one: two", line: 2, end: 6 },
    { title: "last", line: 8, end: 9 },
  ]);
  assert.deepEqual(testsIn(TEXT.replaceAll("\n", "\r\n")), testsIn(TEXT));
});

test("the shipped games have tests", () => {
  for (const { path, lines } of games()) assert.ok(testsIn(lines.join("\n")).length > 0, path);
});

test("results are found again where lines have moved", () => {
  const results = [
    { title: "a", line: 10, passed: true },
    { title: "a", line: 20, passed: false },
    { title: "b", line: 3, passed: true },
  ];
  assert.equal(resultOf({ title: "a", line: 19, end: 20 }, results).passed, false);
  assert.equal(resultOf({ title: "a", line: 8, end: 9 }, results).passed, true);
  assert.equal(resultOf({ title: "c", line: 2, end: 3 }, results), undefined);
});

test("what is no report is an error that can be shown", () => {
  assert.deepEqual(report('{"tests": [], "findings": []}', "").tests, []);
  assert.throws(() => report("", "Error: No such option"), /No such option/);
  assert.throws(() => report("{}", ""), /another kind/);
});

test("findings in words", () => {
  const finding = {
    code: "R502",
    message: "count of x is 3, and 4 is expected",
    help: "change one",
    acts: ["Ann: go"],
    places: [],
  };
  assert.equal(inWords(finding), "count of x is 3, and 4 is expected\nchange one\n\nAnn: go");
  assert.deepEqual(expectation(finding), { expected: "4", actual: "3" });
  assert.equal(expectation({ ...finding, message: "Ann cannot go" }), undefined);
});

test("columns count characters", () => {
  assert.equal(unitsBefore('"🂡" x', 5), 5);
  assert.equal(unitsBefore("abc", 2), 1);
});
