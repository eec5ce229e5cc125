"""A claim: everything that a consumer is to hold."""

import dataclasses
import enum
from collections.abc import Mapping


class Unchecked(enum.Enum):
    """What stands for the generation if a client does not know that consumers have one."""

    UNCHECKED = enum.auto()


UNCHECKED = Unchecked.UNCHECKED


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ConsumerClaim:
    """Everything that a consumer is to hold: {provider_uuid: {class_name: amount}}.

    `generation` is the one that the client sent: None for a consumer that does not exist
    yet, UNCHECKED if it sent none. A `consumer_type` of None leaves the type alone.
    """

    consumer_uuid: str
    project_id: str
    user_id: str
    consumer_type: str | None
    generation: int | Unchecked | None
    allocations: Mapping[str, Mapping[str, int]]
