/** The tests in the rules, and whether they hold. */
import { html } from "../../vendor/preact-htm.js";
import { useAnswer } from "../answers.js";
import { Waiting, counted } from "../parts.js";
import { Finding } from "./findings.js";

export function Tests({ desk, active }) {
  const answer = useAnswer(desk, "test", {}, { active, seconds: 60 });
  const tests = answer.value?.tests ?? [];
  return html`<div>
    <${Waiting} answer=${answer} desk=${desk} what="Running the tests …" /> ${
      answer.value !== null &&
      html`<p class="quiet told" role="status">
          ${answer.busy || answer.old ? "Running the tests …" : tests.length > 0 && `${counted(answer.value.passed, "test")} passed, ${answer.value.failed} failed`}
        </p>
        ${tests.length === 0 && html`<p class="quiet">There are no tests in these rules. A test plays some acts and says what must be so then: <code>test "the highest card wins"</code>.</p>`}
        <ul class=${`tests ${answer.old ? "old" : ""}`}>
          ${tests.map(
            (test) =>
              html`<li class=${test.passed ? "passed" : "failed"}>
                <button type="button" class="title" onClick=${() => desk.goTo(test.path.split("/").pop(), test.line)}>
                  <span class="sign" aria-hidden="true">${test.passed ? "✓" : "✗"}</span>
                  <span class="read">${test.passed ? "passed: " : "failed: "}</span>
                  <span>${test.title}</span>
                </button>
                ${
                  test.findings.length > 0 &&
                  html`<ul class="findings">
                    ${test.findings.map((finding) => html`<${Finding} finding=${finding} desk=${desk} />`)}
                  </ul>`
                }
              </li>`,
          )}
        </ul>`
    }
  </div>`;
}
