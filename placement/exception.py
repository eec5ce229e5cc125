"""The errors of the domain; middleware/error_statuses.py gives them the statuses in brackets.

    PlacementException
    |-- InvalidValue             the caller asked for something impossible (400)
    |-- NotFound                 what the path names is not there (404)
    |-- Conflict                 the current state does not allow it (409)
    |   `-- ConcurrentUpdate     another writer was faster: read again and retry
    |-- ChangesExpired           what the query is about is no longer kept (410)
    `-- TooManyReports           the service is busy with other requests (429)

Exceptions carry fields. From these, `sentence` makes the text for the client, and `record` a line
for the log of the service. `cause` is what the request log says in place of the sentence. The table
in middleware/error_statuses.py has the HTTP status and the error code of each class; a BadQuery
brings its own code. A docstring may name the code in brackets, such as (duplicate_name).

To find where a refusal comes from, search here for a part of its sentence. The docstring of the
class says where it is raised, or where it is made for others to raise. Clients of
openstack-placement look for its sentences. So whatever both services refuse is refused here in the
same words.
Source: doc/reference/differences.rst, "Details of errors".
"""

from placement import constants, errors


def legible(name):
    """Return a name for a sentence: in quotes if it is empty, or begins or ends with a blank.

    Other names have no quotes, because openstack-placement does not quote them.
    """
    return name if name and name == name.strip() else f"'{name}'"


class PlacementException(Exception):
    """An error whose sentence shows its `fields`; a caller may add a `prefix` and a `hint`."""

    sentence = "An unknown error occurred."
    record = None
    cause = None

    def __init__(self, **fields):
        super().__init__()
        self.__dict__.update(fields)
        self.prefix = ""
        self.hint = ""

    def __str__(self):
        return self.prefix + self.sentence.format(**self.__dict__) + self.hint

    def for_the_request_log(self):
        """Return what the request log says in place of the sentence, or None."""
        return self.cause and self.prefix + self.cause

    def for_the_service_log(self):
        """Return a line for the log of the service, or None if the request log says enough."""
        return self.record and self.record.format(**self.__dict__)


class InvalidValue(PlacementException):
    """Base class of errors that are answered with 400."""


class NotFound(PlacementException):
    """Base class of errors that are answered with 404."""


class Conflict(PlacementException):
    """Base class of errors that are answered with 409."""


class ConcurrentUpdate(Conflict):
    """Base class of conflicts that a client resolves by reading again (concurrent_update).

    Raised by objects/generational.py, made by objects/retry_requests.py, and logged and answered by
    middleware/ for a conflict that the database has found.
    """

    sentence = "Another thread concurrently updated the data. Please retry your update"
    record = "Conflict: another request changed the same rows at the same time."


# Queries

_NO_SUCH_TRAITS = "No such trait(s): {listed}."


class BadQuery(InvalidValue):
    """A query parameter is malformed: `detail` says how, and `code` is one of those in errors.py.

    cause  a shorter text for the request log, if the detail quotes a schema

    Raised by queries/ and flavors/pasted.py and, for what a schema cannot say, by handlers.
    """

    sentence = "{detail}"

    def __init__(self, detail, code=errors.UNDEFINED, cause=None):
        super().__init__(detail=detail, code=code, cause=cause)


class UnknownParameter(BadQuery):
    """A query has the parameter `name`, which is not allowed there.

    Raised by queries/query_string.py.
    """

    def __init__(self, detail, name, cause):
        super().__init__(detail, cause=cause)
        self.name = name


class SearchTooLong(InvalidValue):
    """A search for candidates was stopped before it found one. Raised by candidates/search.py.

    Source: doc/explanation/rules.rst, A5.
    """

    sentence = (
        "No allocation candidate was found within the effort allowed for one request "
        "([placement] max_search_effort). Ask for fewer or simpler request groups, or narrow the "
        "search with in_tree, member_of, required or root_required."
    )


class CandidatesTooLarge(InvalidValue):
    """An answer with candidates would have more than `most` bytes.

    Source: doc/explanation/rules.rst, A5.
    Raised by candidates/search.py and handlers/answering/rendered_candidates.py.
    """

    sentence = (
        "The allocation candidates do not fit in the {most:,} bytes allowed for one answer "
        "([placement] max_candidates_size). Ask for fewer of them with limit, or for fewer "
        "request groups."
    )


