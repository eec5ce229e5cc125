// A button that removes a row of a form.

import { html } from "../../lib/preact-htm.js";

// `what` says for screen readers what it removes.
export function Remove({ what, disabled, onClick }) {
  return html`
    <button
      type="button"
      class="quiet remove"
      aria-label=${`Remove ${what}`}
      disabled=${disabled}
      onClick=${onClick}
    >
      ×
    </button>
  `;
}
