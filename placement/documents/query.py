"""A query for candidates as a document: both as a query string, and as the fields of a form."""

from typing import NamedTuple

from placement.candidates import kinds, query_text
from placement.candidates.query import Group
from placement.constants import POLICY_ISOLATE, POLICY_NONE
from placement.documents import FORMAT

# Each resource has a row of its own in the form; traits come first among the other fields.
_OF_GROUP = [
    kinds.REQUIRED,
    *(kind for kind in kinds.OF_GROUP if kind not in (kinds.REQUIRED, kinds.RESOURCES)),
]
# What a field belongs to (a group, the root provider, or the groups together) -> the kinds of
# constraints that have such fields.
_FIELDS = {"group": _OF_GROUP, "root": kinds.OF_ROOT, "groups": kinds.BINDING}
# The subjects whose names can be listed, with GET /traits and GET /resource_classes.
_LISTED = (kinds.REQUIRED.subject, kinds.RESOURCES.subject)


class _Label(NamedTuple):
    """What a field is called, and how to fill it in.

    text     what the field is called; None to derive that from the name of the parameter
    choices  ((value, label), ...) if the field can have no other values
    """

    text: str | None = None
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()


_LABELS = {
    kinds.IN_TREE: _Label("In the tree of", "uuid of a provider"),
    kinds.MEMBER_OF: _Label("In aggregates", "uuid, uuid or uuid"),
    kinds.NOT_MEMBER_OF: _Label("Not in aggregates", "uuids"),
    kinds.REQUIRED: _Label("Required traits", "A, B or C"),
    kinds.FORBIDDEN: _Label("Forbidden traits", "A, B"),
    kinds.ROOT_REQUIRED: _Label("Traits of the root", "A, B"),
    kinds.ROOT_FORBIDDEN: _Label("Forbidden traits of the root", "A, B"),
    kinds.GROUP_POLICY: _Label(
        choices=(
            (POLICY_NONE, "none: they may share a provider"),
            (POLICY_ISOLATE, "isolate: each needs its own provider"),
        ),
    ),
    kinds.SAME_SUBTREE: _Label("In one subtree", "_A, _B; _C, _D"),
}


def document(query, ignored, left_to_nova):
    """Return the document of a CandidateQuery, which may be incomplete.

    `ignored` and `left_to_nova` are lists of KEY=VALUE: what was given, but is not in the query.
    """
    # A form that asks for no resources is not a query yet.
    asks = any(group.resources for group in query.groups)
    return FORMAT | {
        "query": query_text.query_string(query_text.written_constraints(query)) if asks else None,
        "form": {
            "groups": [_group(group) for group in query.groups or [Group("", {})]],
            "fields": _filled_in(query, kinds.OF_ROOT + kinds.BINDING),
        },
        "fields": [
            _field(kind, of)
            for of, of_kinds in _FIELDS.items()
            for kind in of_kinds
        ],
        "ignored": ignored,
        "left_to_nova": left_to_nova,
    }


def _group(group):
    return {
        "suffix": group.suffix,
        "resources": [[name, str(amount)] for name, amount in group.resources.items()],
        "fields": _filled_in(group, _OF_GROUP),
    }


def _filled_in(asker, of_kinds):
    """Return {name of a kind of constraint: text} for the constraints of `asker`.

    `asker` is a Group or a CandidateQuery. The text is what people would type; `of_kinds` are the
    kinds to fill in.
    """
    return {
        kind.name: kind.words.typed([kind.text(value) for value in kind.named_values(asker)])
        for kind in of_kinds
    }


def _field(kind, of):
    """Return the description of the form field for a kind of constraint.

    `of` says what the field belongs to: group, root or groups.
    """
    label = _LABELS.get(kind, _Label())
    return {
        "name": kind.name,
        "of": of,
        "label": label.text or kind.name.replace("_", " ").capitalize(),
        "hint": label.hint,
        "names": kind.subject if kind.subject in _LISTED else None,
        "choices": [{"value": value, "label": shown} for value, shown in label.choices],
    }
