// A button that copies a text; not shown where the browser does not let a page do so.

import { html, useState } from "../lib/preact-htm.js";

// `of` says for screen readers what is copied, where several such buttons are in sight.
export function Copy({ text, of }) {
  const [copied, setCopied] = useState(null);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    navigator.clipboard &&
    html`
      <button class="quiet" onClick=${copy} aria-label=${of && `Copy ${of}`}>
        ${copied === text ? "Copied" : "Copy"}
      </button>
    `
  );
}
