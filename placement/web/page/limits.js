// Limits of the service that the page must know; a test compares them with those of the service.

// An explanation counts no more candidates.
export const MOST_CANDIDATES = 1000;

// The most that `top` of GET /operator/capacity takes.
export const MOST_INVENTORIES = 1000;

// The most `ids` of a POST /operator/names.
export const MOST_IDS = 10000;

// What the suffix of a group of resources may be: the attribute `pattern` of its field.
export const SUFFIX = "[a-zA-Z0-9_\\-]{1,64}";

// In characters: `q` of GET /operator/find, and the names of requests to POST /operator/fit.
export const LONGEST_NAME = 255;

// How long to wait before a request is sent again, unless the answer says so.
export const RETRY_AFTER_SECONDS = 5;
