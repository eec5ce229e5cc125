// The search box of the header: for whatever has a name.

import { html, useEffect, useRef } from "../../lib/preact-htm.js";
import { LONGEST_NAME } from "../../limits.js";
import { go } from "../../route.js";

// `text` is what was looked for last.
export function SearchBox({ text }) {
  const field = useRef(null);
  useEffect(() => {
    field.current.value = text;
  }, [text]);
  const submit = (event) => {
    event.preventDefault();
    const wanted = field.current.value.trim();
    if (wanted) {
      go("find", "", { q: wanted });
    }
  };
  return html`
    <form class="search" role="search" aria-label="Everything" onSubmit=${submit}>
      <input
        type="search"
        ref=${field}
        aria-label="Find anything"
        placeholder="Find by name or UUID"
        maxlength=${LONGEST_NAME}
        spellcheck=${false}
        autocapitalize="none"
      />
    </form>
  `;
}