class ExplanationTooLong(InvalidValue):
    """The search for an explanation was stopped before it had examined every host.

    Raised by candidates/why/explain.py.
    """

    sentence = (
        "The explanation was stopped: it takes more effort than allowed for one request "
        "([placement] max_search_effort). Ask for fewer or simpler request groups, or use host= to "
        "ask for a single host."
    )


_TOO_MUCH_EFFORT = (
    "was stopped: it takes more effort than allowed for one request ([placement] "
    "max_search_effort)."
)


class FitTooLong(InvalidValue):
    """Counting how often a request fits was stopped.

    Raised by candidates/fits/fit.py and candidates/fits/summarized_cloud.py.
    """

    sentence = (
        f"The count {_TOO_MUCH_EFFORT} Ask for fewer or simpler request groups, add fewer hosts, "
        "or set a bound."
    )


class MixTooLong(FitTooLong):
    """The count of how often several requests, or the flavors of a file, fit was stopped.

    Raised by candidates/fits/mix.py; made by flavors/counting.py.
    """

    sentence = (
        f"The count {_TOO_MUCH_EFFORT} Ask for fewer or simpler requests, or raise the limit."
    )


class TooManySteps(InvalidValue):
    """A history of capacity would have more than `most` steps; `least` would be long enough.

    Raised by objects/capacity_history/past_capacity.py.
    """

    sentence = (
        "A history has at most {most} steps. Use step= to ask for longer steps, at least {least}, "
        "or since= to ask for less time."
    )


class HistoryTooLong(InvalidValue):
    """A history of capacity would have more than `most` samples.

    Raised by objects/capacity_history/past_capacity.py.
    """

    sentence = (
        "There are more than {most} samples. Use step= to ask for longer steps, or since= to ask "
        "for less time."
    )


class PlanTooLong(InvalidValue):
    """The search for places for consumers was stopped. Raised by candidates/plans/evacuation.py."""

    sentence = f"The plan {_TOO_MUCH_EFFORT} Ask for fewer hosts at a time, or raise the limit."


class ReleaseTooLong(PlanTooLong):
    """The search for consumers whose removal would make room was stopped.

    Raised by candidates/plans/release.py.
    """

    sentence = (
        f"The search {_TOO_MUCH_EFFORT} Ask for fewer or simpler request groups, or only for "
        "consumers of one type or project, or raise the limit."
    )


class SurvivalTooLong(PlanTooLong):
    """The search for hosts or aggregates that the cloud cannot spare was stopped.

    Raised by candidates/plans/survival.py.
    """

    sentence = (
        f"The examination {_TOO_MUCH_EFFORT} It always covers the whole cloud: raise the limit."
    )


class NoSuchAggregate(InvalidValue):
    """A query names the uuid `aggregate`, which no aggregate has.

    Raised by candidates/plans/evacuation.py.
    """

    sentence = "No aggregate with uuid {shown} found."

    def __init__(self, aggregate):
        super().__init__(aggregate=aggregate, shown=legible(aggregate))


class PositionTooNew(InvalidValue):
    """A query names a `position` that is higher than that of any change.

    Raised by objects/feed/reading.py.
    """

    sentence = (
        "There is no change at the position {position} yet, nor at a later one. If the database "
        "was restored from a backup, list what there is now with GET /operator/providers, and "
        "continue after the changes_after of that answer."
    )


class ChangesExpired(PlacementException):
    """The changes after this `position` are no longer kept. Raised by objects/feed/reading.py."""

    sentence = (
        "Changes after the position {position} are no longer kept. List what there is now with "
        "GET /operator/providers, and continue after the changes_after of that answer."
    )


class TooManyReports(PlacementException):
    """Another report or plan is being computed, and one more request is waiting for it.

    Raised by handlers/operator/one_at_a_time.py.
    """

    sentence = (
        "This process is computing a report or plan for another request, and one more is waiting. "
        "Try again later."
    )


class NoSuchConsumers(InvalidValue):
    """A query names a consumer type or project, `of`, that does not exist.

    Raised by candidates/plans/release.py.
    """

    sentence = "No consumer type or project {shown} found."

    def __init__(self, of):
        super().__init__(of=of, shown=legible(of))


