"""The version document."""

from placement import schemas
from placement.handlers import root
from placement.openapi.operations.declaration import Operation, shows

OPERATIONS = {
    root.home: Operation(
        "list_versions",
        "The version document. It needs no token, and no database.",
        shows(schemas.version.listed),
    ),
}
