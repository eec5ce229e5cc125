"""Query strings -> values that say what they ask for. Pure.

This package imports candidates/ and objects/, because it returns their values, and schemas/. All it
knows of HTTP is the syntax of a query string.

Called by handlers/, flavors/, openapi/ and the commands.
"""
