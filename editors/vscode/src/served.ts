// A server of tables in the background.

import { spawn } from "node:child_process";

export interface Server {
  /** The address of its page. */
  address: string;
  stop(): void;
  /** Called when it ends by itself, with its last words. */
  onEnd(listener: (words: string) => void): void;
}

const SECONDS = 30; // until its address must be there

/** The address in what `rulesrun serve` has printed so far. */
export function addressIn(printed: string): string | undefined {
  return /^tables at (https?:\/\/\S+)/m.exec(printed)?.[1];
}

/** Start a server and wait for its address. Its input stays open as long as this process lives. Raises an error with its own words if it ends before. */
export function serve(command: string, args: readonly string[], folder: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const process = spawn(command, args, { cwd: folder, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    let printed = "";
    let words = "";
    let ended: ((words: string) => void) | undefined;
    const stop = () => void process.kill();
    const timer = setTimeout(() => {
      process.kill();
      reject(new Error(`no table after ${SECONDS} seconds`));
    }, SECONDS * 1000);
    process.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (printed.length > 10_000) return;
      printed += text;
      const address = addressIn(printed);
      if (!address) return;
      clearTimeout(timer);
      resolve({ address, stop, onEnd: (listener) => (ended = listener) });
    });
    process.stderr.setEncoding("utf8").on("data", (text: string) => (words = (words + text).slice(-10_000)));
    process.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    process.on("close", (code) => {
      clearTimeout(timer);
      const said = words.trim() || `rulesrun serve ended (${code ?? "stopped"})`;
      reject(new Error(said));
      ended?.(said);
    });
  });
}
