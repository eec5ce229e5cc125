// Queries that the service turns into forms, and forms and pasted texts that it turns into queries.

import { ask } from "../../api.js";
import { refuse, useToken } from "../../session.js";

// Returns a function from {query}, {form} or {text} to a promise of a query, its form, and what the
// fields mean. The promise is rejected if the service refuses; if it refuses the token, the page
// asks for another.
export function useTranslation() {
  const token = useToken();
  return async (given, signal) => {
    try {
      return await ask("operator/query", "", { token, signal, body: given });
    } catch (error) {
      if (error.isOfToken) {
        refuse(error);
      }
      throw error;
    }
  };
}
