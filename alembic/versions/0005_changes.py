"""Changes are stored, each with a position in one feed.

Revision: 0005, after 0004
"""

import time

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "0005"
down_revision = "0004"

LARGE_TEXT = sa.Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb")

metadata = sa.MetaData()
changes = sa.Table(
    "placement_changes",
    metadata,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("position", sa.BigInteger),
    sa.Column("written_at", sa.DateTime, nullable=False),
    sa.Column("request_id", sa.String(64)),
    sa.Column("user_id", sa.String(255)),
    sa.Column("project_id", sa.String(255)),
    sa.Column("operation", sa.String(255)),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("uuid", sa.String(36)),
    sa.Column("name", sa.Unicode(255)),
    sa.Column("generations", LARGE_TEXT),
    sa.Column("state_before", LARGE_TEXT),
    sa.Column("state_after", LARGE_TEXT),
    sa.UniqueConstraint("position", name="uniq_placement_changes0position"),
    sa.Index("placement_changes_uuid_idx", "uuid"),
    sa.Index("placement_changes_written_at_idx", "written_at"),
    sqlite_autoincrement=True,
)
feed = sa.Table(
    "placement_feed",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("newest", sa.BigInteger, nullable=False),
    sa.Column("dropped", sa.BigInteger, nullable=False),
)


def upgrade():
    # MariaDB commits each change to a table: an earlier attempt may have got this far.
    metadata.create_all(op.get_bind())
    present = {index["name"] for index in sa.inspect(op.get_bind()).get_indexes(changes.name)}
    for index in changes.indexes:
        if index.name not in present:
            index.create(op.get_bind())
    if op.get_bind().execute(sa.select(feed.c.id)).first() is None:
        # The feed does not start at 0, so that positions from before the tables were recreated
        # expire.
        start = int(time.time() * 1000)
        op.get_bind().execute(sa.insert(feed), {"id": 1, "newest": start, "dropped": start})
