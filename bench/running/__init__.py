"""Starting the servers to measure and their databases; they are removed even after an interrupt.

Also has the options of commands for these. Called by the commands and, for what ran, by reports/.
"""
