"""Plans that change nothing: whether consumers find a place elsewhere, and which would have to go.

Called by handlers/operator, queries/, documents/ and the commands.
"""
