// Requests to the service.

import { RETRY_AFTER_SECONDS } from "./limits.js";

// The page is at <mount point>/operator/.
const ROOT = new URL("..", location.href.split("#")[0]);
const VERSION_HEADER = "OpenStack-API-Version";
const VERSION = "placement latest";

// Thrown for any answer but success: `status` is the HTTP status, 0 without an answer; `isOfToken`
// says whether another token might help.
class Refused extends Error {
  constructor(status, detail) {
    super(sentence(status, detail));
    this.status = status;
    this.isOfToken = status === 401 || status === 403;
  }
}

// Returns the URL of a path; `query` is a query string or what URLSearchParams takes.
function urlOf(path, query = "") {
  const url = new URL(path, ROOT);
  url.search = typeof query === "string" ? query : new URLSearchParams(query).toString();
  return url;
}

// Returns the JSON of an answer. A `body` is sent as JSON, by POST. While the service is busy with
// other requests (429), it is asked again after the time that it names. Throws Refused, or an
// AbortError when `signal` aborts.
export async function ask(path, query, { token, signal, body }) {
  const headers = { Accept: "application/json", [VERSION_HEADER]: VERSION };
  const sent = body && { method: "POST", body: JSON.stringify(body) };
  if (body) {
    headers["Content-Type"] = "application/json";
  }
  if (token) {
    headers["X-Auth-Token"] = token;
  }
  const request = { headers, signal, ...sent };
  let response = await answerTo(path, query, request);
  while (response.status === 429) {
    await seconds(response.headers.get("Retry-After"));
    response = await answerTo(path, query, request);
  }
  if (!response.ok) {
    throw new Refused(response.status, await detailOf(response));
  }
  return response.json();
}

async function answerTo(path, query, request) {
  try {
    return await fetch(urlOf(path, query), request);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Refused(0);
  }
}

// A proxy in front of the service may refuse without naming a time, or name a date.
function seconds(wanted) {
  const ms = 1000 * (Number.parseInt(wanted, 10) || RETRY_AFTER_SECONDS);
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// Returns the curl command for the same request; it takes the token from the shell.
export function curlLine(path, query, body) {
  const url = urlOf(path, query).href.replaceAll("'", "%27");
  const sent = body
    ? ` -H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`
    : "";
  return `curl -H "X-Auth-Token: $TOKEN" -H '${VERSION_HEADER}: ${VERSION}'${sent} '${url}'`;
}

// The meaning of the status comes before a blank line, the actual problem after it.
async function detailOf(response) {
  try {
    const { detail } = (await response.json()).errors[0];
    return detail.split("\n\n").pop().trim();
  } catch {
    return response.statusText;
  }
}

function sentence(status, detail) {
  switch (status) {
    case 0:
      return "The service does not answer. Is it running, and can this browser reach it?";
    case 401:
      return "The service does not accept this token; it may have expired.";
    case 403:
      return (
        "This token has no permission: the policy placement:operator:read requires the role admin" +
        " or service."
      );
    case 503:
      return "The service is running, but cannot answer right now; its log says why. Try again soon.";
    default:
      return detail || `The service answered with status ${status}.`;
  }
}
