// One host: its tree, its consumers, and why it is not a candidate.

import { html, useEffect, useMemo, useState } from "../lib/preact-htm.js";
import { go, href } from "../route.js";
import { Answer } from "../parts/answer.js";
import { Legend } from "../parts/bar.js";
import { consumersOf, nested } from "../parts/hosts.js";
import { count, number } from "../parts/numbers.js";
import { read } from "../parts/pasted.js";
import { useTranslation } from "../parts/translation.js";
import { Tree } from "../parts/tree.js";
import { VirtualTable } from "../parts/virtual-table.js";

// `uuid` is that of any provider in the tree; `setSubject` is called with the name of the host.
export function Host({ uuid, setSubject }) {
  return html`
    <p><a href=${href("hosts")}>All hosts</a></p>
    <${Answer} path="operator/providers" query=${{ in_tree: uuid, consumers: "true" }}>
      ${({ resource_providers }) =>
        resource_providers.length
          ? html`<${Found} providers=${resource_providers} uuid=${uuid} setSubject=${setSubject} />`
          : html`
              <p class="empty">
                There is no resource provider <code>${uuid}</code>; it may have been deleted.
              </p>
            `}
    <//>
  `;
}

function Found({ providers, uuid, setSubject }) {
  const trees = useMemo(() => nested(providers), [providers]);
  // A cycle has no root; the audit finds those.
  const root = providers.find((each) => each.uuid === each.root_provider_uuid) || providers[0];
  useEffect(() => {
    setSubject(root.name);
    return () => setSubject(null);
  }, [root.name]);
  return html`
    <p>${count(providers.length, "provider")}. <${Legend} /></p>
    <${Tree} trees=${trees} current=${uuid === root.uuid ? null : uuid} />
    <${Consumers} providers=${providers} />
    <${WhyNot} root=${root} />
  `;
}

function Consumers({ providers }) {
  const [search, setSearch] = useState("");
  const consumers = useMemo(() => consumersOf(providers), [providers]);
  const rows = useMemo(() => consumers.filter((each) => has(each, search)), [consumers, search]);
  const columns = useMemo(() => columnsOf(providers.length > 1), [providers]);
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
            html`<${VirtualTable} label="Consumers" columns=${columns} rows=${rows} />`}
          `}
    </section>
  `;
}

function has(consumer, search) {
  const text = [consumer.uuid, consumer.type, consumer.project, consumer.user].join("\n");
  return text.toLowerCase().includes(search.trim().toLowerCase());
}

function columnsOf(hasChildren) {
  return [
    { id: "uuid", title: "Consumer", width: 20, cell: ({ uuid }) => uuid },
    {
      id: "takes",
      title: "Uses",
      width: hasChildren ? 30.5 : 24,
      cell: ({ takes }) => takes.map((each) => amountsOf(each, hasChildren)).join("; "),
    },
    { id: "since", title: "Since", width: 13, cell: ({ since }) => html`<${Moment} of=${since} />` },
    { id: "type", title: "Type", width: 6.5, cell: ({ type }) => type },
    { id: "project", title: "Project", width: 7, cell: ({ project }) => project },
    { id: "user", title: "User", width: 7, cell: ({ user }) => user },
  ];
}

function amountsOf({ provider, resources }, isNamed) {
  const amounts = Object.entries(resources).map(([name, amount]) => `${name} ${number(amount)}`);
  return `${isNamed ? `${provider.name}: ` : ""}${amounts.join(", ")}`;
}

// The service gives times in UTC, as its log does.
function Moment({ of }) {
  return of
    ? html`<time datetime=${of}>${of.slice(0, 16).replace("T", " ")} UTC</time>`
    : "not known";
}

function WhyNot({ root }) {
  const [refusal, setRefusal] = useState("");
  const translate = useTranslation();
  const submit = async (event) => {
    event.preventDefault();
    const found = read(event.target.elements.query.value);
    try {
      const { query } = await translate({ query: found ? found.query : "" });
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
        Paste a query of <code>GET /allocation_candidates</code>, a log line that has one, or the
        extra specs of a flavor. Only this host, and what is shared with it, is considered.
      </p>
    </section>
  `;
}
