"""Kinds that a single provider, or a host, meets or fails: amounts, traits, aggregates, trees.

kind.py says what each method returns. In the unsuffixed group, aggregates of the root count for its
tree: see rules.may_contribute.
Source: doc/explanation/rules.rst, R1 to R7.
"""

import dataclasses
import operator

from placement.candidates.kinds.constraint import Unmet
from placement.candidates.kinds.kind import Named, Role
from placement.candidates.kinds.wording import NOT, any_of, words_in_order
from placement.db import provider_room
from placement.db.search.requirements import Amount, AnyOf, OfTree
from placement.db.subjects_of_names import Subject


class InTree(Named):
    """R5: the tree of a provider; in keys, a value is the id of the tree's root."""

    subject = Subject.TREES
    counts_at_root = True

    def values(self, group):
        return [] if group.root_id is None else [group.root_id]

    def named_values(self, group):
        return [] if group.in_tree is None else [group.in_tree]

    def names_in(self, value):
        return {value}

    def in_keys(self, value, names):
        return names.trees[value]

    def in_names(self, value, names_by_key):
        return names_by_key[Subject.TREES][value]

    def resolved(self, group, names):
        # A group names at most one tree.
        [root_id] = [names.trees[uuid] for uuid in self.named_values(group)] or [None]
        return {"root_id": root_id}

    def requirement(self, value):
        return OfTree(value)

    def role(self, group):
        """Return EACH: each provider that serves the group has to be in the tree.

        For a granular group that takes nothing, return IGNORED if the tree exists: any provider,
        of any tree, may serve the group.
        """
        if group.amounts or not group.is_granular:
            return Role.EACH
        # A tree that does not exist has a negative id.
        tree_exists = group.root_id is not None and group.root_id > 0
        return Role.IGNORED if tree_exists else Role.EACH

    def is_met_by(self, provider, value, group):
        return provider.root_id == value or self.role(group) is Role.IGNORED

    def is_met_at(self, host, value, group):
        return host.root.id == value

    def with_values(self, group, values):
        # There is at most one value.
        [root_id] = values or [None]
        return dataclasses.replace(group, root_id=root_id)

    def needs(self, value, key):
        return value == key

    def corrected(self, value, key, other_key, group):
        return other_key


class Resources(Named):
    """R1: an amount of a class; in keys, a class_id and the amount."""

    subject = Subject.RESOURCE_CLASSES
    is_listed = True
    is_about_room = True
    is_given_up = False
    reasons = provider_room.REASONS

    def values(self, group):
        return group.amounts.items()

    def named_values(self, group):
        return group.resources.items()

    def names_in(self, value):
        class_name, _ = value
        return {class_name}

    def in_keys(self, value, names):
        class_name, amount = value
        return names.resource_classes[class_name], amount

    def in_names(self, value, names_by_key):
        class_id, amount = value
        return names_by_key[Subject.RESOURCE_CLASSES][class_id], amount

    def text(self, value):
        class_name, amount = value
        return f"{class_name}:{amount}"

    def name_of_stop(self, value, class_names):
        class_id, _ = value
        return class_names[class_id]

    def resolved(self, group, names):
        return {"amounts": dict(self.in_keys(each, names) for each in self.named_values(group))}

    def requirement(self, value):
        return Amount(*value)

    def role(self, group):
        return Role.GIVER

    def is_met_by(self, provider, value, group):
        return provider.has_room(*value)

    def unmet_by(self, provider, constraint, group):
        """Return why a provider has no room for the amount, as an Unmet; None if it has room."""
        class_id, amount = constraint.value
        room = provider.rooms.get(class_id)
        if room is None:
            return Unmet(constraint, "no_inventory", free=0, fitting=0, provider_id=provider.id)
        why = room.why_not(amount)
        if why is None:
            return None
        return Unmet(
            constraint,
            why,
            free=max(0, room.free),
            fitting=room.largest_that_fits(amount),
            provider_id=provider.id,
            # A reason such as "max_unit" is also the name of the Room's field.
            unit=getattr(room, why) if why in provider_room.UNITS else None,
        )

    def unmet_at(self, host, constraint, group):
        """Return the Unmet of the provider that comes closest; None if any provider has room."""
        unmets = []
        for provider in host.offered:
            unmet = self.unmet_by(provider, constraint, group)
            if unmet is None:
                return None
            unmets.append(unmet)
        return min(unmets, key=_nearness) if len(unmets) > 1 else unmets[0]

    def with_values(self, group, values):
        return dataclasses.replace(group, amounts=dict(values))

    def needs(self, value, key):
        return value[0] == key

    def corrected(self, value, key, other_key, group):
        """Return (other_key, amount), or None if the group asks for that class already."""
        _, amount = value
        return None if other_key in group.amounts else (other_key, amount)


