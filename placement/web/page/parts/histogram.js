// Counts numbers in ranges. Pure.

const MOST_RANGES = 12;

// Returns [[least, most, how many numbers are between them]], in order; 0 has its own range.
export function histogramOf(numbers) {
  const largest = Math.max(...numbers);
  const isFew = new Set(numbers).size <= MOST_RANGES;
  const width = isFew ? 1 : Math.ceil(largest / MOST_RANGES);
  const counts = Array(Math.ceil(largest / width) + 1).fill(0);
  numbers.forEach((each) => (counts[Math.ceil(each / width)] += 1));
  return counts
    .map((each, range) => [range && (range - 1) * width + 1, Math.min(range * width, largest), each])
    .filter(([, , each]) => each || !isFew);
}
