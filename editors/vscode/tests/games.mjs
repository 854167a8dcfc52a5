// The shipped games.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Each game: its path below the root of the project, and its lines. */
export function games() {
  return ["games", "games/classics", "games/designs"].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".rules"))
      .map((name) => join(folder, name))
      .map((path) => ({ path, lines: readFileSync(join(ROOT, path), "utf8").split("\n") })),
  );
}
