"""Plans on paper: whether consumers find a place elsewhere, and who would have to make room.

Called by handlers/operator, documents/ and the commands.
"""
