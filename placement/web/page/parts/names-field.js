// Names to choose from as one types.

import { html, useEffect, useState } from "../lib/preact-htm.js";
import { ask } from "../api.js";
import { useToken } from "../session.js";

// Returns what the service lists there; nothing while that is asked, or where it is refused: a
// proxy may let the reader ask below /operator/ only.
export function useNames(path, member) {
  const token = useToken();
  const [names, setNames] = useState([]);
  useEffect(() => {
    const controller = new AbortController();
    ask(path, "", { token, signal: controller.signal }).then(
      (answer) => setNames(answer[member].map((each) => each.name || each)),
      () => {},
    );
    return () => controller.abort();
  }, [path, token]);
  return names;
}

// A field for a list of names. A choice goes on with what is written already.
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
