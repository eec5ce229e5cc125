"""The commands: placement-manage and placement-status. They do what handlers do, without HTTP.

manage.py is placement-manage, and manage_status.py its command `status`; status.py is
placement-status.
"""
