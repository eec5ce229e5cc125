// Marks a host that schedulers leave out, because its nova service is disabled.

import { html } from "../lib/preact-htm.js";
import { DISABLED } from "./hosts.js";

export function Disabled() {
  return html`<span class="mark" title=${DISABLED}>disabled</span>`;
}
