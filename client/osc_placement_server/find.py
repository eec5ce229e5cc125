"""openstack placement find."""

from osc_placement_server import host_names, report


class FindByName(report.Report):
    """Find what has a name or UUID that begins with a text.

    Hosts, other providers, consumers, projects, aggregates, traits and resource
    classes are found. Traits and classes are found by any part of their names.

    What is 41d8a6f2?

      $ openstack placement find 41d8a6f2

    The exit status is 0 if something is found, and 1 otherwise.
    """

    path = "/operator/find"
    views = ("found",)

    def add_arguments(self, parser):
        parser.add_argument("text", metavar="<text>", help="The beginning of a name or UUID.")

    def query(self, options):
        return [("q", options.text)]

    def sentences(self, document):
        # A service of an older release does not have this field.
        return document.get("notes", [])

    def is_well(self, document):
        return bool(document["found"])

    def show_found(self, document, options):
        columns = ("kind", "id", "name", "hosts", "project_id", "consumer_type")
        owners = {"project_id": None, "consumer_type": None}
        found = [owners | each for each in document["found"]]
        return report.table(found, columns, name=_name, hosts=_hosts)


def _name(found):
    """Return the name of what was found, marked if it is a disabled host."""
    itself = [each for each in found.get("hosts", []) if each["uuid"] == found["id"]]
    return host_names.of(found | {"disabled": any(each.get("disabled") for each in itself)})


def _hosts(found):
    """Return the names of the hosts that a match is on, without the match itself."""
    hosts = found.get("hosts", [])
    return host_names.of_all([each for each in hosts if each["uuid"] != found["id"]])
