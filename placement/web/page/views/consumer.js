// One consumer: whose it is, where it is, what it uses, and its history.

import { html } from "../lib/preact-htm.js";
import { Answer } from "../parts/answer.js";
import { Named, NamedLink, useGivenNames } from "../parts/given-names.js";
import { Changes } from "../parts/history/changes.js";
import { HostLink } from "../parts/host-link.js";
import { amount } from "../parts/numbers.js";
import { useSubject } from "../parts/subject.js";

export function Consumer({ route, setSubject }) {
  const uuid = route.path;
  return html`
    <${Answer} path="operator/find" query=${{ q: uuid }}>
      ${({ found }) => {
        const consumer = found.find((each) => each.kind === "consumer" && each.id === uuid);
        return consumer
          ? html`<${Found} consumer=${consumer} setSubject=${setSubject} />`
          : html`
              <p class="empty">
                There is no consumer <code>${uuid}</code>; it may have been deleted.
              </p>
            `;
      }}
    <//>
    <h2>History</h2>
    <${Changes} query=${{ consumer: uuid }} />
  `;
}

function Found({ consumer, setSubject }) {
  const { id, project_id: project, user_id: user, consumer_type: type, hosts } = consumer;
  const nameOf = useGivenNames([id, project, user]);
  const name = nameOf(id);
  useSubject(name || `Consumer ${id}`, setSubject);
  return html`
    <dl class="consumer">
      ${name && html`<dt>UUID</dt><dd><code>${id}</code></dd>`}
      <dt>Type</dt>
      <dd>${type}</dd>
      <dt>Project</dt>
      <dd><${NamedLink} kind="project" id=${project} name=${nameOf(project)} /></dd>
      <dt>User</dt>
      <dd><${Named} id=${user} name=${nameOf(user)} /></dd>
    </dl>
    <h2>Where it is</h2>
    ${hosts.length === 0
      ? html`<p>It uses nothing.</p>`
      : html`
          <table>
            <thead>
              <tr>
                <th scope="col">Host</th>
                <th scope="col">Uses</th>
              </tr>
            </thead>
            <tbody>
              ${hosts.map((host) => html`<${Held} host=${host} />`)}
            </tbody>
          </table>
        `}
    <p class="hint">A host is a root provider with everything below it.</p>
  `;
}

function Held({ host: { resources = {}, ...host } }) {
  const amounts = Object.entries(resources).map(
    ([className, value]) => `${className} ${amount(value, className)}`,
  );
  return html`
    <tr>
      <th scope="row"><${HostLink} ...${host} /></th>
      <td>${amounts.join(", ")}</td>
    </tr>
  `;
}
