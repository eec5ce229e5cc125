"""Pieces that statements are made of, and ways to send them that cost less.

Called by every module of db/ that has statements; nothing here knows a resource.
"""
