"""Who may do what: the enforcer of one application, and its verdicts."""

from oslo_config import cfg
from oslo_policy import opts as policy_opts
from oslo_policy import policy

from placement import policies


class Denied(Exception):
    """Policy does not allow the caller what the message says."""


def enforcer(conf):
    """Return an Enforcer of the service's rules, with the operator's policy files loaded.

    Raises: ValueError if a policy file is not YAML.
    """
    policy_opts.set_defaults(conf)
    result = policy.Enforcer(conf)
    # The defaults have predecessors since Wallaby; nobody needs to be told any more.
    result.suppress_default_change_warnings = True
    result.register_defaults(policies.list_rules())
    result.load_rules()
    return result


def authorize(rules, rule, target, context):
    """Do nothing if `rules` (an Enforcer) allow the caller `rule` on `target`.

    Raises: Denied.
    """
    try:
        allowed = rules.authorize(rule, target, context, do_raise=True)
    except policy.InvalidScope as error:
        raise Denied(rule) from error
    except policy.PolicyNotAuthorized as error:
        raise Denied(f"Policy does not allow {rule} to be performed.") from error
    return allowed


def enforcer_for_tools():
    """Return the Enforcer that oslo.policy's command-line tools ask for.

    They have parsed their options into the global configuration before.
    """
    return enforcer(cfg.CONF)
