// The names that the operator has given to UUIDs of aggregates, projects, users and consumers.

import { html, useEffect, useReducer } from "../lib/preact-htm.js";
import { ask } from "../api.js";
import { MOST_IDS } from "../limits.js";
import { href } from "../route.js";
import { useToken } from "../session.js";
import { KINDS } from "./kinds.js";

// Each id that the service has looked up, with its name or null; the ids already asked for, and
// those to ask for next; and what to call when an answer arrives.
const known = new Map();
const asked = new Set();
const wanted = new Set();
const followers = new Set();

// Returns a function from an id to its name: null until the service has answered, and for an id
// without a name. One request asks for what several components want at the same time.
export function useGivenNames(ids) {
  const token = useToken();
  const [, show] = useReducer((times) => times + 1, 0);
  useEffect(() => {
    followers.add(show);
    return () => followers.delete(show);
  }, []);
  useEffect(() => want(ids, token), [ids.join(), token]);
  return (id) => known.get(id) ?? null;
}

function want(ids, token) {
  if (!wanted.size) {
    setTimeout(() => askFor([...wanted].slice(0, MOST_IDS), token));
  }
  ids.filter((id) => !asked.has(id)).forEach((id) => wanted.add(id));
}

async function askFor(ids, token) {
  const rest = [...wanted].slice(MOST_IDS);
  wanted.clear();
  if (!ids.length) {
    return;
  }
  ids.forEach((id) => asked.add(id));
  try {
    const { names } = await ask("operator/names", "", { token, body: { ids } });
    ids.forEach((id) => known.set(id, names[id] ?? null));
    followers.forEach((show) => show());
    want(rest, token);
  } catch {
    // Without names, the page shows the ids; another view asks again.
    ids.forEach((id) => asked.delete(id));
  }
}

// A name with its id in the tooltip; without a name, the id.
export function Named({ id, name }) {
  return name ? html`<span title=${id}>${name}</span>` : html`<code title=${id}>${id}</code>`;
}

// The same as a link; `kind` is one of KINDS.
export function NamedLink({ kind, id, name }) {
  return html`
    <a href=${href(...KINDS[kind].address({ id }))}><${Named} id=${id} name=${name} /></a>
  `;
}

// Without a name, the beginning of a UUID is enough where there is little room.
export function short(uuid) {
  return uuid.slice(0, 8);
}
