"""Answers that were seen, by (route, method, era, status), and documented ones that were not."""

import collections

from placement import openapi
from tests.deployed.beside_peer import unreachable

# The last versions before owners, generations and types were introduced, and the newest one.
ERAS = (11, 27, 37, 39)
# For requests whose version was not understood.
NO_ERA = None


class Tally:
    """Counts the answers by request and status, and the differences between the two services."""

    def __init__(self):
        self._seen = collections.Counter()
        self._differences = collections.Counter()

    def add(self, step, answer):
        """Count an Answer to a Step."""
        era = _era(step.version) if step.names_a_version else NO_ERA
        self._seen[step.route, step.method, era, str(answer.status)] += 1

    def add_difference(self, difference):
        """Count a Known difference."""
        self._differences[difference.words] += 1

    @property
    def steps(self):
        return self._seen.total()

    def never_seen(self):
        """Return each documented (route, method, era, status) that was possible, but not seen."""
        return [
            each for each in sorted(_documented() - self._seen.keys()) if not unreachable.why(each)
        ]

    def __str__(self):
        lines = [
            f"{count:7} {method:6} {route} {_words(era)}: {status}"
            for (route, method, era, status), count in sorted(self._seen.items(), key=str)
        ]
        lines += [f"{count:7} known: {words}" for words, count in self._differences.most_common()]
        without = collections.Counter(map(unreachable.why, _documented() - self._seen.keys()))
        lines += [f"{count:7} not seen: {why}" for why, count in without.items() if why]
        lines += [
            f"  never {method} {route} {_words(era)}: {status}"
            for route, method, era, status in self.never_seen()
        ]
        return "\n".join(lines)


def _documented():
    """Return each (route, method, era, status) that the served description of the API has."""
    documented = set()
    for era in ERAS:
        for route, operations in openapi.document((1, era))["paths"].items():
            for method, operation in operations.items():
                if method == "parameters" or route.startswith(("/operator", "/openapi")):
                    continue
                for status in operation["responses"]:
                    documented.add((route, method.upper(), era, status))
    return documented


def _words(era):
    return "without a version" if era is NO_ERA else f"until 1.{era}"


def _era(version):
    return next(era for era in ERAS if version <= era)