class NoSuchHost(InvalidValue):
    """A query names a `host`, but no root provider has this uuid or name.

    Raised by candidates/fits/fit.py, candidates/fits/mix.py, candidates/plans/evacuation.py and
    candidates/why/explain.py.
    """

    sentence = "No root provider with uuid or name {shown} found."

    def __init__(self, host):
        super().__init__(host=host, shown=legible(host))


class NoSuchProvider(InvalidValue):
    """A query names a `provider`, but no provider has, or is known to have had, this uuid or name.

    Raised by handlers/operator/changes.py.
    """

    sentence = (
        "No provider with uuid or name {shown} found, and none in the changes that are kept."
    )

    def __init__(self, provider):
        super().__init__(provider=provider, shown=legible(provider))


class UnknownTraits(InvalidValue):
    """A query names traits that do not exist: `names`, a sequence.

    Raised by objects/resource_provider.py, for a list of providers. Made by
    candidates/resolution.py, for a search.
    """

    sentence = _NO_SUCH_TRAITS

    def __init__(self, names):
        super().__init__(names=names, listed=", ".join(sorted(names)))


class UnknownTraitsInBody(InvalidValue):
    """A body names traits that do not exist: `names`, a sequence. Raised by objects/trait.py."""

    sentence = "No such trait {listed}"

    def __init__(self, names):
        super().__init__(names=names, listed=", ".join(sorted(names)))


class UnknownResourceClass(InvalidValue):
    """A query or a body names the class `name`, which does not exist.

    Raised by objects/resource_class.py and candidates/fits/fit.py.
    """

    sentence = "No such resource class {shown}."

    def __init__(self, name):
        super().__init__(name=name, shown=legible(name))


class UnknownResourceClassInQuery(UnknownResourceClass):
    """The query of a search names an unknown class in the parameter called `parameter`.

    Made by candidates/resolution.py.
    """

    sentence = "Invalid resource class in {parameter} parameter: " + UnknownResourceClass.sentence

    def __init__(self, name, parameter):
        super().__init__(name)
        self.parameter = parameter


class RequestTooLarge(InvalidValue):
    """A request has more than `most` of `what`: it has `found`.

    Raised by objects/claims/resolution.py and objects/reshape.py.
    """

    sentence = "One request may have at most {most} {what}, and this one has {found}."


# Resource providers


class ResourceProviderNotFound(NotFound):
    """The path names the provider `uuid`, which does not exist; `wording` may end the sentence.

    Raised by objects/resource_provider.py.
    """

    sentence = "No resource provider with uuid {uuid} found{wording}"

    def __init__(self, uuid, wording=""):
        super().__init__(uuid=uuid, wording=wording)


class UnknownProviderInReshape(InvalidValue):
    """The inventories of a reshape name the provider `uuid`, which does not exist.

    The answer is 400, with the code PROVIDER_NOT_FOUND.

    Raised by objects/reshape.py.
    """

    sentence = (
        "Resource provider {uuid} in inventories not found: "
        "No resource provider with uuid {uuid} found"
    )


class UnknownProviderInAllocation(InvalidValue):
    """An allocation names the provider `uuid`, which does not exist.

    Raised by objects/claims/writing.py.
    """

    sentence = "Allocation for resource provider '{uuid}' that does not exist."


class InvalidProviderTree(InvalidValue):
    """The requested parent is not possible; `reason` says why.

    Raised by objects/resource_provider.py.
    """

    sentence = "{reason}"


class ProviderNameRequired(InvalidValue):
    """A provider cannot be created with an empty name. Raised by objects/resource_provider.py."""

    sentence = "name is required"


class DuplicateProvider(Conflict):
    """Another provider already has the requested name or uuid (duplicate_name).

    `taken` is a list with what it has, such as "name: x" or "uuid: y".

    Raised by objects/resource_provider.py.
    """

    sentence = "Conflicting resource provider {listed} already exists."

    def __init__(self, taken):
        super().__init__(taken=taken, listed=", ".join(taken))


class CannotDeleteParent(Conflict):
    """The provider `uuid` has children (cannot_delete_parent).

    Raised by objects/resource_provider.py.
    """

    sentence = "Unable to delete parent resource provider {uuid}: It has child resource providers."


