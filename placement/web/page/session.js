// The token of whoever reads the page. It is kept for this tab.

import { html, useEffect, useRef, useState } from "./lib/preact-htm.js";

const KEY = "placement-token";
const CHANGED = "token-changed";
const REFUSED = "token-refused";

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

// Tells the frame that the service has refused the token, or that there was none.
export function refuse(error) {
  dispatchEvent(new CustomEvent(REFUSED, { detail: error }));
}

// Returns the error by which the current token was refused, or null.
export function useRefusal() {
  const [refusal, setRefusal] = useState(null);
  useEffect(() => {
    const set = (event) => setRefusal(event.detail);
    const forget = () => setRefusal(null);
    addEventListener(REFUSED, set);
    addEventListener(CHANGED, forget);
    return () => {
      removeEventListener(REFUSED, set);
      removeEventListener(CHANGED, forget);
    };
  }, []);
  return refusal;
}

function keep(text) {
  if (text) {
    sessionStorage.setItem(KEY, text);
  } else {
    sessionStorage.removeItem(KEY);
  }
  dispatchEvent(new Event(CHANGED));
}

// In the place of a view, which cannot ask for anything.
export function TokenForm({ refusal }) {
  const field = useRef(null);
  useEffect(() => field.current.focus(), []);
  const submit = (event) => {
    event.preventDefault();
    keep(field.current.value.trim());
  };
  return html`
    <form class="token" onSubmit=${submit}>
      <p role=${token() ? "alert" : null}>
        ${refusal.status === 401 && !token()
          ? "What there is to see, this page asks the service for, with a token of yours."
          : refusal.message}
      </p>
      <label>
        <span>Token</span>
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
