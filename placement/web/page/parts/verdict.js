// A summary of an audit of the ledger.

import { html } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { number } from "./numbers.js";

// One line: right, or which checks have found something.
export function Verdict({ audit }) {
  const found = audit.checks.filter((check) => check.count);
  if (audit.is_sound) {
    return html`
      <p class="verdict good"><span aria-hidden="true">✓</span> The ledger is right.</p>
      ${found.length > 0 &&
      html`<p>
        Worth knowing, but not a fault:
        ${found.map((check) => html` <${Tally} check=${check} />`)}
      </p>`}
    `;
  }
  return html`
    <p class="verdict bad">
      <span aria-hidden="true">✗</span> The ledger is wrong:
      ${found
        .filter((check) => check.is_fault)
        .map((check) => html` <${Tally} check=${check} />`)}
    </p>
  `;
}

function Tally({ check }) {
  return html`<a class="tally" href=${href("ledger")}>${check.check} ${number(check.count)}</a>`;
}
