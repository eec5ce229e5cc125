"""Query strings -> values that say what they ask for. Pure.

This package imports schemas/, and also candidates/ and objects/, because it returns values of their
types. All it knows of HTTP is the syntax of a query string.

Called by handlers/, flavors/, openapi/ and the commands.
"""
