// Links from traits and aggregates to the hosts that have them.

import { html } from "../lib/preact-htm.js";
import { href } from "../route.js";

export function Traits({ names }) {
  return html`<${Links} by="trait" names=${names} />`;
}

export function Aggregates({ uuids }) {
  return html`<${Links} by="aggregate" names=${uuids} />`;
}

function Links({ by, names }) {
  return html`
    <span class="names">
      ${names.map((name) => html`<a href=${href("hosts", "", { [by]: name })} title=${name}>${name}</a> `)}
    </span>
  `;
}
