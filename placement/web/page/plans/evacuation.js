// A plan that empties hosts: where each consumer would go, or why nowhere.

import { html } from "../lib/preact-htm.js";
import { NamedLink, useGivenNames } from "../parts/given-names.js";
import { HostLink } from "../parts/host-link.js";
import { tallied } from "../parts/hosts.js";
import { count, number } from "../parts/numbers.js";
import { Outcome } from "../parts/outcome.js";
import { Head } from "../parts/tables/head.js";
import { Verdict } from "../parts/verdict.js";

// `plan` is the answer of GET /operator/evacuation; `tell` as for Outcome.
export function Evacuation({ plan, tell }) {
  const { possible, summary, consumers, notes } = plan;
  const left = consumers.filter(({ to }) => !to);
  const moved = consumers.filter(({ to }) => to);
  const sentence = `${possible ? "Yes" : "No"}. ${summary}`;
  return html`
    <${Outcome} tell=${tell} sentence=${sentence}>
      <${Verdict} isGood=${possible}>${sentence}<//>
    <//>
    ${left.length > 0 &&
    html`
      <section>
        <h2>No place elsewhere for ${count(left.length, "consumer")}</h2>
        <${Consumers} consumers=${left} column="Why" cell=${({ why }) => why} />
      </section>
    `}
    ${moved.length > 0 &&
    html`
      <section>
        <h2>Where ${left.length > 0 ? "the others" : "each"} would go</h2>
        <${Targets} moved=${moved} />
        <${Consumers} consumers=${moved} column="To" cell=${Target} />
      </section>
    `}
    <section>
      <h2>How far to trust this</h2>
      <ul class="hint">
        ${possible && html`<li>${HOLDS}</li>`}
        <li>${HEURISTIC}</li>
        ${notes.map((note) => html`<li>${note}</li>`)}
      </ul>
    </section>
  `;
}

const HOLDS = "Every move in this plan would be accepted now, in any order.";
const HEURISTIC =
  "A plan that the search finds is valid, but the search may miss a plan that exists. If a" +
  " reason does not mention the other consumers, there is certainly no plan.";

function Target({ to }) {
  return html`<${HostLink} ...${to} />`;
}

// How many go to each host, most first.
function Targets({ moved }) {
  const counts = tallied(moved.map(({ to }) => to.name));
  return html`<p>${counts.map(([name, many]) => `${number(many)} to ${name}`).join(", ")}.</p>`;
}

function Consumers({ consumers, column, cell }) {
  const nameOf = useGivenNames(
    consumers.flatMap(({ uuid, project_id }) => [uuid, project_id]),
  );
  return html`
    <table class="cards moves" role="table">
      <${Head} columns=${["Consumer", "Project", column]} />
      <tbody role="rowgroup">
        ${consumers.map(
          (each) => html`
            <tr role="row">
              <th role="rowheader" scope="row">
                <${NamedLink} kind="consumer" id=${each.uuid} name=${nameOf(each.uuid)} />
              </th>
              <td role="cell" data-column="Project">${nameOf(each.project_id) ?? each.project_id}</td>
              <td role="cell" data-column=${column}>${cell(each)}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}
