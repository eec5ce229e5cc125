// A text field that suggests names.

import { html, useEffect, useState } from "../../lib/preact-htm.js";
import { ask } from "../../api.js";
import { useToken } from "../../session.js";

// Returns the names that the service lists; none until it answers, or if it refuses: a proxy may
// allow the reader only /operator/.
export function useNames(path) {
  const token = useToken();
  const [names, setNames] = useState([]);
  useEffect(() => {
    const controller = new AbortController();
    ask(path, "", { token, signal: controller.signal }).then(
      (answer) => setNames(answer[path].map((each) => each.name || each)),
      () => {},
    );
    return () => controller.abort();
  }, [path, token]);
  return names;
}

// A field for a list of names. A suggestion is appended to what is already there.
export function NamesField({ label, value, onChange, names = [], hint, id }) {
  const [hasFocus, setHasFocus] = useState(false);
  const before = value.slice(0, value.search(/[^,\s|!]*$/));
  return html`
    <label class="field">
      <span>${label} ${hint && html`<small>${hint}</small>`}</span>
      <input
        value=${value}
        list=${names.length ? id : null}
        spellcheck=${false}
        autocomplete="off"
        onInput=${(event) => onChange(event.target.value)}
        onFocus=${() => setHasFocus(true)}
        onBlur=${() => setHasFocus(false)}
      />
      ${hasFocus &&
      html`<datalist id=${id}>${names.map((name) => html`<option value=${before + name} />`)}</datalist>`}
    </label>
  `;
}
