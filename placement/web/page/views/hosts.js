// All hosts, to search and sort; or one of them, if the address names it.

import { html, useMemo } from "../lib/preact-htm.js";
import { href, replace } from "../route.js";
import { Answer } from "../parts/answer.js";
import { Legend } from "../parts/charts/bar.js";
import { classColumns } from "../parts/tables/class-columns.js";
import { Disabled } from "../parts/disabled.js";
import { Select } from "../parts/forms/select.js";
import { useGivenNames } from "../parts/given-names.js";
import {
  chosen,
  classesOf,
  hostsOf,
  rootsWithRoom,
  sortedBy,
  traitsInOrder,
} from "../parts/hosts.js";
import { Aggregates, Traits } from "../parts/name-links.js";
import { Nothing } from "../parts/nothing.js";
import { count, number } from "../parts/numbers.js";
import { orderOf, sortable } from "../parts/tables/sorting.js";
import { VirtualTable } from "../parts/tables/virtual-table.js";
import { Host } from "./host.js";

export function Hosts({ route, setSubject }) {
  if (route.path) {
    return html`<${Host} key=${route.path} route=${route} setSubject=${setSubject} />`;
  }
  const wanted = wantedBy(route.parameters);
  return html`
    <${Answer} path="operator/providers">
      ${(answer) =>
        answer.resource_providers.length
          ? html`<${AllHosts} providers=${answer.resource_providers} wanted=${wanted} />`
          : html`<${Nothing} />`}
    <//>
  `;
}

// What the address asks for: which hosts, and in which order; "-VCPU" is by VCPU, descending.
function wantedBy(parameters) {
  const given = (name) => parameters.get(name) || "";
  return {
    search: given("search"),
    trait: given("trait"),
    aggregate: given("aggregate"),
    room: given("room"),
    sort: given("sort"),
  };
}

function AllHosts({ providers, wanted }) {
  const hosts = useMemo(() => hostsOf(providers), [providers]);
  const columns = useMemo(() => columnsOf(hosts, wanted.sort), [hosts, wanted.sort]);
  return html`
    <${Filters} hosts=${hosts} wanted=${wanted} />
    ${wanted.room
      ? html`
          <${Answer}
            path="allocation_candidates"
            query=${{ resources: wanted.room }}
            terminal="Hosts with room, in a terminal"
          >
            ${(found) =>
              html`<${WithRoom} found=${found} hosts=${hosts} columns=${columns} wanted=${wanted} />`}
          <//>
        `
      : html`<${Choice} hosts=${hosts} columns=${columns} wanted=${wanted} roots=${null} />`}
  `;
}

// The service knows what fits; this page does not.
function WithRoom({ found, ...others }) {
  const roots = useMemo(() => rootsWithRoom(found), [found]);
  return html`<${Choice} roots=${roots} ...${others} />`;
}

function Choice({ hosts, columns, wanted, roots }) {
  const order = orderOf(wanted.sort, columns);
  const { column, isDescending } = order;
  const sorted = useMemo(
    () => sortedBy(hosts, column.key, isDescending),
    [hosts, column, isDescending],
  );
  const { search, trait, aggregate } = wanted;
  const rows = useMemo(
    () => chosen(sorted, { search, trait, aggregate, roots }),
    [sorted, search, trait, aggregate, roots],
  );
  const withSort = sortable(columns, order, (sort) => want({ ...wanted, sort }));
  return html`
    <p>
      <span role="status">${countOf(rows, hosts)}</span>
      ${" "}${rows.length > 0 && rows.length < hosts.length && html`<${ShowAll} wanted=${wanted} />. `}
      <${Legend} />
    </p>
    ${aggregate &&
    rows.length > 0 &&
    html`
      <p>
        <a class="button" href=${href("empty", "", { aggregate })}>
          Can all hosts in this aggregate be emptied?
        </a>
      </p>
    `}
    ${rows.length > 0 && html`<${VirtualTable} label="Hosts" columns=${withSort} rows=${rows} />`}
    ${rows.length === 0 && html`<${NoHost} wanted=${wanted} hasRoom=${roots?.size !== 0} />`}
  `;
}

