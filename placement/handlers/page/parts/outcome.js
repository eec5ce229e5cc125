// What came of a question: told to those who listen, and in sight of those who look.

import { html, useEffect, useRef, useState } from "../lib/preact-htm.js";

// Returns [what shows `said` to those who listen, and the function that says something].
export function useVoice() {
  const [said, say] = useState("");
  return [html`<p class="unseen" role="status">${said}</p>`, say];
}

// The first lines of an answer; where the form fills the screen, they come into sight.
export function Outcome({ say, spoken, children }) {
  const lines = useRef(null);
  useEffect(() => {
    say(spoken);
    if (lines.current.getBoundingClientRect().bottom > innerHeight) {
      lines.current.scrollIntoView();
    }
  }, [spoken]);
  return html`<div class="outcome" ref=${lines}>${children}</div>`;
}
