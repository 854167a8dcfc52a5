// Commands that run in a terminal, as tasks: their arguments need no quotes, and what they print stays when they have ended.

import { basename } from "node:path";
import * as vscode from "vscode";
import { folderOf, program, programOrHelp } from "./program";

const ARGUMENTS: Record<string, (file: string) => string[]> = {
  run: (file) => [file],
  play: (file) => ["play", file],
  check: (file) => ["check", file],
  simulate: (file) => ["simulate", file],
};
const TITLES: Record<string, string> = { run: "", play: "play ", check: "check ", simulate: "simulate " };

export const IN_TERMINAL = Object.keys(ARGUMENTS);

function task(command: string, name: string, file: vscode.Uri, definition?: vscode.TaskDefinition): vscode.Task {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const made = new vscode.Task(
    definition ?? { type: "rulesrun", command: name, file: file.fsPath },
    folder ?? vscode.TaskScope.Workspace,
    `${TITLES[name]}${basename(file.fsPath)}`,
    "rulesrun",
    new vscode.ProcessExecution(command, ARGUMENTS[name](file.fsPath), { cwd: folderOf(file) }),
  );
  made.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    focus: name === "play",
    panel: vscode.TaskPanelKind.Dedicated,
    clear: true,
    showReuseMessage: false,
  };
  return made;
}

/** Run one of `IN_TERMINAL` for a file. */
export async function inTerminal(context: vscode.ExtensionContext, name: string, file: vscode.Uri): Promise<void> {
  const command = await programOrHelp(context, file);
  if (command) await vscode.tasks.executeTask(task(command, name, file));
}

/** Tasks that people write into `tasks.json`. */
export const PROVIDER: vscode.TaskProvider = {
  provideTasks: () => [],
  async resolveTask(written) {
    const { command: name, file } = written.definition;
    if (typeof name !== "string" || typeof file !== "string" || !IN_TERMINAL.includes(name)) return undefined;
    const folder = typeof written.scope === "object" ? written.scope : vscode.workspace.workspaceFolders?.[0];
    const uri = folder && !/^([/\\~]|[a-z]:)/i.test(file) ? vscode.Uri.joinPath(folder.uri, file) : vscode.Uri.file(file);
    const command = await program(uri);
    return command ? task(command, name, uri, written.definition) : undefined;
  },
};
