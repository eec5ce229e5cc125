"""What goes wrong with databases: their drivers, and what the errors of those mean.

Anything in db/ may ask; nothing here knows a table or a connection of ours.
"""