// Either no host has room, or none of those with room matches the other filters.
function NoHost({ wanted, hasRoom }) {
  return hasRoom
    ? html`<p class="empty">No host matches. <${ShowAll} wanted=${wanted} /></p>`
    : html`
        <p class="empty">
          No host has room for ${wanted.room}.
          ${" "}<a href=${href("why", "", { q: `resources=${wanted.room}` })}>Why not?</a>
          ${" "}<${ShowAll} wanted=${wanted} />
        </p>
      `;
}

function ShowAll({ wanted }) {
  return html`<a href=${href("hosts", "", { sort: wanted.sort })}>Show all</a>`;
}

function countOf(rows, hosts) {
  return rows.length === hosts.length
    ? `${count(hosts.length, "host")}.`
    : `${number(rows.length)} of ${count(hosts.length, "host")}.`;
}

function want(wanted) {
  replace("hosts", "", wanted);
}

function columnsOf(hosts, sort) {
  return [
    {
      id: "name",
      title: "Name",
      width: widthOfNames(hosts),
      key: (host) => host.name,
      cell: (host) => html`
        <a href=${href("hosts", host.uuid)} title=${host.name}>${host.name}</a>
        ${host.isDisabled && html` <${Disabled} />`}
      `,
    },
    ...classColumns(classesOf(hosts), sort),
    {
      id: "traits",
      title: "Custom traits",
      width: 12,
      key: (host) => host.customTraits.join(" ") || null,
      cell: (host) => html`<${Traits} names=${host.customTraits} />`,
    },
    {
      id: "aggregates",
      title: "Aggregates",
      width: 9,
      key: (host) => host.aggregates.join(" ") || null,
      cell: (host) => html`<${Aggregates} uuids=${host.aggregates} areShort />`,
    },
    {
      id: "generation",
      title: "Generation",
      width: 8,
      isNumber: true,
      startsDescending: true,
      key: (host) => host.generation,
      cell: (host) => number(host.generation),
    },
  ];
}

// In rem: wide enough to show the longest name whole, unless it is very long.
function widthOfNames(hosts) {
  const longest = hosts.reduce(
    (most, { name, isDisabled }) => Math.max(most, name.length * 0.66 + (isDisabled ? 5 : 0)),
    0,
  );
  return Math.min(Math.max(9.5, 1.75 + longest), 30);
}

function Filters({ hosts, wanted }) {
  const traits = useMemo(() => namesOf(hosts, "traits"), [hosts]);
  const aggregates = useMemo(() => namesOf(hosts, "aggregates"), [hosts]);
  const nameOf = useGivenNames(aggregates);
  const set = (name) => (value) => want({ ...wanted, [name]: value });
  const submit = (event) => {
    event.preventDefault();
    want({ ...wanted, room: event.target.elements.room.value.trim() });
  };
  return html`
    <form class="filters" role="search" onSubmit=${submit}>
      <label>
        <span>Name or UUID</span>
        <input
          type="search"
          value=${wanted.search}
          onInput=${(event) => set("search")(event.target.value)}
          spellcheck=${false}
        />
      </label>
      <label>
        <span>Trait</span>
        <${Choices} names=${traits} value=${wanted.trait} onChange=${set("trait")} />
      </label>
      <label>
        <span>Aggregate</span>
        <${Choices}
          names=${aggregates}
          value=${wanted.aggregate}
          onChange=${set("aggregate")}
          nameOf=${nameOf}
        />
      </label>
      <label class="room">
        <span>Room for</span>
        <input
          name="room"
          key=${wanted.room}
          defaultValue=${wanted.room}
          placeholder="VCPU:4,MEMORY_MB:8192"
          spellcheck=${false}
          autocapitalize="none"
        />
        <button>Find</button>
      </label>
    </form>
  `;
}

// The choices include a name from the address, even if no host has it.
function Choices({ names, value, onChange, nameOf = () => null }) {
  const all = !value || names.includes(value) ? names : [value, ...names];
  const options = [["", "any"], ...all.map((name) => [name, nameOf(name) ?? name])];
  return html`<${Select} value=${value} options=${options} onChange=${onChange} />`;
}

function namesOf(hosts, member) {
  const names = new Set();
  for (const host of hosts) {
    host[member].forEach((name) => names.add(name));
  }
  return traitsInOrder(names);
}
