"""What was seen: (route, method, era of versions, status); and what is documented and was not."""

import collections

from placement import openapi

# The last versions before the larger changes: of owners, of generations, of types, and the newest.
ERAS = (11, 27, 37, 39)
# What no step can bring about: they are right, allowed, small, and the service serves.
_NOT_ASKED = {"401", "403", "406", "413", "415", "429", "500", "503"}


class Tally:
    def __init__(self):
        self._seen = collections.Counter()
        self._differences = collections.Counter()

    def add(self, step, answer):
        """Count an Answer to a Step."""
        self._seen[step.route, step.method, _era(step.version), str(answer.status)] += 1

    def add_difference(self, difference):
        """Count a Known difference, or one that nobody knows: None."""
        self._differences[difference and difference.told] += 1

    @property
    def steps(self):
        return self._seen.total()

    def never_seen(self):
        """Return the documented (route, method, era, status) that no answer had."""
        documented = set()
        for era in ERAS:
            for route, operations in openapi.document((1, era))["paths"].items():
                for method, operation in operations.items():
                    if method == "parameters" or route.startswith(("/operator", "/openapi")):
                        continue
                    statuses = operation["responses"].keys() - _NOT_ASKED
                    documented |= {(route, method.upper(), era, each) for each in statuses}
        return sorted(documented - self._seen.keys())

    def __str__(self):
        lines = [
            f"{count:7} {method:6} {route} until 1.{era}: {status}"
            for (route, method, era, status), count in sorted(self._seen.items())
        ]
        lines += [f"{count:7} known: {told}" for told, count in self._differences.most_common()]
        lines += [f"  never {' '.join(map(str, each))}" for each in self.never_seen()]
        return "\n".join(lines)


def _era(version):
    return next(era for era in ERAS if version <= era)
