// A link to a host of an answer, marked if nova has disabled the host.

import { html } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { Disabled } from "./disabled.js";

// A host that is only assumed has no UUID, and so no link.
export function HostLink({ uuid, name, disabled }) {
  return html`
    ${uuid ? html`<a href=${href("hosts", uuid)}>${name}</a>` : name}${disabled &&
    html` <${Disabled} />`}
  `;
}

export function HostLinks({ hosts }) {
  return hosts.map((host, index) => html`${index > 0 && ", "}<${HostLink} ...${host} />`);
}
