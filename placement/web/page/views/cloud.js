// How full is the cloud?

import { html } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { Answer } from "../parts/answer.js";
import { Bar, Legend } from "../parts/bar.js";
import { fullestProviders } from "../parts/fullest.js";
import { LongName } from "../parts/long-name.js";
import { Nothing } from "../parts/nothing.js";
import { count, number, percent } from "../parts/numbers.js";
import { SumsRow, SumsTable, amountCell } from "../parts/sums-table.js";
import { Tabs } from "../parts/tabs.js";
import { Verdict } from "../parts/verdict.js";

const GROUPINGS = { class: "All hosts", aggregate: "By aggregate", trait: "By trait" };
const COLUMNS = ["Used", "Capacity", "Largest free amount", "Full providers"];
const FULLEST = 20;
// The service lists inventories, several for each provider: this is the most that it will list.
const INVENTORIES = 1000;
const CLASSES_EACH = 3;

export function Cloud({ route }) {
  const given = route.parameters.get("by");
  const by = given in GROUPINGS ? given : "class";
  const tabs = Object.entries(GROUPINGS).map(([name, title]) => ({
    title,
    href: href("cloud", "", { by: name === "class" ? null : name }),
    isCurrent: name === by,
  }));
  return html`
    <${Tabs} label="Sums" tabs=${tabs} />
    <div class="beside">
      <${Answer}
        path="operator/capacity"
        query=${`by=${by}&top=0`}
        terminal="The sums in a terminal"
      >
        ${(answer) =>
          answer.hosts === 0 ? html`<${Nothing} />` : html`<${Sums} ...${answer} />`}
      <//>
      <aside>
        <h2>Audit</h2>
        <${Answer} path="operator/audit" terminal="The audit in a terminal">
          ${(audit) => html`<${Verdict} audit=${audit} />`}
        <//>
        <h2>The fullest providers</h2>
        <${Answer}
          path="operator/capacity"
          query=${`top=${INVENTORIES}`}
          terminal="The fullest in a terminal"
        >
          ${(answer) => html`<${Fullest} fills=${answer.fullest} />`}
        <//>
        <h2>Service</h2>
        <${Answer} path="operator/service" terminal="The service in a terminal">
          ${(service) => html`<${Service} service=${service} />`}
        <//>
      </aside>
    </div>
  `;
}

function Sums({ hosts, rows, by }) {
  if (!rows.length) {
    return html`<p class="empty">${NONE[by]}</p>`;
  }
  return html`
    <p>${count(hosts, "host")}. <${Legend} /></p>
    <p class="hint">
      Capacity is what can be claimed: the total minus the reserved amount, times the allocation
      ratio. ${COUNTED[by]}
    </p>
    <${SumsTable} columns=${COLUMNS}>
      ${groupsOf(rows, by).map((group) => html`<${Group} ...${group} by=${by} />`)}
    <//>
  `;
}

const NONE = {
  class: "No provider has an inventory.",
  aggregate: "No provider with an inventory is in an aggregate.",
  trait: "No provider with an inventory has a trait.",
};

const COUNTED = {
  class: "A host is a root provider with its whole tree; “full” counts individual providers.",
  aggregate:
    "A provider in two aggregates counts in both. Its children count only where they are members" +
    " themselves.",
  trait:
    "A provider with two traits counts for both. Its children count only where they have the trait" +
    " themselves.",
};

// Returns [{name, rows}]; by class, all rows are one group without a name.
function groupsOf(rows, by) {
  const groups = new Map();
  for (const row of rows) {
    const name = row[by === "class" ? "" : by];
    groups.set(name, [...(groups.get(name) || []), row]);
  }
  return [...groups].map(([name, rows]) => ({ name, rows }));
}

function Group({ name, rows, by }) {
  return html`
    <tbody role="rowgroup">
      ${by !== "class" &&
      html`
        <tr class="group" role="row">
          <th role="rowheader" scope="rowgroup" colspan=${2 + COLUMNS.length}>
            <a href=${href("hosts", "", { [by]: name })}><${LongName}>${name}<//></a>
          </th>
        </tr>
      `}
      ${rows.map((row) => html`<${Row} row=${row} hosts=${hostsWith(row, by)} />`)}
    </tbody>
  `;
}

// Returns the address of the hosts that a row is about, the fullest first.
function hostsWith(row, by) {
  const group = by === "class" ? {} : { [by]: row[by] };
  return href("hosts", "", { ...group, sort: `-${row.class}` });
}

function Row({ row, hosts }) {
  const amounts = [row.used, row.capacity, row.largest_free];
  const cells = [
    ...amounts.map((amount) => amountCell(amount, row.class)),
    { text: `${number(row.full)} of ${number(row.providers)}` },
  ];
  return html`
    <${SumsRow} columns=${COLUMNS} of=${row} cells=${cells}>
      <a href=${hosts} title="Hosts, fullest first"><${LongName}>${row.class}<//></a>
    <//>
  `;
}

function Fullest({ fills }) {
  if (!fills.length) {
    return html`<p>No provider has any capacity.</p>`;
  }
  return html`
    <ol class="fullest">
      ${fullestProviders(fills, FULLEST).map((each) => html`<${FullProvider} ...${each} />`)}
    </ol>
  `;
}

function FullProvider({ uuid, name, fills }) {
  const [fullest, ...others] = fills.slice(0, CLASSES_EACH);
  return html`
    <li>
      <span>
        <a href=${href("hosts", uuid)}>${name}</a> <small><${LongName}>${fullest.class}<//></small>
      </span>
      <span class="filled">
        <${Bar} of=${{ ...fullest, total: 0, reserved: 0 }} />
        ${percent(fullest.used, fullest.capacity)}
      </span>
      ${others.length > 0 &&
      html`<small class="others"><${LongName}>${others.map(filled).join(", ")}<//></small>`}
    </li>
  `;
}

function filled(fill) {
  return `${fill.class} ${percent(fill.used, fill.capacity)}`;
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
