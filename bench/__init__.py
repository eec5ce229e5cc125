"""A benchmark of this server, side by side with a peer. See README.rst."""
