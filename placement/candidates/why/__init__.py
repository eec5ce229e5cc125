"""Why are there no candidates, or so few? Explanations, with what is probably meant instead.

Called by handlers/operator, documents/ and the commands.
"""
