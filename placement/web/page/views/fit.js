// How often a request still fits, and how often if something changed.

import { html, useState } from "../lib/preact-htm.js";
import { go, href } from "../route.js";
import { Flavors } from "../plans/flavors.js";
import { Mix } from "../plans/mix.js";
import { Answer, useAnswer } from "../parts/answer.js";
import { histogramOf } from "../parts/charts/histogram.js";
import { HostLink } from "../parts/host-link.js";
import { useNote } from "../parts/note.js";
import { count, number } from "../parts/numbers.js";
import { Outcome, useVoice } from "../parts/outcome.js";
import { RequestForm } from "../parts/forms/request-form.js";
import { Bars, Share } from "../parts/charts/share.js";
import { Nothing } from "../parts/nothing.js";
import { Head } from "../parts/tables/head.js";
import { Tabs } from "../parts/tabs.js";
import { Verdict } from "../parts/verdict.js";
import { WHAT_IFS, WhatIf, useFields, whatIfOf } from "../parts/forms/what-if.js";

const MOST_HOSTS = 20;
const ADDED = 10;
const EXAMPLE = "resources=VCPU:4,MEMORY_MB:8192,DISK_GB:40";

const TABS = { "": "One request", mix: "Several requests", flavors: "Each flavor" };

export function Fit({ route }) {
  const Shown = { mix: Mix, flavors: Flavors }[route.path] ?? OneRequest;
  const linkOf = (path) => href("fit", path);
  return html`
    <${Tabs} label="What to count" titles=${TABS} current=${route.path} linkOf=${linkOf} />
    <${Shown} route=${route} />
  `;
}

function OneRequest({ route }) {
  const query = route.parameters.get("q") || "";
  const whatIf = Object.fromEntries(WHAT_IFS.map((name) => [name, route.parameters.getAll(name)]));
  const [fields, setFields] = useFields(whatIf);
  const [round, setRound] = useState(0);
  const [voice, tell] = useVoice(location.hash);
  const [note, setNote] = useNote(query);
  const ask = (asked, leftOut = "") => {
    setNote(leftOut, asked);
    const address = { q: asked, ...whatIfOf(fields) };
    if (href("fit", "", address) === href("fit", "", { q: query, ...whatIf })) {
      setRound(round + 1);
    } else {
      go("fit", "", address);
    }
  };
  return html`
    ${voice}
    <div class="asking">
      <${RequestForm} view="fit" query=${query} verb="Count" onAsk=${ask}>
        <${WhatIf} fields=${fields} onChange=${setFields} />
      <//>
      <div>
        ${note}
        ${query
          ? html`<${Count} key=${round} query=${query} whatIf=${whatIf} tell=${tell} />`
          : html`<${Invitation} />`}
      </div>
    </div>
  `;
}

function Invitation() {
  return html`
    <div class="empty">
      <p>
        Enter what an instance asks for to see how many more fit, what runs out first, and what would
        change if hosts were drained or added. Nothing is claimed.
      </p>
      <p>
        For example: <a href=${href("fit", "", { q: EXAMPLE })}>four processors, 8 GiB of memory, 40
        GB of disk</a>
      </p>
    </div>
  `;
}

function Count({ query, whatIf, tell }) {
  const thought = WHAT_IFS.flatMap((name) => whatIf[name].map((value) => [name, value]));
  const asked = thought.length ? `${query}&${new URLSearchParams(thought)}` : query;
  return html`
    <${Answer} path="operator/fit" query=${asked}>
      ${(answer) => html`
        <${Found} answer=${answer} query=${query} whatIf=${whatIf} tell=${tell} />
      `}
    <//>
  `;
}

function Found({ answer, query, whatIf, tell }) {
  const all = hostsOf(answer);
  if (all === 0) {
    return html`<${Nothing} />`;
  }
  const isThought = Object.values(whatIf).some((each) => each.length > 0);
  const some = sumOf(answer.hosts_by_fit);
  const hosts = `${number(some)} of ${count(all, "host")}`;
  const rest = `more ${answer.fit === 1 ? "fits" : "fit"}, on ${hosts}.`;
  return html`
    ${answer.fit
      ? html`
          <${Outcome} tell=${tell} sentence=${`${number(answer.fit)} ${rest}`}>
            <p class="verdict good"><span class="large">${number(answer.fit)}</span> ${rest}</p>
          <//>
        `
      : html`
          <${Outcome} tell=${tell} sentence="No more fit.">
            <${Verdict} isGood=${false}>No more fit.<//>
          <//>
        `}
    ${isThought && html`<${Compared} fit=${answer.fit} query=${query} />`}
    ${all > some &&
    html`
      <p>
        <a href=${href("why", "", { q: query })}>Why not${answer.fit > 0 && " on the others"}?</a>
      </p>
    `}
    <div class="tallies">
      <${Stops} answer=${answer} />
      <${Histogram} hostsByFit=${{ ...answer.hosts_by_fit, 0: all - some }} />
    </div>
    <${Stranded} stranded=${answer.stranded} />
    <${Hosts} answer=${answer} all=${some} query=${query} whatIf=${whatIf} />
  `;
}

