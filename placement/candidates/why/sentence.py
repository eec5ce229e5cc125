"""An explanation in one sentence, and its reasons in words; pure."""

from placement.candidates import kinds
from placement.candidates.why import unknown_names
from placement.candidates.why.plurals import counted
from placement.candidates.why.tally import Tally


def sentence(explained):
    """Return the sentence for an Explained, with the constraints in the order of the query."""
    about_names = "".join(f"{unknown_names.sentence(each)} " for each in explained.unknown)
    return about_names + (_of_hosts(explained) if explained.host is None else _of_host(explained))


def _of_host(explained):
    """Return everything that one host does not meet. (_of_hosts counts each host only once.)"""
    name = explained.host.name
    if explained.explanation.passing:
        return f"{name} is a candidate."
    phrases = [
        phrase + _of_group(count.constraint)
        for count in explained.explanation.counts
        for _, phrase in _phrases(count.constraint, count.fail, explained)
    ]
    return f"{name}: {'; '.join(phrases)}."


def _of_hosts(explained):
    """Return how many hosts pass, and what the others do not meet, each counted only once."""
    explanation = explained.explanation
    if not explanation.hosts:
        return "There are no hosts."
    parts = []
    left = explanation.hosts
    for count in explanation.counts:
        before, left = left, count.left
        newly_failing = count.first
        if newly_failing.hosts:
            of_group = _of_group(count.constraint)
            phrases = reasons(count.constraint, newly_failing, explained)
            part = ", ".join(phrase + of_group for phrase in phrases)
            parts.append(_of_the_other(before, left) + part if parts else part)
    passing = f"{explanation.passing:,} of {counted(explanation.hosts, 'host')}"
    return f"{passing}: {'; '.join(parts)}." if parts else f"{passing}."


def _of_the_other(before, left):
    """Return the words for the hosts that meet all constraints before one: "of the other 12, ".

    before  how many these are
    left    how many of them meet that constraint, too; if none does, the words are not needed
    """
    return f"of the other {before:,}, " if left else ""


def reasons(constraint, tally, explained):
    """Return why the hosts of a Tally fail a constraint: a list of phrases, the commonest first."""
    phrases = _phrases(constraint, tally, explained)
    return [f"{many:,} {phrase}" for many, phrase in phrases]


def cause(unmet, explained):
    """Return the words for an Unmet with `traits_on_full_provider`.

    That is the Constraint on the traits that only a provider without room for the group has.
    """
    traits = unmet.traits_on_full_provider
    held = traits.kind.words.asked_for(explained.text(traits))
    asked = [
        constraint.kind.words.asked_for(text)
        for constraint, text in explained.texts.items()
        if constraint.group == traits.group and constraint.kind is kinds.RESOURCES
    ]
    name = explained.providers[unmet.provider_id].name
    # "host1 has the trait CUSTOM_GOLD, but cannot serve 4 VCPU or 9 DISK_GB"
    return f"{name} has the {held}, but cannot serve {' or '.join(asked)}"


def reason(unmet, explained):
    """Return the phrase for what one host does not meet."""
    if unmet.traits_on_full_provider is not None:
        return cause(unmet, explained)
    tally = Tally()
    tally.add(unmet)
    [(_, phrase)] = _phrases(unmet.constraint, tally, explained)
    return phrase


def _phrases(constraint, tally, explained):
    """Return [(how many hosts, what they have in common)] for hosts that fail the constraint.

    tally: the Tally of these hosts
    """
    if not tally.hosts:
        return []
    nearest = tally.nearest
    reserved = nearest and explained.reserves.get((nearest.provider_id, nearest.constraint))
    phrases = constraint.kind.words.reasons(explained.text(constraint), tally, reserved)
    if tally.example is None:
        return phrases
    [(hosts, phrase)] = phrases
    where = "" if hosts == 1 else "on one of them, "
    return [(hosts, f"{phrase}: {where}{cause(tally.example, explained)}")]


def _of_group(constraint):
    return f" (group {constraint.group})" if constraint.group else ""
