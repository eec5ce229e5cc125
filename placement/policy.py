"""Who may do what: the policy of one application, and its decisions."""

import functools
import operator
import time

from oslo_config import cfg
from oslo_policy import opts as oslo_policy
from oslo_policy import policy

from placement import conf, policies

# What rules can ask of a caller: attributes of its context. Read so, they take a tenth of the time
# of the mapping that oslo.context makes of them.
CALLER = (
    "user_id",
    "user_domain_id",
    "system_scope",
    "domain_id",
    "project_id",
    "project_domain_id",
    "roles",
    "is_admin_project",
    "service_user_id",
    "service_user_domain_id",
    "service_project_id",
    "service_project_domain_id",
    "service_roles",
)
_of_caller = operator.attrgetter(*CALLER)

# How many different decisions are cached, each of a few hundred bytes.
REMEMBERED_VERDICTS = 1024


class Denied(Exception):
    """Policy does not allow the caller what the message says."""


class Policy:
    """The rules of the service, as the operator's policy files change them.

    A decision is cached for at most a second, as oslo.policy takes longer to decide, and to see
    whether a file has changed, than many requests take altogether.
    """

    def __init__(self, configuration):
        """Raises: ValueError if a policy file is not YAML."""
        self._enforcer = enforcer(configuration)
        self._remembered_refusal = functools.lru_cache(REMEMBERED_VERDICTS)(self._refusal)

    def authorize(self, rule, target, context):
        """Do nothing if the caller of `context` may do on `target` what `rule` guards.

        `target` is a dict of text. Raises: Denied.
        """
        refusal = self._remembered_refusal(
            int(time.monotonic()),
            rule,
            tuple(target.items()),
            tuple(tuple(each) if isinstance(each, list) else each for each in _of_caller(context)),
        )
        if refusal is not None:
            raise Denied(refusal)

    def _refusal(self, _second, rule, target, caller):
        """Return why `rule` does not allow it, or None if it does."""
        try:
            values = dict(zip(CALLER, caller, strict=True))
            self._enforcer.authorize(rule, dict(target), values, do_raise=True)
        except policy.InvalidScope:
            return rule
        except policy.PolicyNotAuthorized:
            return f"Policy does not allow {rule} to be performed."
        return None


def enforcer(configuration):
    """Return an oslo.policy Enforcer of the service's rules, policy files loaded.

    Raises: ValueError if a policy file is not YAML.
    """
    result = policy.Enforcer(configuration)
    # The defaults have had predecessors since Wallaby; warnings about them are only noise now.
    result.suppress_default_change_warnings = True
    result.register_defaults(policies.list_rules())
    result.load_rules()
    return result


def enforcer_for_tools():
    """Return the Enforcer that oslo.policy's command-line tools ask for."""
    configuration = conf.for_policy_tools()
    # oslopolicy-validator opens the file that the global configuration names.
    oslo_policy.set_defaults(cfg.CONF)
    name = configuration.oslo_policy.policy_file
    cfg.CONF.set_override("policy_file", configuration.find_file(name) or name, "oslo_policy")
    return enforcer(configuration)
