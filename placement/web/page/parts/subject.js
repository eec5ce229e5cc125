// The subject of a view, which the frame of the page shows as its title.

import { useEffect } from "../lib/preact-htm.js";

// `subject` is null if the view has only the title that all such views share.
export function useSubject(subject, setSubject) {
  useEffect(() => {
    setSubject(subject);
    return () => setSubject(null);
  }, [subject]);
}
