/** Links that hold a game: base64url of deflated JSON `{"files": {name: text}, "open": name}`. */
import { MOST_BYTES, MOST_FILES, wrongName } from "./files.js";

/** Says to people why a link cannot be opened. */
export class BadLink extends Error {}

/** Says that rules are too large for a link. */
export class TooLarge extends Error {}

/** What stands after `#` in a link to a project. Raises `TooLarge`. @param {import("./files.js").Project} project */
export async function encode({ files, open }) {
  const plain = new TextEncoder().encode(JSON.stringify({ files, open }));
  if (plain.length > MOST_BYTES) {
    const [bytes, most] = [plain.length, MOST_BYTES].map((count) => count.toLocaleString("en"));
    throw new TooLarge(`These rules are too large for a link: they have ${bytes} bytes, and a link holds ${most}.`);
  }
  const packed = await new Response(new Blob([plain]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  let text = "";
  for (const byte of new Uint8Array(packed)) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The project in a link. Raises `BadLink`.
 * @param {string} text what stands after `#`
 * @returns {Promise<import("./files.js").Project>}
 */
export async function decode(text) {
  const plain = await inflated(bytesOf(text));
  let found;
  try {
    found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
  } catch {
    throw new BadLink("The link is damaged: it holds no rules.");
  }
  return checked(found);
}

/** @param {string} text */
function bytesOf(text) {
  if (!/^[\w-]+$/.test(text)) throw new BadLink("The link is damaged: there are characters in it that cannot be in a link.");
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw new BadLink("The link is cut off. Ask for it again, and copy all of it.");
  }
}

/** @param {Uint8Array<ArrayBuffer>} packed */
async function inflated(packed) {
  const parts = [];
  let bytes = 0;
  try {
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      if (bytes > MOST_BYTES) {
        reader.cancel().catch(() => {});
        break;
      }
      parts.push(value);
    }
  } catch {
    throw new BadLink("The link is cut off or damaged. Ask for it again, and copy all of it.");
  }
  if (bytes > MOST_BYTES)
    throw new BadLink(`The link holds more than ${MOST_BYTES.toLocaleString("en")} bytes, which is too much.`);
  return new Blob(parts).arrayBuffer();
}

/** @param {any} found @returns {import("./files.js").Project} */
export function checked(found) {
  const isObject = (/** @type {unknown} */ value) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(found) || !isObject(found.files)) throw new BadLink("The link holds something other than rules.");
  const files = Object.entries(found.files);
  if (files.length === 0) throw new BadLink("There is no file in the link.");
  if (files.length > MOST_FILES) throw new BadLink(`The link holds more than ${MOST_FILES} files, which is too many.`);
  for (const [name, text] of files) {
    const wrong = wrongName(name);
    if (wrong) throw new BadLink(`A file in the link has a name that is not allowed. ${wrong}`);
    if (typeof text !== "string") throw new BadLink("A file in the link is not text.");
  }
  if (!files.some(([name]) => name.endsWith(".rules"))) throw new BadLink("There are no rules in the link.");
  const names = files.map(([name]) => name);
  const open = names.includes(found.open) ? found.open : names.find((name) => name.endsWith(".rules"));
  return { files: Object.fromEntries(files), open };
}
