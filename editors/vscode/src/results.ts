// Tests in files of rules, and what `rulesrun test --format json --coverage` says about them (docs/schemas/test.json).

/** A test in the text of a file. Lines count from 0. */
export interface FoundTest {
  title: string;
  line: number;
  /** The last line that belongs to it. */
  end: number;
}

const TEST = /^test\s+"([^"]*)"/;

/** The tests of a text, as far as lines tell. */
export function testsIn(text: string): FoundTest[] {
  const found: FoundTest[] = [];
  let open: FoundTest | undefined;
  text.split(/\r\n|\r|\n/).forEach((line, number) => {
    if (/^\s*(#|$)/.test(line)) return;
    if (/^\S/.test(line)) {
      const title = TEST.exec(line)?.[1];
      open = title === undefined ? undefined : { title, line: number, end: number };
      if (open) found.push(open);
    } else if (open) open.end = number;
  });
  return found;
}

export interface Place {
  path: string;
  line: number;
  column: number;
  text: string;
}

export interface Finding {
  code: string;
  severity: "error" | "warning";
  message: string;
  help: string;
  acts: string[];
  places: Place[];
}

export interface TestResult {
  path: string;
  line: number;
  title: string;
  passed: boolean;
  seconds: number;
  findings: Finding[];
}

export interface CoveredLine {
  path: string;
  line: number;
  reached: "reached" | "partly" | "never";
  tests: { reached: number; counted: boolean };
  note: string;
}

export interface Report {
  tests: TestResult[];
  /** Why a file has no tests that can be run. */
  findings: Finding[];
  coverage?: { path: string; lines: CoveredLine[] }[];
}

/** What the command printed, as a value. Raises an error that can be shown if it is none. */
export function report(printed: string, complaint: string): Report {
  let value: unknown;
  try {
    value = JSON.parse(printed);
  } catch {
    throw new Error(complaint.trim() || "rulesrun printed no results");
  }
  const found = value as Partial<Report> | null;
  if (!Array.isArray(found?.tests) || !Array.isArray(found.findings)) throw new Error("rulesrun printed results of another kind");
  return found as Report;
}

/** The result of a test. Its line tells it, and its title where lines have moved since; of tests with one title, the nearest. */
export function resultOf(test: FoundTest, results: readonly TestResult[]): TestResult | undefined {
  const away = (result: TestResult) => Math.abs(result.line - 1 - test.line);
  return results.filter((result) => result.title === test.title).sort((a, b) => away(a) - away(b))[0];
}

/** A finding in words: what is wrong, what may help, and the last acts of the game. */
export function inWords(finding: Finding): string {
  const acts = finding.acts.length ? `\n\n${finding.acts.join("\n")}` : "";
  return `${finding.message}${finding.help ? `\n${finding.help}` : ""}${acts}`;
}

/** What it expected and what it found, where a finding says so (R502). */
export function expectation(finding: Finding): { expected: string; actual: string } | undefined {
  const found = /^(.*) is (.*), and (.*) is expected$/s.exec(finding.message);
  return found ? { actual: found[2], expected: found[3] } : undefined;
}

/** Columns of rulesrun count characters from 1; those of editors count UTF-16 units from 0. */
export function unitsBefore(line: string, column: number): number {
  return Array.from(line)
    .slice(0, column - 1)
    .join("").length;
}
