// A table beside the rules: the page of `rulesrun serve` in a panel. The server lives as long as the panel.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import * as vscode from "vscode";
import { folderOf, programOrHelp } from "./program";
import { serve, type Server } from "./served";

const panels = new Map<string, vscode.WebviewPanel>();

/** Open the table of a file, or show the one that is open. */
export async function openTable(context: vscode.ExtensionContext, file: vscode.Uri): Promise<void> {
  const key = file.toString();
  const open = panels.get(key);
  if (open) {
    open.reveal();
    return;
  }
  const command = await programOrHelp(context, file);
  if (!command) return;
  const name = basename(file.fsPath, ".rules");
  const panel = vscode.window.createWebviewPanel("rulesrun.table", `Table: ${name}`, vscode.ViewColumn.Beside, {
    enableScripts: true,
    retainContextWhenHidden: true,
  });
  panels.set(key, panel);
  let closed = false;
  let server: Server | undefined;
  panel.onDidDispose(() => {
    closed = true;
    panels.delete(key);
    server?.stop();
  });
  panel.webview.html = saying("The table is being laid ...");
  try {
    server = await started(command, context, file);
    if (closed) return server.stop();
    server.onEnd((words) => closed || (panel.webview.html = saying(words)));
    const own = vscode.Uri.parse(server.address);
    const outside = await vscode.env.asExternalUri(own);
    // The page does not work below a path. Where a proxy adds one, its own address does if the browser is on the same machine.
    if (!closed) panel.webview.html = framing(outside.path === own.path ? outside : own, name);
  } catch (error) {
    if (!closed) panel.webview.html = saying(error instanceof Error ? error.message : String(error));
  }
}

/** A folder of tables serves one server at a time. So each file has its own, and another window a fresh one. */
async function started(command: string, context: vscode.ExtensionContext, file: vscode.Uri): Promise<Server> {
  const tables = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, "tables");
  const own = digest(file.fsPath);
  try {
    return await serve(command, argumentsFor(file, vscode.Uri.joinPath(tables, own)), folderOf(file));
  } catch {
    return await serve(command, argumentsFor(file, vscode.Uri.joinPath(tables, `${own}-${Date.now()}`)), folderOf(file));
  }
}

function argumentsFor(file: vscode.Uri, tables: vscode.Uri): string[] {
  const web = vscode.env.uiKind === vscode.UIKind.Web;
  const frames = web ? "https: http:" : "vscode-webview: vscode-file:";
  return ["serve", file.fsPath, "--port", "0", "--no-open", "--while-input", "--data", tables.fsPath, "--framed-by", frames];
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function page(policy: string, body: string): string {
  const style =
    "html, body, iframe { margin: 0; padding: 0; width: 100%; height: 100%; border: 0 } body { overflow: hidden } pre { padding: 1em; white-space: pre-wrap }";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; ${policy}">
<title>Table</title>
<style>${style}</style>
</head>
<body>${body}</body>
</html>`;
}

function saying(words: string): string {
  return page("", `<pre>${escaped(words)}</pre>`);
}

/** The page on which a table of the game is set up. */
function framing(address: vscode.Uri, game: string): string {
  const origin = `${address.scheme}://${address.authority}`;
  const setUp = `${origin}/#new/${encodeURIComponent(game)}`;
  return page(
    `frame-src ${origin};`,
    `<iframe title="Table" src="${escaped(setUp)}" allow="clipboard-read; clipboard-write; fullscreen"></iframe>`,
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
