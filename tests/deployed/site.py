"""What every web server in front of the service has: an https URL, and a certificate for it."""

import dataclasses
import os
import socket
import subprocess

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The address in the configurations that are shipped, replaced by that of the server that is used.
ADDRESS = "http://127.0.0.1:8778"

PATH = f"{os.environ.get('PATH', '')}:/usr/sbin"


@dataclasses.dataclass(frozen=True)
class Site:
    """A running web server: its https URL, without a path, and the file of its certificate."""

    url: str
    certificate: str


def sample(name, placement_url):
    """Return a configuration that the project ships, for a service at this URL."""
    with open(os.path.join(CHECKOUT, "etc", "placement", name)) as lines:
        return lines.read().replace(ADDRESS, placement_url)


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
