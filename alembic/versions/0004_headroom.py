"""Inventories have a headroom: the database uses it to find those that may have room.

Revision: 0004, after 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

TABLE = "inventories"
COLUMN = "headroom"
INDEX = "inventories_resource_class_headroom_idx"
# This never overflows, even if used + max_unit is beyond the column's range or capacity is
# negative.
HEADROOM = """
    CASE WHEN used >= capacity THEN 0
         WHEN used + max_unit <= capacity THEN max_unit
         ELSE capacity - used END
"""


def upgrade():
    existing = sa.inspect(op.get_bind())
    # MariaDB commits each change to a table: an earlier attempt may have got this far.
    if COLUMN not in {column["name"] for column in existing.get_columns(TABLE)}:
        # SQLite cannot add a stored column to an existing table.
        is_stored = op.get_bind().dialect.name != "sqlite"
        op.add_column(
            TABLE, sa.Column(COLUMN, sa.Integer, sa.Computed(HEADROOM, persisted=is_stored))
        )
    if INDEX not in {index["name"] for index in existing.get_indexes(TABLE)}:
        op.create_index(INDEX, TABLE, ["resource_class_id", COLUMN, "resource_provider_id"])
