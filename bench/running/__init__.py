"""The servers that are measured and their databases: started, and gone at the end or an interrupt.

Also has the options of commands for these. Called by the commands and, for what ran, by reports/.
"""
