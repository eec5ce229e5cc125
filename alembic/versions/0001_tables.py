"""The tables of Placement, or another Placement's tables recognised and taken over.

Revision: 0001, the first
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# The revision of openstack-placement (10.0.0 to 16.0.0) that has exactly these tables.
ADOPTABLE_REVISION = "a082b8bb98d0"


def upgrade():
    existing = sa.inspect(op.get_bind())
    if existing.has_table("resource_providers"):
        refuse_unless_adoptable(existing)
        return
    create_name_tables()
    create_resource_providers()
    create_inventories()
    create_allocations()
    create_consumers()
    create_associations()


def refuse_unless_adoptable(existing):
    found = []
    if existing.has_table("alembic_version"):
        found = op.get_bind().scalars(sa.text("SELECT version_num FROM alembic_version")).all()
    if found != [ADOPTABLE_REVISION]:
        raise RuntimeError(
            f"This database has tables of Placement at revision {found or 'unknown'}; only "
            f"{ADOPTABLE_REVISION} can be taken over. Upgrade it with its own tools first."
        )


def create_table(name, *columns):
    op.create_table(
        name,
        sa.Column("created_at", sa.DateTime),
        sa.Column("updated_at", sa.DateTime),
        *columns,
    )


def create_name_tables():
    for table, column, length, nullable in (
        ("resource_classes", "name", 255, False),
        ("traits", "name", 255, False),
        ("consumer_types", "name", 255, False),
        ("projects", "external_id", 255, False),
        ("users", "external_id", 255, False),
        ("placement_aggregates", "uuid", 36, True),
    ):
        create_table(
            table,
            sa.Column("id", sa.Integer, primary_key=True, nullable=False),
            sa.Column(column, sa.String(length), nullable=nullable),
            sa.UniqueConstraint(column, name=f"uniq_{table}0{column}"),
        )


def create_resource_providers():
    create_table(
        "resource_providers",
        sa.Column("id", sa.Integer, primary_key=True, nullable=False),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("name", sa.Unicode(200)),
        sa.Column("generation", sa.Integer),
        sa.Column("root_provider_id", sa.Integer, sa.ForeignKey("resource_providers.id")),
        sa.Column("parent_provider_id", sa.Integer, sa.ForeignKey("resource_providers.id")),
        sa.UniqueConstraint("uuid", name="uniq_resource_providers0uuid"),
        sa.UniqueConstraint("name", name="uniq_resource_providers0name"),
    )
    for column in ("root_provider_id", "parent_provider_id"):
        op.create_index(f"resource_providers_{column}_idx", "resource_providers", [column])


def create_inventories():
    create_table(
        "inventories",
        sa.Column("id", sa.Integer, primary_key=True, nullable=False),
        sa.Column("resource_provider_id", sa.Integer, nullable=False),
        sa.Column("resource_class_id", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("reserved", sa.Integer, nullable=False),
        sa.Column("min_unit", sa.Integer, nullable=False),
        sa.Column("max_unit", sa.Integer, nullable=False),
        sa.Column("step_size", sa.Integer, nullable=False),
        sa.Column("allocation_ratio", sa.Float, nullable=False),
        sa.UniqueConstraint(
            "resource_provider_id",
            "resource_class_id",
            name="uniq_inventories0resource_provider_resource_class",
        ),
    )
    op.create_index("inventories_resource_class_id_idx", "inventories", ["resource_class_id"])


def create_allocations():
    create_table(
        "allocations",
        sa.Column("id", sa.Integer, primary_key=True, nullable=False),
        sa.Column("resource_provider_id", sa.Integer, nullable=False),
        sa.Column("consumer_id", sa.String(36), nullable=False),
        sa.Column("resource_class_id", sa.Integer, nullable=False),
        sa.Column("used", sa.Integer, nullable=False),
    )
    for index, columns in (
        (
            "allocations_resource_provider_class_used_idx",
            ["resource_provider_id", "resource_class_id", "used"],
        ),
        ("allocations_resource_class_id_idx", ["resource_class_id"]),
        ("allocations_consumer_id_idx", ["consumer_id"]),
    ):
        op.create_index(index, "allocations", columns)


def create_consumers():
    create_table(
        "consumers",
        sa.Column("id", sa.Integer, primary_key=True, nullable=False),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("project_id", sa.Integer, nullable=False),
        sa.Column("user_id", sa.Integer, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False, server_default="0"),
        sa.Column(
            "consumer_type_id",
            sa.Integer,
            sa.ForeignKey("consumer_types.id", name="consumers_consumer_type_id_fkey"),
        ),
        sa.UniqueConstraint("uuid", name="uniq_consumers0uuid"),
    )
    for index, columns in (
        ("consumers_project_id_uuid_idx", ["project_id", "uuid"]),
        ("consumers_project_id_user_id_uuid_idx", ["project_id", "user_id", "uuid"]),
        ("consumers_consumer_type_id_idx", ["consumer_type_id"]),
    ):
        op.create_index(index, "consumers", columns)


def create_associations():
    create_table(
        "resource_provider_traits",
        sa.Column("trait_id", sa.Integer, sa.ForeignKey("traits.id"), primary_key=True),
        sa.Column(
            "resource_provider_id",
            sa.Integer,
            sa.ForeignKey("resource_providers.id"),
            primary_key=True,
        ),
    )
    op.create_index(
        "resource_provider_traits_resource_provider_trait_idx",
        "resource_provider_traits",
        ["resource_provider_id", "trait_id"],
    )
    create_table(
        "resource_provider_aggregates",
        sa.Column("resource_provider_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("aggregate_id", sa.Integer, primary_key=True, autoincrement=False),
    )
    op.create_index(
        "resource_provider_aggregates_aggregate_id_idx",
        "resource_provider_aggregates",
        ["aggregate_id"],
    )
