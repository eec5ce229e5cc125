"""Provider trees drawn as indented text, for tests that need no database.

    h {MEMORY_MB 8} <TA> [x]
      c1 {VCPU 6 used 2 max_unit 4} <TB> [y]
    s {DISK_GB 9} <SHARE> [x]

is a root `h` in the aggregate x, with one child, and a sharing provider, drawn as
tests/drawings.py says. Braces hold the capacity of each class and what differs from an unused
inventory without unit rules. The uuid of a provider is its name, except in queries, which insist on
uuids: see `World.query`.
"""

import itertools
import re
import urllib.parse
import uuid

from placement.candidates import forests, resolution
from placement.candidates.solver import anchors
from placement.db.names_and_ids import Names
from placement.db.provider_room import Provider, Room
from placement.queries import candidate_query
from tests import drawings

_UNUSED = Room(capacity=0, used=0, min_unit=1, max_unit=1 << 31, step_size=1)


class World:
    """Providers, and the names of their classes, traits and aggregates."""

    def __init__(self, text):
        self.class_ids = _Numbers()
        self.trait_ids = _Numbers()
        self.aggregate_ids = _Numbers()
        self.providers = []
        self._root_ids = {}
        branch = []
        for line in filter(str.strip, text.splitlines()):
            self._add(branch, drawings.read_provider(line))

    def forest(self, *root_names):
        """Return the Forest of the whole world, with these roots (or all) as its batch."""
        root_ids = [self._root_ids[as_uuid(name)] for name in root_names]
        sharing = self.trait_ids[drawings.SHARE]
        return forests.build(
            self.providers,
            [provider.id for provider in self.providers if sharing in provider.traits],
            root_ids or list(dict.fromkeys(self._root_ids.values())),
        )

    def query(self, text):
        """Return the ResolvedQuery of a query string that names aggregates and trees."""
        pairs = [
            (key, _with_uuids(value) if key.startswith(("member_of", "in_tree")) else value)
            for key, value in urllib.parse.parse_qsl(text, keep_blank_values=True)
        ]
        parsed = candidate_query.parse(pairs, candidate_query.QueryRules())
        known = {
            "resource_classes": self.class_ids,
            "traits": self.trait_ids,
            "aggregates": self.aggregate_ids,
            "trees": self._root_ids,
        }
        names = Names(**{kind: known.get(kind, {}) for kind in Names._fields})
        return resolution.resolved(parsed, names)

    def candidates(self, text, **options):
        """Return the candidates of a query string as lines of text, sorted."""
        found = anchors.search([self.forest()], self.query(text), **options)
        return sorted(self.line(candidate) for candidate in found)

    def line(self, candidate):
        """Return a candidate as `c1(VCPU 1) + h(MEMORY_MB 1); 1=c1 2=h`.

        The granular groups follow after the semicolon, which is left out if there are none.
        """
        class_names = {class_id: name for name, class_id in self.class_ids.items()}
        names = {provider.id: provider.uuid for provider in self.providers}
        taken = sorted(
            (names[provider_id], f"{class_names[class_id]} {amount}")
            for (provider_id, class_id), amount in candidate.amounts.items()
        )
        line = " + ".join(
            f"{name}({', '.join(amount for _, amount in amounts)})"
            for name, amounts in itertools.groupby(taken, key=lambda pair: pair[0])
        )
        mappings = candidate.providers_by_suffix.items()
        granular = " ".join(
            f"{suffix}={names[provider_ids[0]]}" for suffix, provider_ids in mappings if suffix
        )
        return f"{line}; {granular}" if granular else line

    def _add(self, branch, drawn):
        """Add the provider of one line below the last provider that is less indented."""
        provider_id = len(self.providers) + 1
        del branch[drawn.depth :]
        root_id = branch[0] if branch else provider_id
        provider = provider_of(
            id=provider_id,
            uuid=drawn.name,
            parent_id=branch[-1] if branch else None,
            root_id=root_id,
            traits=frozenset(self.trait_ids[trait] for trait in drawn.traits),
            aggregates=frozenset(
                self.aggregate_ids[as_uuid(aggregate)] for aggregate in drawn.aggregates
            ),
            rooms={
                self.class_ids[class_name]: _room(*inventory)
                for class_name, inventory in drawn.inventories.items()
            },
        )
        self.providers.append(provider)
        branch.append(provider_id)
        self._root_ids[as_uuid(drawn.name)] = root_id


def _room(capacity, differences):
    units = {word: int(text) for word, text in differences.items()}
    return _UNUSED._replace(capacity=capacity, **units)


def provider_of(**fields):
    """Return a Provider; fields that the search does not look at may be missing."""
    return Provider(**dict.fromkeys(Provider._fields) | fields)


class _Numbers(dict):
    """name -> id, in the order in which they are first asked for."""

    def __missing__(self, name):
        self[name] = len(self) + 1
        return self[name]


def as_uuid(name):
    """Return the uuid that stands for a name of this text in a query."""
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))


def _with_uuids(value):
    prefix, names = re.fullmatch(r"(!?(?:in:)?)(.*)", value).groups()
    return prefix + ",".join(as_uuid(name) for name in names.split(","))


def ancestors_in(parents):
    """Return a function from a provider to itself and all above it, by {provider: its parent}."""

    def ancestors(provider_id):
        ids = []
        while provider_id is not None:
            ids.append(provider_id)
            provider_id = parents[provider_id]
        return ids

    return ancestors
