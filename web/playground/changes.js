/** Which lines of a text were not in the text before. */

const MOST = 4_000_000; // comparisons: longer texts are compared from both ends only

/**
 * For each line of `now`, whether it is new; and after which lines something has gone.
 * @param {string[]} before
 * @param {string[]} now
 * @returns {{fresh: Set<number>, gone: Set<number>}} numbers of lines of `now`, from 0; `gone` has -1 for the beginning
 */
export function changes(before, now) {
  let start = 0;
  while (start < before.length && start < now.length && before[start] === now[start]) start++;
  let end = 0;
  while (end < before.length - start && end < now.length - start && before.at(-1 - end) === now.at(-1 - end)) end++;
  const [old, fresh] = [before.slice(start, before.length - end), now.slice(start, now.length - end)];
  const kept = old.length * fresh.length > MOST ? [] : common(old, fresh);
  const found = { fresh: new Set(/** @type {number[]} */ ([])), gone: new Set(/** @type {number[]} */ ([])) };
  let [one, two] = [0, 0];
  for (const [was, is] of [...kept, [old.length, fresh.length]]) {
    for (let line = two; line < is; line++) found.fresh.add(start + line);
    if (was > one && is === two) found.gone.add(start + is - 1);
    [one, two] = [was + 1, is + 1];
  }
  return found;
}

/** The longest common subsequence, as pairs of numbers. @param {string[]} one @param {string[]} two */
function common(one, two) {
  const width = two.length + 1;
  const length = new Uint16Array((one.length + 1) * width);
  for (let at = one.length - 1; at >= 0; at--)
    for (let to = two.length - 1; to >= 0; to--)
      length[at * width + to] =
        one[at] === two[to]
          ? length[(at + 1) * width + to + 1] + 1
          : Math.max(length[(at + 1) * width + to], length[at * width + to + 1]);
  const found = [];
  for (let at = 0, to = 0; at < one.length && to < two.length;) {
    if (one[at] === two[to]) found.push([at++, to++]);
    else if (length[(at + 1) * width + to] >= length[at * width + to + 1]) at++;
    else to++;
  }
  return found;
}
