// What was changed on one host.

import { html } from "../../lib/preact-htm.js";
import { href } from "../../route.js";
import { Changes } from "./changes.js";
import { Periods, periodOf } from "./periods.js";
import { queryOf } from "./telling.js";

// `uuid` is that of any provider in its tree.
export function HostHistory({ uuid, route }) {
  const since = periodOf(route, "1w");
  const linkOf = (each) => href("hosts", uuid, { show: "history", since: each });
  return html`
    <${Periods} current=${since} linkOf=${linkOf} />
    <${Changes} query=${queryOf(since, { tree: uuid })} />
  `;
}
