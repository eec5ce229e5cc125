"""Resource providers remember the generation up to which their sums have been counted.

NULL means never, as after this revision and in rows that another Placement inserts: such a provider
is counted before it is written to.

Revision: 0003, after 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade():
    columns = sa.inspect(op.get_bind()).get_columns("resource_providers")
    # MariaDB commits each change to a table: an earlier attempt may have got this far.
    if "counted_generation" not in {column["name"] for column in columns}:
        op.add_column("resource_providers", sa.Column("counted_generation", sa.Integer))
