// One host: its tree, its consumers, and why it is not a candidate; or what was changed on it.

import { html, useMemo, useState } from "../lib/preact-htm.js";
import { choiceOf, go, href } from "../route.js";
import { Answer, useAnswer } from "../parts/answer.js";
import { Legend } from "../parts/charts/bar.js";
import { consumersOf, nested } from "../parts/hosts.js";
import { useGivenNames } from "../parts/given-names.js";
import { amount, count, number } from "../parts/numbers.js";
import { useTranslation } from "../parts/forms/translation.js";
import { HostHistory } from "../parts/history/of-host.js";
import { useSubject } from "../parts/subject.js";
import { Tabs } from "../parts/tabs.js";
import { Tree } from "../parts/tables/tree.js";
import { VirtualTable } from "../parts/tables/virtual-table.js";

// The tabs, by the parameter "show" of the address.
const TABS = { "": "Now", history: "History" };

// Keystone's ids are this long.
const LONG_ID = 32;

// The address has the UUID of any provider in the tree; `setSubject` is called with the name of the
// host.
export function Host({ route, setSubject }) {
  const uuid = route.path;
  const shown = choiceOf(route, "show", TABS, "");
  const linkOf = (show) => href("hosts", uuid, { show });
  return html`
    <p><a href=${href("hosts")}>All hosts</a></p>
    <${Tabs} label="The host" titles=${TABS} current=${shown} linkOf=${linkOf} />
    ${shown
      ? html`<${Past} uuid=${uuid} route=${route} setSubject=${setSubject} />`
      : html`<${Now} uuid=${uuid} setSubject=${setSubject} />`}
  `;
}

function Now({ uuid, setSubject }) {
  return html`
    <${Answer} path="operator/providers" query=${{ in_tree: uuid, consumers: "true" }}>
      ${({ resource_providers }) =>
        resource_providers.length
          ? html`<${Found} providers=${resource_providers} uuid=${uuid} setSubject=${setSubject} />`
          : html`
              <p class="empty">
                There is no resource provider <code>${uuid}</code>. If it was deleted, its history
                says so.
              </p>
            `}
    <//>
  `;
}

// A host that was deleted no longer has a name, but it still has a history.
function Past({ uuid, route, setSubject }) {
  const { answer } = useAnswer("operator/providers", { in_tree: uuid });
  useSubject(answer && rootOf(answer.resource_providers)?.name, setSubject);
  return html`<${HostHistory} uuid=${uuid} route=${route} />`;
}

// A cycle of providers has no root; the audit finds cycles.
function rootOf(providers) {
  return providers.find((each) => each.uuid === each.root_provider_uuid) || providers[0];
}

function Found({ providers, uuid, setSubject }) {
  const trees = useMemo(() => nested(providers), [providers]);
  const root = rootOf(providers);
  useSubject(root.name, setSubject);
  return html`
    <p>${count(providers.length, "provider")}. <${Legend} /></p>
    <p>
      <a class="button" href=${href("empty", "", { host: root.name })}>Can this host be emptied?</a>
    </p>
    <${Tree} trees=${trees} current=${uuid === root.uuid ? null : uuid} />
    <${Consumers} providers=${providers} root=${root} />
    <${WhyNot} root=${root} />
  `;
}

function Consumers({ providers, root }) {
  const [search, setSearch] = useState("");
  const consumers = useMemo(() => consumersOf(providers), [providers]);
  const nameOf = useGivenNames(
    consumers.flatMap(({ uuid, project, user }) => [uuid, project, user]),
  );
  const rows = useMemo(
    () => consumers.filter((each) => has(each, nameOf, search)),
    [consumers, search],
  );
  const columns = columnsOf(root, nameOf);
  return html`
    <section class="consumers">
      <h2>Consumers</h2>
      ${consumers.length === 0
        ? html`<p>This host has no allocations.</p>`
        : html`
            <p>
              <label>
                <span>Search</span>
                <input
                  type="search"
                  value=${search}
                  onInput=${(event) => setSearch(event.target.value)}
                  spellcheck=${false}
                />
              </label>
              <span role="status">
                ${rows.length < consumers.length && `${number(rows.length)} of `}
                ${count(consumers.length, "consumer")}${consumers.length > 1 && ", oldest first"}.
              </span>
            </p>
            ${rows.length > 0 &&
            html`<${VirtualTable} label="Consumers" columns=${columns} rows=${rows} areHigh />`}
          `}
    </section>
  `;
}

