"""Query strings -> values that say what is asked for. Pure.

It imports candidates/ and objects/, whose values it returns, and schemas/; all it knows of HTTP is
the syntax of a query string.

Called by handlers/, flavors/, openapi/ and the commands.
"""
