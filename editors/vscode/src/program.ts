// The program `rulesrun`: found by the setting, started for files.

import { spawn } from "node:child_process";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { findCommand, isFolder, isProgram } from "./command";

/** The folder in which rulesrun works for a file: the one that is open and holds it, or its own. */
export function folderOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
}

/** The path of the program; undefined if there is none, or if the folder is not trusted. */
export async function program(uri?: vscode.Uri): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  const own = uri && vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  return findCommand(vscode.workspace.getConfiguration("rulesrun", uri).get("command", ""), {
    folders: own ? [own, ...folders.filter((folder) => folder !== own)] : folders,
    python: await interpreter(uri),
    path: process.env.PATH ?? process.env.Path ?? "",
    windows: process.platform === "win32",
    isProgram,
    isFolder,
  });
}

interface PythonExtension {
  environments?: { getActiveEnvironmentPath(uri?: vscode.Uri): { path: string } };
}

async function interpreter(uri?: vscode.Uri): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (!extension) return undefined;
  try {
    const api = extension.isActive ? extension.exports : await extension.activate();
    return api.environments?.getActiveEnvironmentPath(uri).path;
  } catch {
    return undefined; // it does without this extension, too
  }
}

/** The path of the program; where it is missing, people are told how to get it. */
export async function programOrHelp(context: vscode.ExtensionContext, uri?: vscode.Uri): Promise<string | undefined> {
  const found = await program(uri);
  if (!found) void help(context, uri);
  return found;
}

let asked = false;

async function help(context: vscode.ExtensionContext, uri?: vscode.Uri): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    if (!vscode.workspace.isTrusted) {
      const manage = "Manage Trust";
      const chosen = await vscode.window.showWarningMessage("rulesrun is not started before you trust this folder.", manage);
      if (chosen === manage) await vscode.commands.executeCommand("workbench.trust.manage");
      return;
    }
    const named = vscode.workspace.getConfiguration("rulesrun", uri).get("command", "");
    const install = "How to Install";
    const settings = "Open Settings";
    const text = `The program rulesrun was not found (the setting rulesrun.command is "${named}").`;
    const chosen = await vscode.window.showErrorMessage(text, install, settings);
    if (chosen === install) {
      await vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.joinPath(context.extensionUri, "INSTALL.md"));
    } else if (chosen === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "rulesrun.command");
    }
  } finally {
    asked = false;
  }
}

/** Run the program and gather what it prints. Stops it when cancelled. */
export function printed(
  command: string,
  args: readonly string[],
  folder: string,
  token: vscode.CancellationToken,
): Promise<{ out: string; complaint: string }> {
  return new Promise((resolve, reject) => {
    const process = spawn(command, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    let out = "";
    let complaint = "";
    process.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    process.stderr.setEncoding("utf8").on("data", (text: string) => (complaint = (complaint + text).slice(-10_000)));
    const cancelled = token.onCancellationRequested(() => process.kill());
    process.on("error", reject);
    process.on("close", () => {
      cancelled.dispose();
      resolve({ out, complaint });
    });
  });
}
