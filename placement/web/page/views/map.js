// A heat map: a cell for every host, coloured by how much of one class is used.

import { html, useEffect, useMemo, useRef, useState } from "../lib/preact-htm.js";
import { choiceOf, href, replace } from "../route.js";
import { Answer } from "../parts/answer.js";
import { useGivenNames } from "../parts/given-names.js";
import { NO_AGGREGATE, heatOf, partsOf, shadeOf } from "../parts/charts/heat.js";
import { Select } from "../parts/forms/select.js";
import { classesOf, hostsOf, sortedBy } from "../parts/hosts.js";
import { NO_INVENTORY, Nothing } from "../parts/nothing.js";
import { amount, count, number, percent } from "../parts/numbers.js";

export function HeatMap({ route }) {
  return html`
    <${Answer} path="operator/providers">
      ${({ resource_providers: providers }) =>
        providers.length
          ? html`<${Hosts} providers=${providers} route=${route} />`
          : html`<${Nothing} />`}
    <//>
  `;
}

// Groups with more hosts than this take up the whole width.
const MOST_IN_A_COLUMN = 120;

function isWide({ hosts }) {
  return hosts.length > MOST_IN_A_COLUMN;
}

const GROUPINGS = {
  aggregate: "Aggregate",
  tree: "Host (with its providers)",
  none: "Nothing",
};

function Hosts({ providers, route }) {
  const hosts = useMemo(() => hostsOf(providers), [providers]);
  const classes = useMemo(() => classesOf(hosts), [hosts]);
  const className = route.parameters.get("class") || classes[0];
  const by = choiceOf(route, "by", GROUPINGS, "aggregate");
  const want = (name) => (value) => replace("map", "", { class: className, by, [name]: value });
  if (!classes.length) {
    return html`<p class="empty">${NO_INVENTORY}</p>`;
  }
  return html`
    <form class="filters map-filters">
      <label>
        <span>Class</span>
        <${Select}
          value=${className}
          options=${classes.map((name) => [name, name])}
          onChange=${want("class")}
        />
      </label>
      <label>
        <span>Group by</span>
        <${Select} value=${by} options=${Object.entries(GROUPINGS)} onChange=${want("by")} />
      </label>
    </form>
    <${Groups} hosts=${hosts} providers=${providers} className=${className} by=${by} />
  `;
}

function Groups({ hosts, providers, className, by }) {
  const groups = useMemo(
    () =>
      by === "tree"
        ? heatOf(partsOf(providers), className, true)
        : heatOf(hosts, className, by === "aggregate"),
    [hosts, providers, className, by],
  );
  const nameOf = useGivenNames(by === "aggregate" ? groups.map(({ id }) => id).filter(Boolean) : []);
  const hostNames = useMemo(() => Object.fromEntries(hosts.map(({ uuid, name }) => [uuid, name])), [hosts]);
  const titleOf = ({ id }) =>
    id === NO_AGGREGATE ? TITLES[by] : by === "tree" ? hostNames[id] : nameOf(id) || id;
  const byTitle = sortedBy(groups, (group) => (group.id === NO_AGGREGATE ? null : titleOf(group)));
  // Large groups, such as zones, come last: small ones, such as racks, would be lost between them.
  const titled = [...byTitle.filter((each) => !isWide(each)), ...byTitle.filter(isWide)];
  const shown = hosts.filter((host) => host.sums.has(className)).length;
  const box = useRef(null);
  return html`
    <p>
      ${number(shown)} of ${count(hosts.length, "host")} offer ${className}. <${Scale} />
    </p>
    <p class="hint">
      ${HINTS[by]} The arrow keys move between cells; Enter opens one.
    </p>
    <${Pointed} box=${box} />
    <div class=${by === "tree" ? "heat trees" : "heat"} ref=${box} onKeyDown=${move}>
      ${titled.map(
        (group) => html`
          <${Group}
            key=${group.id}
            group=${group}
            title=${titleOf(group)}
            className=${className}
            by=${by}
          />
        `,
      )}
    </div>
  `;
}

