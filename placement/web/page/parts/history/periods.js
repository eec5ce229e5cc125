// The choice of how far back to look.

import { html } from "../../lib/preact-htm.js";
import { choiceOf } from "../../route.js";
import { Tabs } from "../tabs.js";
import { PERIODS } from "./telling.js";

// Returns the period that an address names, or `otherwise` if it names none.
export function periodOf(route, otherwise) {
  return choiceOf(route, "since", PERIODS, otherwise);
}

// `linkOf` returns the address for a period.
export function Periods({ current, linkOf }) {
  return html`
    <${Tabs} label="How far back" titles=${PERIODS} current=${current} linkOf=${linkOf} />
  `;
}
