"""Authentication: by keystone, or by trusting the token.

Both strategies are middleware that leaves the caller's identity in the request headers,
where identity.py reads it. Source: doc/how-to/keystone.rst.
"""

import importlib.util
import logging

import webob.exc

from placement import errors
from placement.environ import REASON
from placement.middleware.refusal import refuse
from placement.policies.public import is_public

LOG = logging.getLogger(__name__)

# Whether memcached uses SASL -> the module that keystonemiddleware imports, and how to install it.
_MEMCACHED_CLIENTS = {
    False: ("memcache", "pip install 'placement-server[memcached]', or python-memcached"),
    True: ("bmemcached", "pip install python-binary-memcached"),
}


NO_TOKEN = (
    "Send a token. The header 'X-Auth-Token: admin' allows all requests except reshapes and "
    "repairs, which also need the header 'X-Roles: admin,service'. Any other token is accepted, "
    "too, but gives no rights."
)

# What the log says about a 401.
_NOT_SENT = "No token was sent."
_NOT_ACCEPTED = "Keystone did not accept the token, or the service token that was sent with it."
_UNUSABLE = "The token could not be validated because keystone cannot be used at present."


class NotReady(Exception):
    """Something that keystonemiddleware needs is missing; the message is a sentence."""


class NoAuth:
    """Middleware for tests: the token `user` or `user:project` is trusted.

    A client that sends no roles has the role admin if its user is admin, otherwise none.
    """

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        # The mount point itself, with an empty path, is not public here.
        if environ.get("PATH_INFO") and is_public(environ["PATH_INFO"]):
            return self._application(environ, start_response)
        token = environ.get("HTTP_X_AUTH_TOKEN")
        if token is None:
            error = webob.exc.HTTPUnauthorized(NO_TOKEN)
            return refuse(error, environ, start_response, _NOT_SENT)
        # A token is USER:PROJECT, or just USER for a project of the same name.
        user, _, project = token.partition(":")
        environ["HTTP_X_USER_ID"] = user
        # A caller with system scope has no project.
        if "HTTP_OPENSTACK_SYSTEM_SCOPE" not in environ:
            environ.setdefault("HTTP_X_PROJECT_ID", project or user)
        environ.setdefault("HTTP_X_ROLES", "admin" if user == "admin" else "")
        return self._application(environ, start_response)


class Keystone:
    """Middleware: keystonemiddleware validates the token, except on the public paths.

    Raises: NotReady if options are missing, or if the client for the configured memcached is not
        installed.
    """

    def __init__(self, application, conf):
        # These imports take a fifth of the start-up time, and only this strategy needs them.
        from keystoneauth1 import exceptions
        from keystonemiddleware import auth_token

        self._public = application
        self._client_error = exceptions.ClientException
        try:
            self._protected = auth_token.AuthProtocol(application, {"oslo_config_config": conf})
        except self._client_error as error:
            raise NotReady(f"[keystone_authtoken] cannot be used: {error}") from error
        _check_ready(conf)

    def __call__(self, environ, start_response):
        path = environ.get("PATH_INFO", "")
        if is_public(path):
            return self._public(environ, start_response)

        # This puts the reason for a refusal into the environ, for the request log.
        def noting_start_response(status, headers, exc_info=None):
            # Status lines, such as "401 Unauthorized", are compared as strings. The layers inside
            # have already put in the reasons for their own refusals.
            if status >= "4" and REASON not in environ:
                environ[REASON] = _reason_of(status, environ)
                if status.startswith("503"):
                    headers.append(errors.retry_after())
            return start_response(status, headers, exc_info)

        try:
            return self._protected(environ, noting_start_response)
        except self._client_error as error:
            # keystonemiddleware lets some exceptions pass, such as EndpointNotFound.
            LOG.error("Keystone cannot be used: %s", error)
            answer = webob.exc.HTTPServiceUnavailable(_UNUSABLE)
            return answer(environ, noting_start_response)


def _reason_of(status, environ):
    """Return why keystonemiddleware has refused a request; `status` is a status line."""
    if not status.startswith("401"):
        return _UNUSABLE
    was_sent = environ.get("HTTP_X_AUTH_TOKEN") or environ.get("HTTP_X_STORAGE_TOKEN")
    return _NOT_ACCEPTED if was_sent else _NOT_SENT


def _check_ready(conf):
    """Raise at startup what the middleware would otherwise raise at the first request."""
    options = conf.keystone_authtoken
    # Another section may hold the credentials of the service.
    section = options.auth_section or "keystone_authtoken"
    if conf[section].auth_type is None:
        raise NotReady(
            f"auth_type in [{section}] is missing: it says how to log in to keystone. Without "
            "keystone, auth_strategy in [api] can be noauth2, which trusts all callers"
        )
    client, cure = _MEMCACHED_CLIENTS[options.memcache_sasl_enabled]
    if options.memcached_servers and importlib.util.find_spec(client) is None:
        raise NotReady(
            f"memcached_servers in [keystone_authtoken] needs the Python module '{client}': {cure}"
        )
