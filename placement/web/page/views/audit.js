// The audit of the ledger. The page repairs nothing: it shows the command that would.

import { html } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { Answer } from "../parts/answer.js";
import { AuditVerdict } from "../parts/audit-verdict.js";
import { keep } from "../parts/last-audit.js";
import { count, number } from "../parts/numbers.js";

export function Audit() {
  return html`
    <p>
      The ledger is what the service has recorded: what each provider has, and who uses it. Each
      check looks for something that should not be there.
    </p>
    <${Answer} path="operator/audit">
      ${(audit) => {
        keep(audit);
        const found = audit.checks.filter((check) => check.count);
        const clean = audit.checks.filter((check) => !check.count);
        return html`
          <${AuditVerdict} audit=${audit} />
          ${found.map((check) => html`<${Found} check=${check} />`)}
          <${Clean} checks=${clean} />
        `;
      }}
    <//>
  `;
}

function Found({ check }) {
  return html`
    <section class=${check.is_fault ? "check bad" : "check"}>
      <h2>
        ${check.check}
        <span class="state">
          ${check.is_fault ? count(check.count, "fault") : `${number(check.count)} found, ${check.count === 1 ? "not a fault" : "not faults"}`}
        </span>
      </h2>
      <p>${check.question}</p>
      ${check.meaning && html`<p>${check.meaning}</p>`}
      <${Examples} check=${check} />
      ${check.is_repairable &&
      html`<p>
        To repair ${check.count === 1 ? "it" : "them"} while the service runs:
        <code>placement-manage audit --repair ${check.check}</code>
      </p>`}
    </section>
  `;
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
                ${names.map((name) => html`<td><${Value} name=${name} of=${example} /></td>`)}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
    ${check.count > check.examples.length &&
    html`<p>and ${number(check.count - check.examples.length)} more</p>`}
  `;
}

function Value({ name, of }) {
  const value = of[name] ?? "";
  if (name === "provider_uuid") {
    return html`<a href=${href("hosts", value)}>${value}</a>`;
  }
  return typeof value === "number" ? number(value) : value;
}

function Clean({ checks }) {
  if (!checks.length) {
    return null;
  }
  return html`
    <h2>${count(checks.length, "check")} passed</h2>
    <dl class="checks">
      ${checks.map(
        (check) => html`
          <dt><span class="tick" aria-hidden="true">✓</span> ${check.check}</dt>
          <dd>${check.question}</dd>
        `,
      )}
    </dl>
  `;
}
