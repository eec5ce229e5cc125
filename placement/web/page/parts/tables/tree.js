// Shows a tree of providers: each below its parent, with its inventories.

import { html } from "../../lib/preact-htm.js";
import { href } from "../../route.js";
import { Disabled } from "../disabled.js";
import { isDisabled, traitsInOrder } from "../hosts.js";
import { LongName } from "../long-name.js";
import { Aggregates, Traits } from "../name-links.js";
import { number } from "../numbers.js";
import { SumsRow, SumsTable, amountCell } from "./sums-table.js";

const COLUMNS = ["Used", "Capacity", "Total", "Reserved", "Ratio", "Per allocation"];

// `trees` is [{provider, children}]; `current` is the UUID of the provider to highlight.
export function Tree({ trees, current }) {
  return html`
    <ul class="tree">
      ${trees.map(
        ({ provider, children }) => html`
          <li key=${provider.uuid}>
            <${Provider} provider=${provider} isCurrent=${provider.uuid === current} />
            ${children.length > 0 && html`<${Tree} trees=${children} current=${current} />`}
          </li>
        `,
      )}
    </ul>
  `;
}

function Provider({ provider, isCurrent }) {
  return html`
    <div class="provider" aria-current=${isCurrent ? "true" : null}>
      <h2><a href=${href("hosts", provider.uuid)}>${provider.name}</a></h2>
      ${isDisabled(provider) && html`<${Disabled} /> `}
      <p class="about"><code>${provider.uuid}</code> generation ${number(provider.generation)}</p>
      <${Inventories} inventories=${provider.inventories} name=${provider.name} />
      <${Memberships} provider=${provider} />
    </div>
  `;
}

function Memberships({ provider }) {
  const { traits, aggregates } = provider;
  return html`
    <dl>
      ${traits.length > 0 &&
      html`<dt>Traits</dt><dd><${Traits} names=${traitsInOrder(traits)} /></dd>`}
      ${aggregates.length > 0 &&
      html`<dt>Aggregates</dt><dd><${Aggregates} uuids=${aggregates} /></dd>`}
    </dl>
  `;
}

function Inventories({ inventories, name }) {
  const rows = Object.entries(inventories);
  if (!rows.length) {
    return html`<p>No inventory.</p>`;
  }
  return html`
    <${SumsTable} label=${`Inventories of ${name}`} columns=${COLUMNS}>
      <tbody role="rowgroup">
        ${rows.map(([name, inventory]) => html`<${Inventory} name=${name} of=${inventory} />`)}
      </tbody>
    <//>
  `;
}

function Inventory({ name, of }) {
  const amounts = [of.used, of.capacity, of.total, of.reserved];
  const cells = [
    ...amounts.map((amount) => amountCell(amount, name)),
    { text: `× ${number(of.allocation_ratio)}` },
    { text: unitsOf(of) },
  ];
  return html`
    <${SumsRow} columns=${COLUMNS} of=${of} cells=${cells}><${LongName}>${name}<//><//>
  `;
}

// Limits that always hold are left out: at least 1, and at most the total.
function unitsOf({ total, min_unit, max_unit, step_size }) {
  const rules = [
    min_unit > 1 && `at least ${number(min_unit)}`,
    max_unit < total && `at most ${number(max_unit)}`,
    step_size > 1 && `in steps of ${number(step_size)}`,
  ];
  return rules.filter(Boolean).join(", ") || "any";
}
