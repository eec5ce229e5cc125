"""Query strings -> what is asked for. Pure.

Handlers and commands read queries with it. It knows candidates/ and objects/, whose values it
returns, and schemas/; of HTTP it knows no more than how a query string is spelled.
"""
