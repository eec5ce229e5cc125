// The verdict of an audit of the ledger.

import { html } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { number } from "./numbers.js";
import { Verdict } from "./verdict.js";

// Says that the ledger is right, or which checks have found something.
export function AuditVerdict({ audit }) {
  const found = audit.checks.filter((check) => check.count);
  const faults = found.filter((check) => check.is_fault);
  return html`
    <${LedgerVerdict} isSound=${audit.is_sound}><${Tallies} checks=${faults} /><//>
    ${audit.is_sound &&
    found.length > 0 &&
    html`<p>Worth knowing, but not a fault: <${Tallies} checks=${found} /></p>`}
  `;
}

// `children` say what is wrong.
export function LedgerVerdict({ isSound, children }) {
  return html`
    <${Verdict} isGood=${isSound}>
      ${isSound ? "The ledger is right." : html`The ledger is wrong: ${children}`}
    <//>
  `;
}

function Tallies({ checks }) {
  return checks.map(
    ({ check, count }) => html`
      <a class="tally" href=${href("audit")}>${check} ${number(count)}</a>${" "}
    `,
  );
}