class ProviderInUse(Conflict):
    """The provider `uuid` has allocations (resource_provider.inuse).

    Raised by objects/resource_provider.py.
    """

    sentence = "Unable to delete resource provider {uuid}: Resource provider has allocations."


class ProviderGenerationConflict(ConcurrentUpdate):
    """A write gave the generation `given` for a provider (`uuid`, `name`) that is at `actual`.

    The client should read the provider again, and retry.

    Raised by objects/generational.py.
    """

    sentence = "resource provider generation conflict"
    record = (
        "Conflict: generation {given} was given for provider {name!r} ({uuid}), which is at "
        "{actual}."
    )


class ReshapeGenerationConflict(ProviderGenerationConflict):
    """A ProviderGenerationConflict with the message for reshapes.

    Raised by objects/generational.py, when objects/reshape.py asks for it.
    """

    sentence = (
        "resource provider generation conflict for provider {uuid}: "
        "actual: {actual}, given: {given}"
    )


class ProviderGenerationChanged(ProviderGenerationConflict):
    """A ProviderGenerationConflict with the message for aggregates and traits.

    Raised by objects/generational.py, when handlers/aggregate.py or handlers/trait.py asks for it.
    """

    sentence = (
        "Resource provider's generation already changed. "
        "Please update the generation and try again."
    )


# Inventories


class InvalidInventoryCapacity(InvalidValue):
    """The inventory of `class_name` on the provider `uuid` would have too little capacity.

    reason   the words of openstack-placement, which blame the reserved amount even if
             the ratio is too low
    formula  how the capacity is computed, in numbers

    Raised by objects/inventory.py.
    """

    sentence = "Invalid inventory for '{class_name}' on resource provider '{uuid}'. {reason}"

    def __init__(self, class_name, uuid, reason, formula):
        super().__init__(
            class_name=class_name,
            uuid=uuid,
            reason=reason,
            cause=f"The capacity of {class_name} is too small: {formula}.",
        )


class InventoryClassNotFound(NotFound):
    """The path of an inventory to replace names a class that does not exist (404).

    Raised by objects/inventory.py.
    """

    sentence = "No such resource class {name}."


class InventoryNotFound(NotFound):
    """The provider has no inventory of `class_name`; `wording` is the rest of the sentence.

    Raised by objects/inventory.py.
    """

    sentence = "No inventory of class {class_name} {wording}"


class InventoryMissing(InvalidValue):
    """The request would replace an inventory that the provider does not have.

    Raised by objects/inventory.py.
    """

    sentence = (
        "No inventory record with resource class for resource provider {uuid}: "
        "No inventory of class {class_name} found."
    )


class InventoryExists(ConcurrentUpdate):
    """The provider has an inventory of `class_name` already. Raised by objects/inventory.py."""

    sentence = "Update conflict: Inventory of class {class_name} already exists."
    record = "Conflict: an inventory of {class_name} could not be added, as it already exists."


class InventoryInUse(Conflict):
    """The inventories of `class_names` on the provider `uuid` have allocations (inventory.inuse).

    Clients look for this sentence in answers.

    Raised by objects/inventory.py.
    """

    sentence = "Inventory for '{listed}' on resource provider '{uuid}' in use."

    def __init__(self, uuid, class_names):
        super().__init__(uuid=uuid, class_names=class_names, listed=", ".join(class_names))


# Traits and resource classes


class TraitNotFound(NotFound):
    """The path names the trait `name`, which does not exist. Raised by objects/trait.py."""

    sentence = _NO_SUCH_TRAITS

    def __init__(self, name):
        super().__init__(name=name, listed=name)


class InvalidTraitName(InvalidValue):
    """The path names a trait that cannot be created. Raised by handlers/trait.py.

    The trait's name does not match schemas.common.CUSTOM_NAME.
    """

    sentence = (
        "The trait is invalid. A valid trait must be no longer than "
        f"{constants.MAX_NAME} characters, "
        f'start with the prefix "{constants.CUSTOM}" and use following characters: '
        '"A"-"Z", "0"-"9" and "_"'
    )


class StandardTrait(InvalidValue):
    """A request would delete the standard trait `name`. Raised by objects/trait.py."""

    sentence = "Cannot delete standard trait {name}."


class TraitInUse(Conflict):
    """The trait `name` is on some provider. Raised by objects/trait.py."""

    sentence = "The trait {name} is in use by a resource provider."


