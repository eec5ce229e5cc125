"""keystone's WSGI application, which would take the arguments of its web server for its own."""

import sys
from unittest import mock

with mock.patch.object(sys, "argv", ["keystone"]):
    from keystone.wsgi.api import application

__all__ = ["application"]
