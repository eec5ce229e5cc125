"""What the log and the commands say about a parameter that a query cannot have; pure."""

from placement.candidates import kinds
from placement.candidates.close_names import KnownNames
from placement.microversion import Since

# In a validator, the parameters of groups are patterns, because suffixes may follow their names.
_OF_GROUP = [kind.parameter for kind in kinds.OF_GROUP]


def sentence(name, validator):
    """Return a sentence about a name that this validator does not know, with similar names."""
    candidates = dict.fromkeys([*validator.schema["properties"], *_OF_GROUP])
    known = [each for each in candidates if not validator.unexpected({each: ""})]
    meant = " or ".join(map(repr, KnownNames(known).like(name)))
    return f"The query has no parameter {name!r}.{f' Did you mean {meant}?' if meant else ''}"


def sentence_by_version(name, validator_of):
    """Return a sentence about a name that a later version knows; None if no version does.

    validator_of: a function that returns the validator of a version, given its `since`
    """
    for behaviour in Since:
        if not validator_of(_as_of(behaviour)).unexpected({name: ""}):
            number = behaviour.number
            return f"The query has no parameter {name!r} before microversion {number}."
    return None


def _as_of(latest):
    """Return the `since` of the version that brought the behaviour `latest`."""
    return lambda behaviour: behaviour.value <= latest.value
