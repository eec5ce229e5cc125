"""Why there are no candidates, or few: explanations, with suggestions for misspelt names.

Called by handlers/operator, documents/, the commands and candidates/fits.
"""