// Describes the cell under the pointer or the focus, without the delay of a tooltip.
function Pointed({ box }) {
  const [text, setText] = useState("");
  useEffect(() => {
    const follow = (event) =>
      setText(event.target.closest(".cell")?.getAttribute("aria-label") ?? "");
    const cells = box.current;
    cells.addEventListener("mouseover", follow);
    cells.addEventListener("focusin", follow);
    return () => {
      cells.removeEventListener("mouseover", follow);
      cells.removeEventListener("focusin", follow);
    };
  }, []);
  return html`<p class="pointed" aria-hidden="true">${text || "\u00a0"}</p>`;
}

function Scale() {
  return html`
    <span class="legend" aria-hidden="true">
      empty ${[0, 2, 4, 6, 8, 9].map((shade) => html`<span class=${`shade-${shade}`}></span>`)} full
      <span class="disabled-cell"></span> disabled
    </span>
  `;
}

const TITLES = { aggregate: "In no aggregate", none: "All hosts" };
const HINTS = {
  aggregate: "A host in two aggregates is shown in both.",
  tree: "A cell is a provider that offers the class.",
  none: "A cell is a host.",
};
const CELLS = { aggregate: "host", tree: "provider", none: "host" };

function Group({ group, title, className, by }) {
  const { id, hosts, sum, full } = group;
  const share = percent(sum.used, sum.capacity);
  return html`
    <section class=${isWide(group) ? "heat-group wide" : "heat-group"}>
      <h2>
        ${id === NO_AGGREGATE
          ? title
          : html`
              <a href=${by === "tree" ? href("hosts", id) : href("hosts", "", { aggregate: id })} title=${id}>
                ${title}
              </a>
            `}
      </h2>
      <p>
        <b>${share}</b> of ${amount(sum.capacity, className)},
        ${" "}${count(hosts.length, CELLS[by])}${full > 0 && `, ${number(full)} full`}
      </p>
      <${Cells} hosts=${hosts} className=${className} />
    </section>
  `;
}

function Cells({ hosts, className }) {
  return useMemo(
    () => html`
      <div class="cells">
        ${hosts.map((host, index) => html`<${Cell} host=${host} className=${className} isFirst=${!index} />`)}
      </div>
    `,
    [hosts, className],
  );
}

// Only the first of a group can be reached by Tab; the arrow keys lead to the others.
function Cell({ host, className, isFirst }) {
  const sum = host.sums.get(className);
  const label =
    `${host.name}: ${percent(sum.used, sum.capacity)} used,` +
    ` ${amount(sum.used, className)} of ${amount(sum.capacity, className)}` +
    (host.isDisabled ? ", disabled" : "");
  return html`
    <a
      href=${href("hosts", host.uuid)}
      class=${`cell shade-${shadeOf(sum)}${host.isDisabled ? " disabled-cell" : ""}`}
      tabindex=${isFirst ? 0 : -1}
      aria-label=${label}
      title=${label}
    ></a>
  `;
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

// Moves the focus by an arrow key: to the next cell, or to the one above or below.
function move(event) {
  const cell = event.target.closest(".cell");
  if (!cell) {
    return;
  }
  const cells = [...event.currentTarget.querySelectorAll(".cell")];
  const next =
    event.key in STEPS
      ? cells[cells.indexOf(cell) + STEPS[event.key]]
      : event.key === "ArrowDown"
        ? nearest(cell, cells, 1)
        : event.key === "ArrowUp"
          ? nearest(cell, cells, -1)
          : null;
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

// Returns the cell in the nearest row above or below another cell that is closest to its column.
function nearest(cell, cells, direction) {
  const { top, left } = cell.getBoundingClientRect();
  let found = null;
  let best = Infinity;
  for (const each of cells) {
    const place = each.getBoundingClientRect();
    const rows = (place.top - top) * direction;
    const distance = rows * 10 + Math.abs(place.left - left);
    if (rows > 1 && distance < best) {
      best = distance;
      found = each;
    }
  }
  return found;
}
