"""The commands: placement-manage and placement-status. They do what handlers do, without HTTP.

manage.py is placement-manage, and manage_status.py its command `status`; status.py is
placement-status. planning/ and questions/ hold more commands of placement-manage, and
capacity_samples/ its `capacity --since` and `capacity --import`. All of them share display.py,
layout.py and listing.py for printing, mistakes.py for reporting what an operator does wrong, and
progress.py for showing what a slow command is doing.
"""
