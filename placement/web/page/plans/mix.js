// Do several requests fit together?

import { html, useState } from "../lib/preact-htm.js";
import { LONGEST_NAME } from "../limits.js";
import { go } from "../route.js";
import { Answer } from "../parts/answer.js";
import { number } from "../parts/numbers.js";
import { Outcome, useVoice } from "../parts/outcome.js";
import { Share } from "../parts/charts/share.js";
import { linesOf } from "../parts/forms/lines-field.js";
import { Remove } from "../parts/forms/remove.js";
import { useTranslation } from "../parts/forms/translation.js";
import { DrainedHosts } from "../parts/forms/what-if.js";
import { Head } from "../parts/tables/head.js";
import { Verdict } from "../parts/verdict.js";

const NEW = { name: "", count: "", text: "" };
const EXAMPLE = [
  { name: "small", count: "100", text: "VCPU:1,MEMORY_MB:2048,DISK_GB:20" },
  { name: "large", count: "20", text: "VCPU:8,MEMORY_MB:16384,DISK_GB:80" },
];

// In the address, each request has a name, a count and a query q.
export function Mix({ route }) {
  const { parameters } = route;
  const [names, counts] = [parameters.getAll("name"), parameters.getAll("count")];
  const requests = parameters.getAll("q").map((query, index) => ({
    name: names[index] ?? "",
    query,
    count: Number(counts[index]),
  }));
  const exclude = parameters.getAll("exclude");
  const [voice, tell] = useVoice(location.hash);
  return html`
    ${voice}
    <div class="asking">
      <${Form} key=${location.hash} requests=${requests} exclude=${exclude} />
      <div>
        ${requests.length
          ? html`
              <${Answer} path="operator/fit" body=${{ requests, exclude }}>
                ${(answer) => html`<${Found} answer=${answer} tell=${tell} />`}
              <//>
            `
          : html`
              <p class="empty">
                Enter what several kinds of instances ask for, and how many of each you want, to see
                whether all of them fit together. Nothing is claimed.
              </p>
            `}
      </div>
    </div>
  `;
}

function Form({ requests, exclude }) {
  const given = requests.map(({ name, query, count }) => ({ name, count: String(count), text: query }));
  const [rows, setRows] = useState(given.length ? given : EXAMPLE);
  const [drained, setDrained] = useState(exclude.join("\n"));
  const [refusal, setRefusal] = useState("");
  const translate = useTranslation();
  const change = (index, name) => (event) =>
    setRows(rows.with(index, { ...rows[index], [name]: event.target.value }));
  const input = (index, name, attributes) => html`
    <input ...${attributes} required value=${rows[index][name]} onInput=${change(index, name)} />
  `;
  const submit = async (event) => {
    event.preventDefault();
    try {
      const queries = [];
      for (const row of rows) {
        queries.push(await queryOf(row, translate));
      }
      setRefusal("");
      go("fit", "mix", {
        name: rows.map(({ name }) => name.trim()),
        count: rows.map(({ count }) => count),
        q: queries,
        exclude: linesOf(drained),
      });
    } catch (error) {
      setRefusal(error.message);
    }
  };
  return html`
    <form class="request" aria-label="Requests" onSubmit=${submit}>
      ${rows.map(
        (row, index) => html`
          <fieldset>
            <legend>${row.name || `Request ${index + 1}`}</legend>
            <div class="pair">
              ${input(index, "name", {
                "aria-label": "Name",
                placeholder: "Name",
                maxlength: LONGEST_NAME,
              })}
              ${input(index, "count", {
                "aria-label": `How many, ${row.name}`,
                placeholder: "How many",
                type: "number",
                min: 1,
              })}
              <${Remove}
                what=${row.name || "this request"}
                disabled=${rows.length === 1}
                onClick=${() => setRows(rows.toSpliced(index, 1))}
              />
            </div>
            <label class="field">
              <span>Each asks for <small>amounts, a query, or a flavor with its extra specs</small></span>
              <textarea
                rows="2"
                required
                spellcheck=${false}
                placeholder="VCPU:4,MEMORY_MB:8192"
                value=${row.text}
                onInput=${change(index, "text")}
              ></textarea>
            </label>
          </fieldset>
        `,
      )}
      <button type="button" class="quiet" onClick=${() => setRows([...rows, NEW])}>
        Another request
      </button>
      <details open=${drained !== ""}>
        <summary>What if …</summary>
        <${DrainedHosts} value=${drained} onChange=${setDrained} />
      </details>
      ${refusal && html`<p role="alert">${refusal}</p>`}
      <p class="send"><button>Do they fit?</button></p>
    </form>
  `;
}

async function queryOf({ name, text }, translate) {
  const { query } = await translate({ text }).catch((error) => {
    throw new Error(`“${name}”: ${error.message}`);
  });
  if (!query) {
    throw new Error(`“${name}” asks for no resources.`);
  }
  return query;
}

function Found({ answer, tell }) {
  const { all, requests, reasons } = answer;
  const sentence = all ? "All of them fit together." : "They do not all fit together.";
  return html`
    <${Outcome} tell=${tell} sentence=${sentence}>
      <${Verdict} isGood=${all}>${sentence}<//>
    <//>
    <table class="takers mix" role="table" aria-label="Requests">
      <${Head} columns=${["Request", "Fit", "Placed", "Stopped by"]} />
      <tbody role="rowgroup">
        ${requests.map(
          ({ name, count, fit, claim_order: order, stopped_by: stops }) => html`
            <tr role="row">
              <th role="rowheader" scope="row">${name}</th>
              <td role="cell" class="filled">
                <${Share} part=${fit} lost=${count - fit} whole=${count} />${" "}
                ${number(fit)} of ${number(count)}
              </td>
              <td role="cell">${ordinal(order)}</td>
              <td role="cell">${fit < count && reasons[Object.keys(stops)[0]]}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
    <p class="hint">
      The request that takes the largest share of the cloud is placed first, as often as it is wanted,
      or until it no longer fits. Then comes the next one. In another order, the numbers may differ.
    </p>
  `;
}

const ENDINGS = { one: "st", two: "nd", few: "rd", other: "th" };
const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });

function ordinal(order) {
  return `${number(order)}${ENDINGS[ORDINALS.select(order)]}`;
}
