// An answer of the service: waited for, refused or shown.

import { html, useEffect, useState } from "../lib/preact-htm.js";
import { ask } from "../api.js";
import { refuse, useToken } from "../session.js";
import { Curl } from "./curl.js";

// Returns {answer, error, again}; the first two are null until the service has answered. With a
// `body`, the request is a POST.
export function useAnswer(path, query, body) {
  const token = useToken();
  const [state, setState] = useState({ answer: null, error: null });
  const [round, setRound] = useState(0);
  const key = `${path}?${new URLSearchParams(query)}${body ? JSON.stringify(body) : ""}`;
  useEffect(() => {
    const controller = new AbortController();
    setState({ answer: null, error: null });
    ask(path, query, { token, signal: controller.signal, body }).then(
      (answer) => setState({ answer, error: null, key }),
      (error) => {
        if (error.isOfToken) {
          refuse(error);
        } else if (error.name !== "AbortError") {
          setState({ answer: null, error, key });
        }
      },
    );
    return () => controller.abort();
  }, [key, token, round]);
  const again = () => setRound(round + 1);
  // The answer to an earlier question is not shown for this one.
  return state.key === key ? { ...state, again } : { answer: null, error: null, again };
}

// Shows what `children`, a function, makes of an answer, and below it the same request for curl.
export function Answer({ path, query = "", body, terminal, children }) {
  const { answer, error, again } = useAnswer(path, query, body);
  return html`
    <div aria-busy=${!answer && !error}>
      ${error
        ? html`<${Failure} error=${error} again=${again} />`
        : answer
          ? children(answer)
          : html`<${Waiting} />`}
      <${Curl} path=${path} query=${query} body=${body} title=${terminal} />
    </div>
  `;
}

// Appears only after a moment: most answers arrive before it could be read.
function Waiting() {
  return html`<p class="waiting" role="status">Asking the service …</p>`;
}

function Failure({ error, again }) {
  return html`
    <div class="failure" role="alert">
      <p>${error.message}</p>
      ${(error.status === 0 || error.status >= 500) &&
      html`<button onClick=${again}>Try again</button>`}
    </div>
  `;
}