function has({ uuid, type, project, user }, nameOf, search) {
  const names = [uuid, project, user].map((each) => nameOf(each) ?? "");
  const text = [uuid, type, project, user, ...names].join("\n");
  return text.toLowerCase().includes(search.trim().toLowerCase());
}

function columnsOf(root, nameOf) {
  return [
    {
      id: "uuid",
      title: "Consumer",
      width: 20,
      cell: ({ uuid }) => html`
        <${Lines}
          first=${html`
            <a class=${nameOf(uuid) ? null : "uuid"} href=${href("consumers", uuid)}>
              ${nameOf(uuid) ?? uuid}
            </a>
          `}
          second=${nameOf(uuid) && uuid}
        />
      `,
    },
    {
      id: "takes",
      title: "Uses",
      width: 26,
      cell: ({ takes }) => {
        const [first, ...others] = takes.map((each) => amountsOf(each, root));
        return html`<${Lines} first=${first} second=${others.join("; ")} />`;
      },
    },
    {
      id: "owner",
      title: "Project and user",
      width: 18,
      cell: ({ project, user }) => html`
        <${Lines} first=${ownerOf(project, nameOf)} second=${ownerOf(user, nameOf)} />
      `,
    },
    {
      id: "since",
      title: "Since / type",
      width: 13,
      cell: ({ since, type }) => html`
        <${Lines} first=${html`<${Moment} of=${since} />`} second=${type} />
      `,
    },
  ];
}

// An id is longer than most names.
function ownerOf(id, nameOf) {
  return nameOf(id) ?? (id.length < LONG_ID ? id : html`<span class="uuid" title=${id}>${id}</span>`);
}

// The two lines of a cell; what is too long for one is in its tooltip.
function Lines({ first, second }) {
  const titleOf = (line) => (typeof line === "string" ? line : null);
  return html`
    <span class="line" title=${titleOf(first)}>${first}</span>
    ${second && html`<span class="line second" title=${titleOf(second)}>${second}</span>`}
  `;
}

// The name of the root, which many names of other providers begin with, is not repeated.
function amountsOf({ provider, resources }, root) {
  const amounts = Object.entries(resources).map(([name, value]) => `${name} ${amount(value, name)}`);
  const place = provider.uuid === root.uuid ? "" : `${shortName(provider, root)}: `;
  return `${place}${amounts.join(", ")}`;
}

function shortName({ name }, root) {
  return name.startsWith(root.name) ? name.slice(root.name.length).replace(/^[^\w]+/, "") || name : name;
}

// The service gives times in UTC, as its log does.
function Moment({ of }) {
  return of
    ? html`<time datetime=${of}>${of.slice(0, 16).replace("T", " ")} UTC</time>`
    : "unknown";
}

function WhyNot({ root }) {
  const [refusal, setRefusal] = useState("");
  const translate = useTranslation();
  const submit = async (event) => {
    event.preventDefault();
    const text = event.target.elements.query.value;
    try {
      const { query } = await translate({ text });
      if (query) {
        go("why", "", { q: query, host: root.uuid });
      } else {
        setRefusal("This asks for no resources.");
      }
    } catch (error) {
      setRefusal(error.message);
    }
  };
  return html`
    <section>
      <h2>Why is this host not a candidate?</h2>
      <form class="why-not" onSubmit=${submit}>
        <label>
          <span>Request</span>
          <input
            name="query"
            required
            placeholder="resources=VCPU:4,MEMORY_MB:8192&required=CUSTOM_GOLD"
            spellcheck=${false}
            autocapitalize="none"
          />
        </label>
        <button>Explain</button>
      </form>
      ${refusal && html`<p role="alert">${refusal}</p>`}
      <p class="hint">
        Paste a query of <code>GET /allocation_candidates</code>, a log line that contains one, or the
        extra specs of a flavor. Only this host, and what is shared with it, are considered.
      </p>
    </section>
  `;
}
