"""The drivers of databases, and what their errors mean.

Called by db/, conf/connection.py, deploy.py, middleware/, openapi/ and the commands; nothing here
knows our tables or connections.
"""
