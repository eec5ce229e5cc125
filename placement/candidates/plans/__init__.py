"""Plans on paper: whether consumers find a place elsewhere, and which would have to make room.

Called by handlers/operator, queries/, documents/ and the commands.
"""
