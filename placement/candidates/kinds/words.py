"""How people read and write the constraints of a query, in sentences and in the fields of forms.

A constraint has a text, such as "VCPU:4"; the kind of constraint says what it is about.
"""

import re
from typing import NamedTuple

# What values of required= and member_of= begin with.
ANY_OF = "in:"
NOT = "!"


class Words(NamedTuple):
    """How people read and write a kind of constraint.

    asked    what a query asks for; {} is the value
    stops    what keeps a host from serving the request
    label    that of the field in a form; None if it has none
    hint     how to fill it in
    choices  ((value, label), ...) if the field has no others
    """

    asked: str
    stops: str
    label: str | None = None
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()

    def asked_for(self, text):
        """Return in words what a query with this text asks for."""
        return self.asked.format(self._spoken(text))

    def _spoken(self, text):
        return text

    def typed(self, texts):
        """Return the field of a form for the texts of all constraints of a kind."""
        return "".join(texts)

    def texts_typed(self, typed):
        """Return the texts in a field of a form."""
        return [typed.strip()] if typed.strip() else []


class AmountWords(Words):
    """The text is "VCPU:4000", which is read as "4,000 VCPU"."""

    def _spoken(self, text):
        class_name, _, amount = text.rpartition(":")
        return f"{int(amount):,} {class_name}"


class AlternativesWords(Words):
    """The text is one name, or several of which one is enough."""

    def _spoken(self, text):
        return " or ".join(words_in_order(text))

    def typed(self, texts):
        return ", ".join(map(self._spoken, texts))

    def texts_typed(self, typed):
        """As in Words. "A, B or C" is A, and B or C; commas may be missing."""
        texts = [
            any_of(set(filter(None, each.split("|"))))
            for each in _names_typed(re.sub(r"\s+or\s+|\s*\|\s*", "|", typed.strip()))
        ]
        return list(filter(None, texts))


class ForbiddenWords(Words):
    """The text has all names that are forbidden; a query has only one such constraint."""

    def _spoken(self, text):
        return " or ".join(words_in_order(text))

    def typed(self, texts):
        return ", ".join(word for text in texts for word in words_in_order(text))

    def texts_typed(self, typed):
        names = set(_names_typed(typed))
        return [any_of(names)] if names else []


class PolicyWords(Words):
    """The text is "none" or "isolate"."""

    def _spoken(self, text):
        return "any" if text == "none" else "different"


class SubtreeWords(Words):
    """The text is a list of suffixes."""

    def _spoken(self, text):
        return text.replace(",", " and ")

    def typed(self, texts):
        return "; ".join(text.replace(",", ", ") for text in texts)

    def texts_typed(self, typed):
        return list(filter(None, (",".join(_names_typed(each)) for each in typed.split(";"))))


def any_of(words):
    """Return the text for alternatives."""
    return (ANY_OF if len(words) > 1 else "") + ",".join(sorted(words))


def words_of(text):
    """Return the set of alternatives in a text made by any_of."""
    return set(words_in_order(text))


def is_any_of(text):
    """Return whether a text made by any_of has several alternatives."""
    return text.startswith(ANY_OF)


def words_in_order(text):
    """Return the alternatives in a text made by any_of, in their order."""
    return text.removeprefix(ANY_OF).split(",")


def _names_typed(text):
    """Return the names in a list that a person wrote."""
    return list(filter(None, re.split(r"[,\s]+", text)))
