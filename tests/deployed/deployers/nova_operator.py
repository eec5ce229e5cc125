"""nova-operator: Apache with mod_wsgi and a script, TLS by my.cnf, application credentials."""

import contextlib
import functools
import os
import pwd
import shutil
import signal
import subprocess
import unittest
import uuid

import requests
import testtools

from tests import databases, server
from tests.deployed import cloud
from tests.deployed.deployers import host, rolling, with_tls
from tests.deployed.servers import mariadb, peer, unprivileged
from tests.deployed.web_servers import apache, site

SCRIPTS = {
    "the script of the package": os.path.join(site.CHECKOUT, "bin", "placement-api"),
    "a copy of the module": os.path.join(site.CHECKOUT, "placement", "wsgi", "api.py"),
}
# mod_wsgi sets HOME to the home directory of the account, so the Host has to be there.
AT_HOME = (
    *("unshare", "--mount", "sh", "-c"),
    'mount -t tmpfs none "${1%/*}" && mkdir "$1" && mount --bind "$2" "$1" && shift 2 && exec "$@"',
    *("sh", pwd.getpwnam(apache.USER).pw_dir),
)


def setUpModule():
    if subprocess.run([*AT_HOME, "/", "true"], capture_output=True).returncode:
        raise unittest.SkipTest("there are no mount namespaces")
    host.require(apache.PROGRAM or "apache2", "Apache")
    host.require(apache.WSGI_MODULE, "mod_wsgi")
    if not mariadb.IS_INSTALLED and not databases.REQUIRE_ALL:
        raise unittest.SkipTest("MariaDB is not installed")
    server_url, certificates = unittest.enterModuleContext(with_tls.running())
    Pod.server_url, Pod.certificates = server_url, certificates


class Pod(testtools.TestCase):
    """Tests of pods that share the database at `database_url`."""

    server_url = certificates = None

    def setUp(self):
        super().setUp()
        name = f"placement_{uuid.uuid4().hex[:8]}"
        self.server_database = with_tls.create(self.server_url, self.certificates, name)
        self.database_url = f"{self.server_database}?ssl_ca={self.certificates}/certificate.pem"

    def new_host(self, bin_directory=host.OUR_BIN):
        """Return the Host of a new pod, configured."""
        # Apache's account runs the service.
        directory = self.enterContext(unprivileged.directory(apache.USER))
        made = host.Host(
            directory,
            bin_directory,
            connection=f"{self.server_database}?read_default_file={directory}/.placement/my.cnf",
            certificates=self.certificates,
            user=apache.USER,
            group=apache.GROUP,
            modules=apache.MODULES,
            wsgi_module=apache.WSGI_MODULE,
            python_path=os.pathsep.join(python_path(bin_directory)),
        )
        for name in ("placement.conf", "my.cnf"):
            made.write(f"nova_operator/{name}")
        made.write("nova_operator/custom.conf", "placement.conf.d/custom.conf")
        return made

    def prepare(self, made):
        status, said = made.run("placement-manage", "db", "sync")
        self.assertEqual(0, status, said)

    @contextlib.contextmanager
    def serving(self, made, script):
        """Run Apache with a file as the script in its directory, and yield its process."""
        directory = str(made.directory)
        scripts = made.directory / "cgi-bin"
        scripts.mkdir(exist_ok=True)
        shutil.copy(script, scripts / "placement-api")
        for path in [made.directory, *made.directory.rglob("*")]:
            unprivileged.hand_over(path, apache.USER)
        configuration = made.write("nova_operator/httpd.conf")
        command = [*AT_HOME, directory, apache.PROGRAM, "-DFOREGROUND", "-f", str(configuration)]
        log = os.path.join(directory, "log", "httpd.log")
        check = functools.partial(site.connect, made.values["port"])
        with server.process(command, log, made.environment) as httpd:
            server.wait_for(check, httpd, log)
            yield httpd


class Serving(Pod):
    def setUp(self):
        super().setUp()
        self.pod = self.new_host()
        self.pod.values["port"] = server.free_port()
        self.url = f"http://127.0.0.1:{self.pod.values['port']}"
        self.prepare(self.pod)

    def test_either_script_serves_with_all_files_of_the_configuration(self):
        self.pod.trust_tokens()
        for number, (name, script) in enumerate(SCRIPTS.items()):
            with self.serving(self.pod, script):
                self.assertEqual(200, requests.get(self.url, timeout=60).status_code, name)
                self.check_custom_options(number)
        log = (self.pod.directory / "log" / "placement-api.log").read_text()
        self.assertIn('"GET /allocation_candidates?resources=VCPU:1" status: 200', log)

    def check_custom_options(self, number):
        client = cloud.Client(self.url)
        client.register(f"5a0000aa-0000-4000-8000-00000000000{number}", {"VCPU": 1})
        found = client.make("GET", "/allocation_candidates?resources=VCPU:1").json()
        self.assertEqual(1, len(found["allocation_requests"]))

    def test_with_application_credentials_the_service_starts_and_asks_for_a_token(self):
        with self.serving(self.pod, SCRIPTS["the script of the package"]):
            self.assertEqual(200, requests.get(self.url, timeout=60).status_code)
            answer = requests.get(f"{self.url}/resource_providers", timeout=60)
        self.assertEqual(401, answer.status_code)
        self.assertIn("Keystone uri=", answer.headers["WWW-Authenticate"])


class Upgrade(rolling.Switch, Pod):
    """From pods of openstack-placement to ours, and back."""

    def new_host(self, bin_directory):
        made = super().new_host(bin_directory)
        made.trust_tokens()
        return made

    @contextlib.contextmanager
    def serving(self, made):
        """Run Apache; end it at the end of the block, once it has answered all requests."""
        # Both services have this module.
        package = python_path(made.bin_directory)[0]
        with super().serving(made, os.path.join(package, "placement", "wsgi", "api.py")) as httpd:
            yield
            httpd.send_signal(signal.SIGWINCH)
            httpd.wait(server.START_SECONDS)


def python_path(bin_directory):
    """Return where mod_wsgi finds the service whose programs are in the directory."""
    return apache.python_path() if bin_directory == host.OUR_BIN else [peer.packages()]
