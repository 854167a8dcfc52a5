/** Questions to the compiler that a pane asks anew when the rules have changed. */
import { useEffect, useRef, useState } from "../vendor/preact-htm.js";

const PAUSE = 500; // milliseconds without a change before a question is asked again

/**
 * @typedef {{value: any, before: any, trouble: string, busy: boolean, old: boolean, again: () => void}} Answer
 * `value`: the last answer; `before`: the one before that was to the same question about other rules; `old`: the rules have changed since.
 */

/**
 * The answer to a question about the rules as they are now.
 * @param {any} desk
 * @param {string} method
 * @param {object} params without the files
 * @param {{active: boolean, seconds?: number}} how
 * @returns {Answer}
 */
export function useAnswer(desk, method, params, { active, seconds = 30 }) {
  const { ready } = desk; // as it is drawn now: the desk itself may have changed when an effect runs
  const question = JSON.stringify([desk.book, params]);
  const key = `${desk.revision} ${question}`;
  const [found, set] = useState({ value: null, before: null, trouble: "", key: "", question: "", busy: false });
  const [times, again] = useState(0);
  const last = useRef(found);
  last.current = found;
  const asked = useRef(times);
  useEffect(() => {
    if (!active || !ready || (last.current.key === key && asked.current === times)) return;
    let stale = false;
    const known = last.current;
    const timer = setTimeout(
      async () => {
        set((now) => ({ ...now, busy: true }));
        const before = known.question === question ? known.value : null;
        const answer = { before, key, question, busy: false };
        try {
          const value = await desk.latest(method, params, { seconds });
          if (!stale) set({ ...answer, value, trouble: "" });
        } catch (error) {
          if (!stale)
            set({
              ...answer,
              value: known.value,
              before: known.before,
              question: known.question,
              trouble: /** @type {Error} */ (error).message,
            });
        }
        if (!stale) asked.current = times;
      },
      known.key && known.question === question && asked.current === times ? PAUSE : 0,
    );
    return () => {
      stale = true;
      clearTimeout(timer);
      set((now) => (now.busy ? { ...now, busy: false } : now));
    };
  }, [key, active, ready, times]);
  return { ...found, old: found.key !== key, again: () => again((count) => count + 1) };
}
