"""The constraints of a query as the client wrote them, and as a query string; pure."""

import urllib.parse
from typing import NamedTuple

from placement.candidates import kinds
from placement.candidates.constraints import TOGETHER_UNMET
from placement.candidates.kinds import wording
from placement.candidates.kinds.constraint import Constraint
from placement.candidates.kinds.kind import Kind
from placement.candidates.kinds.of_groups import needs_policy

# These characters need no escaping in a query string, and are easier to read without it.
_READABLE = ":,!"


class WrittenConstraint(NamedTuple):
    """A constraint as a client writes it; `group` is as in Constraint."""

    group: str | None
    kind: Kind
    text: str


def texts(query, names):
    """Return {Constraint: its text in a CandidateQuery}.

    The values of Constraints are in keys; `names` are Names that have every name in the query.
    """
    text_by_constraint = {
        Constraint(suffix, kind, kind.in_keys(value, names)): kind.text(value)
        for suffix, asker, of_kinds in kinds.askers(query, kinds.OF_ROOT + kinds.BINDING)
        for kind in of_kinds
        for value in kind.named_values(asker)
    }
    return text_by_constraint | {TOGETHER_UNMET.constraint: None}


def written_constraints(query):
    """Return the WrittenConstraints of a CandidateQuery, those of the whole query first."""
    return [
        WrittenConstraint(suffix, kind, kind.text(value))
        for suffix, asker, of_kinds in kinds.askers(query, kinds.OF_ROOT + kinds.BINDING)
        for kind in of_kinds
        for value in kind.named_values(asker)
    ]


def query_string(written):
    """Return the query string of WrittenConstraints, as the newest version reads it.

    It includes a policy if there are several granular groups. Amounts come before the rest of
    their group.
    """
    written_by_suffix = {}
    for constraint in written:
        written_by_suffix.setdefault(constraint.group, []).append(constraint)
    of_query = written_by_suffix.pop(None, [])
    pairs = [pair for of_group in written_by_suffix.values() for pair in _pairs(of_group)]
    if needs_policy(written_by_suffix):
        policies = (each.text for each in of_query if each.kind is kinds.GROUP_POLICY)
        policy = next(policies, kinds.GROUP_POLICY.instead)
        pairs.append((kinds.GROUP_POLICY.parameter, policy))
    pairs += _pairs([each for each in of_query if each.kind is not kinds.GROUP_POLICY])
    return joined(pairs)


def _pairs(written):
    """Return [(parameter, value)] of WrittenConstraints of one group, or of the whole query."""
    # Parameter -> (values that are joined with commas, values that stand alone).
    values_by_parameter = {}
    # Amounts come first; the rest stays in its order.
    for constraint in sorted(written, key=lambda each: each.kind is not kinds.RESOURCES):
        parameter = constraint.kind.parameter + (constraint.group or "")
        listed, others = values_by_parameter.setdefault(parameter, ([], []))
        value = constraint.kind.spelled(constraint.text)
        is_listed = constraint.kind.is_listed and not wording.is_any_of(value)
        (listed if is_listed else others).append(value)
    return [
        (parameter, value)
        for parameter, (listed, others) in values_by_parameter.items()
        for value in [*([",".join(listed)] if listed else []), *others]
    ]


def joined(pairs):
    """Return the query string of [(parameter, value)], as readable as possible."""
    return "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in pairs)


def _quoted(text):
    return urllib.parse.quote(text, safe=_READABLE)
