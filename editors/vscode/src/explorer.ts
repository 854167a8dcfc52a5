// The tests of files of rules in the Test Explorer.

import { resolve } from "node:path";
import * as vscode from "vscode";
import { folderOf, printed, programOrHelp } from "./program";
import {
  expectation,
  inWords,
  report,
  resultOf,
  testsIn,
  unitsBefore,
  type CoveredLine,
  type Finding,
  type FoundTest,
  type Report,
} from "./results";

const FILES = "**/*.rules";
const LEFT_OUT = "**/{node_modules,.venv,venv}/**";

export class Explorer {
  private readonly controller = vscode.tests.createTestController("rulesrun", "rulesrun");
  private readonly found = new WeakMap<vscode.TestItem, FoundTest>();
  private readonly details = new WeakMap<vscode.FileCoverage, vscode.StatementCoverage[]>();

  constructor(private readonly context: vscode.ExtensionContext) {
    const { controller } = this;
    const run = controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request) => this.run(request), true);
    const covering = controller.createRunProfile(
      "Run with Coverage",
      vscode.TestRunProfileKind.Coverage,
      (request) => this.run(request, true),
      true,
    );
    covering.loadDetailedCoverage = async (_run, file) => this.details.get(file) ?? [];
    controller.resolveHandler = async (item) => (item ? this.readFile(item) : this.findFiles());
    controller.refreshHandler = () => this.findFiles();
    const watcher = vscode.workspace.createFileSystemWatcher(FILES);
    context.subscriptions.push(
      controller,
      run,
      covering,
      watcher,
      watcher.onDidCreate((uri) => void this.readUri(uri)),
      watcher.onDidChange((uri) => void this.readUri(uri)),
      watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
      vscode.workspace.onDidOpenTextDocument((document) => this.readDocument(document)),
      vscode.workspace.onDidChangeTextDocument((change) => this.readDocument(change.document)),
    );
    vscode.workspace.textDocuments.forEach((document) => this.readDocument(document));
    void this.findFiles();
  }

  /** Run the tests of a file, or the one with a title. */
  async runFile(uri: vscode.Uri, title?: string): Promise<void> {
    const file = await this.readUri(uri);
    if (!file) {
      void vscode.window.showInformationMessage("There are no tests in this file.");
      return;
    }
    const items = [...file.children]
      .map(([, item]) => item)
      .filter((item) => title === undefined || this.found.get(item)?.title === title);
    const running = this.run(new vscode.TestRunRequest(title === undefined || !items.length ? [file] : items));
    void vscode.commands.executeCommand("workbench.panel.testResults.view.focus");
    await running;
  }

  // ---- Finding tests

  private async findFiles(): Promise<void> {
    const uris = await vscode.workspace.findFiles(FILES, LEFT_OUT);
    const there = new Set(uris.map(String));
    for (const [id] of this.controller.items) if (!there.has(id) && !documentOf(id)) this.controller.items.delete(id);
    await Promise.all(uris.map((uri) => this.readUri(uri)));
  }

  private async readFile(item: vscode.TestItem): Promise<void> {
    if (item.uri) await this.readUri(item.uri);
  }

  private async readUri(uri: vscode.Uri): Promise<vscode.TestItem | undefined> {
    const document = documentOf(uri.toString());
    try {
      return this.read(uri, document ? document.getText() : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    } catch {
      this.controller.items.delete(uri.toString()); // it is gone
      return undefined;
    }
  }

  private readDocument(document: vscode.TextDocument): void {
    if (document.languageId === "rulesrun" && document.uri.scheme === "file") this.read(document.uri, document.getText());
  }

  /** Lists the tests of a text. The item of a file is kept, so that its results stay. */
  private read(uri: vscode.Uri, text: string): vscode.TestItem | undefined {
    const tests = testsIn(text);
    const id = uri.toString();
    if (!tests.length) {
      this.controller.items.delete(id);
      return undefined;
    }
    const file = this.controller.items.get(id) ?? this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    const seen = new Map<string, number>();
    const items = tests.map((test, number) => {
      const count = (seen.get(test.title) ?? 0) + 1;
      seen.set(test.title, count);
      const own = `${count} ${test.title}`;
      const item = file.children.get(own) ?? this.controller.createTestItem(own, test.title, uri);
      item.range = new vscode.Range(test.line, 0, test.line, 0);
      item.sortText = String(number).padStart(6, "0");
      this.found.set(item, test);
      return item;
    });
    file.children.replace(items);
    this.controller.items.add(file);
    return file;
  }

  // ---- Running tests

  private async run(request: vscode.TestRunRequest, covering = false): Promise<void> {
    const run = this.controller.createTestRun(request);
    try {
      for (const [file, items] of this.chosen(request)) {
        if (run.token.isCancellationRequested) break;
        items.forEach((item) => run.started(item));
        await this.runItems(run, file, items, covering);
      }
    } finally {
      run.end();
    }
  }

  /** The tests of a request, by file. */
  private chosen(request: vscode.TestRunRequest): Map<vscode.TestItem, vscode.TestItem[]> {
    const left = new Set(request.exclude);
    const chosen = new Map<vscode.TestItem, vscode.TestItem[]>();
    const all = request.include ?? [...this.controller.items].map(([, item]) => item);
    for (const item of all) {
      const file = item.parent ?? item;
      const items = item.parent ? [item] : [...item.children].map(([, child]) => child);
      const before = chosen.get(file) ?? [];
      if (!left.has(file)) chosen.set(file, [...before, ...items.filter((one) => !left.has(one) && !before.includes(one))]);
    }
    return chosen;
  }

  private async runItems(
    run: vscode.TestRun,
    file: vscode.TestItem,
    items: readonly vscode.TestItem[],
    covering: boolean,
  ): Promise<void> {
    const uri = file.uri as vscode.Uri;
    const wrong = (messages: vscode.TestMessage | vscode.TestMessage[]) => items.forEach((item) => run.errored(item, messages));
    const command = await programOrHelp(this.context, uri);
    if (!command) return wrong(new vscode.TestMessage("The program rulesrun was not found."));
    await documentOf(uri.toString())?.save();
    let found: Report;
    try {
      const args = ["test", uri.fsPath, "--format", "json", ...(covering ? ["--coverage"] : [])];
      run.appendOutput(`rulesrun ${args.join(" ")}\r\n`);
      const { out, complaint } = await printed(command, args, folderOf(uri), run.token);
      if (run.token.isCancellationRequested) return items.forEach((item) => run.skipped(item));
      found = report(out, complaint);
    } catch (error) {
      return wrong(new vscode.TestMessage(error instanceof Error ? error.message : String(error)));
    }
    const folder = folderOf(uri);
    if (found.findings.length) return wrong(await Promise.all(found.findings.map((finding) => message(finding, folder, uri))));
    const results = found.tests.filter((result) => resolve(folder, result.path) === uri.fsPath);
    for (const item of items) {
      const result = resultOf(this.found.get(item) as FoundTest, results);
      if (!result) {
        run.skipped(item);
        continue;
      }
      run.appendOutput(`${result.passed ? "passed" : "FAILED"}  ${result.title}\r\n`, undefined, item);
      const messages = await Promise.all(result.findings.map((finding) => message(finding, folder, uri)));
      if (result.passed) run.passed(item, result.seconds * 1000);
      else run.failed(item, messages, result.seconds * 1000);
    }
    for (const coverage of found.coverage ?? []) this.cover(run, coverage.lines, folder);
  }

  private cover(run: vscode.TestRun, lines: readonly CoveredLine[], folder: string): void {
    const files = new Map<string, vscode.StatementCoverage[]>();
    for (const { path, line, reached, tests } of lines) {
      const times = reached === "never" ? 0 : tests.counted ? Math.max(tests.reached, 1) : true;
      const range = new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);
      files.set(path, [...(files.get(path) ?? []), new vscode.StatementCoverage(times, range)]);
    }
    for (const [path, statements] of files) {
      const coverage = vscode.FileCoverage.fromDetails(vscode.Uri.file(resolve(folder, path)), statements);
      this.details.set(coverage, statements);
      run.addCoverage(coverage);
    }
  }
}

function documentOf(id: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === id);
}

/** A finding at its place. */
async function message(finding: Finding, folder: string, uri: vscode.Uri): Promise<vscode.TestMessage> {
  const expected = expectation(finding);
  const made = expected
    ? vscode.TestMessage.diff(inWords(finding), expected.expected, expected.actual)
    : new vscode.TestMessage(inWords(finding));
  const place = finding.places[0];
  if (place) {
    const file = vscode.Uri.file(resolve(folder, place.path));
    const document = documentOf(file.toString());
    const line = document && place.line <= document.lineCount ? document.lineAt(place.line - 1).text : undefined;
    const column = line === undefined ? place.column - 1 : unitsBefore(line, place.column);
    made.location = new vscode.Location(file, new vscode.Range(place.line - 1, column, place.line - 1, line?.length ?? column));
  } else made.location = new vscode.Location(uri, new vscode.Position(0, 0));
  return made;
}
