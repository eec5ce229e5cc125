"""The bill of materials of a wheel, as CycloneDX: bundled scripts and requirements.

Requirements have no versions: the installer chooses them.
"""

import configparser
import json
import pathlib
import re
import uuid

_ROOT = pathlib.Path(__file__).parents[1]
_HASHES = _ROOT / "tests" / "repository" / "foreign-files.sha256"

# The bundled scripts. The Makefile fetches them; the paths of their files start with `files`. What
# RapiDoc itself contains is in the license file beside it.
SCRIPTS = (
    {
        "name": "rapidoc",
        "version": "9.3.8",
        "license": "MIT",
        "files": "placement/web/viewer/",
    },
    {
        "name": "htm",
        "version": "3.1.1",
        "license": "Apache-2.0",
        "files": "placement/web/page/lib/htm-",
    },
    {
        "name": "preact",
        "version": "10.27.2",
        "license": "MIT",
        "files": "placement/web/page/lib/preact-",
    },
    {
        "name": "@tanstack/virtual-core",
        "version": "3.19.11",
        "license": "MIT",
        "files": "placement/web/page/lib/virtual-core/",
    },
)


def document():
    """Return the bytes of the JSON, the same for the same files."""
    configuration = configparser.ConfigParser()
    configuration.read(_ROOT / "setup.cfg")
    package = _package(configuration["metadata"])
    parts = [_script(script) for script in SCRIPTS]
    parts += map(_requirement, configuration["options"]["install_requires"].split())
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": package},
        "components": parts,
        "dependencies": [
            {"ref": package["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]},
            *({"ref": part["bom-ref"]} for part in parts),
        ],
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content))
    return json.dumps({**content, "serialNumber": f"urn:uuid:{number}"}, indent=2).encode() + b"\n"


def _package(metadata):
    return _component(
        "application",
        f"pkg:pypi/{metadata['name']}@{metadata['version']}",
        metadata["name"],
        version=metadata["version"],
        licenses=[{"expression": metadata["license_expression"]}],
    )


def _script(script):
    return _component(
        "library",
        f"pkg:npm/{script['name'].replace('@', '%40')}@{script['version']}",
        script["name"],
        version=script["version"],
        licenses=[{"license": {"id": script["license"]}}],
        components=[_file(*each) for each in _files(script["files"])],
    )


def _files(prefix):
    """Return (hash, path) of the files whose paths start with it."""
    lines = [line.split() for line in _HASHES.read_text().splitlines()]
    return [(digest, path) for digest, path in lines if path.startswith(prefix)]


def _file(digest, path):
    return {
        "type": "file",
        "bom-ref": path,
        "name": path,
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }


def _requirement(text):
    """Return the component of a line such as `orjson>=3.10.0`."""
    name, _ = re.split(r"(?=[<>=!~])", text, maxsplit=1)
    return _component(
        "library",
        f"pkg:pypi/{name.lower().replace('_', '-')}",
        name,
        scope="required",
        properties=[{"name": "placement:requirement", "value": text}],
    )


def _component(kind, purl, name, **others):
    return {"type": kind, "bom-ref": purl, "name": name, "purl": purl, **others}
