"""Consumers, which take resources, with their owners and types."""

from oslo_versionedobjects import fields

from placement import constants
from placement.db import consumers as db_consumers
from placement.objects import base

shown_type = db_consumers.shown_type


def shown_owner(owned):
    """Return what operators see of a consumer's owner and generation.

    GET /operator/providers and the feed of changes both show it in this form.
    `owned` has the fields of a ConsumerState, except for the UUID.
    """
    return {
        "consumer_generation": owned.generation,
        "consumer_type": shown_type(owned.consumer_type),
        "project_id": owned.project_id,
        "user_id": owned.user_id,
        "created_at": owned.created_at and owned.created_at.strftime(constants.MOMENT),
    }


@base.register
class Consumer(base.PlacementObject):
    VERSION = "1.0"

    fields = {
        "uuid": fields.StringField(read_only=True),
        "project_id": fields.StringField(),
        "user_id": fields.StringField(),
        "generation": fields.IntegerField(),
        "consumer_type": fields.StringField(default=constants.UNKNOWN_CONSUMER_TYPE),
    }
