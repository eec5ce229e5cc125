"""The commands: placement-manage and placement-status. They do what handlers do, without HTTP."""
