// The frame of the page: the header above each view, and the choice of the view.

import { html, render, useEffect, useRef, useState } from "./lib/preact-htm.js";
import { href, useRoute } from "./route.js";
import { TokenButton, TokenForm, useRefusal, useToken } from "./session.js";
import { SearchBox } from "./parts/forms/search-box.js";
import { Cloud } from "./views/cloud.js";
import { Consumer } from "./views/consumer.js";
import { Empty } from "./views/evacuation.js";
import { Find } from "./views/find.js";
import { Fit } from "./views/fit.js";
import { CloudHistory } from "./views/history.js";
import { Hosts } from "./views/hosts.js";
import { HeatMap } from "./views/map.js";
import { Audit } from "./views/audit.js";
import { Why } from "./views/why.js";

const VIEWS = {
  cloud: { title: "Cloud", show: Cloud },
  hosts: { title: "Hosts", show: Hosts },
  map: { title: "Map", show: HeatMap },
  history: { title: "History", show: CloudHistory },
  why: { title: "Why not?", show: Why },
  fit: { title: "How many more?", show: Fit },
  audit: { title: "Audit", show: Audit },
  // These are reached by links and the search box.
  empty: { title: "Can it be emptied?", show: Empty, isLinked: false },
  find: { title: "Find", show: Find, isLinked: false },
  consumers: { title: "Consumer", show: Consumer, isLinked: false },
};
const LINKED = Object.entries(VIEWS).filter(([, view]) => view.isLinked !== false);
const FIRST = "cloud";

function App() {
  const route = useRoute();
  const name = route.view || FIRST;
  const view = VIEWS[name];
  // A view may set its own title, such as the name of a host.
  const [subject, setSubject] = useState(null);
  const title = subject || (view ? view.title : "Page not found");
  const heading = useFocusOnChange(`${name}/${route.path}`);
  useEffect(() => {
    document.title = `${title} – Placement`;
  }, [title]);
  return html`
    <a class="skip" href="#main" onClick=${skipTo("main")}>Skip to the content</a>
    <header>
      <span class="brand">Placement</span>
      <nav aria-label="Views">
        ${LINKED.map(
          ([each, { title }]) =>
            html`<a href=${href(each)} aria-current=${each === name ? "page" : null}>${title}</a>`,
        )}
      </nav>
      <${SearchBox} text=${name === "find" ? route.parameters.get("q") || "" : ""} />
      <${TokenButton} />
    </header>
    <main id="main" tabindex="-1">
      <h1 tabindex="-1" ref=${heading}>${title}</h1>
      <${Content} view=${view} route=${route} setSubject=${setSubject} />
    </main>
  `;
}

function Content({ view, route, setSubject }) {
  const token = useToken();
  const refusal = useRefusal();
  if (refusal) {
    return html`<${TokenForm} refusal=${refusal} />`;
  }
  return view
    ? html`<${view.show} key=${token} route=${route} setSubject=${setSubject} />`
    : html`<p>There is no such page. <a href=${href(FIRST)}>Go to the cloud</a>.</p>`;
}

// Moves the focus to the heading when the view or the host changes, so that screen readers
// announce it; not when the page has just loaded.
function useFocusOnChange(place) {
  const heading = useRef(null);
  const [first] = useState(place);
  const hasChanged = useRef(false);
  useEffect(() => {
    if (hasChanged.current || place !== first) {
      hasChanged.current = true;
      heading.current.focus();
    }
  }, [place]);
  return heading;
}

// The hash of the address is the route; a link within the view must not change it.
function skipTo(id) {
  return (event) => {
    event.preventDefault();
    document.getElementById(id).focus();
  };
}

render(html`<${App} />`, document.body);
