"""A web server in front of the service: Apache, with TLS, on the loopback interface."""

import contextlib
import functools
import grp
import os
import pwd
import shutil
import tempfile

from tests import server
from tests.deployed.web_servers import site as sites

PROGRAM = shutil.which("apache2", path=sites.PATH)
MODULES = "/usr/lib/apache2/modules"

# Apache refuses to serve as root.
USER = "www-data" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
GROUP = "www-data" if os.geteuid() == 0 else grp.getgrgid(os.getegid()).gr_name

CONFIGURATION = """
ServerRoot {directory}
ServerName 127.0.0.1
DefaultRuntimeDir {directory}
PidFile {directory}/apache.pid
ErrorLog /dev/stderr
User {user}
Group {group}
{modules}
Listen 127.0.0.1:{port}
<VirtualHost 127.0.0.1:{port}>
    SSLEngine on
    SSLCertificateFile {directory}/certificate.pem
    SSLCertificateKeyFile {directory}/key.pem
    {locations}
</VirtualHost>
"""

# The last four are those that the shipped configuration asks for.
LOADED = ["mpm_event", "authz_core", "authz_host", "socache_shmcb", "ssl", "proxy"]
LOADED += ["proxy_http", "headers", "buffer", "reqtimeout"]

sample_locations = functools.partial(sites.sample, "apache.conf")


def shipped(placement_url, rules="", settings=""):
    """As site(), for a service at this URL; `settings`, what is shipped, and `rules`."""
    return site(f"{settings}\n{sample_locations(placement_url)}\n{rules}")


@contextlib.contextmanager
def site(locations):
    """Give the Site whose virtual host has this configuration, and stop it at the end."""
    if PROGRAM is None:
        raise FileNotFoundError("Apache is not installed")
    with tempfile.TemporaryDirectory() as directory:
        sites.make_certificate(directory)
        port = server.free_port()
        configuration = os.path.join(directory, "apache.conf")
        modules = [f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in LOADED]
        with open(configuration, "w") as lines:
            lines.write(
                CONFIGURATION.format(
                    user=USER,
                    group=GROUP,
                    directory=directory,
                    modules="\n".join(modules),
                    port=port,
                    locations=locations,
                )
            )
        log = os.path.join(directory, "apache.log")
        with server.process([PROGRAM, "-DFOREGROUND", "-f", configuration], log) as apache:
            server.wait_for(functools.partial(sites.connect, port), apache, log)
            yield sites.running_on(port, directory)
