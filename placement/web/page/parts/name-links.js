// Links from traits and aggregates to the hosts that have them.

import { html } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { short, useGivenNames } from "./given-names.js";

export function Traits({ names }) {
  return html`<${Links} by="trait" names=${names} />`;
}

export function Aggregates({ uuids, areShort }) {
  const nameOf = useGivenNames(uuids);
  const shown = (uuid) => nameOf(uuid) ?? (areShort ? short(uuid) : uuid);
  return html`<${Links} by="aggregate" names=${uuids} shown=${shown} />`;
}

function Links({ by, names, shown = (name) => name }) {
  return html`
    <span class="names">
      ${names.map(
        (name) => html`
          <a href=${href("hosts", "", { [by]: name })} title=${name}>${shown(name)}</a>${" "}
        `,
      )}
    </span>
  `;
}
