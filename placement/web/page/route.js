// Each view has its address: #/view/path?parameters.

import { useEffect, useState } from "./lib/preact-htm.js";

// Returns the address of a view. `parameters` is an object; values that are null or "" are left
// out, and a list becomes a repeated parameter.
export function href(view, path = "", parameters = {}) {
  const given = Object.entries(parameters)
    .flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
    .filter(([, value]) => value !== null && value !== "");
  const query = new URLSearchParams(given).toString();
  return `#/${view}${path && `/${path}`}${query && `?${query}`}`;
}

export function go(view, path, parameters) {
  location.hash = href(view, path, parameters);
}

// Like `go`, but adds no entry to the history: for what changes while the user types.
export function replace(view, path, parameters) {
  history.replaceState(null, "", href(view, path, parameters));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

// Returns {view, path, parameters}, the last of them a URLSearchParams.
export function useRoute() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return parse(hash);
}

// Returns a parameter of a route if it is a key of `choices`, and `otherwise` if not.
export function choiceOf(route, name, choices, otherwise) {
  const given = route.parameters.get(name);
  return Object.hasOwn(choices, given) ? given : otherwise;
}

function parse(hash) {
  const text = hash.replace(/^#\/?/, "");
  const [place, ...queries] = text.split("?");
  const [view, ...path] = place.split("/");
  return {
    view,
    path: path.join("/"),
    parameters: new URLSearchParams(queries.join("?")),
  };
}
