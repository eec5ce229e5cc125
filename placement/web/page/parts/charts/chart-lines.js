// From samples to the lines of a chart. Pure.

// A line has a gap where more than this many steps have no sample.
const LONGEST_STEPS = 2.5;
const STEP = /^(\d+)h$/;

// `samples` is [{at, used, capacity}], oldest first, as the service answers; `step` such as "1h".
// Returns {used, ground, capacity, most}: paths for an SVG of a width and a height, and the amount
// at its top. `ground` is the area below the used amounts.
export function linesOf(samples, step, width, height) {
  const times = samples.map(({ at }) => Date.parse(at));
  const [begin, end] = [times[0], times.at(-1)];
  const most = samples.reduce((most, { used, capacity }) => Math.max(most, used, capacity), 1);
  const x = (time) => round(((time - begin) / (end - begin || 1)) * width);
  const y = (amount) => round(height - (Math.max(amount, 0) / most) * height);
  const pieces = piecesOf(times, Number(STEP.exec(step)[1]) * 3600e3 * LONGEST_STEPS);
  const point = (amount) => (index) => `${x(times[index])} ${y(samples[index][amount])}`;
  const path = (amount) => pieces.map((piece) => line(piece.map(point(amount)))).join("");
  const ground = pieces
    .map((piece) => {
      const [first, last] = [x(times[piece[0]]), x(times[piece.at(-1)])];
      return `${line(piece.map(point("used")))}L${last} ${height}L${first} ${height}Z`;
    })
    .join("");
  return { used: path("used"), ground, capacity: path("capacity"), most };
}

// Returns lists of consecutive indexes; between two lists there is a gap.
function piecesOf(times, longest) {
  const pieces = [];
  times.forEach((time, index) => {
    if (index === 0 || time - times[index - 1] > longest) {
      pieces.push([]);
    }
    pieces.at(-1).push(index);
  });
  return pieces;
}

// A single point becomes a line of no length, which round ends make visible.
function line(points) {
  return `M${points[0]}${(points.length > 1 ? points.slice(1) : points).map((each) => `L${each}`).join("")}`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
