"""What all versioned objects have in common."""

from oslo_versionedobjects import base

from placement.db.names_and_ids import NamedRow


class PlacementObject(base.VersionedObject, base.TimestampedObject):
    """An object that knows when its row was created and last updated (UTC, or None)."""

    OBJ_PROJECT_NAMESPACE = "placement"

    @classmethod
    def from_row(cls, row):
        """Make an object from a row, which must have a column named after each field."""
        return cls(**{name: getattr(row, name) for name in cls.fields})

    touched = NamedRow.touched


register = base.VersionedObjectRegistry.register
