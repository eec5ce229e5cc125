"""A query for candidates that a person is writing, perhaps in a form -> CandidateQuery; pure.

The query may be incomplete. It is read as the newest version reads it.
Source: doc/reference/api/operator.rst.
"""

from placement import constants, exception
from placement.candidates import kinds, query_text
from placement.candidates.query_text import WrittenConstraint
from placement.microversion import newest
from placement.queries import candidate_query, query_string
from placement.queries.grammar import INVALID


def read(body):
    """Return the CandidateQuery of {"query": text} or {"form": form}, and what was ignored in it.

    The query may be incomplete. Parameters that do not belong to a query for candidates are
    ignored, and returned as KEY=VALUE. A limit is ignored, too, but not returned.
    Raises: BadQuery.
    """
    text = body["query"] if "query" in body else _query_string(body["form"])
    pairs = [pair for pair in query_string.of_text(text).items() if pair[0] != "limit"]
    # `newest` stands for the newest version, which has every behaviour.
    validator = candidate_query.validator(newest)
    ignored = {pair for pair in set(pairs) if not validator.is_valid(dict([pair]))}
    query = candidate_query.unchecked(
        [pair for pair in pairs if pair not in ignored], candidate_query.rules_of(newest)
    )
    return query, ["=".join(pair) for pair in pairs if pair in ignored]


def _query_string(form):
    """Return the query string of a form. Raises: BadQuery if it is far too long for a request."""
    if sum(map(len, _texts(form))) > constants.MAX_QUERY_CHARACTERS:
        raise exception.BadQuery(
            f"{INVALID}The texts in the form have more than {constants.MAX_QUERY_CHARACTERS} "
            "characters in total."
        )
    return query_text.query_string(_written(form))


def _texts(form):
    """Yield everything that a client has typed into a form."""
    yield from form["fields"].values()
    for group in form["groups"]:
        yield from group["fields"].values()
        for row in group["resources"]:
            yield from row


def _written(form):
    """Return the WrittenConstraints of a form, the groups first."""
    written = []
    for group in form["groups"]:
        suffix = group["suffix"]
        written += [
            WrittenConstraint(suffix, kinds.RESOURCES, f"{name.strip()}:{amount.strip()}")
            for name, amount in group["resources"]
            if name.strip()
        ]
        written += _typed(suffix, kinds.OF_GROUP, group["fields"])
    of_query = _typed(suffix=None, of_kinds=kinds.OF_ROOT + kinds.BINDING, fields=form["fields"])
    return written + of_query


def _typed(suffix, of_kinds, fields):
    """Return the WrittenConstraints of {name of a kind: what was typed into its field}."""
    return [
        WrittenConstraint(suffix, kind, text)
        for kind in of_kinds
        if kind.name in fields
        for text in kind.words.texts_typed(fields[kind.name])
    ]
