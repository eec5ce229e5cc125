"""An explanation -> the document to send as JSON. Pure."""

from types import MappingProxyType

from placement.candidates import query_text
from placement.candidates.query_text import WrittenConstraint
from placement.candidates.why import corrections, sentence
from placement.documents import FORMAT, resources


def document(query_string, explained):
    """Return the document of an Explained query for candidates."""
    explanation = explained.explanation
    shown = FORMAT | {
        "query": query_string,
        "hosts": {"all": explanation.hosts, "pass": explanation.passing},
        "candidates": explanation.candidates,
        "constraints": [_count(each, explained) for each in explanation.counts],
        "closest": [_close(each, explained) for each in explanation.closest],
        "relaxations": [_relaxation(each, explained) for each in explanation.relaxations],
        "unknown": [_corrected(each, explained) for each in explained.unknown],
        "summary": sentence.sentence(explained),
    }
    if explained.host is not None:
        shown["host"] = resources.named(explained.providers[explained.host.id])
    return shown


def unknown(each):
    """Return the document of an Unknown."""
    return {"kind": each.kind_in_words, "name": each.name, "suggestions": list(each.meant)}


def _corrected(name, explained):
    """Return what a document says about an Unknown, with a query string for each suggestion."""
    written = _written(explained)
    return unknown(name) | {
        "queries": {
            meant: query_text.query_string(corrections.with_name(written, name, meant))
            for meant in name.meant
        }
    }


def _constraint(constraint, explained):
    """Return what a document says about a Constraint: its place, value and words."""
    text = explained.text(constraint)
    return {
        "group": constraint.group,
        "constraint": constraint.name,
        "value": text,
        "words": constraint.kind.words.asked_for(text),
    }


def _count(count, explained):
    """Return what a document says about a Count of the hosts that fail a constraint.

    count.fail is a Tally of these hosts, which counts them by reason if the constraint is about
    resources.
    """
    shown = _constraint(count.constraint, explained)
    shown |= {"fail": count.fail.hosts, "only": count.only, "left": count.left}
    if reasons := count.constraint.kind.reasons:
        # `reasons` begins with the reasons that may change soon; the document shows those last.
        shown["why"] = {reason: count.fail.reasons[reason] for reason in reversed(reasons)}
        shown["reasons"] = sentence.reasons(count.constraint, count.fail, explained)
        shown["most_free"] = count.fail.most_free
        shown["limits"] = dict(sorted(count.fail.limits.items()))
    return shown


def _close(close, explained):
    return resources.named(explained.providers[close.root_id]) | {
        "unmet": [_unmet(each, explained) for each in close.unmet]
    }


def _unmet(unmet, explained):
    """Return what a document says about an Unmet, a constraint that a host does not meet."""
    shown = _constraint(unmet.constraint, explained)
    # Each of the following members is left out if it is not known. Only resources have a `why`.
    if unmet.why is not None:
        shown |= {"why": unmet.why, "free": unmet.free}
    if unmet.why is not None or unmet.traits_on_full_provider is not None:
        shown["reason"] = sentence.reason(unmet, explained)
    # The reserved amount, if the resources would fit without it.
    if reserved := explained.reserves.get((unmet.provider_id, unmet.constraint)):
        shown["reserved"] = reserved
    if unmet.unit is not None:
        shown["unit"] = unmet.unit
    if unmet.provider_id is not None:
        shown["provider"] = resources.named(explained.providers[unmet.provider_id])
    if unmet.serving:
        shown["serving"] = {
            suffix: [resources.named(explained.providers[id_]) for id_ in provider_ids]
            for suffix, provider_ids in unmet.serving.items()
        }
    return shown


def _relaxation(relaxation, explained):
    """Return what a document says about a Relaxation, with the query string that it leads to."""
    # {Constraint: its replacement, or None to drop it}; relaxation.also has such pairs.
    changes = {relaxation.constraint: relaxation.instead, **dict(relaxation.also)}
    also = [_change(constraint, instead, explained) for constraint, instead in relaxation.also]
    return _change(relaxation.constraint, relaxation.instead, explained) | {
        "also": also,
        "query": query_text.query_string(_written(explained, changes)),
        "hosts": relaxation.hosts,
        "example": resources.named(explained.providers[relaxation.example]),
    }


def _change(constraint, instead, explained):
    """Return what a document says about replacing a Constraint; `instead` is None to drop it."""
    if instead is None:
        return _constraint(constraint, explained) | {"instead": None}
    text = explained.text(instead)
    shown = {"instead": text, "words": constraint.kind.words.asked_for(text)}
    return _constraint(constraint, explained) | shown


def _written(explained, changes=MappingProxyType({})):
    """Return the WrittenConstraints of the query after some changes.

    changes: {Constraint: its replacement, or None if it is given up}
    """
    written = []
    for constraint, text in explained.texts.items():
        instead = changes.get(constraint, constraint)
        # Constraints without a text of their own are not written.
        if text is not None and instead is not None:
            new_text = explained.text(instead)
            written.append(WrittenConstraint(constraint.group, constraint.kind, new_text))
    return written
