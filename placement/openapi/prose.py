"""What the docstring of a handler says to the users of the API.

Its first line is `METHOD path: summary.`; paragraphs follow, and then lines that begin with
a label: `Body:` and `Source:`, which are for developers, and `Raises:`, names of exceptions.
A name is followed by codes in parentheses where they are not those of the exception.
"""

import inspect
import re
from typing import NamedTuple

from placement import constants, errors, exception, microversion
from placement.middleware import fault_wrap

_LABEL = re.compile(r"^(Body|Raises|Source): ", re.MULTILINE)
_RAISED = re.compile(r"(\w+)(?: \(([A-Z_, ]+)\))?")
_BEHAVIOUR = re.compile(r"\b(" + "|".join(microversion.Since.__members__) + r")\b")
_FIELD = re.compile(r"\{(\w+)\}")

# What replaces a field in a sentence where its name means nothing to a user.
_SHOWN = {
    "AllocationsChanged.reason": "<by what>",
    "DuplicateProvider.listed": "name: <name> (or uuid: <uuid>)",
    "InvalidInventoryCapacity.reason": "The reserved value is greater than (or equal to) total.",
    "InventoryInUse.listed": "<class names>",
    "InventoryNotFound.wording": "",
    "NoSuchHost.shown": "<host>",
    "RequestTooLarge.most": str(constants.MOST_IN_A_REQUEST),
    "RequestTooLarge.what": "amounts (or inventories)",
    "ResourceProviderNotFound.wording": "",
    "StandardResourceClass.verb": "update (or delete)",
    "UnknownResourceClass.shown": "<name>",
    "UnknownTraits.listed": "<names>",
    "UnknownTraitsInBody.listed": "<names>",
}


class Refusal(NamedTuple):
    """One way in which a request can fail; `sentence` is what its answer says."""

    status: int
    codes: tuple[str, ...]
    sentence: str


class Page(NamedTuple):
    """The prose of one operation; `description` may be empty."""

    summary: str
    description: str
    refusals: list[Refusal]


def page_of(handler):
    """Return the Page of a handler. Raises: ValueError if its docstring has another form."""
    text, *labelled = _LABEL.split(inspect.getdoc(handler))
    sections = dict(zip(labelled[::2], labelled[1::2], strict=True))
    head, _, description = text.partition("\n")
    summary = head.partition(": ")[2]
    if not summary:
        raise ValueError(f"{handler.__qualname__} has no summary")
    raised = " ".join(sections.get("Raises", "").split())
    refusals = [_refusal(name, codes) for name, codes in _RAISED.findall(raised)]
    return Page(_for_users(summary[0].upper() + summary[1:]), _for_users(description), refusals)


def _for_users(text):
    """Replace the code's names for versions by the versions."""
    text = _BEHAVIOUR.sub(lambda match: microversion.Since[match[0]].number, text.strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _refusal(name, codes):
    raised = getattr(exception, name)
    fault = fault_wrap.fault_of(raised)
    given = [getattr(errors, code) for code in codes.split(", ")] if codes else [fault.code]
    return Refusal(fault.http_error.code, tuple(given), _sentence(raised))


def _sentence(raised):
    """The sentence of an exception; of one that only passes text on, what its docstring says."""
    if _FIELD.fullmatch(raised.sentence):
        return inspect.getdoc(raised).partition(":")[0] + "."

    def shown(match):
        return _SHOWN.get(f"{raised.__name__}.{match[1]}", f"<{match[1].replace('_', ' ')}>")

    return _FIELD.sub(shown, raised.sentence).rstrip()
