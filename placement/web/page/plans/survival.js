// Which hosts, or aggregates, cannot be spared. It may take a minute, so it runs only on request.

import { html, useState } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { Answer } from "../parts/answer.js";
import { NamedLink, useGivenNames } from "../parts/given-names.js";
import { HostLink } from "../parts/host-link.js";
import { count, number } from "../parts/numbers.js";
import { Outcome, useVoice } from "../parts/outcome.js";
import { Head } from "../parts/tables/head.js";
import { Verdict } from "../parts/verdict.js";

const LOSSES = { host: "Check each host", aggregate: "Check each aggregate" };
const TITLES = { host: "Host", aggregate: "Aggregate" };
const NUMBERS = ["Consumers", "Without a place"];

export function Survival() {
  const [by, setBy] = useState(null);
  const [voice, tell] = useVoice(location.hash);
  return html`
    <section class="survival">
      <h2>Could we lose a host, or a rack?</h2>
      ${voice}
      <p class="hint">
        For each host or rack, this computes whether all of its consumers would find a place
        elsewhere if only it were lost. Here, racks are aggregates. In a large cloud, this takes up
        to a minute.
      </p>
      <p>
        ${Object.entries(LOSSES).map(
          ([name, title]) => html`
            <button class="quiet" aria-pressed=${name === by} onClick=${() => setBy(name)}>
              ${title}
            </button>${" "}
          `,
        )}
      </p>
      ${by &&
      html`
        <${Answer}
          key=${by}
          path="operator/survival"
          query=${{ by }}
          terminal="The losses in a terminal"
        >
          ${(answer) => html`<${Found} ...${answer} tell=${tell} />`}
        <//>
      `}
    </section>
  `;
}

function Found({ by, lost, summary, notes, tell }) {
  return html`
    <${Outcome} tell=${tell} sentence=${summary}>
      <${Verdict} isGood=${!lost.length}>${summary}<//>
    <//>
    ${lost.length > 0 && html`<${Lost} by=${by} lost=${lost} />`}
    <ul class="hint">${notes.map((note) => html`<li>${note}</li>`)}</ul>
  `;
}

function Lost({ by, lost }) {
  const nameOf = useGivenNames(by === "aggregate" ? lost.map(({ uuid }) => uuid) : []);
  return html`
    <table class="cards lost-ones" role="table" aria-label=${`Cannot be spared: ${TITLES[by]}`}>
      <${Head}
        columns=${[`${TITLES[by]} that cannot be spared`, ...NUMBERS, "Which, and why"]}
        numbers=${NUMBERS}
      />
      <tbody role="rowgroup">
        ${lost.map(
          ({ consumers, left, ...group }) => html`
            <tr role="row">
              <th role="rowheader" scope="row">
                ${by === "host"
                  ? html`<${HostLink} ...${group} />`
                  : html`
                      <${NamedLink} kind="aggregate" id=${group.uuid} name=${nameOf(group.uuid)} />
                    `}
              </th>
              <td role="cell" class="number" data-column=${NUMBERS[0]}>${number(consumers)}</td>
              <td role="cell" class="number" data-column=${NUMBERS[1]}>${number(left)}</td>
              <td role="cell">
                <a href=${href("empty", "", { [by]: group.name ?? group.uuid })}>
                  See the ${count(left, "consumer")}
                </a>
              </td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}
