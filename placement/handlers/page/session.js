// The token of whoever reads the page. It stays in the memory of this tab.

import { html, useEffect, useRef, useState } from "./lib/preact-htm.js";

const KEY = "placement-token";
const CHANGED = "token-changed";

function token() {
  return sessionStorage.getItem(KEY) || "";
}

export function useToken() {
  const [current, setCurrent] = useState(token());
  useEffect(() => {
    const follow = () => setCurrent(token());
    addEventListener(CHANGED, follow);
    return () => removeEventListener(CHANGED, follow);
  }, []);
  return current;
}

function keep(text) {
  if (text) {
    sessionStorage.setItem(KEY, text);
  } else {
    sessionStorage.removeItem(KEY);
  }
  dispatchEvent(new Event(CHANGED));
}

export function TokenForm({ onDone = () => {} }) {
  const field = useRef(null);
  useEffect(() => field.current.focus(), []);
  const submit = (event) => {
    event.preventDefault();
    keep(field.current.value.trim());
    onDone();
  };
  return html`
    <form class="token" onSubmit=${submit}>
      <label>
        Token
        <input type="password" ref=${field} autocomplete="off" spellcheck=${false} />
      </label>
      <button>Use it</button>
      <p class="hint">
        From Keystone: <code>openstack token issue -f value -c id</code>. A server for trying
        things out, such as that of <code>make serve</code>, takes the word <code>admin</code>.
        It is kept for this tab only.
      </p>
    </form>
  `;
}

// In the header: gives the token up, once there is one.
export function TokenButton() {
  const current = useToken();
  return current && html`<button class="quiet" onClick=${() => keep("")}>Forget the token</button>`;
}
