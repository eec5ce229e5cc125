// A note on a question, above its answer.

import { html, useState } from "../lib/preact-htm.js";

// Returns [the note, the function that sets its text for a question]: the note disappears with that
// question.
export function useNote(question) {
  const [note, setNote] = useState({ text: "", of: "" });
  const text = note.of === question ? note.text : "";
  return [
    html`<p class="hint" role="status">${text}</p>`,
    (text, of) => setNote({ text, of }),
  ];
}
