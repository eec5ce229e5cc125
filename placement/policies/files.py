"""The files with the operator's rules: whether they have changed, and what is wrong with them.

oslo.policy reads the files. This module finds the mistakes that would make oslo.policy fail later,
or silently fall back to the defaults.
"""

import collections
import graphlib
import os

import yaml
from oslo_policy import policy

from placement import policies
from placement.policies import rule_text


class Unreadable(ValueError):
    """Rules cannot be read, or make no sense; the message is a sentence without a newline."""


def enforcer(configuration, kind=policy.Enforcer):
    """Return an oslo.policy Enforcer of the service's rules, with its policy files loaded.

    `kind` is the class of the result, Enforcer or a subclass.

    Raises: whatever oslo.policy raises for a file that it cannot read.
    """
    result = kind(configuration)
    # The defaults changed in the Wallaby release; warnings about that are only noise now.
    result.suppress_default_change_warnings = True
    result.register_defaults(policies.list_rules())
    result.load_rules()
    return result


class _Unchecked(policy.Enforcer):
    """An Enforcer whose rules are checked in this module."""

    def check_rules(self, raise_on_violation=False):
        """Do nothing. oslo.policy would only warn, without naming a file; see _check_references."""
        return True


class PolicyFiles:
    """The policy file and the files of the policy directories that a configuration names.

    Attributes: doubts, sentences about probable mistakes in the rules that were loaded last.
    """

    def __init__(self, configuration):
        self.doubts = []
        self._configuration = configuration
        # The files that have been read: if one is gone, the defaults must not apply in its place.
        self._read = set()

    def state(self):
        """Return a value that changes when a file or its permissions change."""
        paths = self._read.union(self._found().values())
        return [(path, _stamp(path)) for path in sorted(paths)]

    def load(self):
        """Return an Enforcer of the rules as they are now, which never reads the files again.

        Raises: Unreadable.
        """
        paths = self._found()
        # A file that has been read must stay: without it, default rules might allow more.
        if gone := self._read.difference(paths.values()):
            raise Unreadable(f"{min(gone)} is gone.")
        # Name of a rule -> the last file that has it, from which oslo.policy takes the rule.
        origins, repeated = {}, []
        for name, path in paths.items():
            is_file = name == self._configuration.oslo_policy.policy_file
            for file in [path] if is_file else sorted(_files_of(path)):
                text = _text_of(file)
                origins |= dict.fromkeys(_names_in(file, text), file)
                repeated += _repeated_names_in(file, text)
        try:
            result = enforcer(self._configuration, _Unchecked)
        except Exception as error:
            raise Unreadable(f"The policy cannot be read: {_one_line(error)}") from error
        # A file may have lost rules since it was read above. If so, it will soon be read again.
        origins = {name: path for name, path in origins.items() if name in result.rules}
        _check_circles(result.rules, origins)
        _check_references(result.rules, origins)
        _check_decisions(result.rules, origins)
        _check_negations(result.rules, origins)
        self.doubts = [*repeated, *_doubts(result, origins)]
        # From now on, the Enforcer looks at no files.
        result.use_conf = False
        self._read = set(paths.values())
        return result

    def misnamed(self):
        """Return the paths that the operator has configured but that do not exist."""
        return [
            name
            for option, names in self._names().items()
            if self._configuration.get_location(option, "oslo_policy").location.is_user_controlled
            for name in names
            if not self._configuration.find_file(name)
        ]

    def _names(self):
        """Return {option: the names of files or directories that it has}."""
        options = self._configuration.oslo_policy
        return {"policy_file": [options.policy_file], "policy_dirs": options.policy_dirs}

    def _found(self):
        """Return {name: path} of the policy file and the policy directories, if they exist."""
        names = [name for each in self._names().values() for name in each]
        paths = {name: self._configuration.find_file(name) for name in names}
        return {name: path for name, path in paths.items() if path}


def _files_of(path):
    """Return [path] for a file; for a directory, the paths in it that oslo.policy reads.

    Raises: Unreadable.
    """
    try:
        if not os.path.isdir(path):
            return [path]
        return [
            entry.path
            for entry in os.scandir(path)
            if entry.is_file() and not entry.name.startswith(".")
        ]
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}.") from error


def _stamp(path):
    """Return a value that changes with a file, or with any file in a directory.

    The value is None while the path cannot be read.
    """
    try:
        return [_stamp_of_file(file) for file in sorted({path, *_files_of(path)})]
    except (OSError, Unreadable):
        return None


def _stamp_of_file(path):
    """Return a value that changes when the file, its name or its permissions change."""
    found = os.stat(path)
    # The ctime is the time of the last such change.
    return path, found.st_ctime_ns, found.st_size, found.st_ino


