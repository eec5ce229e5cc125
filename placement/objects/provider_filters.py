"""Filters for a list of providers, as plain values; db/resource_providers.py applies them."""

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFilters:
    """Conditions on single providers; all must be met. One member of each set is enough."""

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
