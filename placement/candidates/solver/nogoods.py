"""Failed states of a search, in which equal providers are interchangeable; pure.

Two states are alike if their open demands ask for the same things, and their options become equal
when providers are exchanged. Either both can be completed, or neither can. So eight equal devices
are tried once, not eight times; and when a host fails, all hosts built like it fail, too.
"""

from collections import defaultdict

# How many keys and forms are remembered; some 20 MiB.
MOST_REMEMBERED = 50_000


class Nogoods:
    """The failed states of one search, as keys made by `flat` and `by_tree`; of bounded size.

    A form is any hashable value that describes a provider for a state, without naming it.
    """

    def __init__(self):
        self._keys = set()
        self._number_by_form = {}

    def __bool__(self):
        return bool(self._keys)

    def __contains__(self, key):
        return key in self._keys

    def add(self, key):
        """Remember a key. It must be the last one made: older ones may be outdated."""
        self._keys.add(key)

    def flat(self, demands, forms):
        """Return the key of a state in which only the forms of the providers matter.

        demands: what the state asks for, as a hashable value
        forms: {provider: anything hashable that describes it without naming it}
        """
        self._forget_if_too_many()
        return demands, tuple(sorted(map(self._number, forms.values())))

    def by_tree(self, demands, forms, ancestors):
        """Return the key of a state in which the ancestry of the providers matters, too.

        demands: what the state asks for, as a hashable value
        forms: {provider: anything hashable that describes it without naming it}
        ancestors: returns a provider and all its ancestors, bottom up
        """
        self._forget_if_too_many()
        nodes = {above for provider_id in forms for above in ancestors(provider_id)}
        paths = sorted((tuple(ancestors(node)) for node in nodes), key=len, reverse=True)
        below = defaultdict(list)
        for node, *above in paths:
            # Deeper providers have been handled before, so those below this one are done.
            number = self._number((forms.get(node), tuple(sorted(below[node]))))
            below[above[0] if above else None].append(number)
        return demands, tuple(sorted(below[None]))

    def _number(self, form):
        """Return the number of a form; equal forms have the same number."""
        return self._number_by_form.setdefault(form, len(self._number_by_form))

    def _forget_if_too_many(self):
        if len(self._keys) + len(self._number_by_form) > MOST_REMEMBERED:
            self._keys.clear()
            self._number_by_form.clear()
