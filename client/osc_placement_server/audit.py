"""openstack placement audit."""

from cliff import columns

from osc_placement_server import report, text


class AuditLedger(report.Report):
    """Check whether the ledger of the placement service is right.

    Each row is a check, with how much it found: faults, or facts, such as a capacity that is
    exceeded because an allocation ratio was lowered. To repair what can be repaired, run
    'placement-manage audit --repair' on a server.

    Show up to ten examples of what each check found:

      $ openstack placement audit --show examples

    The exit status is 0 if there is no fault, and 1 otherwise.
    """

    path = "/operator/audit"
    views = ("checks", "examples")

    def query(self, options):
        return []

    def sentences(self, document):
        found = [each for each in document["checks"] if each["count"]]
        said = [f"{each['check']}: {each['question']}: {each['count']:,}." for each in found]
        if not document["is_sound"]:
            return [*said, "The ledger is not right."]
        facts = ": the findings are facts, not faults" if found else ""
        return [*said, f"The ledger is right{facts}."]

    def is_well(self, document):
        return document["is_sound"]

    def show_checks(self, document, options):
        return report.table(
            document["checks"],
            ("check", "found", "kind", "is_repairable"),
            found=lambda check: check["count"],
            kind=lambda check: "fault" if check["is_fault"] else "fact",
        )

    def show_examples(self, document, options):
        return ("check", "example"), [
            (check["check"], Example(example))
            for check in document["checks"]
            for example in check["examples"]
        ]


class Example(columns.FormattableColumn):
    """The details of a finding, {name: value}, shown in tables as one line."""

    def human_readable(self):
        facts = (f"{name} {value}" for name, value in self._value.items())
        return text.printable(", ".join(facts))
