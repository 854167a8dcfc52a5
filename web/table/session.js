/** A table as it is now: hears the server's messages, lets them be seen one after the other, and sends what is asked. */
import { useEffect, useReducer, useRef, useState } from "../vendor/preact-htm.js";
import { connect } from "../server.js";
import { isFixed, learn, refusal, speak, t } from "../words.js";

const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 60 : 450; // milliseconds for which a position is shown before the next one
const HURRY = 8; // waiting positions from which none is waited for

const START = {
  table: null, position: null, moves: [], log: [], people: { present: [], watching: 0, names: [] }, hint: null, undo: null, rules: null,
  findings: null, film: null, review: null, reasons: {}, trouble: "", news: "", errors: 0,
}; // prettier-ignore

const alike = (one, other) => one && JSON.stringify([one.zones, one.kinds]) === JSON.stringify([other.zones, other.kinds]);

/** What the table is after a message. @param {any} state @param {any} message */
export function heard(state, message) {
  switch (message.type) {
    case "table":
      // Also when a lost connection is back: until the position comes, the one before is shown.
      return {
        ...state, table: message, log: [], position: alike(state.table, message) ? state.position : null,
        undo: null, rules: null, findings: null, review: null,
      }; // prettier-ignore
    case "position":
      return {
        ...state, position: message, moves: message.moves ?? message.events.flatMap((event) => event.moves), hint: null, reasons: {}, trouble: "",
        news: "", log: message.again ? message.log : [...state.log, ...message.log],
      }; // prettier-ignore
    case "refused":
      if (message.position !== state.position?.number) return state;
      return {
        ...state,
        reasons: { ...state.reasons, [message.option]: message },
        errors: state.errors + (message.asked ? 0 : 1),
      };
    case "hint":
      return { ...state, hint: message, news: message.options.length > 0 ? "" : t("There is no hint here.") };
    case "undo":
    case "rules":
      return { ...state, ...answered(message, state.table.seat), [message.type]: message.waiting.length > 0 ? message : null };
    case "findings":
    case "film":
      return { ...state, [message.type]: message };
    case "review":
      return { ...state, review: { ...message, acts: [...(state.review?.acts ?? []), ...message.acts] } };
    case "people":
      return { ...state, people: message };
    case "note":
      return { ...state, news: t("Your note is kept, with this moment of the game.") };
    case "error":
      return { ...state, trouble: refusal(message), errors: state.errors + 1 };
    case "clear":
      return { ...state, ...message.what };
    default:
      return state;
  }
}

/** What is told of an answer to what somebody asked for. */
function answered({ type, done, refused_by: against, asked_by: asker }, seat) {
  if (against) return { news: t("{player} does not agree.", { player: t("player {number}", { number: against }) }) };
  if (!done) return {};
  if (type === "rules") return { findings: null, news: t("The game goes on under the new rules.") };
  return asker === seat
    ? {}
    : { news: t("The last act of {player} was taken back.", { player: t("player {number}", { number: asker }) }) };
}

/** @param {string} token */
export function useSession(token) {
  const [state, hear] = useReducer(heard, START);
  const [line, setLine] = useState("opening");
  const connection = useRef(/** @type {any} */ (null));
  const reviewing = useRef(false); // whether a review was asked for that has not come to its end
  useEffect(() => {
    /** @type {any[]} */
    let waiting = [];
    let timer = 0;
    let shownAt = 0;
    const show = () => {
      timer = 0;
      while (waiting.length > 0) {
        const [message] = waiting;
        const early = shownAt + PACE - performance.now();
        if (
          message.type === "position" &&
          early > 0 &&
          waiting.length < HURRY &&
          message.events.some((event) => event.moves.length > 0)
        ) {
          timer = window.setTimeout(show, early);
          return;
        }
        waiting.shift();
        shownAt = message.type === "position" ? performance.now() : message.type === "table" ? -PACE : shownAt;
        if (message.type === "review") reviewing.current = !message.done;
        hear(message);
      }
    };
    const take = async (/** @type {any} */ message) => {
      if (message.type === "table") {
        learn(message.said);
        if (!isFixed()) await speak(message.speaks ?? "en");
        waiting = [];
        if (reviewing.current) connection.current.say({ type: "review" });
      }
      waiting.push(message);
      if (timer === 0) show();
    };
    let taken = Promise.resolve(); // what has come is taken in its order, once the words of the table are there
    const hearing = (/** @type {any} */ message) => void (taken = taken.then(() => take(message)));
    connection.current = connect(token, hearing, setLine);
    return () => {
      clearTimeout(timer);
      connection.current.close();
    };
  }, [token]);
  const say = (message) => {
    if (message.type === "review") reviewing.current = true;
    if (message.type === "hint") hear({ type: "clear", what: { news: t("A search thinks about it …") } });
    connection.current.say(message);
  };
  return { state, line, say, clear: (what) => hear({ type: "clear", what }) };
}
