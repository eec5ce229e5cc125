"""Which modules are loaded when the objects are imported, and which are not."""

import subprocess
import sys

import testtools

_UNUSED = ("eventlet", "yappi", "kombu", "amqp", "oslo_service", "oslo_messaging", "alembic")
_FOUND = f"""
import sys, placement.deploy, placement.cmd.manage, placement.cmd.status
print(*(name for name in {_UNUSED} if name in sys.modules))
"""
_SAME_CLASS = """
import warnings
warnings.simplefilter("ignore")
import placement.objects
import oslo_messaging.rpc
from oslo_versionedobjects import base
print(issubclass(base.VersionedObjectSerializer, oslo_messaging.Serializer))
"""
_UNCHANGED = """
import warnings
warnings.simplefilter("ignore")
import sys, oslo_messaging
import placement.objects
print(sys.modules["oslo_messaging"] is oslo_messaging)
"""


def printed_by(program):
    """Return what a Python program prints, in a process of its own."""
    command = [sys.executable, "-W", "ignore", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


class Imports(testtools.TestCase):
    def test_neither_the_service_nor_a_command_loads_what_only_few_of_them_use(self):
        self.assertEqual("", printed_by(_FOUND))

    def test_a_program_that_uses_the_message_queue_library_gets_it(self):
        """If it fails, nova's tests cannot run with the service in their process."""
        self.assertEqual("True", printed_by(_SAME_CLASS))

    def test_a_program_that_has_the_message_queue_library_already_keeps_it(self):
        self.assertEqual("True", printed_by(_UNCHANGED))
