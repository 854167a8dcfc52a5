/** What the browser keeps by name. Where it keeps nothing, by its settings or since it is full, this page remembers it. */

/** @param {() => Storage} of may throw, as all that is done with it */
function keeping(of) {
  const here = new Map();
  return {
    /** @param {string} key @returns {string | null} */
    get(key) {
      if (here.has(key)) return here.get(key);
      try {
        return of().getItem(key);
      } catch {
        return null;
      }
    },

    /** @param {string} key @param {string} value */
    set(key, value) {
      here.delete(key);
      try {
        of().setItem(key, value);
      } catch {
        here.set(key, value);
      }
    },
  };
}

/** For later visits. */
export const local = keeping(() => localStorage);

/** For this tab. */
export const session = keeping(() => sessionStorage);
