// How many more of each flavor fit.

import { html, useState } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { Answer } from "../parts/answer.js";
import { count, number } from "../parts/numbers.js";
import { Share } from "../parts/charts/share.js";
import { Head } from "../parts/tables/head.js";

export function Flavors() {
  return html`
    <p>
      This shows how many more instances of each flavor fit, if only that flavor is used. All
      flavors share the same room, so do not add these numbers up.
    </p>
    <${Part} before=${[]} after="" />
  `;
}

// One answer, and the next ones if the service could not count all flavors at once; `before` are
// the flavors of the answers before.
function Part({ before, after }) {
  const [isOver, setOver] = useState(false);
  return html`
    <${Answer} path="operator/flavors" query=${after && { after }}>
      ${(answer) => {
        const flavors = [...before, ...answer.flavors];
        if (answer.fault) {
          return html`<${NoFile} fault=${answer.fault} />`;
        }
        return isOver && answer.next !== null
          ? html`<${Part} before=${flavors} after=${answer.next} />`
          : html`
              <${Table} flavors=${flavors} />
              ${answer.next !== null &&
              html`
                <p>
                  ${number(flavors.length)} of ${count(answer.all, "flavor")} counted.${" "}
                  <button class="quiet" onClick=${() => setOver(true)}>Count more</button>
                </p>
              `}
            `;
      }}
    <//>
  `;
}

function NoFile({ fault }) {
  return html`
    <div class="empty">
      <p>${fault}</p>
      <p>
        Placement does not know flavors, so it reads them from a file. Make it on the server with
        ${" "}<code>openstack flavor list --all --long -f json</code>, and set
        ${" "}<code>[metrics] flavors</code> to its path.
      </p>
    </div>
  `;
}

function Table({ flavors }) {
  const most = Math.max(...flavors.map(({ fit }) => fit ?? 0), 1);
  return html`
    <table class="takers flavors" role="table" aria-label="Flavors">
      <${Head} columns=${["Flavor", "How many more fit", "On", "Stopped by"]} />
      <tbody role="rowgroup">
        ${flavors.map((flavor) => html`<${Row} flavor=${flavor} most=${most} />`)}
      </tbody>
    </table>
  `;
}

function Row({ flavor, most }) {
  const { name, query, fit, hosts, why, mistake, ignored } = flavor;
  return html`
    <tr role="row">
      <th role="rowheader" scope="row">
        <a href=${href("fit", "", { q: query })} title=${query}>${name}</a>
      </th>
      <td role="cell" class="filled">
        ${fit === null ? "not counted" : html`<${Share} part=${fit} whole=${most} /> ${number(fit)}`}
      </td>
      <td role="cell">${fit > 0 && count(hosts, "host")}</td>
      <td role="cell">
        ${fit === 0 && !mistake
          ? html`<a href=${href("why", "", { q: query })}>Why not?</a> ${why}`
          : why}
        ${ignored.length > 0 && html`<small>Not considered: ${ignored.join(", ")}</small>`}
      </td>
    </tr>
  `;
}
