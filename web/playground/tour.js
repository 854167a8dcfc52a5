/** The guided tour: a lesson above the editor. */
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact-htm.js";
import { tour } from "./kept.js";
import { htmlOf } from "./markdown.js";

/** A lesson's text, and what is to be done, which is its last paragraph. @param {string} text */
function parts(text) {
  const cut = text.trimEnd().lastIndexOf("\n\n");
  const part = (/** @type {string} */ some) => ({ __html: htmlOf(some) });
  return cut < 0 ? { text: part(text), task: null } : { text: part(text.slice(0, cut)), task: part(text.slice(cut)) };
}

export function Tour({ desk }) {
  const lesson = desk.lessons?.[desk.lesson - 1];
  const { text, task } = useMemo(() => parts(lesson?.text ?? ""), [lesson]);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [sure, ask] = useState(false);
  const [small, fold] = useState(false); // whether only what is to be done is shown
  useEffect(() => {
    box.current?.scrollTo(0, 0);
    ask(false);
    fold(false);
  }, [lesson]);
  if (!lesson)
    return html`<section class="tour" aria-label="Tour">
      <p class="quiet" role="status">
        ${desk.lessons ? "This lesson is missing." : "The tour comes with the compiler, which is loading …"}
      </p>
    </section>`;
  const whole = desk.lessons.length;
  const { solved } = tour();
  return html`<section class=${`tour ${small ? "small" : ""}`} aria-labelledby="lesson-title">
    <header>
      <h2 id="lesson-title"><small class="quiet">Lesson ${desk.lesson} of ${whole}</small> ${lesson.title}</h2>
      <button type="button" class="plain fold" aria-expanded=${small ? "false" : "true"} onClick=${() => fold(!small)}>
        ${small ? "Show the lesson" : "Hide the lesson"}
      </button>
      <button
        type="button"
        class="plain close"
        aria-label="Leave the tour"
        title="Leave the tour"
        onClick=${() => desk.leaveTour()}
      >
        ✕
      </button>
    </header>
    <nav class="dots" aria-label="Lessons">
      ${desk.lessons.map(
        (one, index) =>
          html`<a
            href=${`#tour/${index + 1}`}
            class=${solved[index + 1] ? "solved" : ""}
            aria-current=${index + 1 === desk.lesson ? "step" : undefined}
            aria-label=${`Lesson ${index + 1}: ${one.title}${solved[index + 1] ? ", solved" : ""}`}
            title=${one.title}
            >${solved[index + 1] ? "✓" : index + 1}</a
          >`,
      )}
    </nav>
    <div
      class="lesson"
      ref=${box}
      tabindex="0"
      role="group"
      aria-label="Text of the lesson"
      dangerouslySetInnerHTML=${text}
    ></div>
    ${task && html`<div class="task" dangerouslySetInnerHTML=${task}></div>`}
    <div class="end" role="status">
      ${
        desk.solved.done
          ? html`<div class="solved">
              <b aria-hidden="true">✓</b> <span dangerouslySetInnerHTML=${{ __html: htmlOf(lesson.done || "Solved.") }}></span>
            </div>`
          : desk.solved.missing && html`<p class="missing">${desk.solved.missing}</p>`
      }
    </div>
    <div class="steps-of-tour">
      <button type="button" disabled=${desk.lesson === 1} onClick=${() => desk.openLesson(desk.lesson - 1)}>Back</button>
      <button
        type="button"
        class=${desk.solved.done ? "main" : ""}
        disabled=${desk.lesson === whole}
        onClick=${() => desk.openLesson(desk.lesson + 1)}
      >
        Next
      </button>
      <span class="space"></span>
      <button type="button" class="plain" onClick=${() => desk.writeLesson(lesson.rules)}>Start again</button>
      ${
        sure || desk.solved.done
          ? html`<button type="button" class="plain" onClick=${() => desk.writeLesson(lesson.solution)}>
              ${desk.solved.done ? "Our solution" : "Yes, show it"}
            </button>`
          : html`<button type="button" class="plain" onClick=${() => ask(true)}>Show solution</button>`
      }
    </div>
  </section>`;
}
