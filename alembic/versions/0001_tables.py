"""The tables of Placement; in another Placement's database, only those that it lacks.

Revision: 0001, the first
"""

from alembic import op

from placement.db.schema import peer_tables

revision = "0001"
down_revision = None


def upgrade():
    peer_tables.create_missing(op.get_bind())
