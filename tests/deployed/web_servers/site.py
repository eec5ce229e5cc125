"""What all web servers in front of the service need: an https URL, and a certificate for it."""

import dataclasses
import os
import pathlib
import re
import shlex
import socket
import subprocess
import textwrap

CHECKOUT = str(pathlib.Path(__file__).parents[3])

# The address, and the directory, in the configurations that are shipped.
ADDRESS = "127.0.0.1:8778"
DIRECTORY = "/opt/placement/share/placement"

SHIPPED = pathlib.Path(CHECKOUT, "etc", "placement")
_DOCUMENTATION = pathlib.Path(CHECKOUT, "doc", "how-to")
# A directive, and the lines that are indented more than it.
_BLOCK = re.compile(r"^( *)\.\. code-block:: \w+\n\n((?:(?:\1 +\S.*)?\n)+)", re.MULTILINE)

PATH = f"{os.environ.get('PATH', '')}:/usr/sbin"


@dataclasses.dataclass(frozen=True)
class Site:
    """A running web server: its https URL, without a path, and the file of its certificate."""

    url: str
    certificate: str


def sample(name, placement_url):
    """Return a configuration that the project ships, for a service at this URL."""
    return for_service((SHIPPED / name).read_text(), placement_url)


def recipes(page, beginning):
    """Return the blocks of a page of doc/how-to that begin like this."""
    text = (_DOCUMENTATION / page).read_text()
    blocks = (textwrap.dedent(block) for _, block in _BLOCK.findall(text))
    return [block for block in blocks if block.startswith(beginning)]


def gunicorn_at_a_mount_point():
    """Return the options of the documented command."""
    [command] = recipes("web-server.rst", "gunicorn ")
    one_line = command.replace("\\\n", "").replace(DIRECTORY, str(SHIPPED))
    _, *options, _ = shlex.split(one_line)
    return options


def uwsgi_at_a_mount_point():
    """Return the text of the shipped settings of uWSGI, changed as documented."""
    [changes] = recipes("web-server.rst", "# The scheme of the web server.")
    shipped = (SHIPPED / "uwsgi.ini").read_text().splitlines(keepends=True)
    kept = [line for line in shipped if not line.startswith(("http-var =", "module ="))]
    return "".join([*kept, changes])


def for_service(configuration, placement_url):
    """Return a configuration for a service at this URL, with the files of this checkout."""
    address = placement_url.removeprefix("http://")
    return configuration.replace(ADDRESS, address).replace(DIRECTORY, str(SHIPPED))


def adapted(recipe, changes):
    """Return a recipe with each text of {text: replacement} replaced; all must be in it."""
    for written, here in changes.items():
        if written not in recipe:
            raise ValueError(f"{written!r} is not in the recipe:\n{recipe}")
        recipe = recipe.replace(written, here)
    return recipe


def running_on(port, directory):
    """Return the Site that has the certificate in a directory."""
    return Site(
        url=f"https://127.0.0.1:{port}",
        certificate=os.path.join(directory, "certificate.pem"),
    )


def connect(port):
    """Raises: OSError until the site can be reached."""
    socket.create_connection(("127.0.0.1", port), timeout=1).close()


def make_certificate(directory):
    """Make certificate.pem and key.pem in a directory."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
        + ["-keyout", "key.pem", "-out", "certificate.pem"],
        cwd=directory,
        check=True,
        capture_output=True,
    )
