"""The commands: placement-manage and placement-status. They ask what handlers ask, without HTTP."""
