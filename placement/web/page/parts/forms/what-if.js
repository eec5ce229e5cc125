// The fields for hypothetical changes of the cloud.

import { html, useEffect, useState } from "../../lib/preact-htm.js";
import { KNOWN_CLASSES } from "./known-classes.js";
import { LinesField, linesOf } from "./lines-field.js";
import { Pairs } from "./pairs.js";

// The query parameters; each may be repeated.
export const WHAT_IFS = ["exclude", "ratio", "add"];

// Returns the texts of the what-ifs; when the address changes, they are read from it again.
export function useFields(whatIf) {
  const [fields, setFields] = useState(textsOf(whatIf));
  useEffect(() => setFields(textsOf(whatIf)), [JSON.stringify(whatIf)]);
  return [fields, setFields];
}

function textsOf({ exclude, ratio, add }) {
  const pairs = (values) => values.map((value) => value.split(/:(?=[^:]*$)/));
  return { exclude: exclude.join("\n"), ratio: pairs(ratio), add: pairs(add) };
}

// Returns the what-ifs of the texts.
export function whatIfOf({ exclude, ratio, add }) {
  const values = (pairs) =>
    pairs.filter(([name]) => name.trim()).map(([name, amount]) => `${name.trim()}:${amount}`);
  return { exclude: linesOf(exclude), ratio: values(ratio), add: values(add) };
}

export function DrainedHosts({ value, onChange }) {
  return html`
    <${LinesField}
      label="Drained hosts"
      hint="one name or UUID per line"
      value=${value}
      onChange=${onChange}
    />
  `;
}

export function WhatIf({ fields, onChange }) {
  const set = (name) => (value) => onChange({ ...fields, [name]: value });
  const isOpen = Object.values(fields).some((each) => each.length > 0);
  return html`
    <details open=${isOpen}>
      <summary>What if …</summary>
      <${DrainedHosts} value=${fields.exclude} onChange=${set("exclude")} />
      <fieldset>
        <legend>Other allocation ratios</legend>
        <${Pairs}
          columns=${["Class", "Ratio"]}
          rows=${fields.ratio}
          onChange=${set("ratio")}
          list=${KNOWN_CLASSES}
          more="Another class"
          step="any"
          least="0"
        />
      </fieldset>
      <fieldset>
        <legend>More empty hosts like these</legend>
        <${Pairs}
          columns=${["Host", "Number"]}
          rows=${fields.add}
          onChange=${set("add")}
          more="Another host"
        />
      </fieldset>
    </details>
  `;
}