def _nearness(unmet):
    """Return a sort key: the Unmet that is closest to being met comes first."""
    return unmet.shortage, *unmet.severity


class _OfSets(Named):
    """Sets of what providers have, such as traits.

    The field that asks for them has the same name before and after names are replaced by keys.
    held  the field of Provider
    """

    def __init__(self, name, words, subject, held, parameter=None):
        """`name`: the field of a group or a query; `held`: the field of Provider it is about."""
        super().__init__(name, words, parameter)
        self.subject = subject
        # A list of aggregates is one constraint: being in any one of them meets it.
        self.is_listed = subject is not Subject.AGGREGATES
        self._held = held
        self._held_by = operator.attrgetter(held)
        self._asked_of = operator.attrgetter(name)

    def values(self, asker):
        return self._sets(self._asked_of(asker))

    def text(self, value):
        return any_of(value)

    def in_keys(self, value, names):
        """Return the ids of a set of names, looked up in `names`, which are Names."""
        ids = names.ids_of(self.subject)
        if self.subject is Subject.AGGREGATES:
            # An aggregate exists as soon as it has a member; no provider is in one without an id.
            value = value & ids.keys()
        return frozenset(ids[name] for name in value)

    def in_names(self, value, names_by_key):
        names = names_by_key[self.subject]
        return frozenset(names[key] for key in value)

    def resolved(self, asker, names):
        sets = [self.in_keys(each, names) for each in self.named_values(asker)]
        return {self.name: self._field(sets)}

    def requirement(self, value):
        return AnyOf(self.subject, value)

    def with_values(self, asker, values):
        return dataclasses.replace(asker, **{self.name: self._field(values)})

    def without_unknown(self, value, unknown):
        return value.difference(unknown)

    def _sets(self, field):
        """Return the sets in a value of the field."""
        raise NotImplementedError

    def _field(self, sets):
        """Return the value of the field for these sets."""
        raise NotImplementedError


class AllOf(_OfSets):
    """Sets that must each be hit: an AND of ORs. The value of a constraint is one of them."""

    def _sets(self, field):
        return field

    def _field(self, sets):
        return tuple(sets)

    def role(self, asker):
        return Role.ANY

    def is_met_by(self, provider, value, group):
        return not value.isdisjoint(self._held_by(provider))

    def is_met_despite(self, value, keys):
        return not value.isdisjoint(keys) and not value <= keys


class NoneOf(_OfSets):
    """No provider of a group may have a member of a set, which is the value of the constraint.

    In the unsuffixed group, it applies only to providers with a class that the group asks for.
    """

    def spelled(self, text):
        mark = "" if self.parameter == self.name else NOT
        return ",".join(mark + word for word in words_in_order(text))

    def _sets(self, field):
        return [field] if field else []

    def _field(self, sets):
        return frozenset().union(*sets)

    def role(self, asker):
        return Role.NONE

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

    def needs(self, value, key):
        return False


class NotMemberOf(NoneOf):
    """R3: the root's aggregates count for its whole tree."""

    counts_at_root = True

    def spelled(self, text):
        return NOT + text

    def is_met_at(self, host, value, group):
        return self.is_met_by(host.root, value, group)


class RootRequired(AllOf):
    """R7: traits of the root. The value of each constraint is a set of one trait."""

    def _sets(self, field):
        return [frozenset({each}) for each in sorted(field)]

    def _field(self, sets):
        return frozenset().union(*sets)


class RootForbidden(NoneOf):
    """R7: traits that the root must not have."""
