// The request behind a view, as a command to copy.

import { html, useState } from "../lib/preact-htm.js";
import { curlLine } from "../api.js";

export function Curl({ path, query, title = "The same in a terminal" }) {
  const [copied, setCopied] = useState(null);
  const line = curlLine(path, query);
  const copy = async () => {
    await navigator.clipboard.writeText(line);
    setCopied(line);
  };
  return html`
    <details class="curl">
      <summary>${title}</summary>
      <pre tabindex="0" role="region" aria-label="Command">${line}</pre>
      ${navigator.clipboard &&
      html`<button class="quiet" onClick=${copy}>${copied === line ? "Copied" : "Copy"}</button>`}
    </details>
  `;
}
