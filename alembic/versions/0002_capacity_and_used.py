"""Inventories remember their capacity and how much of it is used.

Both are derived from what is already in the tables, and filled in here.

Revision: 0002, after 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

MAX_BIGINT = 2**63 - 1

inventories = sa.table(
    "inventories",
    sa.column("id"),
    sa.column("resource_provider_id"),
    sa.column("resource_class_id"),
    sa.column("total"),
    sa.column("reserved"),
    sa.column("allocation_ratio"),
    sa.column("capacity"),
    sa.column("used"),
)
allocations = sa.table(
    "allocations",
    sa.column("resource_provider_id"),
    sa.column("resource_class_id"),
    sa.column("used"),
)


def upgrade():
    present = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("inventories")}
    for name in ("capacity", "used"):
        # MariaDB commits each change to a table: an earlier attempt may have got this far.
        if name not in present:
            op.add_column(
                "inventories",
                sa.Column(name, sa.BigInteger, nullable=False, server_default="0"),
            )
    fill_capacity()
    fill_used()


def fill_capacity():
    """Compute the capacity in Python, in double precision: no two databases agree on floats."""
    rows = op.get_bind().execute(
        sa.select(
            inventories.c.id,
            inventories.c.total,
            inventories.c.reserved,
            inventories.c.allocation_ratio,
        )
    )
    capacities = [
        {"row_id": row_id, "capacity": min(int((total - reserved) * ratio), MAX_BIGINT)}
        for row_id, total, reserved, ratio in rows
    ]
    if capacities:
        op.get_bind().execute(
            sa.update(inventories)
            .where(inventories.c.id == sa.bindparam("row_id"))
            .values(capacity=sa.bindparam("capacity")),
            capacities,
        )


def fill_used():
    total_used = (
        sa.select(sa.func.coalesce(sa.func.sum(allocations.c.used), 0))
        .where(
            allocations.c.resource_provider_id == inventories.c.resource_provider_id,
            allocations.c.resource_class_id == inventories.c.resource_class_id,
        )
        .scalar_subquery()
    )
    op.get_bind().execute(sa.update(inventories).values(used=total_used))
