// What is to be known of a question, above its answer.

import { html, useState } from "../lib/preact-htm.js";

// Returns [the note, the function that sets it to a text for a question]: it goes with the question.
export function useNote(question) {
  const [note, setNote] = useState({ text: "", of: "" });
  const text = note.of === question ? note.text : "";
  return [
    html`<p class="hint" role="status">${text}</p>`,
    (text, of) => setNote({ text, of }),
  ];
}
