// The reader's token. It is kept for this tab only.

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

// Returns the error with which the current token was refused, or null.
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

// Shown instead of a view, which cannot ask for anything without a token.
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
          ? "This page needs your token to read the cloud."
          : refusal.message}
      </p>
      <label>
        <span>Token</span>
        <input type="password" ref=${field} autocomplete="off" spellcheck=${false} />
      </label>
      <button>Continue</button>
      <p class="hint">
        Get a token from Keystone: <code>openstack token issue -f value -c id</code>. A test
        server, such as the one that <code>make serve</code> starts, accepts the word
        ${" "}<code>admin</code>. The token is kept only for this tab.
      </p>
    </form>
  `;
}

// In the header: forgets the token, if there is one.
export function TokenButton() {
  const current = useToken();
  return current && html`<button class="quiet" onClick=${() => keep("")}>Forget the token</button>`;
}
