"""A web server in front of the service: nginx, with TLS, on the loopback interface."""

import contextlib
import dataclasses
import grp
import os
import pwd
import shutil
import socket
import subprocess
import tempfile

from tests import server

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLE = os.path.join(CHECKOUT, "etc", "placement", "nginx.conf")

# The address in SAMPLE, replaced by that of the server that is used.
ADDRESS = "http://127.0.0.1:8778"

PROGRAM = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")

CONFIGURATION = """
daemon off;
worker_processes 1;
user {user} {group};
pid {directory}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {directory}/client_body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    scgi_temp_path {directory}/scgi;
    uwsgi_temp_path {directory}/uwsgi;
    {upstreams}
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {directory}/certificate.pem;
        ssl_certificate_key {directory}/key.pem;
        {locations}
    }}
}}
"""


@dataclasses.dataclass(frozen=True)
class Site:
    """A running nginx: its https URL, without a path, and the file of its certificate."""

    url: str
    certificate: str


def upstream(name, urls):
    """Return the configuration by which http://NAME means the servers at these URLs, in turn."""
    servers = " ".join(f"server {url.removeprefix('http://')};" for url in urls)
    return f"upstream {name} {{ {servers} }}"


def sample_locations(placement_url):
    """Return the configuration that the project ships, for a service at this URL."""
    with open(SAMPLE) as sample:
        return sample.read().replace(ADDRESS, placement_url)


@contextlib.contextmanager
def site(locations, upstreams=""):
    """Give the Site that has these `location` and `upstream` blocks, and stop it at the end."""
    with tempfile.TemporaryDirectory() as directory:
        _make_certificate(directory)
        port = server.free_port()
        configuration = os.path.join(directory, "nginx.conf")
        with open(configuration, "w") as lines:
            lines.write(
                CONFIGURATION.format(
                    user=pwd.getpwuid(os.geteuid()).pw_name,
                    group=grp.getgrgid(os.getegid()).gr_name,
                    directory=directory,
                    port=port,
                    locations=locations,
                    upstreams=upstreams,
                )
            )
        log = os.path.join(directory, "nginx.log")
        command = [PROGRAM, "-p", directory, "-c", configuration, "-e", "stderr"]
        with server.process(command, log) as nginx:
            server.wait_for(lambda: _connect(port), nginx, log)
            yield Site(
                url=f"https://127.0.0.1:{port}",
                certificate=os.path.join(directory, "certificate.pem"),
            )


def _connect(port):
    socket.create_connection(("127.0.0.1", port), timeout=1).close()


def _make_certificate(directory):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
        + ["-keyout", "key.pem", "-out", "certificate.pem"],
        cwd=directory,
        check=True,
        capture_output=True,
    )
