"""Apache, in front of the service or running it, with TLS, on the loopback interface."""

import contextlib
import functools
import grp
import os
import pwd
import shutil
import sys
import sysconfig
import tempfile

from tests import server
from tests.deployed.web_servers import site as sites

PROGRAM = shutil.which("apache2", path=sites.PATH)
MODULES = "/usr/lib/apache2/modules"

# Apache refuses to serve as root.
USER = "www-data" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
GROUP = "www-data" if os.geteuid() == 0 else grp.getgrgid(os.getegid()).gr_name

# A mod_wsgi for the Python that runs this process; Debian's is for Debian's own Python.
WSGI_MODULE = f"{MODULES}/mod_wsgi.so-{sys.version_info.major}.{sys.version_info.minor}"

CONFIGURATION = """
ServerRoot {directory}
ServerName 127.0.0.1
DefaultRuntimeDir {directory}
PidFile {directory}/apache.pid
ErrorLog /dev/stderr
User {user}
Group {group}
{modules}
{outside}
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
    """Like site(), for a service at this URL.

    The shipped configuration follows after `settings`, and is followed by `rules`.
    """
    return site(f"{settings}\n{sample_locations(placement_url)}\n{rules}")


def python_path():
    """Return where mod_wsgi finds the service.

    It has the modules of this environment without its Python, which USER may not be able to read.
    """
    return [sites.CHECKOUT, sysconfig.get_path("purelib")]


@contextlib.contextmanager
def with_service(environment, directory, rules=""):
    """Yield the Site that runs the service in its own processes, as documented, with `rules`.

    `environment` is added to the environment of this process. The `directory` belongs to USER.
    """
    [recipe] = sites.recipes("web-server.rst", "WSGIDaemonProcess ")
    recipe = sites.adapted(
        recipe,
        {
            "user=placement group=placement": f"user={USER} group={GROUP}",
            "processes=4": "processes=1",
            "python-home=/opt/placement": f"python-path={os.pathsep.join(python_path())}",
            "/opt/placement/lib/python3.11/site-packages": sites.CHECKOUT,
        },
    )
    outside = f"LoadModule wsgi_module {WSGI_MODULE}\nWSGISocketPrefix {directory}/wsgi"
    with site(f"{recipe}\n{rules}", outside, os.environ | environment) as running:
        yield running


@contextlib.contextmanager
def site(locations, outside="", environment=None):
    """Yield the Site whose virtual host has this configuration, and stop it at the end.

    `outside` is the configuration of the whole server; `environment`, the environment of its
    process.
    """
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
                    outside=outside,
                    port=port,
                    locations=locations,
                )
            )
        log = os.path.join(directory, "apache.log")
        command = [PROGRAM, "-DFOREGROUND", "-f", configuration]
        with server.process(command, log, environment) as apache:
            server.wait_for(functools.partial(sites.connect, port), apache, log)
            yield sites.running_on(port, directory)
