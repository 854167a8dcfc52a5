/** The page: shows what the address after `#` names. */
import { html, render, useEffect, useState } from "./vendor/preact-htm.js";
import { Library } from "./pages/library.js";
import { SetUp } from "./pages/set_up.js";
import { Table } from "./pages/table.js";
import { Plays } from "./pages/plays.js";
import { speak, wanted } from "./words.js";

function Page() {
  const [address, go] = useState(location.hash.slice(1));
  useEffect(() => {
    const changed = () => go(location.hash.slice(1));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const cut = address.indexOf("/");
  const page = cut < 0 ? address : address.slice(0, cut);
  const rest = cut < 0 ? "" : decoded(address.slice(cut + 1));
  if (page === "new") return html`<${SetUp} key=${rest} game=${rest} />`;
  if (page === "table") return html`<${Table} key=${rest} token=${rest} />`;
  if (page === "plays") return html`<${Plays} key=${rest} secret=${rest} />`;
  return html`<${Library} />`;
}

/** What an address means, or the address itself where it means nothing. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

await speak(wanted());
render(html`<${Page} />`, /** @type {Element} */ (document.getElementById("app")));
