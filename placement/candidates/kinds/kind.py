"""What each kind of constraint defines; pure.

A constraint comes from a field of a group or of the whole query; either is called the `asker` here.
Each value of a constraint exists twice: in the names that a client writes, and in the keys of the
database.
"""

import enum

from placement.candidates.kinds.constraint import Unmet


class Kind:
    """A kind of constraint.

    name             its name in answers
    words            its Words
    parameter        its name in query strings; a requiring and a forbidding kind may share one
    subject          the Subject of its names; None if it has no names
    is_listed        whether one value of the parameter may list several constraints, with commas
    is_about_room    whether a host that fails only this lacks nothing but room
    is_given_up      whether relaxing it means dropping it; if not, relaxing means asking for less
    depends_on_rest  whether a host that fails it may meet it once another constraint is relaxed;
                     this matters only in the unsuffixed group and for the whole query
    shortage         the fraction that counts as missing on a host that fails it, unless an amount
                     is missing; at most 1
    instead          the value that replaces it when it is given up; None if it is just removed
    reasons          why a host may fail it, from those that may change soon to those that never do;
                     empty if there is only one reason
    """

    subject = None
    is_listed = False
    is_about_room = False
    is_given_up = True
    depends_on_rest = False
    shortage = 1
    instead = None
    reasons = ()

    def __init__(self, name, words, parameter=None):
        self.name = name
        self.words = words
        self.parameter = parameter or name

    def __repr__(self):
        return f"<{self.name}>"

    def values(self, asker):
        """Return the value of each Constraint of this kind, in keys."""
        return []

    def named_values(self, asker):
        """Return the value of each Constraint of this kind, in names."""
        return self.values(asker)

    def in_keys(self, value, names):
        """Return a value with keys in place of names, looked up in `names`, which are Names."""
        return value

    def in_names(self, value, names_by_key):
        """Return a value with names in place of keys; `names_by_key` is {Subject: {key: name}}."""
        return value

    def text(self, value):
        """Return a value, given in names, as a client writes it; None if it cannot be written."""
        return value

    def spelled(self, text):
        """Return the text as a query string writes it, in the value of the parameter."""
        return text

    def name_of_stop(self, value, class_names):
        """Return the name of what stops a host that fails a constraint: a class, or this kind.

        class_names: {class_id: name}
        """
        return self.name

    def with_values(self, asker, values):
        """Return the asker with these values as its only constraints of this kind."""
        raise NotImplementedError

    def without(self, asker, value):
        """Return the asker without the constraint that has this value."""
        return self.with_values(asker, [each for each in self.values(asker) if each != value])

    def replaced(self, asker, value, other):
        """Return the asker with another value in place of this one."""
        values = [other if each == value else each for each in self.values(asker)]
        return self.with_values(asker, values)


class Role(enum.Enum):
    """Which of the providers that serve a group have to meet the Requirement of a constraint.

    For a constraint on the root, ANY and NONE are about the root alone.
    """

    GIVER = "the one that the amount is taken from"
    ANY = "at least one"
    EACH = "each"
    NONE = "none"
    IGNORED = "it need not be met"

    @property
    def is_positive(self):
        """Whether some provider has to meet it."""
        return self not in (Role.NONE, Role.IGNORED)


class Named(Kind):
    """A kind whose values are resolved from names, and which a provider meets or fails on its own.

    counts_at_root  whether the root has to meet it, whichever providers serve the unsuffixed group
    """

    counts_at_root = False

    def names_in(self, value):
        """Return the names in a value, which is a set of names."""
        return value

    def resolved(self, asker, names):
        """Return {field: its value in keys} of an asker without unknown names."""
        raise NotImplementedError

    def requirement(self, value):
        """Return the Requirement that is met by providers with this value."""
        raise NotImplementedError

    def role(self, asker):
        """Return the Role that Requirements of this kind have for an asker."""
        raise NotImplementedError

    def unwanted(self, group):
        """For the search: return [(field of Provider, keys that no provider may have)]."""
        return []

    def is_met_by(self, provider, value, group):
        """Return whether a provider that serves a group meets the constraint with this value."""
        raise NotImplementedError

    def is_met_at(self, host, value, group):
        """Return whether a Host that serves the unsuffixed group meets the constraint."""
        return any(self.is_met_by(each, value, group) for each in host.offered)

    def unmet_by(self, provider, constraint, group):
        """Return the Unmet of a provider that would serve a group alone, or None."""
        if self.is_met_by(provider, constraint.value, group):
            return None
        return Unmet(constraint, provider_id=provider.id)

    def unmet_at(self, host, constraint, group):
        """Return the Unmet of a Host that would serve the unsuffixed group, or None."""
        return None if self.is_met_at(host, constraint.value, group) else Unmet(constraint)

    def is_met_despite(self, value, keys):
        """Return whether a host may meet a constraint even if none of `keys`, a set, exists."""
        return False

    def needs(self, value, key):
        """Return whether no host can meet a constraint if this key of its value does not exist."""
        return key in value

    def corrected(self, value, key, other_key, asker):
        """Return the value with one of its keys replaced; None if the asker cannot ask for that."""
        return value - {key} | {other_key}

    def without_unknown(self, value, unknown):
        """Return the value without the `unknown` keys, a set."""
        return value
