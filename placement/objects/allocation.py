"""Allocations: what consumers have taken, read by provider or by consumer.

Claims write them: see objects/claims/.
"""

from oslo_versionedobjects import fields

from placement.db import allocations as db_allocations
from placement.db.consumers import shown_type
from placement.objects import base, resource_provider
from placement.objects import consumer as consumers


def on_provider(conn, provider_uuid):
    """Return the Holding of a provider, with an AllocationOnProvider for each consumer and class.

    Raises: ResourceProviderNotFound.
    """
    return resource_provider.get_using(conn, db_allocations.on_provider, provider_uuid)


@base.register
class Allocation(base.PlacementObject):
    """An amount of a class that one consumer takes from one provider."""

    VERSION = "2.1"

    fields = {
        "resource_provider_uuid": fields.StringField(),
        "resource_provider_generation": fields.IntegerField(nullable=True),
        "resource_class": fields.StringField(),
        "amount": fields.IntegerField(),
    }


@base.register
class ConsumerAllocations(base.PlacementObject):
    """Everything that a consumer has, and who owns it."""

    VERSION = "1.0"

    fields = {
        "consumer": fields.ObjectField("Consumer"),
        "allocations": fields.ListOfObjectsField("Allocation"),
    }


def of_consumer(conn, uuid):
    """Return the ConsumerAllocations of a consumer, or None if it has no allocations."""
    rows = db_allocations.of_consumer(conn, uuid)
    if not rows:
        return None
    # Each row has the columns of the consumer, too.
    first = rows[0]
    return ConsumerAllocations(
        consumer=consumers.Consumer(
            uuid=uuid,
            project_id=first.project_id,
            user_id=first.user_id,
            generation=first.consumer_generation,
            consumer_type=shown_type(first.consumer_type),
        ),
        allocations=[
            Allocation(
                resource_provider_uuid=row.provider_uuid,
                resource_provider_generation=row.provider_generation,
                resource_class=row.class_name,
                amount=row.amount,
                created_at=row.created_at,
            )
            for row in rows
        ],
    )
