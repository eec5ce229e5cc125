"""The names of hosts in rows: for people, those that nova has disabled are marked."""

from cliff import columns

from osc_placement_server import text


class Marked(columns.FormattableColumn):
    """One or more names, in two forms: only tables show the one with marks."""

    def __init__(self, plain, marked):
        super().__init__(plain)
        self._marked = marked

    def human_readable(self):
        return self._marked

    def printable(self):
        """Return the same without characters that would control a terminal."""
        return Marked(text.printable(self._value), text.printable(self._marked))


def of(host):
    """Return the name of a host in an answer, or None if it has none."""
    return None if host["name"] is None else of_all([host])


def of_all(hosts):
    """Return one cell with the names of several hosts in an answer."""
    return Marked(", ".join(each["name"] for each in hosts), ", ".join(map(_marked, hosts)))


def _marked(host):
    return f"{host['name']} (disabled)" if host.get("disabled") else host["name"]
