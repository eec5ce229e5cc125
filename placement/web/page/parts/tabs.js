// Links between views of the same subject.

import { html } from "../lib/preact-htm.js";

// `titles` has the title of each tab by its name; `linkOf` returns the address of a name.
export function Tabs({ label, titles, current, linkOf }) {
  return html`
    <nav class="tabs" aria-label=${label}>
      ${Object.entries(titles).map(
        ([name, title]) => html`
          <a href=${linkOf(name)} aria-current=${name === current ? "true" : null}>${title}</a>
        `,
      )}
    </nav>
  `;
}
