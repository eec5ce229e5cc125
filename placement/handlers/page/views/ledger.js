// Is the ledger right? The page changes nothing: it says what would.

import { html } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { Answer } from "../parts/answer.js";
import { count, number } from "../parts/numbers.js";

export function Ledger() {
  return html`
    <${Answer} path="operator/audit">
      ${(audit) => html`
        <${Verdict} audit=${audit} />
        ${audit.checks.map((check) => html`<${Check} check=${check} />`)}
      `}
    <//>
  `;
}

// In a line: right, or which checks have found something.
export function Verdict({ audit }) {
  const faults = audit.checks.filter((check) => check.is_fault && check.count);
  if (audit.is_sound) {
    return html`<p class="verdict good"><span aria-hidden="true">✓</span> The ledger is right.</p>`;
  }
  return html`
    <div class="verdict bad">
      <p><span aria-hidden="true">✗</span> The ledger is wrong:</p>
      <ul>
        ${faults.map(
          (check) => html`<li><a href=${href("ledger")}>${check.check}</a>: ${number(check.count)}</li>`,
        )}
      </ul>
    </div>
  `;
}

function Check({ check }) {
  const state = !check.count ? "good" : check.is_fault ? "bad" : "fact";
  return html`
    <section class=${`check ${state}`}>
      <h2>${check.check} <span class="state">${stateOf(check)}</span></h2>
      <p>${check.question}</p>
      ${check.count > 0 && html`<${Examples} check=${check} />`}
      ${check.count > 0 &&
      check.is_repairable &&
      html`<p>
        <code>placement-manage audit --repair ${check.check}</code> would mend
        ${check.count === 1 ? " it" : " them"}, while the service goes on.
      </p>`}
    </section>
  `;
}

function stateOf(check) {
  if (!check.count) {
    return "none";
  }
  return check.is_fault ? count(check.count, "fault") : `${number(check.count)}, which is no fault`;
}

function Examples({ check }) {
  const names = [...new Set(check.examples.flatMap(Object.keys))];
  return html`
    <div class="wide" tabindex="0" role="region" aria-label=${`Examples of ${check.check}`}>
      <table>
        <thead>
          <tr>
            ${names.map((name) => html`<th scope="col">${name.replaceAll("_", " ")}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${check.examples.map(
            (example) => html`
              <tr>
                ${names.map((name) => html`<td>${example[name] ?? ""}</td>`)}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}
