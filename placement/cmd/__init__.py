"""The commands: placement-manage and placement-status. They do what handlers do, without HTTP.

manage.py is placement-manage, and manage_status.py its command `status`; status.py is
placement-status. planning/, questions/ and capacity_samples/ have more commands of
placement-manage. All of them share display.py, layout.py and listing.py for printing, mistakes.py
for what an operator does wrong, and progress.py for work that takes a long time.
"""
