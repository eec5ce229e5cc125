// Why does a request find few hosts, or none?

import { html, useState } from "../lib/preact-htm.js";
import { MOST_CANDIDATES } from "../limits.js";
import { go, href } from "../route.js";
import { Release } from "../plans/release.js";
import { Answer } from "../parts/answer.js";
import { HostLink, HostLinks } from "../parts/host-link.js";
import { useNote } from "../parts/note.js";
import { count, number } from "../parts/numbers.js";
import { Outcome, useVoice } from "../parts/outcome.js";
import { RequestForm } from "../parts/forms/request-form.js";
import { Share } from "../parts/charts/share.js";
import { Nothing } from "../parts/nothing.js";
import { Head } from "../parts/tables/head.js";
import { Verdict } from "../parts/verdict.js";

const EXAMPLES = [
  ["Four processors, 8 GiB of memory, 40 GB of disk", "resources=VCPU:4,MEMORY_MB:8192,DISK_GB:40"],
  ["More processors than a host has", "resources=VCPU:400,MEMORY_MB:8192"],
  [
    "A GPU, with processors and memory near it",
    "resources=DISK_GB:80&resources_CPU=VCPU:8,MEMORY_MB:32768&resources_GPU=PGPU:1" +
      "&group_policy=none&same_subtree=_CPU,_GPU",
  ],
];

export function Why({ route }) {
  const query = route.parameters.get("q") || "";
  const host = route.parameters.get("host") || "";
  const [round, setRound] = useState(0);
  const [voice, tell] = useVoice(location.hash);
  const [note, setNote] = useNote(query);
  const ask = (asked, leftOut = "") => {
    setNote(leftOut, asked);
    asked === query ? setRound(round + 1) : go("why", "", { q: asked, host });
  };
  return html`
    ${voice}
    <div class="asking">
      <${RequestForm} view="why" query=${query} verb="Ask why" onAsk=${ask} />
      <div>
        ${note}
        ${query
          ? html`
              <${Answer} key=${round} path="operator/explanation" query=${atHost(query, host)}>
                ${(answer) => html`
                  <${Explanation} answer=${answer} query=${query} host=${host} tell=${tell} />
                `}
              <//>
            `
          : html`<${Invitation} />`}
      </div>
    </div>
  `;
}

// Returns the query, restricted to a host if one is given.
function atHost(query, host) {
  return host ? `${query}&${new URLSearchParams({ host })}` : query;
}

function Invitation() {
  return html`
    <div class="empty">
      <p>
        Enter what an instance asks for to see where it fits. If it fits nowhere, see what each host lacks,
        and which single change would help. Start here after “No valid host was found”.
      </p>
      <p>For example:</p>
      <ul>
        ${EXAMPLES.map(
          ([title, query]) => html`<li><a href=${href("why", "", { q: query })}>${title}</a></li>`,
        )}
      </ul>
    </div>
  `;
}

function Explanation({ answer, query, host, tell }) {
  if (answer.hosts.all === 0) {
    return html`<${Nothing} />`;
  }
  const hasGroups = new Set(answer.constraints.map((each) => each.group)).size > 1;
  return html`
    <${OneHost} host=${answer.host} query=${query} />
    <${Found} answer=${answer} query=${query} tell=${tell} />
    <${Unknown} names=${answer.unknown} host=${host} />
    <${Fall} answer=${answer} hasGroups=${hasGroups} />
    <${Relaxations} answer=${answer} host=${host} />
    ${answer.hosts.pass === 0 && !host && !answer.unknown.length && html`<${Release} query=${query} />`}
    <${Closest} hosts=${answer.closest} />
  `;
}

function OneHost({ host, query }) {
  return (
    host &&
    html`
      <p>
        For host <${HostLink} ...${host} /> only.${" "}
        <a href=${href("why", "", { q: query })}>Ask about all hosts</a>
      </p>
    `
  );
}

function Found({ answer, query, tell }) {
  const { candidates, hosts, summary, host } = answer;
  if (!candidates) {
    const refusal = host ? `${host.name} cannot serve this.` : "No host can serve this.";
    return html`
      <${Outcome} tell=${tell} sentence=${host ? summary : `No host. ${summary}`}>
        <${Verdict} isGood=${false}>${refusal}<//>
        <p class="summary">${summary}</p>
      <//>
    `;
  }
  const many = count(candidates, "candidate");
  const found = candidates >= MOST_CANDIDATES ? `${many} or more` : many;
  const where = host ? host.name : `${number(hosts.pass)} of ${count(hosts.all, "host")}`;
  const sentence = `It fits: ${found}, on ${where}.`;
  return html`
    <${Outcome} tell=${tell} sentence=${sentence}>
      <${Verdict} isGood>${sentence}<//>
      ${hosts.pass < hosts.all && html`<p class="summary">${summary}</p>`}
      <p><a href=${href("fit", "", { q: query })}>How many more of these?</a></p>
    <//>
  `;
}

