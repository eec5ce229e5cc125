// Search results, and the views they link to.

import { html, useEffect } from "../lib/preact-htm.js";
import { href, replace } from "../route.js";
import { Answer } from "../parts/answer.js";
import { Disabled } from "../parts/disabled.js";
import { HostLink } from "../parts/host-link.js";
import { KINDS } from "../parts/kinds.js";

export function Find({ route }) {
  const text = route.parameters.get("q") || "";
  if (!text) {
    return html`<p class="empty">${HINT}</p>`;
  }
  return html`
    <${Answer} path="operator/find" query=${{ q: text }}>
      ${(answer) => html`<${Results} ...${answer} />`}
    <//>
  `;
}

const HINT =
  "Enter the beginning of a name or UUID above; for traits and classes, any part of the name.";

function Results({ q, found, more, notes }) {
  // A single match is shown at once; going back leads to where the search began.
  const only = found.length === 1 && !more.length ? found[0] : null;
  useEffect(() => {
    if (only) {
      replace(...KINDS[only.kind].address(only));
    }
  }, [only]);
  if (!found.length) {
    return html`<p class="empty" role="status">Nothing matches “${q}”. ${HINT}</p>`;
  }
  return html`
    <table class="found">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Name</th>
          <th scope="col">Where</th>
        </tr>
      </thead>
      <tbody>
        ${found.map((each) => html`<${Result} of=${each} />`)}
      </tbody>
    </table>
    ${notes.map((note) => html`<p role="status">${note}</p>`)}
  `;
}

function Result({ of }) {
  const { kind, id, name, hosts = [] } = of;
  const itself = hosts.find((host) => host.uuid === id);
  const others = hosts.filter((host) => host !== itself);
  return html`
    <tr>
      <td>${KINDS[kind].one}</td>
      <th scope="row">
        <a href=${href(...KINDS[kind].address(of))}>${name || id}</a>
        ${itself?.disabled && html` <${Disabled} />`}
        ${name && html`<br /><small>${id}</small>`}
      </th>
      <td>
        ${others.map((host) => html`<${HostLink} ...${host} />${" "}`)}
        ${kind === "consumer" && html`<small>${of.consumer_type}, project ${of.project_id}</small>`}
      </td>
    </tr>
  `;
}