class ResourceClassNotFound(NotFound):
    """The path names the class `name`, which does not exist.

    Raised by objects/resource_class.py.
    """

    sentence = "No such resource class {name}."


class StandardResourceClass(InvalidValue):
    """A request would change the standard class `name`; `verb` is "update" or "delete".

    Raised by objects/resource_class.py.
    """

    sentence = "Cannot {verb} standard resource class {name}."


class ResourceClassExists(Conflict):
    """A request would create a class with the name of another.

    Raised by objects/resource_class.py.
    """

    sentence = "Conflicting resource class already exists: {name}"


class ResourceClassNameTaken(Conflict):
    """A request would give a class the name of another. Raised by objects/resource_class.py."""

    sentence = "Resource class already exists: {name}"


class ResourceClassInUse(Conflict):
    """Some provider has an inventory of the class `name`. Raised by objects/resource_class.py."""

    sentence = "Cannot delete resource class {name}. Class is in use in inventory."


# Consumers and allocations

_NOT_ALLOCATED = "Unable to allocate inventory: "
_NOT_ALLOCATED_FROM = (
    _NOT_ALLOCATED
    + "Unable to create allocation for '{class_name}' on resource provider '{uuid}'. "
)


class MalformedConsumer(InvalidValue):
    """The consumer in the path of an allocation write is not a uuid.

    Raised by handlers/allocation.py.
    """

    sentence = "Malformed consumer_uuid: {uuid}"


class ConsumerGenerationConflict(ConcurrentUpdate):
    """A write gave the generation `given` for the consumer `uuid`, which is at `expected`.

    `expected` is "null" if the consumer does not exist. The client should read the consumer again,
    and retry.

    Raised by objects/claims/consumers.py.
    """

    sentence = "consumer generation conflict - expected {expected} but got {given}"
    record = "Conflict: generation {given} was given for consumer {uuid}, which is at {expected}."


class NoAllocations(NotFound):
    """The consumer `uuid` has no allocations to delete. Raised by objects/claims/writing.py."""

    sentence = "No allocations for consumer '{uuid}'"


class InventoryLacking(Conflict):
    """The provider (`uuid`, `name`) has no inventory of `class_name`, needed by `consumer_uuid`.

    Raised by objects/claims/refusal.py.
    """

    sentence = (
        _NOT_ALLOCATED + "Inventory for '{class_name}' on resource provider '{uuid}' invalid."
    )
    record = (
        "Claim refused: consumer {consumer_uuid} needs {class_name} of provider {name!r} ({uuid}), "
        "which has no inventory of it."
    )


class UnitsViolated(Conflict):
    """An amount of `class_name` on a provider (`uuid`, `name`) breaks the inventory's units.

    consumer_uuid, needed: which consumer asked for how much
    min_unit, max_unit, step_size: those of the inventory

    Raised by objects/claims/refusal.py.
    """

    # These are the words of openstack-placement. The record has the amount and the units.
    sentence = _NOT_ALLOCATED_FROM + "The requested amount would violate inventory constraints."
    record = (
        "Claim refused: consumer {consumer_uuid} needs {needed} {class_name} of provider "
        "{name!r} ({uuid}), which its units do not allow: min_unit {min_unit}, max_unit "
        "{max_unit}, step_size {step_size}."
    )


class CapacityExceeded(Conflict):
    """Too little of `class_name` is left on the provider (`uuid`, `name`).

    consumer_uuid, needed: which consumer asked for how much
    used: what all others use, plus what comes earlier in the same request
    capacity: that of the inventory

    Raised by objects/claims/refusal.py.
    """

    sentence = _NOT_ALLOCATED_FROM + "The requested amount would exceed the capacity."
    record = (
        "Claim refused: consumer {consumer_uuid} needs {needed} {class_name} of provider "
        "{name!r} ({uuid}), where others use {used} of {capacity}."
    )


class AllocationsChanged(ConcurrentUpdate):
    """Other writers kept changing the same allocations until the retries ended.

    Made by objects/retry_requests.py, for objects/claims/.
    """

    sentence = "Inventory and/or allocations changed while attempting to allocate: {reason}"
    record = "Conflict: a claim was given up after several attempts: {reason}."
