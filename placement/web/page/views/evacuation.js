// Can hosts be emptied?

import { html, useState } from "../lib/preact-htm.js";
import { go } from "../route.js";
import { Evacuation } from "../plans/evacuation.js";
import { Answer } from "../parts/answer.js";
import { useGivenNames } from "../parts/given-names.js";
import { LinesField, linesOf } from "../parts/forms/lines-field.js";
import { HostLinks } from "../parts/host-link.js";
import { useVoice } from "../parts/outcome.js";
import { useSubject } from "../parts/subject.js";

// The parameters of the request, which are those of the address.
const LISTS = ["host", "aggregate", "keep"];

export function Empty({ route, setSubject }) {
  const { parameters } = route;
  const asked = {
    ...Object.fromEntries(LISTS.map((name) => [name, parameters.getAll(name)])),
    same_aggregate: parameters.get("same_aggregate") || "",
  };
  const [voice, tell] = useVoice(location.hash);
  const isAsked = asked.host.length > 0 || asked.aggregate.length > 0;
  const query = queryOf(asked);
  return html`
    ${voice}
    <div class="asking">
      <${Form} key=${query} asked=${asked} />
      <div>
        ${isAsked
          ? html`
              <${Answer} path="operator/evacuation" query=${query}>
                ${(plan) => html`
                  <${Hosts}
                    hosts=${plan.hosts}
                    aggregates=${asked.aggregate}
                    setSubject=${setSubject}
                  />
                  <${Evacuation} plan=${plan} tell=${tell} />
                `}
              <//>
            `
          : html`
              <p class="empty">
                Name hosts or aggregates to see whether all their consumers could find places elsewhere
                at the same time. Nothing is moved.
              </p>
            `}
      </div>
    </div>
  `;
}

function queryOf(asked) {
  const pairs = Object.entries(asked).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  return new URLSearchParams(pairs.filter(([, value]) => value)).toString();
}

// The title of the view says what is emptied, unless it is too long.
function Hosts({ hosts, aggregates, setSubject }) {
  const nameOf = useGivenNames(aggregates);
  const names = aggregates.map((each) => nameOf(each) ?? each);
  const subject = names.length === 1 ? names[0] : hosts.length === 1 ? hosts[0].name : null;
  useSubject(subject && `Can ${subject} be emptied?`, setSubject);
  return html`
    <p>
      ${names.length > 0 && `${names.join(", ")}: `}<${HostLinks} hosts=${hosts} />
    </p>
  `;
}

function Form({ asked }) {
  const [texts, setTexts] = useState(
    Object.fromEntries(LISTS.map((name) => [name, asked[name].join("\n")])),
  );
  const [isSame, setSame] = useState(asked.same_aggregate === "true");
  const submit = (event) => {
    event.preventDefault();
    const lists = Object.entries(texts).map(([name, text]) => [name, linesOf(text)]);
    go("empty", "", { ...Object.fromEntries(lists), same_aggregate: isSame ? "true" : null });
  };
  const field = (name, label, hint) => html`
    <${LinesField}
      label=${label}
      hint=${hint}
      value=${texts[name]}
      onChange=${(text) => setTexts({ ...texts, [name]: text })}
    />
  `;
  return html`
    <form class="request" aria-label="What to empty" onSubmit=${submit}>
      <fieldset>
        <legend>What to empty</legend>
        ${field("host", "Hosts", "one name or UUID per line")}
        ${field("aggregate", "All hosts in these aggregates", "one UUID per line")}
      </fieldset>
      <details open=${texts.keep !== "" || isSame}>
        <summary>What consumers need in their new place</summary>
        ${field("keep", "Traits to keep", "one pattern per line, such as HW_CPU_*")}
        <label>
          <input
            type="checkbox"
            checked=${isSame}
            onChange=${(event) => setSame(event.target.checked)}
          />${" "}
          Stay in the same aggregate
        </label>
      </details>
      <p class="send"><button>Make a plan</button></p>
    </form>
  `;
}
