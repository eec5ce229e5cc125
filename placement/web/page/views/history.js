// What was changed in the cloud, and by whom.

import { html } from "../lib/preact-htm.js";
import { choiceOf, href, replace } from "../route.js";
import { Select } from "../parts/forms/select.js";
import { Changes } from "../parts/history/changes.js";
import { Periods, periodOf } from "../parts/history/periods.js";
import { SUBJECTS, queryOf } from "../parts/history/telling.js";

export function CloudHistory({ route }) {
  const since = periodOf(route, "1d");
  const kind = choiceOf(route, "kind", SUBJECTS, "");
  return html`
    <p class="hint">
      This shows what was changed, and by whom. Each host and each consumer has its own history, too.
    </p>
    <${Periods} current=${since} linkOf=${(each) => href("history", "", { since: each, kind })} />
    <p class="filters map-filters">
      <label>
        <span>Changes to</span>
        <${Select}
          value=${kind}
          options=${[["", "Everything"], ...Object.entries(SUBJECTS)]}
          onChange=${(each) => replace("history", "", { since, kind: each })}
        />
      </label>
    </p>
    <${Changes} query=${queryOf(since, { kind })} />
  `;
}
