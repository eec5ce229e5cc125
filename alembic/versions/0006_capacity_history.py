"""How full the cloud was, hour by hour.

Revision: 0006, after 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

metadata = sa.MetaData()


def hour():
    return sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False)


TABLES = (
    sa.Table(
        "placement_capacity_hours",
        metadata,
        hour(),
        sa.Column("taken_at", sa.DateTime, nullable=False),
        sa.Column("hosts", sa.Integer),
    ),
    sa.Table(
        "placement_capacity_sums",
        metadata,
        hour(),
        sa.Column("class_name", sa.String(255), primary_key=True),
        sa.Column("capacity", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.Column("largest_free", sa.BigInteger),
        sa.Column("full_providers", sa.Integer),
        sa.Column("providers", sa.Integer),
    ),
)


def upgrade():
    # MariaDB commits each change to a table: an earlier attempt may have got this far.
    metadata.create_all(op.get_bind(), TABLES, checkfirst=True)
