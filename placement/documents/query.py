"""A query for candidates as a query string and as the fields of a form, as a document."""

from placement.candidates import kinds, wording
from placement.candidates.kinds.kind import CLASSES, TRAITS
from placement.candidates.query import Group
from placement.documents import FORMAT

# What a field belongs to: a group, the root provider, or all groups.
_FIELDS = {
    "group": [kinds.REQUIRED, *(kind for kind in kinds.OF_GROUP if kind is not kinds.REQUIRED)],
    "root": kinds.OF_ROOT,
    "groups": kinds.BINDING,
}
# The names of these can be listed: /traits, /resource_classes.
_LISTED = (TRAITS, CLASSES)


def document(query, ignored):
    """Return the document of a CandidateQuery, which may be incomplete."""
    asks = any(group.resources for group in query.groups)
    return FORMAT | {
        "query": wording.query_string(wording.said(query)) if asks else None,
        "form": {
            "groups": [_group(group) for group in query.groups or [Group("", {})]],
            "fields": _filled_in(query, kinds.OF_ROOT + kinds.BINDING),
        },
        "fields": [
            _field(kind, of)
            for of, of_kinds in _FIELDS.items()
            for kind in of_kinds
            if kind.words.label is not None
        ],
        "ignored": ignored,
    }


def _group(group):
    return {
        "suffix": group.suffix,
        "resources": [[name, str(amount)] for name, amount in group.resources.items()],
        "fields": _filled_in(group, kinds.OF_GROUP),
    }


def _filled_in(asker, of_kinds):
    return {
        kind.name: kind.words.typed(kind.texts(asker))
        for kind in of_kinds
        if kind.words.label is not None
    }


def _field(kind, of):
    return {
        "name": kind.name,
        "of": of,
        "label": kind.words.label,
        "hint": kind.words.hint,
        "names": kind.subject if kind.subject in _LISTED else None,
        "choices": [{"value": value, "label": label} for value, label in kind.words.choices],
    }
