"""How people read and write the constraints of a query, in sentences and in the fields of forms.

A constraint has a text, such as "VCPU:4"; its kind says what the text means.
"""

import re
from dataclasses import dataclass

from placement.constants import POLICY_NONE
from placement.exception import legible

# What values of required= and member_of= may begin with.
ANY_OF = "in:"
NOT = "!"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """What hosts that fail a constraint have in common, such as "2 hosts lack HW_CPU_X86_AVX2".

    several, one  the verb for several hosts, and for one: "lack" and "lacks"
    rest          what follows the verb
    """

    several: str
    one: str
    rest: str

    def about(self, hosts, **words):
        """Return the phrase for a number of hosts; `words` are the fields in `rest`."""
        return f"{self.one if hosts == 1 else self.several} {self.rest.format(**words)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """How people read and write a kind of constraint.

    request  what a query asks for; {} is the value
    stops    what prevents a host from serving the request
    failing  the Phrase for hosts that fail it, where {text} is the value. If the kind has reasons,
             a dict: {reason: the Phrase for it}
    """

    request: str
    stops: str
    failing: Phrase | dict[str, Phrase]

    def asked_for(self, text):
        """Return the words for what a constraint with this text asks for."""
        return self.request.format(self._spoken(text))

    def _spoken(self, text):
        """Return a text as people read it."""
        return text

    def reasons(self, text, tally, reserved):
        """Return [(how many hosts, phrase for what they have in common)] for a Tally.

        The hosts of the Tally fail a constraint with this `text`. `reserved` is the reserved amount
        of the provider with the most free, if this amount is in the way.
        """
        return [(tally.hosts, self.failing.about(tally.hosts, text=self._spoken(text)))]

    def typed(self, texts):
        """Return what a form's field shows for all constraints of a kind, given their texts."""
        return "".join(texts)

    def texts_typed(self, typed):
        """Return the texts of the constraints that were typed into a form's field."""
        return [typed.strip()] if typed.strip() else []


class AmountWords(Words):
    """The text is "VCPU:4000", which is read as "4,000 VCPU"."""

    def _spoken(self, text):
        class_name, _, amount = text.rpartition(":")
        return f"{int(amount):,} {legible(class_name)}"

    def reasons(self, text, tally, reserved):
        """Return [(how many hosts, phrase)], one for each reason why they lack room.

        Example: (2, "have too little VCPU free (at most 2, asked for 4)").
        """
        class_name, _, amount = text.rpartition(":")
        words = {
            "name": legible(class_name),
            "amount": int(amount),
            "reserved": f"; {reserved:,} reserved" if reserved else "",
        }
        return [
            (hosts, self.failing[why].about(hosts, limit=tally.limits.get(why), **words))
            for why, hosts in tally.reasons.most_common()
        ]


class AlternativesWords(Words):
    """The text is one name, or several names, any one of which is enough."""

    def _spoken(self, text):
        return " or ".join(words_in_order(text))

    def typed(self, texts):
        return ", ".join(map(self._spoken, texts))

    def texts_typed(self, typed):
        """Return a text, such as "in:B,C", for each item typed: "A, B or C" gives "A" and "in:B,C".

        Commas between items may be missing.
        """
        # Spaces separate items, too, so those around "or" and "|" go first.
        joined = re.sub(r"\s+or\s+|\s*\|\s*", "|", typed.strip())
        names_of_each = [set(filter(None, item.split("|"))) for item in _names_typed(joined)]
        return [any_of(names) for names in names_of_each if names]


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
    """The text is a group_policy."""

    def _spoken(self, text):
        return "any" if text == POLICY_NONE else "different"


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


def is_any_of(text):
    """Return whether a text made by any_of has several alternatives."""
    return text.startswith(ANY_OF)


def words_in_order(text):
    """Return the alternatives in a text made by any_of, in their order."""
    return text.removeprefix(ANY_OF).split(",")


def _names_typed(text):
    """Return the names in a list that a person wrote."""
    return list(filter(None, re.split(r"[,\s]+", text)))
