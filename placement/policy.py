"""Who may do what: the policy of one application, and its decisions.

Source: doc/reference/policy.rst.
"""

import functools
import operator
import threading
import time

from oslo_config import cfg
from oslo_log import log
from oslo_policy import opts as oslo_policy
from oslo_policy import policy

from placement import conf
from placement.policies import servers
from placement.policies.files import PolicyFiles, Unreadable, enforcer
from placement.policies.rule_text import CALLER

LOG = log.getLogger(__name__)

_caller_values = operator.attrgetter(*CALLER)

# How many different decisions are cached; each takes a few hundred bytes.
REMEMBERED_VERDICTS = 1024

# If a server that new rules name did not answer, the rules are tried again after this many seconds.
TRY_AGAIN = 10


class Denied(Exception):
    """Policy does not allow the caller to do what the message names.

    The message names a rule; its default is in policies/operations.py.
    cause: a sentence for the request log, on one line
    """

    def __init__(self, message, cause):
        super().__init__(message)
        self.cause = cause


class Undecidable(Exception):
    """A check raised an exception: for instance, the server of an http: check did not answer."""


class Policy:
    """The rules of the service, as the operator's policy files change them.

    A decision is cached for at most a second, because oslo.policy takes longer to decide than
    many requests take as a whole. The files are also checked at most once a second. While they
    cannot be read, the previous rules apply. The same is true while they name a new server for
    http: checks and that server does not answer.
    """

    def __init__(self, configuration):
        """Raises: Unreadable."""
        self._files = PolicyFiles(configuration)
        self._state = self._files.state()
        self._enforcer = self._files.load()
        # What is wrong with the files now: (their state, a sentence), or None.
        self._fault = None
        self._looked_at = time.monotonic()
        # When to read the same files again: a moment of time.monotonic(), or None.
        self._try_again_at = None
        self._lock = threading.Lock()
        # The gauge that show_on() was given.
        self._gauge = None
        self._remembered_refusal = functools.lru_cache(REMEMBERED_VERDICTS)(self._refusal)
        for name in self._files.misnamed():
            LOG.error("The policy file %s does not exist; the defaults apply.", name)
        # `silence` is a sentence about a server for http: checks that does not answer.
        if silence := servers.unanswered(servers.asked_by(self._enforcer.rules)):
            LOG.error("Policy cannot decide some requests, which get 503: %s.", silence)
        self._log_doubts()

    def authorize(self, rule, target, context):
        """Check that policy lets the caller of `context` do what `rule` guards, on `target`.

        `rule` is the name of a rule, such as "placement:usages", and `target` is {name: string},
        such as {"project_id": ...}.
        Raises: Denied if policy does not allow it; Undecidable.
        """
        # The arguments are the key of a cache, so all of them must be hashable. The present
        # second is one of them, so a decision is remembered for at most a second.
        refusal = self._remembered_refusal(
            int(time.monotonic()),
            rule,
            tuple(target.items()),
            tuple(
                tuple(value) if isinstance(value, list) else value
                for value in _caller_values(context)
            ),
        )
        if refusal is not None:
            raise Denied(*refusal)

    def is_readable(self):
        """Return whether the rules are those now in the files, and not older ones."""
        self._read_if_changed()
        return self._fault is None

    def show_on(self, gauge):
        """From now on, keep a prometheus-client gauge at 1 while a file is unreadable, else 0."""
        self._gauge = gauge
        gauge.set(self._fault is not None)

    def _refusal(self, _second, rule, target, caller):
        """Return the arguments of Denied, or None if `rule` does not deny the request.

        `target` has pairs of name and value, and `caller` the values of the attributes in CALLER.
        Raises: Undecidable.
        """
        self._read_if_changed()
        target = dict(target)
        values = dict(zip(CALLER, caller, strict=True))
        try:
            self._enforcer.authorize(rule, target, values, do_raise=True)
        except policy.InvalidScope:
            return rule, self._wrong_scope(rule, values)
        except policy.PolicyNotAuthorized:
            return f"Policy does not allow {rule} to be performed.", _denial(rule, target, values)
        except Exception as error:
            # An http: check may raise exceptions of several libraries, so this catches all.
            raise Undecidable(f"{rule}: {type(error).__name__}") from error
        return None

    def _wrong_scope(self, rule, caller):
        """Return the sentence about a caller whose token has the wrong scope."""
        # Every rule takes tokens of project scope, so this token has another scope.
        scope = "system" if caller["system_scope"] else "domain"
        taken = " or ".join(self._enforcer.registered_rules[rule].scope_types)
        return f"Policy denies {rule} to a token of {scope} scope; it takes tokens of {taken} scope"

    def _read_if_changed(self):
        """Read the files again if they have changed, at most once a second."""
        # A cached decision is only used within one whole second. So the first decision in each
        # second checks the files, even if they were last checked only a moment before.
        if int(time.monotonic()) == int(self._looked_at) or not self._lock.acquire(blocking=False):
            return
        try:
            self._looked_at = time.monotonic()
            state = self._files.state()
            if state != self._state or self._is_time_to_try_again():
                self._state = state
                self._read()
        finally:
            self._lock.release()

    def _is_time_to_try_again(self):
        return self._try_again_at is not None and self._looked_at >= self._try_again_at

    def _read(self):
        """Use the rules in the files from now on or, if these cannot be used, the previous ones."""
        fault, self._try_again_at = None, None
        try:
            enforcer = self._files.load()
        except Unreadable as error:
            fault = self._state, str(error)
        else:
            new_urls = servers.asked_by(enforcer.rules) - servers.asked_by(self._enforcer.rules)
            if silence := servers.unanswered(new_urls):
                fault = self._state, f"{silence}."
                self._try_again_at = self._looked_at + TRY_AGAIN
        # This is outside the except clause: inside, oslo.log would add the exception to the line.
        if fault is None:
            self._enforcer = enforcer
            LOG.info("The policy files have changed, and were read again.")
            self._log_doubts()
        elif fault != self._fault:
            LOG.error("The previous policy stays in force: %s", fault[1])
        self._fault = fault
        if self._gauge is not None:
            self._gauge.set(fault is not None)

    def _log_doubts(self):
        for doubt in self._files.doubts:
            LOG.warning("%s", doubt)


def _denial(rule, target, caller):
    """Return the sentence about a caller who lacks a role, or asks about another project.

    For instance: "Policy denies placement:usages to a caller with the roles: reader".
    """
    own, asked = caller["project_id"], target.get("project_id")
    roles = ", ".join(sorted(caller["roles"])) or "none"
    if asked == own:
        return f"Policy denies {rule} to a caller with the roles: {roles}"
    return (
        f"Policy denies {rule} for {_project(asked)} to a caller of {_project(own)} with the "
        f"roles: {roles}"
    )


def _project(project_id):
    """Return words for a project. Its id is from the client, so repr() keeps it on one line."""
    return f"project {project_id!r}" if project_id else "no project"


def enforcer_for_tools():
    """Return the Enforcer that oslo.policy's command-line tools ask for."""
    configuration = conf.for_policy_tools()
    # oslopolicy-validator opens the file that the global configuration names.
    oslo_policy.set_defaults(cfg.CONF)
    name = configuration.oslo_policy.policy_file
    cfg.CONF.set_override("policy_file", configuration.find_file(name) or name, "oslo_policy")
    return enforcer(configuration)
