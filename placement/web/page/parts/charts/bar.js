// Bars: how much of a resource class is reserved, used and free.

import { html } from "../../lib/preact-htm.js";
import { amount, percent, shareUsed } from "../numbers.js";

// `of` has total, reserved, capacity and used: an inventory, or the sums of many. The whole bar is
// the total, so that used stands for its share of the capacity. With `className`, amounts are shown
// in the unit of the class; `more` is a text to add after them.
export function Bar({ of, className = "", more = "" }) {
  const reserved = of.total > 0 ? Math.min(of.reserved / of.total, 1) : 0;
  const used = Math.min(shareUsed(of), 1);
  const isOver = of.used > of.capacity;
  const shown = (value) => amount(value, className);
  const label =
    `${percent(of.used, of.capacity)} used: ${shown(of.used)} of ${shown(of.capacity)}` +
    (of.reserved ? `, plus ${shown(of.reserved)} reserved` : "") +
    more;
  return html`
    <span class=${isOver ? "bar over" : "bar"} role="img" aria-label=${label} title=${label}>
      <span class="used" style=${{ width: share(used * (1 - reserved)) }}></span>
      <span class="reserved" style=${{ width: share(reserved) }}></span>
    </span>
  `;
}

export function Legend() {
  return html`
    <p class="legend" aria-hidden="true">
      <span class="used"></span> used <span class="reserved"></span> reserved
      <span class="free"></span> free <span class="over"></span> overcommitted
    </p>
  `;
}

function share(part) {
  return `${100 * part}%`;
}
