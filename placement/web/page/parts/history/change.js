// One change: when, who, what, and the request that made it.

import { html } from "../../lib/preact-htm.js";
import { href } from "../../route.js";
import { Copy } from "../copy.js";
import { short } from "../given-names.js";
import { KINDS } from "../kinds.js";
import { LongName } from "../long-name.js";
import { amount } from "../numbers.js";
import { authorOf } from "./telling.js";

export function Change({ change, nameOf }) {
  const { user, project, program } = authorOf(change);
  return html`
    <li>
      <time datetime=${change.at}>${change.at.slice(11, 19)}</time>
      <div>
        <p>
          <strong title=${user}>${user ? (nameOf(user) ?? user) : program}</strong>${" "}
          ${change.sentence.map((piece) => html`<${Piece} of=${piece} nameOf=${nameOf} />`)}
        </p>
        <p class="hint">
          ${project && html`project <span title=${project}>${nameOf(project) ?? project}</span> · `}
          ${change.operation && html`<span class="operation">${change.operation}</span>`}
          ${change.request_id &&
          html`
            ${" · "}<code>${change.request_id}</code>${" "}
            <${Copy} text=${change.request_id} of="the request id" />
          `}
        </p>
      </div>
    </li>
  `;
}

function Piece({ of: { text, kind, id }, nameOf }) {
  if (kind === null) {
    return html`<${LongName}>${text}<//>`;
  }
  if (kind === "amount") {
    return amount(Number(text), id);
  }
  return html`
    <a href=${href(...KINDS[kind].address({ id }))} title=${id}>
      <${LongName}>${nameOf(id) ?? (LONG.includes(kind) ? short(id) : text)}<//>
    </a>
  `;
}

// In a sentence, the text of these is a UUID.
const LONG = ["consumer", "aggregate"];
