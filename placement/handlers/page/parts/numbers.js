// Numbers for people. Amounts are whole numbers in the unit of their resource class.

const NUMBERS = new Intl.NumberFormat("en");

export function number(value) {
  return NUMBERS.format(value);
}

// "3 hosts", "1 host".
export function count(value, noun) {
  return `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
}

// Returns a share as a whole percentage; what is neither nothing nor all does not look like it.
export function percent(part, whole) {
  if (whole <= 0) {
    return part > 0 ? "over" : "–";
  }
  const share = (100 * part) / whole;
  if (share > 0 && share < 1) {
    return "< 1 %";
  }
  return `${share > 99 && share < 100 ? 99 : Math.round(share)} %`;
}
