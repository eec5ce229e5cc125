// Who would have to go for a request that fits nowhere.

import { html, useState } from "../lib/preact-htm.js";
import { Answer } from "../parts/answer.js";
import { NamedLink, useGivenNames } from "../parts/given-names.js";
import { HostLink } from "../parts/host-link.js";

export function Release({ query }) {
  const [isAsked, setAsked] = useState(false);
  return html`
    <section>
      <h2>Who would have to go?</h2>
      <p class="hint">
        This finds, for each host, the fewest consumers whose removal would make room there. It
        removes nothing.
      </p>
      ${isAsked
        ? html`
            <${Answer}
              path="operator/release"
              query=${query}
              terminal="Who would have to go, in a terminal"
            >
              ${(answer) => html`<${Found} ...${answer} />`}
            <//>
          `
        : html`<p><button class="quiet" onClick=${() => setAsked(true)}>Find them</button></p>`}
    </section>
  `;
}

function Found({ hosts, summary, complete }) {
  const nameOf = useGivenNames(
    hosts.flatMap(({ consumers }) =>
      consumers.flatMap(({ uuid, project_id }) => [uuid, project_id]),
    ),
  );
  return html`
    <p class="summary" role="status">${summary}</p>
    <ul class="closest">
      ${hosts.map(
        ({ consumers, ...host }) => html`
          <li>
            <span><${HostLink} ...${host} /></span>
            <ul>
              ${consumers.map(
                (each) => html`
                  <li>
                    <${NamedLink} kind="consumer" id=${each.uuid} name=${nameOf(each.uuid)} />${" "}
                    <small>project ${nameOf(each.project_id) ?? each.project_id}</small>
                  </li>
                `,
              )}
            </ul>
          </li>
        `,
      )}
    </ul>
    ${!complete &&
    html`<p class="hint">The search ended early: there may be more such hosts.</p>`}
  `;
}
