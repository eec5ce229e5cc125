// How full the cloud was in the last days: a chart for each class.

import { html } from "../../lib/preact-htm.js";
import { Answer } from "../answer.js";
import { linesOf } from "./chart-lines.js";
import { LongName } from "../long-name.js";
import { bytes, number, percent, shareUsed } from "../numbers.js";

const DAYS = 30;
const WIDTH = 360;
const HEIGHT = 90;
const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });

export function Past() {
  return html`
    <section aria-labelledby="past">
      <h2 id="past">The last ${DAYS} days</h2>
      <${Answer}
        path="operator/capacity/history"
        query=${`since=${DAYS}d`}
        terminal="The history in a terminal"
      >
        ${(answer) =>
          answer.rows.length
            ? html`<${Charts} ...${answer} />`
            : html`<p class="hint">
                No samples yet: the service stores one an hour, beginning some minutes after it starts.
              </p>`}
      <//>
    </section>
  `;
}

function Charts({ rows, step }) {
  return html`
    <p class="hint">
      The dashed line is the capacity, and the area is what was used. There is one sample an hour.
    </p>
    <div class="charts">${rows.map((row) => html`<${Chart} row=${row} step=${step} />`)}</div>
  `;
}

function Chart({ row, step }) {
  const { used, ground, capacity, most } = linesOf(row.samples, step, WIDTH, HEIGHT);
  return html`
    <figure class="chart">
      <figcaption><strong><${LongName}>${row.class}<//></strong> ${row.summary}</figcaption>
      <svg
        viewBox=${`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`}
        preserveAspectRatio="none"
        role="img"
        aria-label=${inWords(row)}
      >
        <path class="ground" d=${ground} />
        <path class="line" d=${used} />
        <path class="capacity" d=${capacity} />
      </svg>
      <p aria-hidden="true">
        <span>${day(row.samples[0])}</span>
        <span>0 to ${bytes(most, row.class) || number(most)}</span>
        <span>${day(row.samples.at(-1))}</span>
      </p>
    </figure>
  `;
}

function inWords({ class: name, samples }) {
  const [first, last] = [samples[0], samples.at(-1)];
  const most = samples.reduce((most, each) => (shareUsed(each) > shareUsed(most) ? each : most));
  return (
    `${name}: ${state(first)} on ${day(first)}, ${state(last)} on ${day(last)}, ` +
    `at most ${percent(most.used, most.capacity)} on ${day(most)}.`
  );
}

function state({ used, capacity }) {
  return `${number(used)} of ${number(capacity)} used (${percent(used, capacity)})`;
}

function day({ at }) {
  return DAY.format(new Date(at));
}
