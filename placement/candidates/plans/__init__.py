"""Plans on paper: whether consumers find a place elsewhere, and which would have to go.

Called by handlers/operator, queries/, documents/ and the commands.
"""
