"""Print the oldest versions that setup.cfg allows, as constraints for pip.

They cover what is installed with the service and the database drivers, not what only tests need.
"""

import configparser
import pathlib
import re
import sys

SETTINGS = pathlib.Path(__file__).parents[2] / "setup.cfg"
EXTRAS = ("mysql", "postgresql")


def requirements():
    """Return the requirements, as texts such as "webob>=1.8.8"."""
    settings = configparser.ConfigParser()
    settings.read(SETTINGS)
    texts = [settings["options"]["install_requires"]]
    texts += [settings["options.extras_require"][extra] for extra in EXTRAS]
    return "\n".join(texts).split()


if __name__ == "__main__":
    for requirement in requirements():
        sys.stdout.write(re.sub(r"\[.*\]", "", requirement).replace(">=", "==") + "\n")
