// In the place of a cloud that has nothing yet.

import { html } from "../lib/preact-htm.js";

export function Nothing() {
  return html`
    <div class="empty">
      <p>There are no resource providers yet.</p>
      <p>
        They come from nova-compute and others, as soon as these are told of this service. For
        something to look at, <code>make demo</code> fills it with a small cloud.
      </p>
    </div>
  `;
}
