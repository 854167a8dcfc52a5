/** Moves that can be followed: whatever lies elsewhere than before slides there. */
import { useLayoutEffect, useRef } from "../vendor/preact-htm.js";

const TIME = 320; // milliseconds

const placed = (node) => {
  const { left, top, width, height } = node.getBoundingClientRect();
  return { left: left + scrollX, top: top + scrollY, width, height };
};

/** @param {any} root a ref to the element of the table @param {any} position what it shows @param {any[]} moves of components that had no place of their own */
export function useMoves(root, position, moves) {
  const before = useRef(new Map());
  useLayoutEffect(() => {
    const node = root.current;
    if (!node) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const now = new Map();
    for (const one of node.querySelectorAll("[data-id]")) now.set(one.dataset.id, { one, at: placed(one) });
    if (!calm && before.current.size > 0) {
      const from = new Map(
        moves
          .filter((move) => move.component.id && move.from)
          .map((move) => [move.component.id, `${move.from.zone}/${move.from.owner}`]),
      );
      for (const [id, { one, at }] of now) {
        let old = before.current.get(id);
        if (!old && from.has(id)) {
          const place = `[data-place="${CSS.escape(from.get(id) ?? "")}"]`;
          const zone = node.querySelector(`${place} .fan, ${place}`);
          old = zone && { ...placed(zone) };
        }
        if (!old || Math.abs(old.left - at.left) + Math.abs(old.top - at.top) < 4) continue;
        one.animate(
          [
            { transform: `translate(${old.left - at.left}px, ${old.top - at.top}px)`, zIndex: 9 },
            { transform: "none", zIndex: 9 },
          ],
          { duration: TIME, easing: "ease-out" },
        );
      }
    }
    before.current = new Map([...now].map(([id, { at }]) => [id, at]));
  }, [position]);
}
