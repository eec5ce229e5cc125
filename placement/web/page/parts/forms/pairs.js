// Rows of a name and a number: resources and amounts, classes and ratios, hosts and how many.

import { html, useEffect, useRef } from "../../lib/preact-htm.js";
import { Remove } from "./remove.js";

// `rows` is [[name, number]], both as text. `columns` are the labels of the two, `more` is the
// label of the button that adds a row. If `isNeeded`, the first row must be filled in.
export function Pairs({ columns, rows, onChange, more, list, step = 1, least = 1, isNeeded }) {
  const shown = rows.length ? rows : [["", ""]];
  const box = useRef(null);
  const toFocus = useRef(null);
  useEffect(() => {
    if (toFocus.current) {
      [...box.current.querySelectorAll(toFocus.current)].at(-1).focus();
      toFocus.current = null;
    }
  }, [rows]);
  const change = (index, column) => (event) =>
    onChange(shown.map((row, i) => (i === index ? row.with(column, event.target.value) : row)));
  const add = () => {
    toFocus.current = ".name";
    onChange([...shown, ["", ""]]);
  };
  const remove = (index) => {
    toFocus.current = ".more";
    onChange(shown.filter((_, i) => i !== index));
  };
  return html`
    <div class="pairs" ref=${box}>
      ${shown.map(
        ([name, amount], index) => html`
          <div class="pair">
            <input
              class="name"
              aria-label=${columns[0]}
              placeholder=${columns[0]}
              value=${name}
              list=${list}
              required=${amount !== "" || (isNeeded && index === 0)}
              spellcheck=${false}
              autocomplete="off"
              onInput=${change(index, 0)}
            />
            <input
              type="number"
              aria-label=${name ? `${columns[1]}, ${name}` : columns[1]}
              placeholder=${columns[1]}
              value=${amount}
              min=${least}
              step=${step}
              required=${name !== ""}
              onInput=${change(index, 1)}
            />
            <${Remove}
              what=${name || "this row"}
              disabled=${shown.length === 1 && !name && !amount}
              onClick=${() => remove(index)}
            />
          </div>
        `,
      )}
      <button type="button" class="quiet more" onClick=${add}>${more}</button>
    </div>
  `;
}
