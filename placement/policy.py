"""Who may do what: the policy of one application, and its decisions."""

import functools
import time

from oslo_config import cfg
from oslo_policy import opts as oslo_policy
from oslo_policy import policy

from placement import conf, policies

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
        values = context.to_policy_values()
        refusal = self._remembered_refusal(
            int(time.monotonic()),
            rule,
            tuple(target.items()),
            tuple(_hashable(item) for item in values.items()),
        )
        if refusal is not None:
            raise Denied(refusal)

    def _refusal(self, _second, rule, target, caller):
        """Return why `rule` does not allow it, or None if it does."""
        try:
            self._enforcer.authorize(rule, dict(target), dict(caller), do_raise=True)
        except policy.InvalidScope:
            return rule
        except policy.PolicyNotAuthorized:
            return f"Policy does not allow {rule} to be performed."
        return None


def _hashable(item):
    name, value = item
    return name, tuple(value) if isinstance(value, list) else value


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
