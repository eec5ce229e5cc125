"""The name of this service for pip, and what must not be installed beside it."""

from importlib import metadata

NAME = "placement-server"
# The other implementation. Its import package has the same name, so its files have the same paths.
OTHER = "openstack-placement"


class BothInstalled(Exception):
    """The files of two distributions are mixed in one directory."""

    def __init__(self):
        super().__init__(
            f"{OTHER} is installed beside {NAME}, and one has overwritten files of the other: "
            f"run 'pip uninstall {OTHER} {NAME}', and install {NAME} again."
        )


def version():
    """Return the version that pip has installed."""
    return metadata.version(NAME)


def check_alone():
    """Check that no distribution has overwritten files of this one. Raises: BothInstalled."""
    try:
        metadata.distribution(OTHER)
    except metadata.PackageNotFoundError:
        return
    raise BothInstalled
