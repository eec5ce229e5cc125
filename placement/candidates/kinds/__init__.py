"""The kinds of constraints that a query can have, and everything to know about each; pure.

A kind knows its field, in names and in keys; the Requirements by which the database narrows the
hosts; whether a provider or a host meets it; how a query string has it; and what relaxes it. Its
Words know how people read it, and write it in a form.
How to add one: doc/explanation/search.rst.
Source: doc/explanation/rules.rst, R2 to R9.
"""

from placement.candidates.kinds.kind import AGGREGATES, TRAITS
from placement.candidates.kinds.of_groups import GroupPolicy, SameSubtree, Together
from placement.candidates.kinds.of_providers import (
    AllOf,
    InTree,
    NoneOf,
    NotMemberOf,
    Resources,
    RootForbidden,
    RootRequired,
)
from placement.candidates.kinds.words import (
    AlternativesWords,
    AmountWords,
    ForbiddenWords,
    PolicyWords,
    SubtreeWords,
    Words,
)
from placement.db.search.requirements import AnyAggregate, AnyTrait

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
    AlternativesWords(
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
    ForbiddenWords("not in aggregate {}", "in a forbidden aggregate", "Not in aggregates", "uuids"),
    *(AGGREGATES, "aggregates", AnyAggregate),
    parameter="member_of",
)
REQUIRED = AllOf(
    "required",
    ("lack", "lacks", "{text}"),
    AlternativesWords("trait {}", "lacks a required trait", "Required traits", "A, B or C"),
    *(TRAITS, "traits", AnyTrait),
)
FORBIDDEN = NoneOf(
    "forbidden",
    ("have", "has", "the forbidden trait {text}"),
    ForbiddenWords("without trait {}", "has a forbidden trait", "Forbidden traits", "A, B"),
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
    AmountWords("{}", "not enough resources"),
)
ROOT_REQUIRED = RootRequired(
    "root_required",
    ("lack", "lacks", "{text} on the root"),
    AlternativesWords(
        "trait {} on the root", "lacks a required trait on the root", "Traits of the root", "A, B"
    ),
    *(TRAITS, "traits", AnyTrait),
)
ROOT_FORBIDDEN = RootForbidden(
    "root_forbidden",
    ("have", "has", "the forbidden trait {text} on the root"),
    ForbiddenWords(
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
    PolicyWords(
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
    SubtreeWords(
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
