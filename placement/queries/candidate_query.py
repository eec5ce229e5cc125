"""The query string of GET /allocation_candidates -> CandidateQuery; pure.

What a microversion allows comes in as a QueryRules. Functions raise BadQuery, which says what is
wrong.
Source: doc/explanation/rules.rst, Q1 to Q4.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from placement import errors, exception, schemas
from placement.candidates.kinds.of_groups import needs_policy
from placement.candidates.query import CandidateQuery, Group
from placement.constants import POLICY_ISOLATE
from placement.microversion import Since, version_flags
from placement.queries import grammar

_POLICY = "group_policy"

# A number with more digits is larger than any number of candidates: no limit at all.
_LIMIT_DIGITS = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRules:
    """What a query may say, beyond the keys that its JSON schema admits; by default, everything.

    resourceless_groups came with same_subtree, which must name such groups.
    """

    forbidden_traits: bool = True
    any_traits: bool = True
    repeated_member_of: bool = True
    forbidden_aggregates: bool = True
    resourceless_groups: bool = True


class _Parameter(NamedTuple):
    """A parameter of a request group; the suffix of the group follows its name.

    fields         a function: (key, values, QueryRules) -> {field of a Group: value}
    has_one_value  if true, each value is read at its position, and the last one counts; if false,
                   all values are read together where the key first appears
    since          the behaviour that the parameter came with; None if groups always had it
    """

    fields: Callable[[str, list[str], QueryRules], dict]
    has_one_value: bool = False
    since: Since | None = None


# Each of these functions reads one parameter: see _Parameter.fields.
def _resources(key, values, rules):
    return {"resources": grammar.resources(values[-1])}


def _required(key, values, rules):
    required, forbidden = grammar.required(
        values, forbidden_traits=rules.forbidden_traits, any_traits=rules.any_traits
    )
    return {"required": required, "forbidden": forbidden}


def _member_of(key, values, rules):
    member_of, not_member_of = grammar.member_of(
        key,
        values,
        repeated_member_of=rules.repeated_member_of,
        forbidden_aggregates=rules.forbidden_aggregates,
    )
    return {"member_of": member_of, "not_member_of": not_member_of}


def _in_tree(key, values, rules):
    return {"in_tree": grammar.in_tree(values[-1])}


_OF_GROUPS = {
    "resources": _Parameter(_resources, has_one_value=True),
    "required": _Parameter(_required),
    "member_of": _Parameter(_member_of),
    "in_tree": _Parameter(_in_tree, has_one_value=True, since=Since.CANDIDATES_IN_TREE),
}
# A parameter and its suffix: resources_GPU is "resources" and "_GPU".
_GROUP_KEY = re.compile(f"({'|'.join(_OF_GROUPS)})(.*)", re.DOTALL)
# Parameters of the whole query that came later than groups.
_OF_QUERY = {
    "root_required": Since.ROOT_REQUIRED,
    "same_subtree": Since.SAME_SUBTREE,
}


def validator(since):
    """Return the validator for the queries of a version.

    since: a function that returns whether the version has a behaviour
    """
    if since(Since.REQUEST_GROUPS):
        return schemas.allocation_candidate.list_query_of_groups(
            of_groups=tuple(
                name
                for name, parameter in _OF_GROUPS.items()
                if parameter.since is None or since(parameter.since)
            ),
            of_query=tuple(name for name, behaviour in _OF_QUERY.items() if since(behaviour)),
            word_suffixes=since(Since.WORD_SUFFIXES),
        )
    return schemas.allocation_candidate.list_query(
        limit=since(Since.CANDIDATES_LIMIT),
        required=since(Since.CANDIDATES_REQUIRED),
        member_of=since(Since.CANDIDATES_MEMBER_OF),
    )


def rules_of(since):
    """Return the QueryRules of a version."""
    return QueryRules(
        **version_flags.required(since),
        **version_flags.member_of(since),
        resourceless_groups=since(Since.SAME_SUBTREE),
    )


def read(pairs, since):
    """Return the CandidateQuery in a MultiDict that the validator has accepted.

    since: a function that returns whether the version of the request has a behaviour
    Parameters that do not belong to a query for candidates are ignored.
    Raises: BadQuery.
    """
    return parse(list(pairs.items()), rules_of(since))


def parse(pairs, rules):
    """Return the CandidateQuery of the (key, value) pairs, which are in the order of the query.

    The query's JSON schema has admitted the keys and the first values; for `limit` and
    `group_policy`, the first value counts.
    Raises: BadQuery, in the order of Q4.
    """
    query = unchecked(pairs, rules)
    if rules.resourceless_groups:
        _check_resourceless_groups(query.groups, query.same_subtrees)
    else:
        _check_resources_everywhere(query.groups)
    _check_traits_can_be_met(query.groups)
    _check_policy(query.groups, pairs)
    return query


def unchecked(pairs, rules):
    """Return the CandidateQuery of (key, value) pairs, which may be incomplete.

    Each parameter is read on its own. Whether the parameters fit together is not checked.
    Raises: BadQuery for a bad value.
    """
    values = {}
    for key, value in pairs:
        values.setdefault(key, []).append(value)
    root_required, root_forbidden = _root_traits(values.get("root_required", ()))
    same_subtrees = tuple(_suffixes(value) for value in values.get("same_subtree", ()))
    return CandidateQuery(
        _groups(pairs, values, rules),
        isolate=values.get(_POLICY, [None])[0] == POLICY_ISOLATE,
        same_subtrees=same_subtrees,
        root_required=root_required,
        root_forbidden=root_forbidden,
        limit=_limit(values.get("limit")),
    )


def _root_traits(values):
    """Return (required, forbidden) of root_required, which never takes `in:`."""
    value = grammar.only_value("root_required", values)
    if value is None:
        return frozenset(), frozenset()
    sets, forbidden = grammar.required([value], forbidden_traits=True, any_traits=False)
    required = frozenset().union(*sets)
    if not required.isdisjoint(forbidden):
        raise exception.BadQuery(
            "Conflicting required and forbidden traits found in root_required: "
            + ", ".join(sorted(required & forbidden)),
            errors.QUERY_BAD_VALUE,
        )
    return required, forbidden


def _suffixes(value):
    """Return the set of suffixes in a value of same_subtree. Raises: BadQuery."""
    suffixes = frozenset(grammar.listed(value))
    if "" in suffixes:
        raise exception.BadQuery(
            "Empty string (unsuffixed group) can not be specified in `same_subtree`",
            errors.QUERY_BAD_VALUE,
        )
    return suffixes


def _groups(pairs, values, rules):
    """Return the groups in order of first appearance.

    The values of a repeated key are read one by one, and the last one counts. If a parameter may
    have several values, they are read together where the key first appears.
    Raises: BadQuery for the first bad value.
    """
    # Suffix -> {field of a Group: value}.
    fields_by_suffix = {}
    read = set()
    for key, value in pairs:
        match = _GROUP_KEY.fullmatch(key)
        if not match:
            continue
        name, suffix = match.groups()
        fields = fields_by_suffix.setdefault(suffix, {"resources": {}})
        parameter = _OF_GROUPS[name]
        if parameter.has_one_value:
            fields |= parameter.fields(key, [value], rules)
        elif key not in read:
            read.add(key)
            fields |= parameter.fields(key, values[key], rules)
    return tuple(Group(suffix, **fields) for suffix, fields in fields_by_suffix.items())


def _check_resourceless_groups(groups, same_subtrees):
    """Refuse a query without resources, and groups without resources outside same_subtree."""
    if not any(group.resources for group in groups):
        raise exception.BadQuery(
            "There must be at least one resources or resources[$S] parameter.",
            errors.QUERY_MISSING_VALUE,
        )
    named = frozenset().union(*same_subtrees)
    stray = [g.suffix for g in groups if not g.resources and g.suffix not in named]
    if stray:
        raise exception.BadQuery(
            "Resourceless suffixed group request should be specified in `same_subtree` query "
            f"param: bad group(s) - {sorted(stray)}.",
            errors.QUERY_BAD_VALUE,
        )
    suffixes = {group.suffix for group in groups}
    if not named <= suffixes:
        raise exception.BadQuery(
            f"Real suffixes should be specified in `same_subtree`: {sorted(named - suffixes)} "
            f"not found in {sorted(suffixes)}.",
            errors.QUERY_BAD_VALUE,
        )


def _check_resources_everywhere(groups):
    """Refuse groups without resources, with the messages of versions that allow no such groups."""
    if not groups:
        raise exception.BadQuery(
            "At least one request group (`resources` or `resources{$S}`) is required."
        )
    without_resources = [group for group in groups if not group.resources]
    traits_keys = [f"required{group.suffix}" for group in without_resources if group.required]
    if traits_keys:
        raise exception.BadQuery(
            "All traits parameters must be associated with resources.  "
            f"Found the following orphaned traits keys: {', '.join(traits_keys)}"
        )
    member_of_keys = [
        f"member_of{group.suffix}"
        for group in without_resources
        if group.member_of or group.not_member_of
    ]
    if member_of_keys:
        raise exception.BadQuery(
            "All member_of parameters must be associated with resources. "
            f"Found the following orphaned member_of keys: {', '.join(member_of_keys)}"
        )
    if without_resources:
        raise exception.BadQuery("All request groups must specify resources.")


def _check_traits_can_be_met(groups):
    """Refuse groups that forbid every member of a required set."""
    conflicts = [
        f"required{group.suffix}: ({', '.join(sorted(traits))})"
        for group in groups
        for traits in group.required
        if traits <= group.forbidden
    ]
    if conflicts:
        raise exception.BadQuery(
            "Conflicting required and forbidden traits found in the following traits keys: "
            + ", ".join(conflicts)
        )


def _check_policy(groups, pairs):
    """Refuse several granular groups without a group_policy (Q1).

    The sentence names "resources{N}", as openstack-placement does, but groups with any suffix
    count, and so do those without resources.
    """
    if _POLICY not in dict(pairs) and needs_policy(group.suffix for group in groups):
        raise exception.BadQuery(
            'The "group_policy" parameter is required when specifying more than one '
            '"resources{N}" parameter.'
        )


def _limit(values):
    """Return the first of the values as a number; None for no limit."""
    if not values:
        return None
    return int(values[0]) if len(values[0]) <= _LIMIT_DIGITS else None
