"""A web server in front of the service: nginx, with TLS, on the loopback interface."""

import contextlib
import functools
import grp
import os
import pwd
import shutil
import tempfile

from tests import server
from tests.deployed.web_servers import site as sites

PROGRAM = shutil.which("nginx", path=sites.PATH)

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
    {server}
}}
"""

# The texts in the documented blocks that are replaced.
SEVERAL = ("192.0.2.11:8778", "192.0.2.12:8778", "192.0.2.13:8778")
INCLUSION = "include /opt/placement/share/placement/nginx.conf;"
PORT = "listen 443 ssl;"
CERTIFICATE = "/etc/ssl/cloud.example.org.pem"
KEY = "/etc/ssl/private/cloud.example.org.key"


sample_locations = functools.partial(sites.sample, "nginx.conf")


def upstream(urls):
    """Return the documented block by which http://placement means these three URLs, in turn."""
    [block] = sites.recipes("web-server.rst", "upstream placement {")
    addresses = (url.removeprefix("http://") for url in urls)
    return sites.adapted(block, dict(zip(SEVERAL, addresses, strict=True)))


def shipped(placement_url, rules="", settings=""):
    """Like site(), for a service at this URL, with `rules` beside the shipped ones.

    `settings` go outside of the `server` block.
    """
    return site(f"{sample_locations(placement_url)}\n{rules}", settings)


@contextlib.contextmanager
def site(locations, upstreams=""):
    """Yield the Site that has these `location` and `upstream` blocks, and stop it at the end."""
    if PROGRAM is None:
        raise FileNotFoundError("nginx is not installed")
    with tempfile.TemporaryDirectory() as directory:
        sites.make_certificate(directory)
        port = server.free_port()
        configuration = os.path.join(directory, "nginx.conf")
        with open(configuration, "w") as lines:
            lines.write(
                CONFIGURATION.format(
                    user=pwd.getpwuid(os.geteuid()).pw_name,
                    group=grp.getgrgid(os.getegid()).gr_name,
                    directory=directory,
                    upstreams=upstreams,
                    server=_server(port, directory, locations),
                )
            )
        log = os.path.join(directory, "nginx.log")
        command = [PROGRAM, "-p", directory, "-c", configuration, "-e", "stderr"]
        with server.process(command, log) as nginx:
            server.wait_for(functools.partial(sites.connect, port), nginx, log)
            yield sites.running_on(port, directory)


def _server(port, directory, locations):
    """Return the documented `server` block, with these locations in place of those it includes."""
    [block] = sites.recipes("install.rst", "server {")
    return sites.adapted(
        block,
        {
            PORT: f"listen 127.0.0.1:{port} ssl;",
            CERTIFICATE: f"{directory}/certificate.pem",
            KEY: f"{directory}/key.pem",
            INCLUSION: locations,
        },
    )
