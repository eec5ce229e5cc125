"""Consumers, which take resources, with their owners and types."""

from oslo_versionedobjects import fields

from placement import constants
from placement.db import consumers as db_consumers
from placement.objects import base

shown_type = db_consumers.shown_type


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
