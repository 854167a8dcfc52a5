/** Markdown as HTML that is safe: of tags only some, of attributes only addresses, and those only to this site or by https. */
import { Marked } from "../vendor/codemirror.js";

const TAGS = new Set("a b blockquote br code dd dl dt em h1 h2 h3 h4 hr i kbd li ol p pre q s small span strong table tbody td th thead tr ul".split(" ")); // prettier-ignore
const DROPPED = new Set(["script", "style", "template", "iframe", "object", "noscript", "svg", "math"]); // with all that is in them
const CLASS = /^(r-[a-z]+ ?)+$/;

/** HTML without what could do anything. @param {string} html */
export function sanitised(html) {
  const inert = new DOMParser().parseFromString(html, "text/html");
  const safe = document.createElement("div");
  copy(inert.body, safe);
  return safe.innerHTML;
}

/** @param {Node} from @param {Node} to */
function copy(from, to) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.appendChild(document.createTextNode(node.textContent ?? ""));
    if (!(node instanceof Element)) continue;
    const tag = node.localName;
    if (DROPPED.has(tag)) continue;
    const found = TAGS.has(tag) ? to.appendChild(document.createElement(tag)) : to;
    const href = node.getAttribute("href");
    if (found instanceof HTMLAnchorElement && href !== null && /^(https:\/\/|#|\.{0,2}\/|[\w-]+(\/|$))/.test(href)) {
      found.href = href;
      found.target = "_blank";
      found.rel = "noopener noreferrer";
    }
    const name = node.getAttribute("class") ?? "";
    if (found !== to && CLASS.test(name)) /** @type {Element} */ (found).className = name;
    copy(node, found);
  }
}

const marked = new Marked();

/** @param {string} text */
export const htmlOf = (text) => sanitised(/** @type {string} */ (marked.parse(text, { async: false })));
