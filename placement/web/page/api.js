// Asking the service.

// The page is at <mount point>/operator/.
const ROOT = new URL("..", location.href.split("#")[0]);
const VERSION = "placement latest";

// Raised for any answer that is no success: `status` is that of HTTP, 0 without an answer.
class Refused extends Error {
  constructor(status, detail) {
    super(sentence(status, detail));
    this.status = status;
  }
}

// Returns the URL of a path; `query` is a query string or what URLSearchParams takes.
function urlOf(path, query = "") {
  const url = new URL(path, ROOT);
  url.search = typeof query === "string" ? query : new URLSearchParams(query).toString();
  return url;
}

// Returns the JSON of an answer. Throws Refused, or an AbortError once `signal` says so.
export async function ask(path, query, { token, signal }) {
  const headers = { Accept: "application/json", "OpenStack-API-Version": VERSION };
  if (token) {
    headers["X-Auth-Token"] = token;
  }
  let response;
  try {
    response = await fetch(urlOf(path, query), { headers, signal });
  } catch (error) {
    throw error.name === "AbortError" ? error : new Refused(0);
  }
  if (!response.ok) {
    throw new Refused(response.status, await detailOf(response));
  }
  return response.json();
}

// Returns the command that asks the same; the token is that of the shell.
export function curlLine(path, query) {
  const url = urlOf(path, query).href.replaceAll("'", "%27");
  return `curl -H "X-Auth-Token: $TOKEN" -H 'OpenStack-API-Version: ${VERSION}' '${url}'`;
}

// What the status means stands before a blank line, and what is the matter behind it.
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
      return "The service does not answer. Is it running, and is the network between?";
    case 401:
      return "The service does not accept this token; it may have expired.";
    case 403:
      return (
        "This token may not read here: the policy placement:operator:read asks for the role" +
        " admin or service."
      );
    case 503:
      return "The service is there, but cannot work just now; its log says why. Try again soon.";
    default:
      return detail || `The service answers with status ${status}.`;
  }
}
