"""The kinds of constraints that a query can have, and everything specific to each; pure.

A kind knows its field, in names and in keys, and the Requirements by which the database narrows
down the hosts. It decides whether a provider or a host meets a constraint. It also knows how query
strings spell a constraint, and how to relax one. Its Words know how people read one, and how they
type it into a form.

How to add one: doc/explanation/search.rst. Called by candidates/, queries/ and documents/.
Source: doc/explanation/rules.rst, R1 to R10.
"""

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
from placement.candidates.kinds.wording import (
    AlternativesWords,
    AmountWords,
    ForbiddenWords,
    Phrase,
    PolicyWords,
    SubtreeWords,
    Words,
)
from placement.db.subjects_of_names import Subject

IN_TREE = InTree(
    "in_tree",
    Words(
        request="in the tree of {}",
        stops="not in the tree asked for",
        # "2 hosts are not in the tree of 5e4f0001-..."
        failing=Phrase(several="are", one="is", rest="not in the tree of {text}"),
    ),
)
MEMBER_OF = AllOf(
    "member_of",
    AlternativesWords(
        request="in aggregate {}",
        stops="not in the aggregates asked for",
        # "2 hosts are not in aggregate 5e4f0001-..."
        failing=Phrase(several="are", one="is", rest="not in aggregate {text}"),
    ),
    Subject.AGGREGATES,
    held="aggregates",
)
NOT_MEMBER_OF = NotMemberOf(
    "not_member_of",
    ForbiddenWords(
        request="not in aggregate {}",
        stops="in a forbidden aggregate",
        # "2 hosts are in the forbidden aggregate 5e4f0001-..."
        failing=Phrase(several="are", one="is", rest="in the forbidden aggregate {text}"),
    ),
    Subject.AGGREGATES,
    held="aggregates",
    parameter="member_of",
)
REQUIRED = AllOf(
    "required",
    AlternativesWords(
        request="trait {}",
        stops="lacks a required trait",
        # "1 host lacks HW_CPU_X86_AVX2"
        failing=Phrase(several="lack", one="lacks", rest="{text}"),
    ),
    Subject.TRAITS,
    held="traits",
)
FORBIDDEN = NoneOf(
    "forbidden",
    ForbiddenWords(
        request="without trait {}",
        stops="has a forbidden trait",
        # "1 host has the forbidden trait HW_CPU_X86_AVX2"
        failing=Phrase(several="have", one="has", rest="the forbidden trait {text}"),
    ),
    Subject.TRAITS,
    held="traits",
    parameter="required",
)
RESOURCES = Resources(
    "resources",
    AmountWords(
        request="{}",
        stops="not enough resources",
        failing={
            # "1 host has too little VCPU free (at most 2, asked for 4)"
            "capacity": Phrase(
                several="have",
                one="has",
                rest="too little {name} free (at most {limit:,}, asked for {amount:,}{reserved})",
            ),
            # "1 host offers no VGPU"
            "no_inventory": Phrase(several="offer", one="offers", rest="no {name}"),
            # "1 host allows at most 8 VCPU at once (max_unit, asked for 16)"
            "max_unit": Phrase(
                several="allow",
                one="allows",
                rest="at most {limit:,} {name} at once (max_unit, asked for {amount:,})",
            ),
            # "1 host allows no less than 2 VCPU (min_unit, asked for 1)"
            "min_unit": Phrase(
                several="allow",
                one="allows",
                rest="no less than {limit:,} {name} (min_unit, asked for {amount:,})",
            ),
            # "1 host allows VCPU only in steps of 2 (step_size, asked for 3)"
            "step_size": Phrase(
                several="allow",
                one="allows",
                rest="{name} only in steps of {limit:,} (step_size, asked for {amount:,})",
            ),
        },
    ),
)
ROOT_REQUIRED = RootRequired(
    "root_required",
    AlternativesWords(
        request="trait {} on the root",
        stops="lacks a required trait on the root",
        # "1 host lacks COMPUTE_NODE on the root"
        failing=Phrase(several="lack", one="lacks", rest="{text} on the root"),
    ),
    Subject.TRAITS,
    held="traits",
)
ROOT_FORBIDDEN = RootForbidden(
    "root_forbidden",
    ForbiddenWords(
        request="on the root, no trait {}",
        stops="has a forbidden trait on the root",
        # "1 host has the forbidden trait COMPUTE_NODE on the root"
        failing=Phrase(several="have", one="has", rest="the forbidden trait {text} on the root"),
    ),
    Subject.TRAITS,
    held="traits",
    parameter="root_required",
)
GROUP_POLICY = GroupPolicy(
    "group_policy",
    PolicyWords(
        request="groups on {} providers",
        stops="too few providers for groups that need separate ones",
        failing=Phrase(
            several="have",
            one="has",
            rest="too few providers for groups that need separate ones",
        ),
    ),
)
SAME_SUBTREE = SameSubtree(
    "same_subtree",
    SubtreeWords(
        request="{} in one subtree",
        stops="groups not in one subtree",
        # "1 host can serve _VF and _NUMA, but not in one subtree"
        failing=Phrase(several="can", one="can", rest="serve {text}, but not in one subtree"),
    ),
)
TOGETHER = Together(
    "together",
    Words(
        request="all of this at once",
        stops="each constraint is met, but not all of them together",
        failing=Phrase(
            several="meet", one="meets", rest="each constraint, but not all of them together"
        ),
    ),
)

# The order matters to explanations, and decides which unknown name of a query is refused.
OF_GROUP = (IN_TREE, MEMBER_OF, NOT_MEMBER_OF, REQUIRED, FORBIDDEN, RESOURCES)
OF_ROOT = (ROOT_REQUIRED, ROOT_FORBIDDEN)
# The kinds that bind groups to each other.
BINDING = (GROUP_POLICY, SAME_SUBTREE)
ALL = (*OF_GROUP, *OF_ROOT, *BINDING, TOGETHER)


def askers(query, of_query):
    """Return [(suffix, asker, kinds of its constraints)] of a query, whether resolved or not.

    An asker is the whole query, whose suffix is None, or one of its groups.
    of_query: the kinds to return for the whole query
    """
    return [
        (None, query, of_query),
        *((group.suffix, group, OF_GROUP) for group in query.groups),
    ]
