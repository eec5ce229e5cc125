// A table that keeps only the visible rows, and some beside them, in the document.

import {
  Component,
  html,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from "../../lib/preact-htm.js";
import {
  Virtualizer,
  elementScroll,
  observeElementOffset,
  observeElementRect,
} from "../../lib/virtual-core/index.js";

// In pixels, the same for all rows of a table; a cell shows one line, or two in high rows.
const ROW_HEIGHT = 36;
const HIGH_ROW = 58;
// Rows come and go in blocks: when the keys shift by one, preact leaves the others in place; when
// they shift by more, it would move them all.
const BLOCK = 6;
const BLOCKS_BESIDE = 1;

// `columns` is [{id, title, width, cell, isNumber, sort, onSort}]: `cell` returns the content for a
// row, `sort` is a value of aria-sort, and a column with onSort has a button for it. The first
// column names the row. `rows` have a uuid. With `areHigh`, each cell has two lines.
export function VirtualTable({ label, columns, rows, areHigh = false }) {
  const box = useRef(null);
  const height = areHigh ? HIGH_ROW : ROW_HEIGHT;
  const { blocks, before, after } = useVirtualBlocks(box, rows.length, height);
  useEffect(() => {
    box.current.scrollTop = 0;
  }, [rows]);
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  return html`
    <div class="virtual" ref=${box} tabindex="0" role="region" aria-label=${label}>
      <table style=${{ minWidth: `${width}rem` }} aria-rowcount=${rows.length + 1}>
        <colgroup>
          ${columns.map((column) => html`<col style=${{ width: `${column.width}rem` }} />`)}
        </colgroup>
        <thead>
          <tr aria-rowindex="1">
            ${columns.map((column) => html`<${Header} key=${column.id} column=${column} />`)}
          </tr>
        </thead>
        <${Gap} height=${before} columns=${columns} />
        ${blocks.map(
          (index) => html`
            <${Block} key=${index} index=${index} rows=${rows} columns=${columns} height=${height} />
          `,
        )}
        <${Gap} height=${after} columns=${columns} />
      </table>
    </div>
  `;
}

function Header({ column }) {
  return html`
    <th scope="col" class=${column.isNumber ? "number" : null} aria-sort=${column.sort}>
      ${column.onSort
        ? html`
            <button title=${column.title} onClick=${column.onSort}>
              ${column.title}
              <span class="arrow" aria-hidden="true">${ARROWS[column.sort]}</span>
            </button>
          `
        : column.title}
    </th>
  `;
}

const ARROWS = { ascending: "▲", descending: "▼", none: "" };

// Rows that stay visible during scrolling are not drawn again.
class Block extends Component {
  shouldComponentUpdate(next) {
    return Object.keys(next).some((name) => next[name] !== this.props[name]);
  }

  render({ index, rows, columns, height }) {
    const first = index * BLOCK;
    return html`
      <tbody>
        ${rows.slice(first, first + BLOCK).map(
          (row, place) => html`
            <${Row}
              key=${row.uuid}
              row=${row}
              rowIndex=${first + place + 2}
              columns=${columns}
              height=${height}
            />
          `,
        )}
      </tbody>
    `;
  }
}

function Row({ row, rowIndex, columns, height }) {
  return html`
    <tr aria-rowindex=${rowIndex} style=${{ height: `${height}px` }}>
      ${columns.map((column, index) => cellOf(row, column, index === 0))}
    </tr>
  `;
}

// A text that is too long for its cell is shown in a tooltip.
function cellOf(row, column, isHeader) {
  const content = column.cell(row);
  const title = typeof content === "string" ? content : null;
  return isHeader
    ? html`<th scope="row" title=${title}>${content}</th>`
    : html`<td class=${column.isNumber ? "number" : null} title=${title}>${content}</td>`;
}

// Fills the place of rows that are not in the document.
function Gap({ height, columns }) {
  return (
    height > 0 &&
    html`
      <tbody class="gap" aria-hidden="true">
        <tr style=${{ height: `${height}px` }}>
          <td colspan=${columns.length}></td>
        </tr>
      </tbody>
    `
  );
}

// Returns {blocks, before, after}: the blocks to show, and the height of the others in pixels.
function useVirtualBlocks(box, rowCount, height) {
  const [, show] = useReducer((times) => times + 1, 0);
  const options = {
    count: Math.ceil(rowCount / BLOCK),
    estimateSize: () => BLOCK * height,
    overscan: BLOCKS_BESIDE,
    getScrollElement: () => box.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: show,
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  const items = virtualizer.getVirtualItems();
  const end = items.length ? items[items.length - 1].end : 0;
  return {
    blocks: items.map((item) => item.index),
    before: items.length ? items[0].start : 0,
    // The last block may be shorter than the others.
    after: Math.max(rowCount * height - end, 0),
  };
}
