"""The kinds of constraints that a query can have, and everything to know about each; pure.

A kind knows its field, in names and in keys; the Requirements by which the database narrows the
hosts; whether a provider or a host meets it; its wording; how a query string and a form have it;
and what relaxes it. The field belongs to a group or to the whole query; either is called the
`asker` here.
How to add one: doc/explanation/search.rst.
Source: doc/explanation/rules.rst, R2 to R9.
"""

import dataclasses
import operator
import re
from typing import NamedTuple

from placement.db.search.requirements import Amount, AnyAggregate, AnyTrait

# What values of required= and member_of= begin with.
ANY_OF = "in:"
NOT = "!"

# What the names in a query refer to: the fields of db.names.Names.
CLASSES, TRAITS, AGGREGATES, TREES = SUBJECTS = (
    "resource_classes",
    "traits",
    "aggregates",
    "trees",
)


class Words(NamedTuple):
    """How people read and write a kind of constraint.

    asked    what a query asks for; {} is the value
    stops    what keeps a host from serving the request
    label    that of the field in a form; None if it has none
    hint     how to fill it in
    choices  ((value, label), ...) if the field has no others
    """

    asked: str
    stops: str
    label: str | None = None
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()


class Kind:
    """A kind of constraint.

    name             the one in answers
    parameter        the one in query strings, which what is required and forbidden may share
    words            its Words
    subject          one of SUBJECTS: what the names in it refer to; None without names
    phrase           what a host that fails it does: the verb for several, the verb for one, and the
                     rest, where {text} is the value as the client wrote it
    is_amount        whether the value is (class_id, amount)
    is_listed        whether one value of the parameter may have several constraints, and commas
    excludes         whether it forbids something
    depends_on_rest  whether relaxing something else may help a host that fails it, in the
                     unsuffixed group or as a whole
    instead          the value that replaces it when it is given up; None if it is just removed
    """

    subject = None
    is_amount = False
    is_listed = False
    excludes = False
    depends_on_rest = False
    instead = None

    def __init__(self, name, phrase, words, parameter=None):
        self.name = name
        self.phrase = phrase
        self.words = words
        self.parameter = parameter or name

    def __repr__(self):
        return f"<{self.name}>"

    def asked(self, text):
        """Return in words what a query with this text asks for."""
        return self.words.asked.format(self._spoken(text))

    def _spoken(self, text):
        return text

    def spelled(self, text):
        """Return the text as the value of its parameter."""
        return text

    def typed(self, texts):
        """Return the field of a form for the texts of all constraints of this kind."""
        return "".join(texts)

    def texts_typed(self, typed):
        """Return the texts in a field of a form."""
        return [typed.strip()] if typed.strip() else []

    def texts(self, asker):
        """Return the text of each Constraint of this kind, of an asker that is not resolved yet."""
        raise NotImplementedError

    def values(self, asker):
        """Return the value of each Constraint of this kind, in keys."""
        raise NotImplementedError

    def said(self, asker, names):
        """Return (value, text) pairs of an asker that is not resolved yet.

        `names` are the Names that resolve it.
        """
        return zip(self._said(asker, names), self.texts(asker), strict=True)

    def _said(self, asker, names):
        """Return the value of each text, in keys."""
        return self.values(asker)

    def text_of(self, value, text):
        """Return the text of a value that replaces another one, which has `text`."""
        raise NotImplementedError

    def without(self, asker, value):
        """Return the asker without the constraint that has this value."""
        raise NotImplementedError

    def replaced(self, asker, value, other):
        """Return the asker with another value in place of this one."""
        raise NotImplementedError