def _text_of(path):
    """Return the text of a file. Raises: Unreadable."""
    try:
        with open(path) as lines:
            return lines.read()
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise Unreadable(
            f"{path} is not text in {error.encoding}: {error.reason} in line {line}."
        ) from error


def _names_in(path, text):
    """Return the names of the rules in a file. Raises: Unreadable if one cannot be understood."""
    try:
        rules = yaml.safe_load(text) or {}
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Unreadable(f"{path} is not YAML: {_mistake_in_yaml(error)}.") from error
    if not isinstance(rules, dict):
        raise Unreadable(f"{path} is not a mapping of names to rules, such as 'name: rule'.")
    for name, rule in rules.items():
        if not isinstance(name, str):
            raise Unreadable(f"{path}: {name} is not the name of a rule, which is text.")
        mistake = rule_text.mistake_in(rule)
        if mistake is not None:
            raise Unreadable(f"{path}: the rule of {name!r} is {mistake}.")
    return list(rules)


def _mistake_in_yaml(error):
    """Return what the reader of YAML found wrong, and in which line if it says so."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return _one_line(error)
    # str(error) would quote the lines, and have "<unicode string>" in place of the file's path.
    mistake = f"{error.problem} in {_place(error.problem_mark)}"
    # If a bracket is never closed, the problem is only noticed later: say where it opens, too.
    if error.context is None or error.context_mark is None:
        return mistake
    return f"{mistake}, {error.context} from {_place(error.context_mark)}"


def _place(mark):
    return f"line {mark.line + 1}, column {mark.column + 1}"


def _repeated_names_in(path, text):
    """Return a sentence for each name that a readable file gives to several rules."""
    # compose() returns nodes: these keep repeated keys, which a dict would lose.
    rules = yaml.compose(text, Loader=yaml.SafeLoader)
    names = collections.Counter(name.value for name, _ in rules.value) if rules else {}
    return [
        f"{path}: there are {count} rules with the name {name!r}; the last one counts."
        for name, count in names.items()
        if count > 1
    ]


def _check_circles(rules, origins):
    """Raises: Unreadable if a rule refers to itself, directly or through others.

    `rules` is {name: check} of all rules, and `origins` is {name: path of its file}.
    """
    references = {name: set(rule_text.references(check)) for name, check in rules.items()}
    try:
        graphlib.TopologicalSorter(references).prepare()
    except graphlib.CycleError as error:
        # In graphlib's list, each rule is referred to by the next rule.
        circle = error.args[1][::-1]
        paths = ", ".join(sorted({origins[name] for name in circle if name in origins}))
        raise Unreadable(
            f"{paths}: rules refer to themselves in a circle: {' -> '.join(circle)}."
        ) from error


def _check_references(rules, origins):
    """Raises: Unreadable if a rule in a file refers to a rule that does not exist.

    `rules` is {name: check} of all rules, and `origins` is {name: path of its file}.
    """
    for name, path in origins.items():
        for referred in rule_text.references(rules[name]):
            # oslo.policy would use its default rule instead, even if the name is only misspelt.
            if referred not in rules:
                raise Unreadable(
                    f"{path}: the rule of {name!r} refers to {referred!r}, which does not exist."
                )


def _not_understood(path, name, reason):
    return Unreadable(f"{path}: the rule of {name!r} is not understood: {reason}.")


def _check_decisions(rules, origins):
    """Raises: Unreadable if a rule has a check that raises an exception for every request."""
    for name, path in origins.items():
        for reason in rule_text.never_decided(rules[name]):
            raise _not_understood(path, name, reason)


def _check_negations(rules, origins):
    """Raises: Unreadable if a rule allows every caller because of a check that is never met."""
    for name, path in origins.items():
        for reason in rule_text.always_met(rules[name], rules):
            raise _not_understood(path, name, reason)


def _doubts(enforcer, origins):
    """Yield a sentence for each rule that nothing uses, and each check that is never met.

    `origins` is {name of a rule: path of its file}, for all rules that are in files.
    """
    # The names of all rules that something uses.
    used = {enforcer.default_rule, *enforcer.registered_rules}
    for default in enforcer.registered_rules.values():
        if default.deprecated_rule:
            used.add(default.deprecated_rule.name)
    for check in enforcer.rules.values():
        used.update(rule_text.references(check))
    for name, path in origins.items():
        if name not in used:
            yield f"{path}: nothing uses the rule {name!r}; is its name right?"
        for reason in rule_text.never_met(enforcer.rules[name]):
            yield f"{path}: in the rule of {name!r}, {reason}."


def _one_line(error):
    return " ".join(str(error).split())
