"""The release notes as a page of text: `python -m doc.extensions.changelog` prints CHANGELOG.rst.

`reno report` prints the same, but until there is a first tag, its heading is 0.0.0.
"""

import logging
import pathlib
from importlib import metadata

from reno import config, formatter, loader

_CHECKOUT = pathlib.Path(__file__).parent.parent.parent

# What reno calls the version if the history has no tag at all.
_UNTAGGED = "0.0.0"


class _Notes(loader.Loader):
    """Notes by version. Those without a tag belong to the version in development."""

    def _load_data(self):
        super()._load_data()
        version = f"{metadata.version('placement-server')}, in development"
        self._scanner_output = {
            version if each == _UNTAGGED else each: files
            for each, files in self._scanner_output.items()
        }


def report(title=None):
    """Return all notes, in reStructuredText, newest version first."""
    # Otherwise, reno logs each note that it reads.
    logging.getLogger("reno").setLevel(logging.WARNING)
    conf = config.Config(str(_CHECKOUT))
    with _Notes(conf) as notes:
        return formatter.format_report(notes, conf, notes.versions, title, show_source=False)


if __name__ == "__main__":
    print(report("Changelog"))
