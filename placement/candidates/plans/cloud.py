"""The whole cloud, read once for a plan: all trees, with everything that they offer."""

import fnmatch
import re
from typing import NamedTuple

import os_traits

from placement.candidates import forests, resolution
from placement.candidates.forests import Forest
from placement.candidates.plans.needs import Wishes
from placement.db import names_and_ids
from placement.db.search import every_tree, sharing_providers
from placement.db.subjects_of_names import Subject


class WholeCloud(NamedTuple):
    """A Forest of all trees, and what else a plan needs.

    disabled_trait_id  the trait of hosts that take no new consumers
    """

    forest: Forest
    wishes: Wishes
    disabled_trait_id: int


def read(conn, keep, same_aggregate, effort):
    """Return the WholeCloud, with the traits whose names match a pattern in `keep`.

    keep: patterns such as HW_CPU_*
    same_aggregate: whether consumers have to stay in an aggregate; if so, all aggregates are read
    Cost: two queries for each batch of hosts, and at most five more.
    """
    trait_ids = names_and_ids.all_of(conn, Subject.TRAITS)
    kept = frozenset(trait_ids[name] for name in _matching(trait_ids, keep, effort))
    # Before the first start of the service there are no standard traits.
    disabled_trait_id = trait_ids.get(os_traits.COMPUTE_STATUS_DISABLED)
    sharing = sharing_providers.find(conn, resolution.sharing_trait_id(trait_ids))
    # None stands for all.
    wanted = every_tree.Wanted(
        class_ids=None, trait_ids=kept | {disabled_trait_id}, aggregate_ids=frozenset()
    )
    if same_aggregate:
        wanted = wanted._replace(aggregate_ids=None)
    else:
        wanted = wanted.with_aggregates(every_tree.reaching_aggregates(conn, sharing))
    forest = forest_of(conn, wanted, sharing, effort)
    return WholeCloud(forest, Wishes(kept, same_aggregate), disabled_trait_id)


def forest_of(conn, wanted, sharing, effort):
    """Return the Forest of all trees, with what every_tree reads for `wanted`, a Wanted.

    sharing: all SharingProviders
    Cost: two queries for each batch of hosts.
    """
    providers = []
    for trees in every_tree.batches(conn, wanted, every_tree.AT_ONCE):
        before = len(providers)
        for root_id in trees.members:
            providers += trees.providers(root_id)
        effort.check_abort_now()
        effort.allow_for(len(providers) - before)
    return forests.build(providers, [each.id for each in sharing], forests.roots_of(providers))


def _matching(names, patterns, effort):
    """Return the names that one of the patterns matches."""
    matches = [re.compile(fnmatch.translate(pattern)).match for pattern in set(patterns)]
    effort.add_checks(len(matches) * len(names))
    return [name for name in names if any(match(name) for match in matches)]
