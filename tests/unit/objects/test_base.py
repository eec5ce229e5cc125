"""The versioned objects: if the fields of an object change, its VERSION has to be raised."""

import importlib
import pkgutil
import warnings

import testtools

from placement import objects
from placement.objects import base

with warnings.catch_warnings():
    # These modules import oslo.messaging, and so eventlet, which warns that it should not be used.
    warnings.filterwarnings("ignore", r"\s*Eventlet is deprecated")
    from oslo_versionedobjects import base as versioned
    from oslo_versionedobjects import fixture

# Version and fingerprint of the fields. If the test fails, raise VERSION, and then copy the found
# fingerprint here.
FINGERPRINTS = {
    "Allocation": "2.1-a520f7ccc96324d3ac67267de3e48ee0",
    "Consumer": "1.0-d87f3eb8c7c93c791d068e675eba2a87",
    "ConsumerAllocations": "1.0-5a0717a4b111f1305a49e84f1c4f6ce9",
    "ResourceClass": "1.0-6e7be3ba8dd9fa529f944bcf9612b287",
    "ResourceProvider": "1.0-73903794e647ef6a01d79f193edf2c78",
    "Trait": "1.0-6e7be3ba8dd9fa529f944bcf9612b287",
}


class Fingerprints(testtools.TestCase):
    def test_the_fields_of_an_object_change_only_with_its_version(self):
        expected, actual = fixture.ObjectVersionChecker(_objects()).test_hashes(FINGERPRINTS)
        self.assertEqual(expected, actual)


def _objects():
    for module in pkgutil.iter_modules(objects.__path__):
        importlib.import_module(f"{objects.__name__}.{module.name}")
    registered = versioned.VersionedObjectRegistry.obj_classes()
    return {
        name: classes
        for name, classes in registered.items()
        if issubclass(classes[0], base.PlacementObject)
    }
