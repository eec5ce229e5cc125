// Marks what schedulers leave out, as nova's service there is disabled.

import { html } from "../lib/preact-htm.js";
import { DISABLED } from "./hosts.js";

export function Disabled() {
  return html`<span class="mark" title=${DISABLED}>disabled</span>`;
}
