"""What a browser reads: the page for operators, the viewer of the API, and its description.

Called by deploy.py, which declares what is switched on.
"""
