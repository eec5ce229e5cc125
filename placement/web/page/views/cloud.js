// How full is the cloud?

import { html, useMemo } from "../lib/preact-htm.js";
import { MOST_INVENTORIES } from "../limits.js";
import { choiceOf, go, href, replace } from "../route.js";
import { Survival } from "../plans/survival.js";
import { Answer } from "../parts/answer.js";
import { Bar, Legend } from "../parts/charts/bar.js";
import { fullestProviders } from "../parts/fullest.js";
import { GroupsTable } from "../parts/tables/groups-table.js";
import { LastAudit } from "../parts/last-audit.js";
import { LongName } from "../parts/long-name.js";
import { NO_INVENTORY, Nothing } from "../parts/nothing.js";
import { count, number, percent } from "../parts/numbers.js";
import { Past } from "../parts/charts/past.js";
import { SumsRow, SumsTable, amountCell } from "../parts/tables/sums-table.js";
import { Tabs } from "../parts/tabs.js";

const GROUPINGS = {
  class: "All hosts",
  aggregate: "By aggregate",
  trait: "By trait",
  project: "By project",
  consumer_type: "By consumer type",
};
const OWNERS = ["project", "consumer_type"];
const TITLES = {
  aggregate: "Aggregate",
  trait: "Trait",
  project: "Project",
  consumer_type: "Consumer type",
};
const COLUMNS = ["Used", "Capacity", "Largest free amount", "Full providers"];
// How many providers are shown; the service lists inventories, and a provider may have several.
const FULLEST = 20;
const CLASSES_EACH = 3;
// How many projects are shown below the sums of all hosts.
const PROJECTS = 5;

export function Cloud({ route }) {
  const by = choiceOf(route, "by", GROUPINGS, "class");
  const group = route.parameters.get("group") || "";
  const sort = route.parameters.get("sort") || "";
  return html`
    <${Tabs}
      label="Sums"
      titles=${GROUPINGS}
      current=${by}
      linkOf=${(name) => href("cloud", "", { by: name === "class" ? null : name })}
    />
    <div class="beside">
      <div>
        <${Answer}
          path="operator/capacity"
          query=${`by=${by}&top=0`}
          terminal="The sums in a terminal"
        >
          ${(answer) =>
            answer.hosts === 0
              ? html`<${Nothing} />`
              : html`<${Sums} ...${answer} group=${group} sort=${sort} />`}
        <//>
        ${by === "class" && html`<${WhoUsesMost} /><${Survival} />`}
      </div>
      <aside>
        <h2>Audit</h2>
        <${LastAudit} />
        <h2>The fullest providers</h2>
        <${Answer}
          path="operator/capacity"
          query=${`top=${MOST_INVENTORIES}`}
          terminal="The fullest providers, in a terminal"
        >
          ${(answer) => html`<${Fullest} fills=${answer.fullest} />`}
        <//>
        <h2>Service</h2>
        <${Answer} path="operator/service" terminal="The service in a terminal">
          ${(service) => html`<${Service} service=${service} />`}
        <//>
      </aside>
    </div>
    ${by === "class" && html`<${Past} />`}
  `;
}

function Sums({ hosts, rows, by, counted, group, sort }) {
  if (!rows.length) {
    return html`<p class="empty">${NONE[by]}</p>`;
  }
  return html`
    <p>${count(hosts, "host")}. ${!OWNERS.includes(by) && html`<${Legend} />`}</p>
    <p class="hint">
      Capacity is what can be claimed: (total − reserved) × allocation ratio.
      ${" "}${by === "class" ? OF_HOSTS : counted}
    </p>
    ${by === "class"
      ? html`
          <${SumsTable} columns=${COLUMNS}>
            <tbody role="rowgroup">
              ${rows.map((row) => html`<${Row} row=${row} />`)}
            </tbody>
          <//>
        `
      : html`<${Groups} rows=${rows} by=${by} group=${group} sort=${sort} />`}
  `;
}

const OF_HOSTS =
  "A host is a root provider with its whole tree; “Full providers” counts single providers, not hosts.";

const NONE = {
  class: NO_INVENTORY,
  aggregate: "No provider with an inventory is in an aggregate.",
  trait: "No provider with an inventory has a trait.",
  project: "Nothing is used.",
  consumer_type: "Nothing is used.",
};

function Groups({ rows, by, group, sort }) {
  const shown = useMemo(
    () => (group ? rows.filter((row) => row[by] === group) : rows),
    [rows, by, group],
  );
  const want = (change) =>
    replace("cloud", "", { by, group, sort: change });
  return html`
    ${group &&
    html`<p>
      Only ${TITLES[by].toLowerCase()} <code>${group}</code>.
      ${" "}<a href=${href("cloud", "", { by })}>Show all</a>
    </p>`}
    ${shown.length === 0
      ? html`<p class="empty">This ${TITLES[by].toLowerCase()} uses nothing.</p>`
      : html`
          <${GroupsTable}
            rows=${shown}
            by=${by}
            label=${TITLES[by]}
            linkOf=${(name) => linkOf(by, name)}
            sort=${sort || defaultSort(by, rows)}
            onSort=${want}
            hasAmounts=${OWNERS.includes(by)}
          />
        `}
  `;
}

// Those that use most come first.
function defaultSort(by, rows) {
  return OWNERS.includes(by) ? `-${rows[0].class}` : "";
}

function linkOf(by, name) {
  return OWNERS.includes(by)
    ? href("cloud", "", { by, group: name })
    : href("hosts", "", { [by]: name });
}

function WhoUsesMost() {
  return html`
    <section>
      <h2>Who uses the most</h2>
      <${Answer}
        path="operator/capacity"
        query="by=project&top=0"
        terminal="Who uses the most, in a terminal"
      >
        ${({ rows }) => html`<${TopProjects} rows=${rows} />`}
      <//>
    </section>
  `;
}

// The projects that use the most of the first class, which in most clouds is that of processors.
function TopProjects({ rows }) {
  const shown = useMemo(() => {
    const first = rows.filter((row) => row.class === rows[0].class).slice(0, PROJECTS);
    const names = new Set(first.map((row) => row.project));
    return rows.filter((row) => names.has(row.project));
  }, [rows]);
  if (!rows.length) {
    return html`<p>${NONE.project}</p>`;
  }
  return html`
    <${GroupsTable}
      rows=${shown}
      by="project"
      label="Project"
      linkOf=${(name) => linkOf("project", name)}
      sort=${defaultSort("project", rows)}
      onSort=${(sort) => go("cloud", "", { by: "project", sort })}
      hasAmounts
    />
    <p><a href=${href("cloud", "", { by: "project" })}>All projects</a></p>
  `;
}

function Row({ row }) {
  const amounts = [row.used, row.capacity, row.largest_free];
  const cells = [
    ...amounts.map((each) => amountCell(each, row.class)),
    { text: `${number(row.full)} of ${number(row.providers)}` },
  ];
  const hosts = href("hosts", "", { sort: `-${row.class}` });
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
      <dt>Microversions</dt>
      <dd>1.0 to ${service.max_version}</dd>
      <dt>Database</dt>
      <dd>${DATABASES[service.database] || service.database}</dd>
    </dl>
  `;
}
