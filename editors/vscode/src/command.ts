// Where the program `rulesrun` is.

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** What the search knows of this machine. */
export interface Surroundings {
  /** The folders that are open, the one of the file first. */
  folders: readonly string[];
  /** The interpreter, or the folder of its environment, that the Python extension has chosen. */
  python: string | undefined;
  path: string;
  windows: boolean;
  isProgram(path: string): boolean;
  isFolder(path: string): boolean;
}

export const DEFAULT = "rulesrun";
const ENVIRONMENTS = [".venv", "venv"];

/** The path of the program that a setting names; undefined if there is none. */
export function findCommand(setting: string, around: Surroundings): string | undefined {
  const named = setting.trim() || DEFAULT;
  return candidates(named, around).find((path) => around.isProgram(path));
}

function* paths(named: string, around: Surroundings): Generator<string> {
  if (named.startsWith("~")) yield join(homedir(), named.slice(1));
  else if (named.includes("${workspaceFolder}"))
    yield* around.folders.map((folder) => named.replaceAll("${workspaceFolder}", folder));
  else if (isAbsolute(named)) yield named;
  else yield* around.folders.map((folder) => resolve(folder, named));
}

function candidates(named: string, around: Surroundings): string[] {
  const found: string[] = [];
  const isPath = /[/\\]/.test(named) || named.startsWith("~") || named.startsWith("${") || named.startsWith(".");
  if (isPath) {
    for (const path of paths(named, around))
      found.push(...(around.isFolder(path) ? inEnvironment(path, around) : programs(path, around)));
    return found;
  }
  for (const folder of around.path.split(delimiter)) if (folder) found.push(...programs(join(folder, named), around));
  if (named !== DEFAULT) return found;
  if (around.python)
    found.push(...inEnvironment(around.isFolder(around.python) ? around.python : join(around.python, "../.."), around));
  for (const folder of around.folders) for (const name of ENVIRONMENTS) found.push(...inEnvironment(join(folder, name), around));
  return found;
}

function inEnvironment(folder: string, around: Surroundings): string[] {
  return programs(join(folder, around.windows ? "Scripts" : "bin", DEFAULT), around);
}

/** Node starts no `.cmd` and no `.bat` by itself. */
function programs(path: string, around: Surroundings): string[] {
  return [around.windows && !/\.exe$/i.test(path) ? `${path}.exe` : path];
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
