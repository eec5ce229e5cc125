// What was changed, newest first: some at first, and older ones on request.

import { html, useEffect, useRef, useState } from "../../lib/preact-htm.js";
import { Answer, useAnswer } from "../answer.js";
import { useGivenNames } from "../given-names.js";
import { count } from "../numbers.js";
import { Change } from "./change.js";
import { dayName, dayOf, daysOf, idsOf } from "./telling.js";

const AT_A_TIME = 50;

// `query` has the parameters of GET /operator/changes that choose changes.
export function Changes({ query }) {
  return html`<${Page} key=${new URLSearchParams(query).toString()} query=${query} />`;
}

// A page of changes, and those after it once they were asked for. `lastDay` is the day before them.
function Page({ query, before, lastDay }) {
  const asked = { ...query, order: "newest", sentences: "true", limit: AT_A_TIME };
  const given = before ? { ...asked, before } : asked;
  return html`
    <${Answer}
      path="operator/changes"
      query=${given}
      terminal=${before && "These changes in a terminal"}
    >
      ${({ changes, next }) =>
        html`
          <${Days} changes=${changes} isFirst=${!before} lastDay=${lastDay} />
          <${Rest}
            query=${query}
            next=${next}
            isEmpty=${!changes.length && !before}
            lastDay=${changes.length ? dayOf(changes.at(-1)) : lastDay}
          />
        `}
    <//>
  `;
}

function Days({ changes, isFirst, lastDay }) {
  const nameOf = useGivenNames(idsOf(changes));
  const list = useRef(null);
  useEffect(() => {
    // The button that asked for them is gone.
    if (!isFirst) {
      list.current.focus();
    }
  }, []);
  return html`
    <div tabindex="-1" ref=${list} class="history">
      ${daysOf(changes).map(
        ({ day, changes }) => html`
          ${day !== lastDay && html`<h2>${dayName(day)} <small>UTC</small></h2>`}
          <ol>
            ${changes.map(
              (change) =>
                html`<${Change} key=${change.position} change=${change} nameOf=${nameOf} />`,
            )}
          </ol>
        `,
      )}
    </div>
  `;
}

function Rest({ query, next, isEmpty, lastDay }) {
  const [isAsked, setAsked] = useState(false);
  if (next === null) {
    return html`<${End} query=${query} isEmpty=${isEmpty} />`;
  }
  return isAsked
    ? html`<${Page} query=${query} before=${next} lastDay=${lastDay} />`
    : html`<p><button onClick=${() => setAsked(true)}>Show older changes</button></p>`;
}

// Says why there are no others.
function End({ query, isEmpty }) {
  const { answer } = useAnswer("operator/service", "");
  if (!answer) {
    return null;
  }
  const { history_days: days } = answer;
  if (!days) {
    return html`
      <p class="empty">
        This service does not record what is changed: its option <code>[operator] history_days</code>
        ${" "}is 0.
      </p>
    `;
  }
  const found = isEmpty ? "Nothing was changed" : "Nothing else was changed";
  return html`
    <p class=${isEmpty ? "empty" : "hint"}>
      ${found}${query.since && " in this period"}. Changes are kept for ${count(days, "day")}.
    </p>
  `;
}
