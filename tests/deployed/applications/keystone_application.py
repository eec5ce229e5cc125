"""keystone's WSGI application, kept from parsing the web server's arguments as its own."""

import sys
from unittest import mock

with mock.patch.object(sys, "argv", ["keystone"]):
    from keystone.wsgi.api import application

__all__ = ["application"]
