"""Kinds that a single provider, or a host, meets or fails: amounts, traits, aggregates, trees.

Source: doc/explanation/rules.rst, R1 to R7.
"""

import dataclasses
import operator

from placement.candidates import rules
from placement.candidates.kinds.kind import AGGREGATES, CLASSES, TREES, Named
from placement.candidates.kinds.words import NOT, any_of, words_in_order
from placement.db.search.requirements import Amount


class InTree(Named):
    """R5: the tree of a provider. In keys, the id of its root."""

    subject = TREES

    def names(self, group):
        return [] if group.in_tree is None else [{group.in_tree}]

    def resolved(self, group, names):
        return {"root_id": None if group.in_tree is None else names.trees[group.in_tree]}

    def values(self, group):
        return [] if group.root_id is None else [group.root_id]

    def texts(self, group):
        return [] if group.in_tree is None else [group.in_tree]

    def _said(self, group, names):
        return [names.trees[uuid] for uuid in self.texts(group)]

    def is_met_by(self, provider, value, group):
        return group.confined_to is None or provider.root_id == group.confined_to

    def is_met_at(self, host, value, group):
        return host.root.id == value

    def without(self, group, value):
        return dataclasses.replace(group, root_id=None)

    def replaced(self, group, value, other):
        return dataclasses.replace(group, root_id=other)

    def is_about(self, value, key):
        return value == key

    def corrected(self, value, key, other_key):
        return other_key


class Resources(Named):
    """R1: an amount of a class; in keys, a class_id and the amount."""

    subject = CLASSES
    is_amount = True
    is_listed = True

    def __init__(self, name, phrases, words):
        """`phrases` is {one of rules.REASONS: a phrase}."""
        super().__init__(name, None, words)
        self.phrases = phrases

    def names(self, group):
        return [{name} for name in group.resources]

    def resolved(self, group, names):
        return {"amounts": dict(self._said(group, names))}

    def values(self, group):
        return group.amounts.items()

    def texts(self, group):
        return [f"{name}:{amount}" for name, amount in group.resources.items()]

    def _said(self, group, names):
        return [(names.resource_classes[name], each) for name, each in group.resources.items()]

    def text_of(self, value, text):
        class_name, _, _ = text.rpartition(":")
        _, amount = value
        return f"{class_name}:{amount}"

    def required(self, group):
        return [Amount(*need) for need in group.amounts.items()]

    def is_met_by(self, provider, value, group):
        return rules.has_room(provider, *value)

    def without(self, group, value):
        class_id, _ = value
        amounts = {each: amount for each, amount in group.amounts.items() if each != class_id}
        return dataclasses.replace(group, amounts=amounts)

    def replaced(self, group, value, other):
        amounts = dict(other if need == value else need for need in group.amounts.items())
        return dataclasses.replace(group, amounts=amounts)

    def is_about(self, value, key):
        return value[0] == key

    def corrected(self, value, key, other_key):
        return other_key, value[1]


class _OfSets(Named):
    """Sets of what providers have, such as traits; in names and in keys the field is the same.

    held         the field of Provider
    requirement  the class of the Requirement to have one of them
    """

    def __init__(self, name, phrase, words, subject, held, requirement, parameter=None):
        super().__init__(name, phrase, words, parameter)
        self.subject = subject
        # In a list of aggregates, any one of them is enough: it is one constraint, not several.
        self.is_listed = subject != AGGREGATES
        self._of = operator.attrgetter(name)
        self._held_by = operator.attrgetter(held)
        self._held = held
        self._requirement = requirement

    def names(self, asker):
        return self._sets(self._of(asker))

    def values(self, asker):
        return self._sets(self._of(asker))

    def texts(self, asker):
        return [any_of(words) for words in self.names(asker)]

    def _said(self, asker, names):
        return [self._ids(words, names) for words in self.names(asker)]

    def _sets(self, value):
        """Return the sets that a value of the field consists of."""
        raise NotImplementedError

    def _ids(self, words, names):
        ids = getattr(names, self.subject)
        if self.subject == AGGREGATES:
            # An aggregate exists as soon as it has a member.
            words = words & ids.keys()
        return frozenset(ids[name] for name in words)

    def _requirements(self, asker):
        return [self._requirement(keys) for keys in self.values(asker)]

    def _with(self, asker, value):
        return dataclasses.replace(asker, **{self.name: value})


class AllOf(_OfSets):
    """Sets that must each be hit: an AND of ORs. The value of a constraint is one of them."""

    def _sets(self, value):
        return value

    def resolved(self, asker, names):
        return {self.name: tuple(self._ids(words, names) for words in self._of(asker))}

    def required(self, asker):
        return self._requirements(asker)

    def is_met_by(self, provider, value, group):
        return not value.isdisjoint(self._held_by(provider))

    def is_met_at(self, host, value, group):
        held_by = self._held_by
        return any(not value.isdisjoint(held_by(each)) for each in host.offered)

    def is_met_despite(self, value, keys):
        return not value.isdisjoint(keys) and not value <= keys

    def without(self, asker, value):
        return self._with(asker, tuple(each for each in self._of(asker) if each != value))

    def replaced(self, asker, value, other):
        sets = tuple(other if each == value else each for each in self._of(asker))
        return self._with(asker, sets)


class NoneOf(_OfSets):
    """A set of what no provider of a group may have; the value of the constraint is that set.

    In the unsuffixed group, it applies only to providers that can give what is asked for.
    """

    excludes = True
    depends_on_rest = True

    def spelled(self, text):
        mark = "" if self.parameter == self.name else NOT
        return ",".join(mark + word for word in words_in_order(text))

    def _sets(self, value):
        return [value] if value else []

    def resolved(self, asker, names):
        return {self.name: self._ids(self._of(asker), names)}

    def excluded(self, asker):
        return self._requirements(asker)

    def unwanted(self, group):
        return [(self._held, keys) for keys in self.values(group)]

    def is_met_by(self, provider, value, group):
        return value.isdisjoint(self._held_by(provider))

    def is_met_at(self, host, value, group):
        asked_for = group.amounts.keys()
        offering = [each for each in host.offered if not asked_for.isdisjoint(each.rooms)]
        return any(self.is_met_by(each, value, group) for each in offering or host.offered)

    def is_met_despite(self, value, keys):
        return not value.isdisjoint(keys)

    def without(self, asker, value):
        return self._with(asker, frozenset())

    def replaced(self, asker, value, other):
        return self._with(asker, other)


class NotMemberOf(NoneOf):
    """R3: the root's aggregates count for its whole tree."""

    depends_on_rest = False

    def spelled(self, text):
        return NOT + text

    def excluded_at_root(self, group):
        return self._requirements(group)

    def is_met_at(self, host, value, group):
        return self.is_met_by(host.root, value, group)


class RootRequired(AllOf):
    """R7: traits of the root. The value of each constraint is a set of one."""

    def _sets(self, value):
        return [frozenset({each}) for each in sorted(value)]

    def resolved(self, query, names):
        return {self.name: self._ids(self._of(query), names)}

    def without(self, query, value):
        return self._with(query, self._of(query) - value)

    def replaced(self, query, value, other):
        return self._with(query, self._of(query) - value | other)


class RootForbidden(NoneOf):
    """R7: traits that the root must not have."""

    depends_on_rest = False
