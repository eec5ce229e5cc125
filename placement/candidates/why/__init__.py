"""Why there are no candidates, or few: explanations, with suggestions for misspelt names.

explain.py reads the cloud in batches, and examine.py decides, host by host.

Called by handlers/operator, documents/, the commands and candidates/fits.
"""