// Every host is in stopped_by once: counting goes on until something stops it there.
function hostsOf(answer) {
  return sumOf(answer.stopped_by);
}

function sumOf(counts) {
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}

// The difference that the what-ifs make.
function Compared({ fit, query }) {
  const { answer } = useAnswer("operator/fit", query);
  if (!answer) {
    return null;
  }
  const more = fit - answer.fit;
  const change =
    more === 0 ? "The same as" : `${number(Math.abs(more))} ${more > 0 ? "more" : "fewer"} than`;
  return html`
    <p class="summary">
      ${change} <a href=${href("fit", "", { q: query })}>without these changes</a> (${number(answer.fit)}).
    </p>
  `;
}

function Stops({ answer }) {
  const rows = Object.entries(answer.stopped_by).map(([name, hosts]) => ({
    label: answer.reasons[name],
    value: hosts,
    text: count(hosts, "host"),
  }));
  return html`
    <section>
      <h2>What stops further claims</h2>
      <${Bars} columns=${["Reason", "Hosts"]} rows=${rows} />
    </section>
  `;
}

function Histogram({ hostsByFit }) {
  const rows = histogramOf(hostsByFit).map(([least, most, hosts]) => ({
    label: least === most ? number(least) : `${number(least)} to ${number(most)}`,
    value: hosts,
    text: count(hosts, "host"),
  }));
  return html`
    <section>
      <h2>How many fit on a host</h2>
      <${Bars} columns=${["Fit", "Hosts"]} rows=${rows} />
    </section>
  `;
}

function Stranded({ stranded }) {
  return html`
    <section>
      <h2>Left over</h2>
      <p class="hint">Still free when no more fit, on hosts that lack nothing but room.</p>
      <dl class="left-over">
        ${Object.entries(stranded).map(
          ([name, amount]) => html`<dt>${name}</dt><dd>${number(amount)}</dd>`,
        )}
      </dl>
    </section>
  `;
}

// Of all those where it fits, the answer lists some of the best, the best first.
function Hosts({ answer, all, query, whatIf }) {
  const { hosts, reasons } = answer;
  const most = hosts.slice(0, MOST_HOSTS);
  if (!most.length) {
    return null;
  }
  return html`
    <section>
      <h2>Hosts where the most fit</h2>
      <table class="takers" role="table">
        <${Head} columns=${["Host", "Fit", "Stopped by", "What if"]} />
        <tbody role="rowgroup">
          ${most.map(
            (host) => html`
              <${Host}
                host=${host}
                most=${most[0].fit}
                reasons=${reasons}
                query=${query}
                whatIf=${whatIf}
              />
            `,
          )}
        </tbody>
      </table>
      ${all > most.length && html`<p class="hint">And ${count(all - most.length, "more host")}.</p>`}
    </section>
  `;
}

function Host({ host, most, reasons, query, whatIf }) {
  const { uuid, name } = host;
  return html`
    <tr role="row">
      <th role="rowheader" scope="row"><${HostLink} ...${host} /></th>
      <td role="cell" class="filled"><${Share} part=${host.fit} whole=${most} /> ${number(host.fit)}</td>
      <td role="cell">${host.stopped_by && reasons[host.stopped_by]}</td>
      <td role="cell">
        ${uuid &&
        html`
          <a href=${href("fit", "", { q: query, ...drained(whatIf, name) })} aria-label=${`${name} drained`}>
            drained
          </a>${", "}
          <a
            href=${href("fit", "", { q: query, ...withMore(whatIf, name) })}
            aria-label=${`${ADDED} more hosts like ${name}`}
          >
            ${ADDED} more hosts
          </a>
        `}
      </td>
    </tr>
  `;
}

function drained(whatIf, host) {
  return { ...whatIf, exclude: [...whatIf.exclude, host] };
}

// A host is named only once.
function withMore(whatIf, host) {
  const others = whatIf.add.filter((each) => each.replace(/:\d+$/, "") !== host);
  return { ...whatIf, add: [...others, `${host}:${ADDED}`] };
}