// The summary names what is unknown; this offers names to use instead.
function Unknown({ names, host }) {
  return names
    .filter(({ suggestions }) => suggestions.length > 0)
    .map(
      ({ name, suggestions, queries }) => html`
        <p>
          Instead of <code>${name}</code>, ask for${" "}
          ${suggestions.map(
            (each) => html`<${AskAgain} query=${queries[each]} host=${host}>${each}<//>${" "}`,
          )}
        </p>
      `,
    );
}

const NUMBERS = ["Fail it", "Fail only this"];

// How many hosts each constraint rules out, one after the other.
function Fall({ answer, hasGroups }) {
  const all = answer.hosts.all;
  const before = [all, ...answer.constraints.map((each) => each.left)];
  return html`
    <section>
      <h2>Constraint by constraint</h2>
      <table class="fall cards" role="table">
        <${Head} columns=${["Asked for", "Hosts left", ...NUMBERS]} numbers=${NUMBERS} />
        <tbody role="rowgroup">
          <tr role="row">
            <th role="rowheader" scope="row">All hosts</th>
            <td role="cell" class="filled"><${Share} part=${all} whole=${all} /> ${number(all)}</td>
            <td role="cell"></td>
            <td role="cell"></td>
          </tr>
          ${answer.constraints.map(
            (each, index) => html`
              <${Step} step=${each} before=${before[index]} all=${all} hasGroups=${hasGroups} />
            `,
          )}
        </tbody>
      </table>
      <p class="hint">
        “Hosts left” counts hosts that meet this constraint and all above it; the hatched part is what
        this one rules out. “Fail it” counts all hosts that do not meet it, whatever else they fail.
        “Fail only this” counts hosts that would serve the request without this constraint.
      </p>
    </section>
  `;
}

function Step({ step, before, all, hasGroups }) {
  const { reasons = [] } = step;
  return html`
    <tr role="row">
      <th role="rowheader" scope="row">
        ${step.words} ${hasGroups && html`<${Group} suffix=${step.group} />`}
        ${reasons.length > 0 && html`<small>${reasons.join(", ")}</small>`}
      </th>
      <td role="cell" class="filled">
        <${Share} part=${step.left} lost=${before - step.left} whole=${all} />${" "}
        ${number(step.left)}${" "}
        ${step.left < before && html`<small>−${number(before - step.left)}</small>`}
      </td>
      <td role="cell" class="number" data-column=${NUMBERS[0]}>${number(step.fail)}</td>
      <td role="cell" class="number" data-column=${NUMBERS[1]}>${number(step.only)}</td>
    </tr>
  `;
}

// Shows nothing for the unsuffixed group, or for constraints on all groups together.
function Group({ suffix }) {
  return suffix && html`<span class="of-group">group ${suffix}</span>`;
}

function Relaxations({ answer, host }) {
  if (!answer.relaxations.length) {
    return (
      answer.hosts.pass === 0 && html`<p>No single change to the request would help.</p>`
    );
  }
  const [effect, noun] = answer.hosts.pass ? ["find more", "more host"] : ["help", "host"];
  return html`
    <section>
      <h2>Single changes that would ${effect}</h2>
      <ul class="changes">
        ${answer.relaxations.map(
          (each) => html`
            <li>
              <${AskAgain} query=${each.query} host=${host}>${changeOf(each)}<//>${" "}
              <span>
                ${count(each.hosts, noun)}${each.hosts === 1 ? ": " : ", such as "}
                <${HostLink} ...${each.example} />
              </span>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

function changeOf({ also, ...relaxation }) {
  return [relaxation, ...also].map(sentenceOf).join("; ");
}

function sentenceOf({ group, words, instead }) {
  const where = group ? ` (group ${group})` : "";
  return `${instead ? "Ask for" : "Drop:"} ${words}${where}`;
}

// A link that asks for another request.
function AskAgain({ query, host, children }) {
  return html`<a class="button" href=${href("why", "", { q: query, host })}>${children}</a>`;
}

function Closest({ hosts }) {
  return (
    hosts.length > 0 &&
    html`
      <section>
        <h2>The closest hosts, and what they lack</h2>
        <ul class="closest">
          ${alike(hosts).map(
            (group) => html`
              <li>
                <span><${HostLinks} hosts=${group} /></span>
                <ul>
                  ${group[0].unmet.map(
                    (unmet) => html`<li><${Unmet} unmet=${unmet} host=${group[0]} /></li>`,
                  )}
                </ul>
              </li>
            `,
          )}
        </ul>
      </section>
    `
  );
}

// Returns the hosts in groups: all hosts of a group lack the same things, themselves or on the same
// provider.
function alike(hosts) {
  const groups = new Map();
  for (const host of hosts) {
    const missed = JSON.stringify(host.unmet, (key, value) =>
      key === "provider" && value.uuid === host.uuid ? null : value,
    );
    groups.set(missed, [...(groups.get(missed) || []), host]);
  }
  return [...groups.values()];
}

function Unmet({ unmet, host }) {
  const { constraint, group, provider, reason, serving = {} } = unmet;
  // The reason why nothing fits together already names its provider.
  const isElsewhere = constraint !== "together" && provider && provider.uuid !== host.uuid;
  const servers = Object.entries(serving).map(
    ([suffix, providers]) =>
      `${suffix || "the rest"} served by ${providers.map((each) => each.name).join(" and ")}`,
  );
  return html`
    ${unmet.words}${reason && `: ${reason}`} <${Group} suffix=${group} />
    ${isElsewhere && html` <small>on <a href=${href("hosts", provider.uuid)}>${provider.name}</a></small>`}
    ${servers.length > 0 && html` <small>${servers.join(", ")}</small>`}
  `;
}
