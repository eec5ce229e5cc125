"""Starting the servers to measure and their databases; they are removed even after an interrupt.

Also has the command-line options for these. Called by the commands, and by reports/ to name what
ran.
"""
