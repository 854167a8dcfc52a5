/**
 * What can be chosen: options as sequences of things to point at. No drawing here.
 *
 * An option is a path of steps. A step is named by keys; whatever on the table has one of them can be clicked for it: `id:...` a
 * component, `cell:zone/owner/name` a cell, `player:2`, `word:list/...`, `number:...`,
 * `way:...` a direction.
 */

/** @typedef {{keys: string[], text: string, type: string}} Step */
/** @typedef {{option: any, path: Step[]}} Choice */

/** @param {{zone: string, owner: number}} place @param {string} cell */
export const cellKey = (place, cell) => `cell:${place.zone}/${place.owner}/${cell}`;

const COMPASS = {
  north: [0, 1], south: [0, -1], east: [1, 0], west: [-1, 0], northeast: [1, 1], northwest: [-1, 1], southeast: [1, -1], southwest: [-1, -1],
}; // prettier-ignore
const COMPASS_OF_HEXAGONS = { ...COMPASS, northeast: [0, 1], southwest: [0, -1] };

/**
 * Where a step in a direction can be pointed at: the next cell there, and if something lies on it, the empty one behind it.
 * @param {any} grid @param {any} place where the step begins @param {string} direction @param {Set<string>} taken
 * @returns {string[]}
 */
function ahead(grid, place, direction, taken) {
  const way = (grid?.hexagonal ? COMPASS_OF_HEXAGONS : COMPASS)[direction];
  const from = grid?.places.find((one) => one.cell === place.cell);
  if (!way || from?.x === undefined) return [];
  const found = [];
  for (let far = 1; far <= grid.width + grid.height && found.length < 2; far++) {
    const next = grid.places.find((one) => one.x === from.x + far * way[0] && one.y === from.y + far * way[1]);
    if (next) found.push(cellKey(place, next.cell));
  }
  const [first, behind] = found;
  if (!first) return [];
  return taken.has(first) && behind && !taken.has(behind) ? [first, behind] : [first];
}

/**
 * The steps of one argument.
 * @param {any} argument
 * @param {{boxed: Set<string>, taken: Set<string>, grids: Map<string, any>}} around the components in the box, the cells that are
 *   taken, the grids by name
 * @returns {Step[]}
 */
function stepsOf(argument, around) {
  const { type, text, place } = argument;
  switch (type) {
    case "component": {
      // Of equal components, those on the table are meant before those in the box.
      const out = argument.ids.filter((id) => !around.boxed.has(id));
      return [{ type, text, keys: (out.length > 0 ? out : argument.ids).map((id) => `id:${id}`) }];
    }
    case "cell":
      return [{ type, text, keys: [cellKey(place, place.cell)] }];
    case "way":
      return place.cells.map((cell) => ({ type: "cell", text: cell, keys: [cellKey(place, cell)] }));
    case "step": {
      const steps = place.cells.map((cell) => ({ type: "cell", text: cell, keys: [cellKey(place, cell)] }));
      if (argument.direction)
        steps.push({
          type: "way",
          text: argument.direction_label ?? argument.direction,
          keys: [`way:${argument.direction}`, ...ahead(around.grids.get(place.zone), place, argument.direction, around.taken)],
        });
      return steps;
    }
    case "player":
      return [{ type, text, keys: [`player:${argument.player}`] }];
    case "word":
      return [{ type, text, keys: [`word:${argument.list}/${argument.value}`] }];
    default:
      return [{ type, text, keys: [`${type}:${argument.value ?? text}`] }];
  }
}

/** @param {any} decision @param {any} view @param {any} table @returns {Choice[]} */
export function choicesOf(decision, view, table) {
  const zones = view?.zones ?? [];
  const boxes = zones.filter((zone) => zone.zone.startsWith("box of "));
  const around = {
    boxed: new Set(boxes.flatMap((zone) => zone.components.map((thing) => thing.id))),
    taken: new Set(
      zones.flatMap((zone) => zone.components.flatMap((thing) => (thing.cells ?? []).map((cell) => cellKey(zone, cell)))),
    ),
    grids: new Map(table.zones.map((about) => [about.name, about.grid])),
  };
  return (decision?.options ?? []).map((option) => ({
    option,
    path: option.arguments.flatMap((argument) => stepsOf(argument, around)),
  }));
}

/** The choices that begin with what was picked. @param {Choice[]} choices @param {string[]} picked @param {string | null} verb */
export function matching(choices, picked, verb) {
  return choices.filter(
    ({ option, path }) =>
      (verb === null || option.verb === verb) && picked.every((key, index) => path[index]?.keys.includes(key)),
  );
}

/**
 * What clicking does next: the keys that lead on, those that do not and why, and the steps by verb.
 * @param {Choice[]} choices @param {string[]} picked @param {string | null} verb
 */
export function nextOf(choices, picked, verb) {
  const legal = new Set();
  /** @type {Map<string, any>} */
  const refused = new Map();
  /** @type {Map<string, {verb: string, whole: Choice[], steps: Map<string, {step: Step, choices: Choice[]}>}>} */
  const verbs = new Map();
  for (const choice of matching(choices, picked, verb)) {
    const { option, path } = choice;
    const step = path[picked.length];
    if (!verbs.has(option.verb)) verbs.set(option.verb, { verb: option.verb, whole: [], steps: new Map() });
    const group = /** @type {any} */ (verbs.get(option.verb));
    if (!step) group.whole.push(choice);
    else {
      const name = `${step.type} ${step.text}`;
      if (!group.steps.has(name)) group.steps.set(name, { step, choices: [] });
      group.steps.get(name).choices.push(choice);
      for (const key of step.keys) {
        if (option.legal) legal.add(key);
        else if (!refused.has(key) || (!refused.get(key).line && option.line)) refused.set(key, option);
      }
    }
  }
  for (const key of legal) refused.delete(key);
  return { legal, refused, verbs: [...verbs.values()] };
}

/**
 * What follows from picking a key.
 * @param {Choice[]} choices @param {string[]} picked @param {string | null} verb @param {string[]} keys of the thing that was clicked
 * @returns {{act?: any, picked?: string[], refused?: any}}
 */
export function pick(choices, picked, verb, keys) {
  const next = nextOf(choices, picked, verb);
  const key = keys.find((one) => next.legal.has(one));
  if (key === undefined) {
    const refused = keys.map((one) => next.refused.get(one)).find(Boolean);
    return refused ? { refused } : {};
  }
  const now = [...picked, key];
  const left = matching(choices, now, verb).filter(({ option }) => option.legal);
  if (left.length === 1) return { act: left[0].option };
  return { picked: now };
}
