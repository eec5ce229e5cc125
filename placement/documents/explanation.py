"""An explanation -> what is sent as JSON. Pure."""

from placement.candidates import rules
from placement.candidates.why import sentence
from placement.documents import FORMAT


def document(query_string, explained):
    """Return the document of an Explained query for candidates."""
    explanation = explained.explanation
    shown = FORMAT | {
        "query": query_string,
        "hosts": {"all": explanation.hosts, "pass": explanation.passing},
        "candidates": explanation.candidates,
        "constraints": [_count(each, explained.texts) for each in explanation.counts],
        "closest": [_close(each, explained) for each in explanation.closest],
        "relaxations": [_relaxation(each, explained) for each in explanation.relaxations],
        "unknown": [unknown(each) for each in explained.unknown],
        "summary": sentence.sentence(explained),
    }
    if explained.host is not None:
        shown["host"] = {"uuid": explained.host.uuid, "name": explained.host.name}
    return shown


def unknown(name):
    """Return what is shown of an Unknown."""
    return {"kind": name.kind, "name": name.name, "suggestions": list(name.meant)}


def _constraint(constraint, texts):
    return {
        "group": constraint.group,
        "constraint": constraint.name,
        "value": texts[constraint],
    }


def _count(count, texts):
    shown = _constraint(count.constraint, texts)
    shown |= {"fail": count.fail.hosts, "only": count.only, "left": count.left}
    if count.constraint.kind.is_amount:
        shown["why"] = {reason: count.fail.reasons[reason] for reason in reversed(rules.REASONS)}
        shown["most_free"] = count.fail.most_free
        shown["limits"] = {each: count.fail.limits[each] for each in sorted(count.fail.limits)}
    return shown


def _close(close, explained):
    return _provider(close.root_id, explained) | {
        "unmet": [_unmet(each, explained) for each in close.unmet]
    }


def _unmet(unmet, explained):
    shown = _constraint(unmet.constraint, explained.texts)
    if unmet.why is not None:
        shown |= {"why": unmet.why, "free": unmet.free}
    if reserved := explained.reserves.get((unmet.provider_id, unmet.constraint)):
        shown["reserved"] = reserved
    if unmet.unit is not None:
        shown["unit"] = unmet.unit
    if unmet.provider_id is not None:
        shown["provider"] = _provider(unmet.provider_id, explained)
    if unmet.serving:
        shown["serving"] = {
            suffix: [_provider(each, explained) for each in provider_ids]
            for suffix, provider_ids in unmet.serving.items()
        }
    return shown


def _provider(provider_id, explained):
    uuid, name = explained.providers[provider_id]
    return {"uuid": uuid, "name": name}


def _relaxation(relaxation, explained):
    return _change(relaxation.constraint, relaxation.instead, explained.texts) | {
        "also": [_change(*each, explained.texts) for each in relaxation.also],
        "hosts": relaxation.hosts,
        "example": _provider(relaxation.example, explained),
    }


def _change(constraint, instead, texts):
    return _constraint(constraint, texts) | {"instead": _instead(constraint, instead, texts)}


def _instead(constraint, instead, texts):
    if instead is None:
        return None
    if instead in texts:
        return texts[instead]
    return instead.kind.text_of(instead.value, texts[constraint])
