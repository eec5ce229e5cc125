// The outcome of a question: announced to screen readers, and scrolled into view.

import { html, useEffect, useRef, useState } from "../lib/preact-htm.js";

// Returns [the element that screen readers announce, the function that an Outcome calls].
export function useVoice(question) {
  const [said, say] = useState("");
  const [first] = useState(question);
  const tell = (sentence, lines) => {
    // A link in an answer is gone once it has been followed: then nothing has the focus.
    if (question !== first && document.activeElement === document.body) {
      lines.focus({ preventScroll: true });
    } else {
      say(sentence);
    }
  };
  return [html`<p class="unseen" role="status">${said}</p>`, tell];
}

// The first lines of an answer; they scroll into view if the form fills the screen.
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
