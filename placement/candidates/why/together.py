"""Why a host that meets each constraint has no candidates, if that is cheap to find out; pure.

Source: doc/explanation/rules.rst, R3.
"""

from placement.candidates import constraints, kinds
from placement.candidates.kinds.constraint import Constraint


def unmet(host, query):
    """Return the Unmet of a Host that only the search rules out, with the cause if that is known.

    Only one cause is looked for: the unsuffixed group requires a trait, and no provider with that
    trait can serve any part of the group. The Unmet has the trait as `traits_on_full_provider`, and
    names that provider.
    """
    for group in query.groups:
        if group.amounts and not group.is_granular:
            for traits in group.required:
                provider = _provider_without_room(host, traits, group)
                if provider is not None:
                    return constraints.TOGETHER_UNMET._replace(
                        provider_id=provider.id,
                        traits_on_full_provider=Constraint(group.suffix, kinds.REQUIRED, traits),
                    )
    return constraints.TOGETHER_UNMET


def _provider_without_room(host, traits, group):
    """Return the first provider with one of the traits, if no such provider can serve anything."""
    having = [each for each in host.offered if not traits.isdisjoint(each.traits)]
    amounts = group.amounts.items()
    if any(provider.has_room(*amount) for provider in having for amount in amounts):
        return None
    # There is one: a host without the trait is ruled out before any search.
    return having[0]
