// The extension: what VS Code calls when a file of rules is opened.

import * as vscode from "vscode";
import { Explorer } from "./explorer";
import { Server } from "./server";
import { openTable } from "./table";
import { IN_TERMINAL, PROVIDER, inTerminal } from "./terminal";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const explorer = new Explorer(context);
  const started = (server = new Server(context));
  const register = (name: string, action: (file: vscode.Uri, title?: string) => Promise<void>) =>
    vscode.commands.registerCommand(`rulesrun.${name}`, async (argument?: unknown, title?: unknown) => {
      const file = await saved(argument);
      if (file) await action(file, typeof title === "string" ? title : undefined);
    });
  context.subscriptions.push(
    ...IN_TERMINAL.map((name) => register(name, (file) => inTerminal(context, name, file))),
    register("test", (file, title) => explorer.runFile(file, title)),
    register("table", (file) => openTable(context, file)),
    vscode.commands.registerCommand("rulesrun.restart", () => started.restart()),
    vscode.tasks.registerTaskProvider("rulesrun", PROVIDER),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("rulesrun.command")) void started.renew();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void started.start()),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.languageId === "rulesrun") void started.start();
    }),
  );
  void started.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** The file that an argument names, or the one of the active editor. It is saved first: commands read it from the disk. */
async function saved(argument: unknown): Promise<vscode.Uri | undefined> {
  const uri = named(argument) ?? vscode.window.activeTextEditor?.document.uri;
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri?.toString());
  if (document && (document.isDirty || document.isUntitled) && !(await document.save())) return undefined;
  const file = document?.isUntitled ? vscode.window.activeTextEditor?.document.uri : uri;
  if (file?.scheme === "file") return file;
  void vscode.window.showInformationMessage("Open a file of rules first.");
  return undefined;
}

function named(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  return typeof argument === "string" ? vscode.Uri.parse(argument, true) : undefined;
}
