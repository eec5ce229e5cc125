// The request behind a view, as a command to copy.

import { html } from "../lib/preact-htm.js";
import { curlLine } from "../api.js";
import { Copy } from "./copy.js";

export function Curl({ path, query, body, title = "The same in a terminal" }) {
  const line = curlLine(path, query, body);
  return html`
    <details class="curl">
      <summary>${title}</summary>
      <pre tabindex="0" role="region" aria-label="Command">${line}</pre>
      <${Copy} text=${line} />
    </details>
  `;
}
