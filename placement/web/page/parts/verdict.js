// The verdict of an answer: good or bad, shown by colour and by a mark.

import { html } from "../lib/preact-htm.js";

export function Verdict({ isGood, children }) {
  return html`
    <p class=${`verdict ${isGood ? "good" : "bad"}`}>
      <span aria-hidden="true">${isGood ? "✓" : "✗"}</span> ${children}
    </p>
  `;
}