class Named(Kind):
    """A kind whose values are resolved from names, and which a provider meets or fails by itself.

    `required`, `excluded`: see ResolvedGroup.
    """

    def names(self, asker):
        """Yield the names in an asker, in sets."""
        return ()

    def resolved(self, asker, names):
        """Return {field: its value in keys} of an asker without unknown names."""
        raise NotImplementedError

    def required(self, asker):
        """Return the Requirements that some provider must meet."""
        return []

    def excluded(self, asker):
        """Return the Requirements that no provider may meet."""
        return []

    def excluded_at_root(self, group):
        """Return what the root may not meet, whoever serves the unsuffixed group."""
        return []

    def unwanted(self, group):
        """Return [(field of Provider, keys)]: what no provider may have, for the search."""
        return []

    def is_met_by(self, provider, value, group):
        """Return whether a provider that serves a group meets the constraint with this value."""
        raise NotImplementedError

    def is_met_at(self, host, value, group):
        """Return whether a Host, which serves the unsuffixed group, meets it."""
        raise NotImplementedError

    def is_met_despite(self, value, keys):
        """Return whether a host may meet it although some of its keys do not exist."""
        return False

    def is_about(self, value, key):
        """Return whether a key is in a value."""
        return key in value

    def corrected(self, value, key, other_key):
        """Return the value with one of its keys replaced."""
        return value - {key} | {other_key}


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

    def _spoken(self, text):
        class_name, _, amount = text.rpartition(":")
        return f"{int(amount):,} {class_name}"

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
        # An aggregate is listed only with others of which one is enough.
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

    def _spoken(self, text):
        return " or ".join(_words_in_order(text))

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

    def typed(self, texts):
        return ", ".join(map(self._spoken, texts))

    def texts_typed(self, typed):
        """As in Kind. "A, B or C" is A, and B or C; commas may be missing."""
        texts = [
            any_of(set(filter(None, each.split("|"))))
            for each in _names_typed(re.sub(r"\s+or\s+|\s*\|\s*", "|", typed.strip()))
        ]
        return list(filter(None, texts))

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
        return ",".join(mark + word for word in _words_in_order(text))

    def typed(self, texts):
        return ", ".join(word for text in texts for word in _words_in_order(text))

    def texts_typed(self, typed):
        names = set(_names_typed(typed))
        return [any_of(names)] if names else []

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


class GroupPolicy(Kind):
    """R8: different providers serve different granular groups."""

    depends_on_rest = True
    # Several granular groups need a policy (Q1), so it cannot just be removed.
    instead = "none"

    def values(self, query):
        is_binding = query.isolate and sum(group.is_granular for group in query.groups) > 1
        return ["isolate"] if is_binding else []

    def texts(self, query):
        return self.values(query)

    def _spoken(self, text):
        return "any" if text == self.instead else "different"

    def text_of(self, value, text):
        return value

    def without(self, query, value):
        return dataclasses.replace(query, isolate=False)

    def replaced(self, query, value, other):
        return dataclasses.replace(query, isolate=other == "isolate")

    def kept(self, query, values):
        """Return the query with these constraints, and no others of the kind."""
        return dataclasses.replace(query, isolate=bool(values))


class SameSubtree(Kind):
    """R9: groups in one subtree. The value of a constraint is a set of suffixes."""

    depends_on_rest = True

    def values(self, query):
        return [each for each in dict.fromkeys(query.same_subtrees) if len(each) > 1]

    def texts(self, query):
        return [self.text_of(each, None) for each in query.same_subtrees]

    def _said(self, query, names):
        # One with a single suffix, too: it may be dropped along with its group.
        return query.same_subtrees

    def _spoken(self, text):
        return text.replace(",", " and ")

    def typed(self, texts):
        return "; ".join(text.replace(",", ", ") for text in texts)

    def texts_typed(self, typed):
        return list(filter(None, (",".join(_names_typed(each)) for each in typed.split(";"))))

    def text_of(self, value, text):
        return ",".join(sorted(value))

    def without(self, query, value):
        """As in Kind; a group without resources goes if no same_subtree names it any more."""
        same_subtrees = tuple(each for each in query.same_subtrees if each != value)
        named = frozenset().union(*same_subtrees)
        groups = [group for group in query.groups if group.amounts or group.suffix in named]
        return dataclasses.replace(query, same_subtrees=same_subtrees).of_groups(groups)

    def kept(self, query, values):
        """Return the query with these constraints, and no others of the kind."""
        return dataclasses.replace(query, same_subtrees=tuple(values))


class Together(Kind):
    """All the constraints at once: what only the search can refuse. It has no text."""

    depends_on_rest = True

    def texts(self, query):
        return []


def any_of(words):
    """Return the text for alternatives."""
    return (ANY_OF if len(words) > 1 else "") + ",".join(sorted(words))


def words_of(text):
    """Return the set of alternatives in a text made by any_of."""
    return set(_words_in_order(text))


def is_any_of(text):
    """Return whether a text made by any_of has several alternatives."""
    return text.startswith(ANY_OF)


