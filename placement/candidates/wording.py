"""The constraints of a query in the words of the client; pure."""

from placement.candidates import kinds
from placement.candidates.constraints import TOGETHER_UNMET, Constraint


def texts(query, names):
    """Return {Constraint: its text in a CandidateQuery}; Constraints have the keys of Names."""
    askers = [(None, query, kinds.OF_ROOT + kinds.BINDING)]
    askers += [(group.suffix, group, kinds.OF_GROUP) for group in query.groups]
    texts = {
        Constraint(suffix, kind, value): text
        for suffix, asker, of_kinds in askers
        for kind in of_kinds
        for value, text in kind.said(asker, names)
    }
    return texts | {TOGETHER_UNMET.constraint: None}
