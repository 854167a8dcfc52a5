// Builds the modules that do not need VS Code, and runs all tests.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = fileURLToPath(new URL("..", import.meta.url));
await build({
  absWorkingDir: folder,
  entryPoints: ["src/command.ts", "src/results.ts", "src/served.ts"],
  outdir: "dist/tests",
  outExtension: { ".js": ".mjs" },
  format: "esm",
  platform: "node",
});
const files = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.mjs"));
const ran = spawnSync(process.execPath, ["--test", ...files.map((name) => `tests/${name}`)], { cwd: folder, stdio: "inherit" });
process.exitCode = ran.status ?? 1;
