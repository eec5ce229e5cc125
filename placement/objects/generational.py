"""Generations: a write that is based on an older state of a provider is refused.

Source: doc/explanation/generations.rst; doc/explanation/rules.rst, G1 to G3.
"""

from placement import exception
from placement.db import generations


class Generational:
    """A provider that has been read: its id, uuid and name, and its generation at that moment."""

    __slots__ = ()

    def check_generation(self, given, error=exception.ProviderGenerationConflict):
        """G1. Raises: `error` if `given` is not the generation of this provider."""
        if given != self.generation:
            raise error(
                uuid=self.uuid, name=self.name, given=given, actual=self.generation
            )

    def advance_generation(self, conn, steps=1):
        """Record that this provider changes, and lock it against other writers.

        Raises: ConcurrentUpdate if another writer has changed it since it was read.
        """
        if not generations.advance(conn, self.id, self.uuid, self.generation, steps):
            raise exception.ConcurrentUpdate()
        self.generation += steps
