// What came of a question: told to those who listen, and in sight of those who look.

import { html, useEffect, useRef, useState } from "../lib/preact-htm.js";

// Returns [what those who listen are told, the function that an Outcome tells it to].
export function useVoice(question) {
  const [said, say] = useState("");
  const [first] = useState(question);
  const tell = (sentence, lines) => {
    // Who has followed a link in an answer is left without a focus: the link is gone.
    if (question !== first && document.activeElement === document.body) {
      lines.focus({ preventScroll: true });
    } else {
      say(sentence);
    }
  };
  return [html`<p class="unseen" role="status">${said}</p>`, tell];
}

// The first lines of an answer; where the form fills the screen, they come into sight.
export function Outcome({ tell, sentence, children }) {
  const lines = useRef(null);
  useEffect(() => {
    tell(sentence, lines.current);
    if (lines.current.getBoundingClientRect().bottom > innerHeight) {
      lines.current.scrollIntoView();
    }
  }, [sentence]);
  return html`<div class="outcome" tabindex="-1" ref=${lines}>${children}</div>`;
}
