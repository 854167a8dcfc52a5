/** A table as it is now: hears the server's messages, lets them be seen one after the other, and sends what is asked. */
import { useEffect, useReducer, useRef, useState } from "../vendor/preact-htm.js";
import { connect } from "../server.js";

const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 60 : 450; // milliseconds for which a position is shown before the next one
const HURRY = 8; // waiting positions from which none is waited for

const START = {
  table: null, position: null, moves: [], log: [], people: { present: [], watching: 0, names: [] }, hint: null, undo: null, rules: null,
  findings: null, film: null, review: null, reasons: {}, trouble: "",
}; // prettier-ignore

/** @param {any} state @param {any} message */
export function heard(state, message) {
  switch (message.type) {
    case "table":
      return { ...state, table: message, log: [], position: null };
    case "position":
      return {
        ...state, position: message, moves: message.moves ?? message.events.flatMap((event) => event.moves), hint: null, reasons: {}, trouble: "",
        log: message.again ? message.log : [...state.log, ...message.log],
      }; // prettier-ignore
    case "refused":
      if (message.position !== state.position?.number) return state;
      return {
        ...state,
        reasons: { ...state.reasons, [message.option]: message },
        trouble: message.asked ? state.trouble : message.reason,
      };
    case "hint":
    case "undo":
    case "rules":
    case "findings":
    case "film":
      return {
        ...state,
        [message.type]: message.done && message.type !== "hint" ? null : message,
        trouble: message.refused_by ? "Somebody said no." : state.trouble,
      };
    case "review":
      return { ...state, review: { ...message, acts: [...(state.review?.acts ?? []), ...message.acts] } };
    case "people":
      return { ...state, people: message };
    case "note":
      return { ...state, noted: message };
    case "error":
      return { ...state, trouble: [message.text, message.help].filter(Boolean).join(". ") };
    case "clear":
      return { ...state, ...message.what };
    default:
      return state;
  }
}

/** @param {string} token */
export function useSession(token) {
  const [state, hear] = useReducer(heard, START);
  const [line, setLine] = useState("opening");
  const connection = useRef(/** @type {any} */ (null));
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
        if (message.type === "position") shownAt = performance.now();
        hear(message);
      }
    };
    connection.current = connect(
      token,
      (message) => {
        if (message.type === "table") waiting = [];
        waiting.push(message);
        if (timer === 0) show();
      },
      setLine,
    );
    return () => {
      clearTimeout(timer);
      connection.current.close();
    };
  }, [token]);
  return { state, line, say: (message) => connection.current.say(message), clear: (what) => hear({ type: "clear", what }) };
}
