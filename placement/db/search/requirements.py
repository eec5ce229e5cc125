"""What a query may require of a provider, as plain values; who_meets.py finds the providers.

What is forbidden is a Requirement, too: roots.py looks for providers that do not meet it.
Requirements are used as keys of dicts.
"""

from dataclasses import dataclass

from placement.db.subjects_of_names import Subject


class Requirement:
    """Something that a provider may have.

    If two have the same `topic`, a provider that meets the stronger one meets the other, too.
    """

    strength = 0

    @property
    def topic(self):
        return self


@dataclass(frozen=True, slots=True)
class Amount(Requirement):
    """Room for an amount of a class."""

    class_id: int
    amount: int

    @property
    def topic(self):
        return self.class_id

    @property
    def strength(self):
        return self.amount


@dataclass(frozen=True, slots=True)
class AnyOf(Requirement):
    """Having any of some traits, or being in any of some aggregates."""

    subject: Subject
    keys: frozenset[int]


@dataclass(frozen=True, slots=True)
class OfTree(Requirement):
    """Being in the tree with this root."""

    root_id: int


def strongest(requirements):
    """Return only the strongest Requirement of each topic: what meets it meets the others."""
    by_topic = {}
    for requirement in requirements:
        strongest_yet = by_topic.setdefault(requirement.topic, requirement)
        if requirement.strength > strongest_yet.strength:
            by_topic[requirement.topic] = requirement
    return list(by_topic.values())
