"""What there is to know about any kind of constraint; pure.

The field of a constraint belongs to a group or to the whole query; either is called the `asker`
here.
"""

# What the names in a query refer to: the fields of db.names.Names.
CLASSES, TRAITS, AGGREGATES, TREES = SUBJECTS = (
    "resource_classes",
    "traits",
    "aggregates",
    "trees",
)


class Kind:
    """A kind of constraint.

    name             the one in answers
    parameter        the one in query strings; what requires and what forbids may share one
    words            its Words
    subject          one of SUBJECTS: what the names in it refer to; None without names
    phrase           what a host that fails it does: the verb for several, the verb for one, and the
                     rest, where {text} is the value as the client wrote it
    is_amount        whether the value is (class_id, amount)
    is_listed        whether one value of the parameter may list several constraints, with commas
    excludes         whether it forbids something
    depends_on_rest  whether relaxing something else may help a host that fails it, in the
                     unsuffixed group or as a whole
    instead          the value that replaces it when it is given up; None if it is just removed
    """

    subject = None
    is_amount = False
    is_listed = False
    excludes = False
    depends_on_rest = False
    instead = None

    def __init__(self, name, phrase, words, parameter=None):
        self.name = name
        self.phrase = phrase
        self.words = words
        self.parameter = parameter or name

    def __repr__(self):
        return f"<{self.name}>"

    def spelled(self, text):
        """Return the text as the value of its parameter."""
        return text

    def texts(self, asker):
        """Return the text of each Constraint of this kind, of an asker that is not resolved yet."""
        raise NotImplementedError

    def values(self, asker):
        """Return the value of each Constraint of this kind, in keys."""
        raise NotImplementedError

    def said(self, asker, names):
        """Return (value, text) pairs of an asker that is not resolved yet.

        `names` are the Names that resolve it.
        """
        return zip(self._said(asker, names), self.texts(asker), strict=True)

    def _said(self, asker, names):
        """Return the value of each text, in keys."""
        return self.values(asker)

    def text_of(self, value, text):
        """Return the text of a value that replaces another one, which has `text`."""
        raise NotImplementedError

    def without(self, asker, value):
        """Return the asker without the constraint that has this value."""
        raise NotImplementedError

    def replaced(self, asker, value, other):
        """Return the asker with another value in place of this one."""
        raise NotImplementedError


class Named(Kind):
    """A kind whose values are resolved from names, and which a provider meets or fails by itself.

    `required`, `excluded`: see ResolvedGroup.
    """

    def names(self, asker):
        """Yield the names in an asker, in sets."""
        return ()

    def resolved(self, asker, names):
        """Return {field: its value in keys} of an asker without unknown names."""
        raise NotImplementedError

    def required(self, asker):
        """Return the Requirements that some provider must meet."""
        return []

    def excluded(self, asker):
        """Return the Requirements that no provider may meet."""
        return []

    def excluded_at_root(self, group):
        """Return what the root may not meet, whoever serves the unsuffixed group."""
        return []

    def unwanted(self, group):
        """Return [(field of Provider, keys)]: what no provider may have, for the search."""
        return []

    def is_met_by(self, provider, value, group):
        """Return whether a provider that serves a group meets the constraint with this value."""
        raise NotImplementedError

    def is_met_at(self, host, value, group):
        """Return whether a Host, which serves the unsuffixed group, meets it."""
        raise NotImplementedError

    def is_met_despite(self, value, keys):
        """Return whether a host may meet it although some of its keys do not exist."""
        return False

    def is_about(self, value, key):
        """Return whether a key is in a value."""
        return key in value

    def corrected(self, value, key, other_key):
        """Return the value with one of its keys replaced."""
        return value - {key} | {other_key}
