// How full is the cloud?

import { html } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { Answer } from "../parts/answer.js";
import { Bar, Legend } from "../parts/bar.js";
import { count, number, percent } from "../parts/numbers.js";
import { Verdict } from "./ledger.js";

const GROUPINGS = { class: "All hosts", aggregate: "By aggregate", trait: "By trait" };
const FULLEST = 20;

export function Cloud({ route }) {
  const given = route.parameters.get("by");
  const by = given in GROUPINGS ? given : "class";
  return html`
    <nav class="tabs" aria-label="Sums">
      ${Object.entries(GROUPINGS).map(
        ([name, title]) => html`
          <a
            href=${href("cloud", "", { by: name === "class" ? null : name })}
            aria-current=${name === by ? "true" : null}
            >${title}</a
          >
        `,
      )}
    </nav>
    <div class="beside">
      <${Answer} path="operator/capacity" query=${`by=${by}&top=${FULLEST}`}>
        ${(answer) =>
          answer.hosts === 0
            ? html`<${Nothing} />`
            : html`
                <p>${count(answer.hosts, "host")}. <${Legend} /></p>
                <${Sums} rows=${answer.rows} by=${by} />
                <${Fullest} fills=${answer.fullest} />
              `}
      <//>
      <aside>
        <h2>Ledger</h2>
        <${Answer} path="operator/audit">${(answer) => html`<${Verdict} audit=${answer} />`}<//>
        <h2>Service</h2>
        <${Answer} path="operator/service">${(answer) => html`<${Service} service=${answer} />`}<//>
      </aside>
    </div>
  `;
}

function Nothing() {
  return html`
    <div class="empty">
      <p>There are no resource providers yet.</p>
      <p>
        They come from nova-compute and others, as soon as these are told of this service. For
        something to look at, <code>make demo</code> fills it with a small cloud.
      </p>
    </div>
  `;
}

function Sums({ rows, by }) {
  if (!rows.length) {
    return html`<p class="empty">No provider with an inventory has ${by === "trait" ? "a trait" : `an ${by}`}.</p>`;
  }
  return html`
    <div class="wide" tabindex="0" role="region" aria-label="Sums of resource classes">
      <table class="sums">
        <thead>
          <tr>
            ${by !== "class" && html`<th scope="col">${by === "trait" ? "Trait" : "Aggregate"}</th>`}
            <th scope="col">Class</th>
            <th scope="col">How full</th>
            <th scope="col" class="number">Used</th>
            <th scope="col" class="number">of</th>
            <th scope="col" class="number">Largest free piece</th>
            <th scope="col" class="number">Full providers</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row, index) => html`<${Row} row=${row} by=${by} before=${rows[index - 1]} />`)}
        </tbody>
      </table>
    </div>
  `;
}

function Row({ row, by, before }) {
  const isNewGroup = by !== "class" && (!before || before[by] !== row[by]);
  return html`
    <tr class=${isNewGroup ? "group" : null}>
      ${by !== "class" &&
      html`<th scope="row" class=${isNewGroup ? null : "repeated"}>${row[by]}</th>`}
      <th scope="row">${row.class}</th>
      <td class="filled"><${Bar} of=${row} /> ${percent(row.used, row.capacity)}</td>
      <td class="number">${number(row.used)}</td>
      <td class="number">${number(row.capacity)}</td>
      <td class="number">${number(row.largest_free)}</td>
      <td class="number">${number(row.full)} of ${number(row.providers)}</td>
    </tr>
  `;
}

function Fullest({ fills }) {
  return html`
    <section>
      <h2>The fullest</h2>
      <ol class="fullest">
        ${fills.map(
          (fill) => html`
            <li>
              <a href=${href("hosts", fill.uuid)}>${fill.name}</a>
              <span class="class">${fill.class}</span>
              <${Bar} of=${{ ...fill, total: 0, reserved: 0 }} />
              ${percent(fill.used, fill.capacity)}
            </li>
          `,
        )}
      </ol>
    </section>
  `;
}

const DATABASES = { mysql: "MySQL or MariaDB", postgresql: "PostgreSQL", sqlite: "SQLite" };

function Service({ service }) {
  return html`
    <dl>
      <dt>Release</dt>
      <dd>${service.release}</dd>
      <dt>API</dt>
      <dd>1.0 to ${service.max_version}</dd>
      <dt>Database</dt>
      <dd>${DATABASES[service.database] || service.database}</dd>
    </dl>
  `;
}
