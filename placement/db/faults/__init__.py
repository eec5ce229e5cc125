"""What goes wrong with databases: their drivers, and what the drivers' errors mean.

Anything in db/ may ask; nothing here knows our tables or connections.
"""
