/**
 * Talks with the server: requests, and a connection to a table that comes back by itself. A page without a server talks with a
 * machine of its own instead (`browser/transport.js`).
 */
import { refusal } from "./words.js";

/** @typedef {{ ask: typeof ask, connect: typeof connect }} Transport */
let other = /** @type {Transport | null} */ (null);

/** Whether a server hosts the tables, so that people at other screens can come. */
export const hasServer = () => other === null;

/** Lets something else do what the server does. @param {Transport} transport */
export function use(transport) {
  other = transport;
}

/**
 * Answers a request, or throws an Error with what the server says is wrong.
 * @param {string} path @param {any} [body] posted as JSON, or as it is if it is a text
 */
export async function ask(path, body = undefined) {
  if (other) return other.ask(path, body);
  const request =
    body === undefined
      ? {}
      : {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: typeof body === "string" ? body : JSON.stringify(body),
        };
  const response = await fetch(path, request);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ? refusal(answer.error) : response.statusText);
  return answer;
}

/** The address of a game's look. @param {string} game */
export async function lookOf(game) {
  if (!other) return `/looks/${game}/look.css`;
  return URL.createObjectURL(new Blob([await other.ask(`/looks/${game}`)], { type: "text/css" }));
}

/** Saves the transcript of a table in a file. @param {string} token */
export async function saveTranscript(token) {
  const text = JSON.stringify(await ask(`/api/tables/${encodeURIComponent(token)}/transcript`), null, 2);
  const href = URL.createObjectURL(new Blob([text + "\n"], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href, download: "game.json" }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

const FIRST_WAIT = 250; // milliseconds before the connection is tried again; twice as long each time
const LONGEST_WAIT = 8000;

/**
 * Opens the connection of a token.
 * @param {string} token
 * @param {(message: any) => void} hear called with each message
 * @param {(state: "open" | "lost" | "refused") => void} tell called when the connection changes
 */
export function connect(token, hear, tell) {
  if (other) return other.connect(token, hear, tell);
  let socket = /** @type {WebSocket | null} */ (null);
  let wait = FIRST_WAIT;
  let timer = 0;
  let ended = false;

  function open() {
    socket = new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/play/${encodeURIComponent(token)}`,
    );
    socket.onopen = () => {
      wait = FIRST_WAIT;
      tell("open");
    };
    socket.onmessage = (event) => hear(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (ended) return;
      if (event.code === 4404) return tell("refused");
      tell("lost");
      timer = window.setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  }

  open();
  return {
    say(message) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close() {
      ended = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
