"""Rules that other rules are made of.

Deployments may have overridden these rules, so their names and defaults must not change.
"""

from oslo_policy import policy

SERVICE = "rule:service_api"
ADMIN_OR_SERVICE = "rule:admin_or_service_api"
ADMIN_OR_PROJECT_READER_OR_SERVICE = "rule:admin_or_project_reader_or_service_api"

# The rules below used to allow what this rule allows, and still do while [oslo_policy]
# enforce_new_defaults is false. Its name looks like a reference to a rule, and always has.
_PREDECESSOR = policy.DeprecatedRule(
    name="rule:admin_api",
    check_str="role:admin",
    deprecated_reason="Placement now distinguishes administrators, services and readers.",
    deprecated_since="W",
)

RULES = [
    policy.RuleDefault(
        "admin_api",
        "role:admin",
        description="Administrators. No other rule refers to this one.",
        scope_types=["project"],
    ),
    policy.RuleDefault(
        "service_api",
        "role:service",
        description="Services, which talk to each other.",
        scope_types=["project"],
        deprecated_rule=_PREDECESSOR,
    ),
    policy.RuleDefault(
        "admin_or_service_api",
        "role:admin or role:service",
        description="Administrators and services.",
        scope_types=["project"],
        deprecated_rule=_PREDECESSOR,
    ),
    policy.RuleDefault(
        "project_reader_api",
        "role:reader and project_id:%(project_id)s",
        description="Users with the role reader in the project that is asked about.",
        deprecated_rule=_PREDECESSOR,
    ),
    policy.RuleDefault(
        "admin_or_project_reader_or_service_api",
        "role:admin or rule:project_reader_api or role:service",
        description="Administrators, services, and readers of the project that is asked about.",
        scope_types=["project"],
        deprecated_rule=_PREDECESSOR,
    ),
]
