"""Query strings -> values that say what is asked for. Pure.

Handlers and commands read queries with it. It imports candidates/ and objects/, whose values it
returns, and schemas/; all it knows of HTTP is the syntax of a query string.
"""
