"""Sentences about names in a query that do not exist."""

from typing import NamedTuple

from placement import exception
from placement.db.subjects_of_names import Subject

_CALLED = {
    Subject.RESOURCE_CLASSES: "resource class",
    Subject.TRAITS: "trait",
    Subject.AGGREGATES: "aggregate",
    Subject.TREES: "provider",
}


class Unknown(NamedTuple):
    """A name in a query that does not exist, and the names that were probably meant.

    meant  {name: key}, likeliest first; a provider has the key of its root. The dict is empty if
           nothing is similar, and for names after the first spelling.MOST_CORRECTED of a Subject.
    """

    subject: Subject
    name: str
    meant: dict[str, int]

    @property
    def kind_in_words(self):
        """What kind of name it is, in words."""
        return _CALLED[self.subject]


def sentence(unknown):
    """Return a sentence about an Unknown: "No trait is called A; did you mean B or C?"."""
    likely = f"; did you mean {' or '.join(unknown.meant)}?" if unknown.meant else "."
    return f"No {unknown.kind_in_words} is called {exception.legible(unknown.name)}{likely}"
