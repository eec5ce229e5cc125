"""What all versioned objects have in common."""

from oslo_versionedobjects import base


class PlacementObject(base.VersionedObject, base.TimestampedObject):
    """An object that knows when its row was created and last updated (UTC, or None)."""

    OBJ_PROJECT_NAMESPACE = "placement"

    @classmethod
    def from_row(cls, row):
        """Make an object from a row, which must have a column named after each field."""
        return cls(**{name: getattr(row, name) for name in cls.fields})

    @property
    def touched(self):
        """When the row last changed or, if it never did, when it was created."""
        return self.updated_at or self.created_at


register = base.VersionedObjectRegistry.register
