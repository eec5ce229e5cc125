// The last audit in this tab or, if there was none, the last by placement-manage.

import { html, useState } from "../lib/preact-htm.js";
import { Answer, useAnswer } from "./answer.js";
import { AuditVerdict, LedgerVerdict } from "./audit-verdict.js";
import { ago, count } from "./numbers.js";

const KEY = "placement-audit";

// Keeps the answer of an audit for this tab.
export function keep(audit) {
  sessionStorage.setItem(KEY, JSON.stringify({ at: Date.now(), audit }));
}

function kept() {
  return JSON.parse(sessionStorage.getItem(KEY));
}

// An audit takes seconds in a large cloud: it runs only on request.
export function LastAudit() {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) {
    return html`
      <${Answer} path="operator/audit" terminal="The audit in a terminal">
        ${(audit) => {
          keep(audit);
          return html`<${AuditVerdict} audit=${audit} />`;
        }}
      <//>
    `;
  }
  const last = kept();
  return html`
    ${last
      ? html`<${AuditVerdict} audit=${last.audit} /><p class="hint">${ago(last.at)}</p>`
      : html`<${Recorded} />`}
    <p><button class="quiet" onClick=${() => setAsked(true)}>Audit now</button></p>
  `;
}

// The last audit by placement-manage, as the service has recorded it.
function Recorded() {
  const { answer } = useAnswer("operator/service", "");
  if (!answer) {
    return null;
  }
  const { last_audit: last } = answer;
  if (!last) {
    return html`<p>No audit was recorded; <code>placement-manage audit</code> records each run.</p>`;
  }
  return html`
    <${LedgerVerdict} isSound=${!last.faults}>${count(last.faults, "fault")}.<//>
    <p class="hint">${ago(Date.parse(last.finished_at))}, by placement-manage</p>
  `;
}
