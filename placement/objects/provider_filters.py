"""Filters for a list of providers, by name."""

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFilters:
    """The conditions of db.resource_providers.Filters, before their names are looked up."""

    name: str | None = None
    uuid: str | None = None
    in_tree: str | None = None
    required: tuple[frozenset[str], ...] = ()
    forbidden: frozenset[str] = frozenset()
    member_of: tuple[frozenset[str], ...] = ()
    not_member_of: frozenset[str] = frozenset()
    resources: dict[str, int] = dataclasses.field(default_factory=dict)

    @property
    def have_names(self):
        """Whether there are names of traits, aggregates or classes, which are looked up first."""
        return bool(
            self.required
            or self.forbidden
            or self.member_of
            or self.not_member_of
            or self.resources
        )
