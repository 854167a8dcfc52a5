"""What the pages of this room have in common: the frame, its style, and texts as HTML.

A page needs no other file and nothing from the net. It fits light, dark and paper.
"""

from __future__ import annotations

from html import escape

from ...words.words import Words

_STYLE = """
:root { --page: #fff; --ink: #1f2430; --quiet: #667; --rule: #d8dce4; --box: #f5f6f9; --first: #2f6fb2; --second: #d2691e;
  --third: #3a8f5c; --fourth: #8a5aa8; --sure: #2e7d4f; --fair: #a06a00; --unsure: #8a3b3b; --gone: #b03030; --come: #22743f;
  --part0: #c9ced8; --part1: #b9d0e6; --part2: #7fa9d3; --part3: #2f6fb2;
  color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --page: #16191f; --ink: #e3e6ec; --quiet: #99a1b0; --rule: #353b47; --box: #1f242d;
  --first: #6aa9e6; --second: #f0965a; --third: #6cc493; --fourth: #c096dc; --sure: #6cc493; --fair: #e0b050; --unsure: #e08a8a;
  --gone: #ee8080; --come: #7ccf98; --part0: #4a5160; --part1: #37536f; --part2: #5587b8; --part3: #9fd0ff; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; color: var(--ink);
  background: var(--page); }
h1 { margin: 0; line-height: 1.2; } h2 { margin: 2.6rem 0 .4rem; padding-top: .4rem; border-top: 2px solid var(--rule); }
h3 { margin: 1.4rem 0 .2rem; font-size: 1rem; } p { margin: .5rem 0; } a { color: var(--first); }
.quiet, .quiet * { color: var(--quiet); fill: var(--quiet); } small { color: var(--quiet); }
code { background: var(--box); padding: 0 .25em; border-radius: 3px; overflow-wrap: anywhere; }
.verdict { font-size: 1.1rem; margin: .5rem 0; } .sure { font-size: .8rem; padding: .05rem .5rem; border-radius: 1rem;
  border: 1px solid; white-space: nowrap; margin-left: .35rem; } .sure.s { color: var(--sure); } .sure.f { color: var(--fair); }
.sure.n { color: var(--unsure); }
.glance { display: grid; gap: .1rem .9rem;
  grid-template-columns: minmax(7rem, 11rem) 1fr; background: var(--box); border-radius: .6rem;
  padding: .8rem 1.1rem; margin: 1rem 0; }
.glance a { font-weight: 600; text-decoration: none; } .glance div { padding: .2rem 0; }
.side { font-weight: 600; } .side::before { content: ""; display: inline-block; width: .7em; height: .7em; border-radius: 50%;
  margin-right: .4em; background: currentColor; } .side.c0 { color: var(--first); } .side.c1 { color: var(--second); }
.dense { font-size: .85rem; } .dense th, .dense td { padding: .15rem .35rem; }
.dense th { white-space: normal; min-width: 5rem; vertical-align: bottom; }
table { border-collapse: collapse; margin: .7rem 0; font-size: .92rem; display: block; overflow-x: auto; max-width: 100%; }
td, th { padding: .18rem .55rem; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td:first-child, th:first-child { text-align: left; padding-left: 0; white-space: normal; min-width: 9rem; }
td.words { text-align: left; white-space: normal; }
thead th { border-bottom: 1px solid var(--quiet); }
tbody tr + tr td { border-top: 1px solid var(--rule); } td b { color: var(--second); }
figure { margin: .6rem 0; } svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; } svg text { fill: var(--ink); }
svg text.quiet { fill: var(--quiet); } .grid { stroke: var(--rule); } .even { stroke: var(--ink); stroke-dasharray: 5 4; }
.part0 { fill: var(--part0); background: var(--part0); } .part1 { fill: var(--part1); background: var(--part1); }
.part2 { fill: var(--part2); background: var(--part2); } .part3 { fill: var(--part3); background: var(--part3); }
.legend span { margin-right: 1.2rem; white-space: nowrap; } .legend i { display: inline-block; width: .8em; height: .8em;
  border-radius: 2px; margin-right: .4em; }
pre { background: var(--box); padding: .7rem .9rem; border-radius: .4rem; overflow-x: auto; font-size: .85rem; line-height: 1.4; }
pre .gone { color: var(--gone); } pre .come { color: var(--come); } details { margin: .4rem 0; } summary { cursor: pointer; }
details pre { max-height: 26rem; } .notice { border-left: 4px solid var(--fair); padding: .2rem .8rem; background: var(--box); }
@media (max-width: 40rem) { .glance { grid-template-columns: 1fr; } td small { display: block; }
  figure { overflow-x: auto; } svg { min-width: 36rem; } }
@media print { body { max-width: none; font-size: 11pt; } h2 { break-after: avoid; }
  figure, table, .glance { break-inside: avoid; }
  details:not([open]) { display: none; } }
"""


def document(mark: bytes, title: str, body: str, words: Words) -> str:
    """A report as a page. ``mark``: how files of its kind begin; ``body``: HTML."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    language = escape(words.language.replace("_", "-"))
    start = f'{mark.decode()}\n<html lang="{language}"><head>{head}<style>{_STYLE}</style></head>'
    return f"{start}\n<body>\n{body}</body></html>\n"


def code(text: str) -> str:
    """Text as a command line or a name."""
    return f"<code>{escape(text)}</code>"


def inline(text: str) -> str:
    """Plain text with words in backticks."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if n % 2 else piece for n, piece in enumerate(pieces))
