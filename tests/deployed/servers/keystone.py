"""The identity service: a keystone with SQLite and fernet tokens, on the loopback interface."""

import contextlib
import os
import pathlib
import secrets
import subprocess
import sys
import tempfile

from keystoneauth1 import adapter, session
from keystoneauth1.identity import v3

from tests import server

# These modules are in no package: the tests' package would remove the OS_* variables that configure
# keystone.
APPLICATIONS = pathlib.Path(__file__).parents[1] / "applications"

REGION = "RegionOne"
DOMAIN = "default"

CONFIGURATION = """
[database]
connection = sqlite:///{directory}/keystone.db
[credential]
key_repository = {directory}/credential-keys
[fernet_tokens]
key_repository = {directory}/fernet-keys
[fernet_receipts]
key_repository = {directory}/fernet-keys
[identity]
# These passwords are not attacked, and each log-in checks one.
password_hash_rounds = 4
"""

# The request by which services ask keystone whether a token is valid.
VALIDATION = '"GET /v3/auth/tokens'


class Keystone:
    """A running keystone. All its users have one password.

    `url` is its root; `directory` has its configuration and its data.
    """

    def __init__(self, url, directory, password):
        self.url = url
        self.directory = directory
        self.password = password
        self._api = adapter.Adapter(
            self.log_in("admin", project_name="admin", project_domain_id=DOMAIN),
            endpoint_override=f"{url}/v3",
        )
        self._created("region", id=REGION)
        self.add_service("identity", f"{url}/v3")

    def log_in(self, username, url=None, **scope):
        """Return a session that gets its token with its first request.

        `scope` has the arguments of keystoneauth1.identity.v3.Password. `url` names another
        keystone with the same data.
        """
        return session.Session(
            auth=v3.Password(
                f"{url or self.url}/v3",
                username=username,
                password=self.password,
                user_domain_id=DOMAIN,
                **scope,
            )
        )

    def add_project(self, name):
        """Return the id of a new project."""
        return self._created("project", name=name, domain_id=DOMAIN)

    def add_role(self, name):
        """Return the id of a new role, which implies no other."""
        return self._created("role", name=name)

    def add_user(self, name, project_id, role):
        """Create a user with a role, named as keystone knows it, in a project."""
        user_id = self._created("user", name=name, domain_id=DOMAIN, password=self.password)
        [found] = self._api.get("/roles", params={"name": role}).json()["roles"]
        self._api.put(f"/projects/{project_id}/users/{user_id}/roles/{found['id']}")

    def give_domain_role(self, username, role):
        """Give a user a role in the domain itself."""
        [user] = self._api.get("/users", params={"name": username}).json()["users"]
        [found] = self._api.get("/roles", params={"name": role}).json()["roles"]
        self._api.put(f"/domains/{DOMAIN}/users/{user['id']}/roles/{found['id']}")

    def add_application_credential(self, user):
        """Return (id, secret) of a new application credential, given the session of its user."""
        made = user.post(
            f"{self.url}/v3/users/{user.get_user_id()}/application_credentials",
            json={"application_credential": {"name": "of a service"}},
        ).json()["application_credential"]
        return made["id"], made["secret"]

    def add_service(self, service_type, url):
        """Put a service and its public endpoint into the catalogue."""
        service_id = self._created("service", type=service_type, name=service_type)
        self._created(
            "endpoint", service_id=service_id, interface="public", url=url, region_id=REGION
        )

    def revoke(self, token):
        self._api.delete("/auth/tokens", headers={"X-Subject-Token": token})

    def validations(self):
        """Return how many times keystone was asked whether a token is valid."""
        with open(_access_log(self.directory)) as lines:
            return sum(VALIDATION in line for line in lines)

    def _created(self, kind, **attributes):
        return self._api.post(f"/{kind}s", json={kind: attributes}).json()[kind]["id"]


@contextlib.contextmanager
def running():
    """Yield a Keystone whose only user is admin, and whose only service is itself; stop it."""
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "keystone.conf"), "w") as lines:
            lines.write(CONFIGURATION.format(directory=directory))
        password = secrets.token_urlsafe()
        for kind in ("credential", "fernet"):
            os.mkdir(os.path.join(directory, f"{kind}-keys"), mode=0o700)
        _manage(
            directory,
            ["db_sync"],
            ["credential_setup", *_OWNER_OF_KEYS],
            ["fernet_setup", *_OWNER_OF_KEYS],
        )
        _manage(directory, ["bootstrap"], OS_BOOTSTRAP_PASSWORD=password)
        with _served(directory, "--access-logfile", _access_log(directory)) as url:
            yield Keystone(url, directory, password)


@contextlib.contextmanager
def hurried(keystone, seconds):
    """Yield the URL of another keystone with the same data, whose tokens last this many seconds."""
    with _served(keystone.directory, OS_TOKEN__EXPIRATION=str(seconds)) as url:
        yield url


_OWNER_OF_KEYS = ("--keystone-user", str(os.geteuid()), "--keystone-group", str(os.getegid()))


def _manage(directory, *commands, **environment):
    """Run commands of keystone-manage at the same time, because each takes seconds to start."""
    program = [
        server.program("keystone-manage"),
        *("--config-file", os.path.join(directory, "keystone.conf")),
        *("--log-file", os.path.join(directory, "manage.log")),
    ]
    environment = os.environ | {"PYTHONWARNINGS": "ignore"} | environment
    running = [subprocess.Popen([*program, *command], env=environment) for command in commands]
    statuses = [process.wait() for process in running]
    if any(statuses):
        sys.exit(f"keystone-manage failed: {commands} ended with {statuses}")


def _served(directory, *options, **environment):
    return server.gunicorn(
        "keystone_application:application",
        {"OS_KEYSTONE_CONFIG_DIR": directory} | environment,
        directory,
        ("--pythonpath", str(APPLICATIONS), *options),
    )


def _access_log(directory):
    return os.path.join(directory, "access.log")
