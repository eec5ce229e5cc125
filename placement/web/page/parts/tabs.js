// Links between views of the same subject.

import { html } from "../lib/preact-htm.js";

// `tabs` is [{title, href, isCurrent}].
export function Tabs({ label, tabs }) {
  return html`
    <nav class="tabs" aria-label=${label}>
      ${tabs.map(
        (tab) => html`
          <a href=${tab.href} aria-current=${tab.isCurrent ? "true" : null}>${tab.title}</a>
        `,
      )}
    </nav>
  `;
}
