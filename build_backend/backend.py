"""What `pip` and `build` call: setuptools, whose archives are made the same in every place.

With SOURCE_DATE_EPOCH, two builds of one commit are the same bytes, whoever makes them in whichever
directory. A wheel also gets a bill of materials (PEP 770): bundled scripts and requirements. The
metadata of both have a README that a package index can show.
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import tarfile
import time
import zipfile

import index_page
from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

import sbom

# A zip archive cannot hold earlier dates.
_EARLIEST = 315532800


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    # Without the metadata that were prepared, which have their URLs already.
    name = build_meta.build_wheel(wheel_directory, config_settings)
    path = os.path.join(wheel_directory, name)
    with zipfile.ZipFile(path) as wheel:
        contents = {member: wheel.read(member) for member in wheel.namelist()}
    _write_wheel(path, contents)
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = build_meta.build_sdist(sdist_directory, config_settings)
    path = os.path.join(sdist_directory, name)
    with tarfile.open(path) as archive:
        members = [
            (member, archive.extractfile(member).read())
            for member in archive.getmembers()
            if member.isfile()
        ]
    _write_sdist(path, sorted(members, key=lambda each: each[0].name))
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = build_meta.prepare_metadata_for_build_wheel(metadata_directory, config_settings)
    path = pathlib.Path(metadata_directory, name, "METADATA")
    path.write_bytes(_published(path.read_bytes()))
    return name


def _published(metadata):
    return index_page.metadata(metadata, index_page.publisher())


def _write_wheel(path, contents):
    """Write a wheel with the members of another, and its bill of materials."""
    record = next(member for member in contents if member.endswith(".dist-info/RECORD"))
    del contents[record]
    metadata = os.path.dirname(record)
    contents[f"{metadata}/METADATA"] = _published(contents[f"{metadata}/METADATA"])
    contents[f"{metadata}/sboms/placement-server.cdx.json"] = sbom.document()
    lines = [f"{member},{_hash(content)},{len(content)}" for member, content in contents.items()]
    contents[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    moment = time.gmtime(max(_moment(), _EARLIEST))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for member, content in contents.items():
            entry = zipfile.ZipInfo(member, moment)
            # pip makes executable what is executable here.
            is_program = ".data/scripts/" in member
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)


def _write_sdist(path, members):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for member, content in members:
            if os.path.basename(member.name) == "PKG-INFO":
                content = _published(content)
            entry = tarfile.TarInfo(member.name)
            entry.size = len(content)
            entry.mode = 0o755 if member.mode & 0o100 else 0o644
            entry.mtime = _moment()
            archive.addfile(entry, io.BytesIO(content))
    with open(path, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=_moment()) as zipped:
        zipped.write(packed.getvalue())


def _moment():
    return int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())


def _hash(content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={digest.rstrip(b'=').decode()}"
