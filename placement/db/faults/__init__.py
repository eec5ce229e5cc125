"""The drivers of databases, and what their errors mean.

Anything in db/ may use it; nothing here knows our tables or connections.
"""
