/** Colours at once, from the words alone; and folding and indentation by how deep lines stand. */
import {
  Decoration,
  EditorView,
  HighlightStyle,
  RangeSetBuilder,
  ViewPlugin,
  StreamLanguage,
  foldService,
  indentService,
  indentUnit,
  syntaxHighlighting,
  tags,
} from "../vendor/codemirror.js";
import { BLOCKS, CONSTANTS, DECLARATIONS, KEYWORDS, PHRASES, SHAPES, STATEMENTS } from "./words.js";

const setOf = (/** @type {string} */ words) => new Set(words.split(" ").filter(Boolean));
const [keywords, constants, shapes] = [KEYWORDS, CONSTANTS, SHAPES].map(setOf);
const blocks = BLOCKS.map((pattern) => new RegExp(pattern));
const WORD = /^[\p{L}\p{Nl}_][\p{L}\p{N}_\u200c\u200d]*/u;

/** The phrases that begin with a word, the longest first. @type {Map<string, RegExp[]>} */
const phrases = new Map();
for (const phrase of PHRASES) {
  const words = phrase.split(" ");
  const found = phrases.get(words[0]) ?? [];
  phrases.set(words[0], [...found, new RegExp(`^${words.join("\\s+")}(?![\\p{L}\\p{N}_])`, "u")]);
}

const parser = {
  name: "rulesrun",
  startState: () => ({ own: /** @type {Set<string> | null} */ (null), declares: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (stream.sol()) state.own = null;
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^[0-9]+/)) return "number";
    const word = stream.match(WORD, false)?.[0];
    if (!word) {
      stream.next();
      state.declares = false;
      return null;
    }
    const declares = state.declares;
    state.declares = false;
    if (state.own === null) {
      const declaration = Object.hasOwn(DECLARATIONS, word) && stream.indentation() <= 4;
      state.own = setOf((declaration ? DECLARATIONS[word] : Object.hasOwn(STATEMENTS, word) ? STATEMENTS[word] : "") || "");
      if (declaration || Object.hasOwn(STATEMENTS, word)) {
        state.declares = declaration && stream.indentation() === 0;
        if (!phrases.get(word)?.some((phrase) => stream.match(phrase))) stream.match(WORD);
        return "keyword";
      }
    }
    if (!declares && phrases.get(word)?.some((phrase) => stream.match(phrase))) return "keyword";
    stream.match(WORD);
    if (declares && !keywords.has(word)) return "definition";
    if (constants.has(word)) return "atom";
    if (shapes.has(word) && state.own.has(word)) return "modifier";
    return keywords.has(word) || state.own.has(word) ? "keyword" : "name";
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", '"'] } },
  tokenTable: { definition: tags.definition(tags.name), modifier: tags.modifier, name: tags.name },
};

const colours = HighlightStyle.define(
  Object.entries({
    keyword: tags.keyword,
    comment: tags.comment,
    string: tags.string,
    number: tags.number,
    constant: tags.atom,
    modifier: tags.modifier,
    definition: tags.definition(tags.name),
  }).map(([name, tag]) => ({ tag, class: `r-${name}` })),
);

const depth = (/** @type {string} */ text) => (/^[ \t]*/.exec(text)?.[0] ?? "").replaceAll("\t", "    ").length;

/** The lines below a line that stand deeper. */
function fold(state, from, to) {
  const first = state.doc.lineAt(from);
  if (!first.text.trim()) return null;
  const own = depth(first.text);
  let end = to;
  for (let number = first.number + 1; number <= state.doc.lines; number++) {
    const line = state.doc.line(number);
    if (!line.text.trim()) continue;
    if (depth(line.text) <= own) break;
    end = line.to;
  }
  return end > to ? { from: to, to: end } : null;
}

/** The depth of the first line with text in a direction, null if there is none. */
function depthBeside(doc, number, step) {
  for (let at = number + step; at >= 1 && at <= doc.lines; at += step) {
    const { text } = doc.line(at);
    if (text.trim()) return depth(text);
  }
  return null;
}

/**
 * A new line stands as deep as the last one with text, deeper where that one begins a block, or as deep as the block below it; the
 * language server may move it.
 */
function indent(context, at) {
  const { doc } = context.state;
  const { number } = doc.lineAt(at);
  const broken = context.options.simulateBreak !== undefined ? context.lineAt(at, -1).text : "";
  const rest = context.options.simulateBreak !== undefined ? context.lineAt(at, 1).text : doc.lineAt(at).text;
  const above = broken.trim()
    ? depth(broken) + (blocks.some((block) => block.test(broken)) ? 4 : 0)
    : depthBeside(doc, number, -1);
  return Math.max(above ?? 0, !rest.trim() && isInBlock(doc, number, above) ? (depthBeside(doc, number, 1) ?? 0) : 0);
}

/** Whether the lines below a line stand deeper than what is above. */
const isInBlock = (doc, number, above) => above !== null && (depthBeside(doc, number, 1) ?? 0) > above;

/** Whether an empty line is the first in a block that goes on below. */
export const beginsBlock = (doc, number) => isInBlock(doc, number, depthBeside(doc, number, -1));

export const rules = StreamLanguage.define(parser);

const DEEPEST = 32;
const deep = Array.from({ length: DEEPEST / 4 + 1 }, (_, index) => Decoration.line({ class: `deep-${4 * index}` }));

/** Says how deep each line stands, so that what does not fit into it goes on below in the right place (playground.css). */
const wrapping = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.decorations = this.found(view);
    }
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = this.found(update.view);
    }
    found(view) {
      const builder = new RangeSetBuilder();
      for (const { from, to } of view.visibleRanges) {
        for (let at = from; at <= to;) {
          const line = view.state.doc.lineAt(at);
          builder.add(line.from, line.from, deep[Math.min(DEEPEST / 4, Math.floor(depth(line.text) / 4))]);
          at = line.to + 1;
        }
      }
      return builder.finish();
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** What an editor of rules needs before anybody answers. */
export const rulesLanguage = [
  rules,
  syntaxHighlighting(colours),
  foldService.of(fold),
  indentService.of(indent),
  indentUnit.of("    "),
  wrapping,
  EditorView.lineWrapping,
];
