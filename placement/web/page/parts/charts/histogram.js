// Counts numbers in ranges. Pure.

const MOST_RANGES = 12;

// Takes {number: how often it occurs}; numbers that do not occur are ignored.
// Returns [[least, most, how many numbers are between them]], in order; 0 has its own range.
export function histogramOf(counted) {
  const pairs = Object.entries(counted).filter(([, each]) => each).map(([each, many]) => [Number(each), many]);
  const largest = pairs.reduce((most, [each]) => Math.max(most, each), 0);
  const isFew = pairs.length <= MOST_RANGES;
  const width = isFew ? 1 : Math.ceil(largest / MOST_RANGES);
  const counts = Array(Math.ceil(largest / width) + 1).fill(0);
  pairs.forEach(([each, many]) => (counts[Math.ceil(each / width)] += many));
  return counts
    .map((each, range) => [range && (range - 1) * width + 1, Math.min(range * width, largest), each])
    .filter(([, , each]) => each || !isFew);
}
