// Links from traits and aggregates to the hosts that have them.

import { html } from "../lib/preact-htm.js";
import { href } from "../route.js";

export function Traits({ names }) {
  return html`<${Links} by="trait" names=${names} />`;
}

// In a narrow place, the beginning of each UUID is enough.
export function Aggregates({ uuids, areShort }) {
  return html`<${Links} by="aggregate" names=${uuids} length=${areShort ? 8 : undefined} />`;
}

function Links({ by, names, length }) {
  return html`
    <span class="names">
      ${names.map(
        (name) => html`
          <a href=${href("hosts", "", { [by]: name })} title=${name}>${name.slice(0, length)}</a>${" "}
        `,
      )}
    </span>
  `;
}
