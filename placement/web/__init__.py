"""What a browser reads: the page for operators, the viewer of the API, and its description.

Called by deploy.py, which adds the URLs of what is switched on.
"""
