// The texts for a cloud that is still empty.

import { html } from "../lib/preact-htm.js";

export const NO_INVENTORY = "No provider has an inventory.";

export function Nothing() {
  return html`
    <div class="empty">
      <p>There are no resource providers yet.</p>
      <p>
        nova-compute and other agents create them once they are configured to use this service. For
        something to look at, <code>make demo</code> adds a small cloud.
      </p>
    </div>
  `;
}
