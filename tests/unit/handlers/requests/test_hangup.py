"""If a test fails, clients that have gone are served, or those that wait are not."""

import socket
import unittest

from placement.handlers.requests import hangup


class Check(unittest.TestCase):
    def setUp(self):
        self.client, self.server = socket.socketpair()
        self.addCleanup(self.client.close)
        self.addCleanup(self.server.close)
        self.environ = {"gunicorn.socket": self.server}

    def test_a_client_that_waits_is_served(self):
        hangup.check(self.environ)
        self.client.send(b"the rest of a body")
        hangup.check(self.environ)

    def test_a_client_that_has_hung_up_is_not_served(self):
        self.client.close()
        with self.assertRaises(hangup.ClientClosedRequest):
            hangup.check(self.environ)

    def test_unread_input_does_not_hide_that_a_client_has_gone(self):
        self.client.send(b"the rest of a body")
        self.client.close()
        with self.assertRaises(hangup.ClientClosedRequest):
            hangup.check(self.environ)

    def test_a_server_that_shows_no_connection_serves_all_clients(self):
        hangup.check({})
