"""What the text of a policy rule says, and where oslo.policy would silently misread it.

oslo.policy turns what it cannot read into a check that no caller passes. If a "not" precedes it,
every caller passes.
"""

import ast
import re

from oslo_policy import policy

# What rules can ask about a caller: attributes of its RequestContext. Reading them directly is ten
# times as fast as to_policy_values() of oslo.context.
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
# The kinds of checks on a caller. oslo.policy adds "system", another name for system_scope.
_KINDS = {*CALLER, "system"}
# What rules can ask about a request, as %(name)s.
TARGET = {"project_id": "", "user_id": ""}

_CONSTANTS = ("!", "@")
# The kinds of checks that ask a server -> the port of a URL that names none. The kind is the scheme
# of the URL; the rest of the URL follows the kind.
PORTS = {"http": 80, "https": 443}
# The letters that stand for operators in _mistake_in_text().
_SHAPES = {"and": "o", "or": "o", "not": "n"}
# oslo.policy's private class of checks on an attribute of the caller, such as
# project_id:%(project_id)s.
_GENERIC = type(policy.RuleDefault("any", "any:thing").check)


def mistake_in(rule):
    """Return why a value in a policy file is not a rule, such as "not text"; None if it is one."""
    if isinstance(rule, str):
        return _mistake_in_text(rule)
    if isinstance(rule, list):
        return next(filter(None, map(_mistake_in_alternative, rule)), None)
    # oslo.policy would read a false value, such as no or 0, as a rule that allows everything.
    return "not text"


def _mistake_in_text(text):
    """Return why text is not in oslo.policy's language; None if it is. "" is, and allows all."""
    # (opening brackets, word, closing brackets): "(role:admin" is ("(", "role:admin", "").
    words = [re.fullmatch(r"(\(*)(.*?)(\)*)", word).groups() for word in text.split()]
    for _, word, _ in words:
        if word and word.lower() not in _SHAPES and not _is_check(word):
            return f"not understood: {word!r} is not a check; a check looks like role:admin"
    # One letter for each word: c for a check, n for "not", o for "and" and "or". A "(c)", "nc" or
    # "coc" is a check, too, so text that makes sense shrinks to "c": "not (role:a or role:b)" is
    # n(coc), then n(c), nc and c.
    shape = "".join(opening + _shape(word) + closing for opening, word, closing in words)
    shorter = None
    while shape != shorter:
        shorter, shape = shape, re.sub(r"\(c\)|nc|coc", "c", shape)
    return None if shape == "c" or not text else f"not understood: {text!r}"


def _shape(word):
    """Return the letter for a word; "" for an empty word, left from brackets only."""
    return _SHAPES.get(word.lower(), "c") if word else ""


def _mistake_in_alternative(alternative):
    """Return why a member of a rule's list is neither a check nor a list of checks, or None."""
    checks = alternative if isinstance(alternative, list) else [alternative]
    for check in checks:
        if not isinstance(check, str) or not _is_check(check) or _SHAPES.keys() & check.split():
            return f"not understood: {check!r} is not a check; a check looks like role:admin"
    return None if checks else "not understood: it contains an empty list"


def _is_check(text):
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text in _CONSTANTS or (":" in text and not is_quoted)


def references(check):
    """Yield the names of the rules that a check refers to, however deeply nested."""
    if isinstance(check, policy.RuleCheck):
        yield check.match
    for part in _parts(check):
        yield from references(part)


def urls(check):
    """Yield the URLs that a check queries, however deeply nested; they may contain %(name)s."""
    if isinstance(check, policy.Check) and check.kind in PORTS:
        yield f"{check.kind}:{check.match}"
    for part in _parts(check):
        yield from urls(part)


def never_decided(check):
    """Yield a sentence without a full stop for each part of a check that always raises an error."""
    if reason := _failure(check):
        yield f"{check} cannot be decided: {reason}"
    for part in _parts(check):
        yield from never_decided(part)


def never_met(check):
    """Yield a sentence, without its full stop, for each part of a check that no request meets."""
    if reason := _reason(check):
        yield f"{check} is never met: {reason}"
    for part in _parts(check):
        yield from never_met(part)


def always_met(check, rules, is_negated=False):
    """Yield a sentence for each never-met part below a "not", because that "not" is always met.

    rules: {name: check} of the rules that the check may refer to; no rule leads back to itself
    is_negated: whether the check is itself somewhere below a "not"
    """
    if is_negated and (reason := _reason(check)):
        yield f"not {check} is always met: {reason}"
    if is_negated and isinstance(check, policy.RuleCheck):
        yield from always_met(rules[check.match], rules, is_negated)
    is_negated = is_negated or isinstance(check, policy.NotCheck)
    for part in _parts(check):
        yield from always_met(part, rules, is_negated)


def _parts(check):
    """Return the checks that a check is made of: "and" and "or" have `rules`, "not" has `rule`."""
    return [*getattr(check, "rules", ()), *filter(None, [getattr(check, "rule", None)])]


def _reason(check):
    """Return why no request can meet a single check; None if one can."""
    if not _is_single(check):
        return None
    if type(check) is _GENERIC and not _is_known(check.kind):
        return f"{check.kind} is not an attribute of callers"
    if not check.match:
        return "nothing follows the colon"
    try:
        # oslo.policy fills in %(name)s from the target.
        check.match % TARGET
    except KeyError as error:
        return _unknown(error)
    return None


def _failure(check):
    """Return why oslo.policy raises an exception for a single check, or None."""
    if not _is_single(check):
        return None
    try:
        # oslo.policy fills in %(name)s from the target.
        check.match % TARGET
    except KeyError as error:
        # A check that asks a server needs its whole URL. A check of another kind is just not met.
        return _unknown(error) if check.kind in PORTS else None
    except (TypeError, ValueError) as error:
        return str(error)
    return None


def _is_single(check):
    """Return whether a check is neither made of others nor a reference to a rule."""
    return isinstance(check, policy.Check) and not isinstance(check, policy.RuleCheck)


def _unknown(error):
    return f"{error.args[0]} is not an attribute of requests"


def _is_known(kind):
    """Return whether a kind is an attribute of callers, or a literal, such as 'a' in 'a':%(b)s."""
    if kind.partition(".")[0] in _KINDS:
        return True
    try:
        ast.literal_eval(kind)
    except (ValueError, SyntaxError):
        return False
    return True
