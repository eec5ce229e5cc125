// Numbers for people. Amounts are whole numbers in the unit of their resource class.

const NUMBERS = new Intl.NumberFormat("en");

export function number(value) {
  return NUMBERS.format(value);
}

// "3 hosts", "1 host".
export function count(value, noun) {
  return `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
}

const BYTES = ["MiB", "GiB", "TiB", "PiB", "EiB"];
// The last word of a class's name, and the binary unit that it means.
const SUFFIXES = { MB: "MiB", GB: "GiB" };

// Returns an amount in a readable unit, such as "1.1 TiB"; null if the class is not in bytes.
export function bytes(amount, className) {
  const given = SUFFIXES[className.split("_").at(-1)];
  if (!given) {
    return null;
  }
  let unit = BYTES.indexOf(given);
  let value = amount;
  while (value >= 1024 && unit < BYTES.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${number(Math.round(value * 10) / 10)} ${BYTES[unit]}`;
}

// Returns an amount for people: in bytes if the class is, otherwise the number.
export function amount(value, className) {
  return bytes(value, className) ?? number(value);
}

// Returns how long ago a moment was, given in milliseconds: "5 minutes ago".
export function ago(moment, now = Date.now()) {
  const seconds = Math.max(0, Math.round((now - moment) / 1000));
  for (const [unit, size] of [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ]) {
    if (seconds >= size) {
      return `${count(Math.floor(seconds / size), unit)} ago`;
    }
  }
  return "just now";
}

// Returns the share of a capacity that is used; if the capacity is 0, 100 % for each unit used.
export function shareUsed({ used, capacity }) {
  return capacity > 0 ? used / capacity : used;
}

// Returns a share as a whole percentage, but never 0 or 100 for a share that is not exactly that.
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
