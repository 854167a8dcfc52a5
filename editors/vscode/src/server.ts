// The client of the language server, `rulesrun lsp`.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { program, programOrHelp } from "./program";

export class Server {
  private client: LanguageClient | undefined;
  private command: string | undefined;
  private changing: Promise<void> = Promise.resolve();

  constructor(private readonly context: vscode.ExtensionContext) {}

  /** Start the server. Where the program is missing, people are told so if files of rules are open. */
  start(): Promise<void> {
    return this.next(async () => {
      if (this.client) return;
      const open = vscode.workspace.textDocuments.find((document) => document.languageId === "rulesrun");
      const command = await (open ? programOrHelp(this.context, open.uri) : program());
      if (!command) return;
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
      const server: ServerOptions = { command, args: ["lsp"], options: folder === undefined ? {} : { cwd: folder } };
      const options: LanguageClientOptions = {
        documentSelector: [
          { language: "rulesrun", scheme: "file" },
          { language: "rulesrun", scheme: "untitled" },
          { scheme: "file", pattern: "**/*.csv" }, // tables that rules name, before they are saved
        ],
        // The server may offer our commands, such as `rulesrun.run`, and leave the colours of keywords to our grammar.
        initializationOptions: { commands: true, grammar: true },
      };
      const client = new LanguageClient("rulesrun", "rulesrun", server, options);
      this.command = command;
      this.client = client;
      try {
        await client.start();
      } catch (error) {
        this.client = undefined;
        const words = error instanceof Error ? error.message : String(error);
        client.error(`rulesrun lsp did not start: ${words}`, undefined, false);
        void vscode.window.showErrorMessage(
          `The language server did not start (${command} lsp). The output "rulesrun" says more.`,
        );
      }
    });
  }

  stop(): Promise<void> {
    return this.next(async () => {
      const client = this.client;
      this.client = undefined;
      await client?.dispose();
    });
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Start the server again if another program is to be used now. */
  async renew(): Promise<void> {
    if (!this.client || (await program()) !== this.command) await this.restart();
  }

  /** Nothing is started while something is stopped. */
  private next(step: () => Promise<void>): Promise<void> {
    this.changing = this.changing.then(step, step).catch(() => undefined);
    return this.changing;
  }
}
