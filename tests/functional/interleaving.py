"""Lets two writers meet in an order that seldom happens by chance."""

import threading

import fixtures

# How long a writer may run until it is considered to wait for another.
PATIENCE_SECONDS = 0.1


class Meanwhile(fixtures.Fixture):
    """When a function of a module has been called for the first time, another writer has its turn.

    It runs in a thread of its own, to its end, unless the first writer keeps it waiting: then the
    first writer continues after `patience` seconds. If `patience` is None, the first writer waits
    for the end of the other; this is for writers that nothing can keep waiting. Cleaning up also
    waits for the other writer.
    """

    def __init__(self, module, function, other, patience=PATIENCE_SECONDS):
        super().__init__()
        self._module = module
        self._name = function
        self._other = threading.Thread(target=other)
        self._patience = patience

    def _setUp(self):
        self._function = getattr(self._module, self._name)
        self.useFixture(fixtures.MockPatchObject(self._module, self._name, self._call))
        self.addCleanup(self._finish)

    def _call(self, *arguments, **keywords):
        answer = self._function(*arguments, **keywords)
        if self._other.ident is None:
            self._other.start()
            self._other.join(self._patience)
        return answer

    def _finish(self):
        if self._other.ident is not None:
            self._other.join()