def _words_in_order(text):
    return text.removeprefix(ANY_OF).split(",")


def _names_typed(text):
    """Return the names in a list that a person wrote."""
    return list(filter(None, re.split(r"[,\s]+", text)))


IN_TREE = InTree(
    "in_tree",
    ("are", "is", "not in the tree of {text}"),
    Words(
        "in the tree of {}",
        "not in the tree asked for",
        "In the tree of",
        "uuid of a provider",
    ),
)
MEMBER_OF = AllOf(
    "member_of",
    ("are", "is", "not in aggregate {text}"),
    Words(
        "in aggregate {}",
        "not in the aggregates asked for",
        "In aggregates",
        "uuid, uuid or uuid",
    ),
    *(AGGREGATES, "aggregates", AnyAggregate),
)
NOT_MEMBER_OF = NotMemberOf(
    "not_member_of",
    ("are", "is", "in the forbidden aggregate {text}"),
    Words("not in aggregate {}", "in a forbidden aggregate", "Not in aggregates", "uuids"),
    *(AGGREGATES, "aggregates", AnyAggregate),
    parameter="member_of",
)
REQUIRED = AllOf(
    "required",
    ("lack", "lacks", "{text}"),
    Words("trait {}", "lacks a required trait", "Required traits", "A, B or C"),
    *(TRAITS, "traits", AnyTrait),
)
FORBIDDEN = NoneOf(
    "forbidden",
    ("have", "has", "the forbidden trait {text}"),
    Words("without trait {}", "has a forbidden trait", "Forbidden traits", "A, B"),
    *(TRAITS, "traits", AnyTrait),
    parameter="required",
)
RESOURCES = Resources(
    "resources",
    {
        "capacity": (
            "have",
            "has",
            "too little {name} free (at most {limit:,}, asked {amount:,}{reserved})",
        ),
        "no_inventory": ("offer", "offers", "no {name}"),
        "max_unit": (
            "allow",
            "allows",
            "at most {limit:,} {name} at once (max_unit, asked {amount:,})",
        ),
        "min_unit": (
            "allow",
            "allows",
            "only {limit:,} {name} or more (min_unit, asked {amount:,})",
        ),
        "step_size": (
            "allow",
            "allows",
            "{name} only in steps of {limit:,} (step_size, asked {amount:,})",
        ),
    },
    Words("{}", "not enough resources"),
)
ROOT_REQUIRED = RootRequired(
    "root_required",
    ("lack", "lacks", "{text} on the root"),
    Words(
        "trait {} on the root", "lacks a required trait on the root", "Traits of the root", "A, B"
    ),
    *(TRAITS, "traits", AnyTrait),
)
ROOT_FORBIDDEN = RootForbidden(
    "root_forbidden",
    ("have", "has", "the forbidden trait {text} on the root"),
    Words(
        "on the root, no trait {}",
        "has a forbidden trait on the root",
        "Forbidden traits of the root",
        "A, B",
    ),
    *(TRAITS, "traits", AnyTrait),
    parameter="root_required",
)
GROUP_POLICY = GroupPolicy(
    "group_policy",
    ("have", "has", "too few providers for groups that need separate ones"),
    Words(
        "groups on {} providers",
        "too few providers for groups that need separate ones",
        "Policy",
        choices=(
            ("none", "none: they may share a provider"),
            ("isolate", "isolate: each needs its own provider"),
        ),
    ),
)
SAME_SUBTREE = SameSubtree(
    "same_subtree",
    ("can", "can", "serve {text}, but not in one subtree"),
    Words(
        "{} in one subtree",
        "groups not in one subtree",
        "In one subtree",
        "_A, _B; _C, _D",
    ),
)
TOGETHER = Together(
    "together",
    ("can", "can", "serve each group, but not all groups together"),
    Words("all of this at once", "enough for each group, but not for all at once"),
)

# In the order of explanations, and of the first name in a query that is refused.
OF_GROUP = (IN_TREE, MEMBER_OF, NOT_MEMBER_OF, REQUIRED, FORBIDDEN, RESOURCES)
OF_ROOT = (ROOT_REQUIRED, ROOT_FORBIDDEN)
# What binds the groups to each other.
BINDING = (GROUP_POLICY, SAME_SUBTREE)
ALL = (*OF_GROUP, *OF_ROOT, *BINDING, TOGETHER)
