"""What a change has done, but not who made it, as a sentence for people; pure.

A sentence is a list of Pieces, so that a page can link to what the sentence names.

Called by documents/changes.py.
"""

from placement.documents.sentences import of_consumers, of_names, of_providers

_SENTENCES = {
    "provider": of_providers.provider,
    "inventories": of_providers.inventories,
    "traits": of_providers.traits,
    "aggregates": of_providers.aggregates,
    "allocations": of_consumers.allocations,
    "resource_class": of_names.resource_class,
    "trait": of_names.trait,
}


def of(change, places):
    """Return the Pieces about a StoredChange, such as "moved instance ... from b2 to a7".

    `places` is {uuid: ProviderPlace} of the providers that are known.
    """
    return list(_SENTENCES[change.kind](change, places))
