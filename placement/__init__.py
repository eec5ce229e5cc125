"""A Placement server: wsgi/ starts it, and handler.py has its URLs.

A request passes through middleware/, handler.py, handlers/, and then objects/ or candidates/ to
db/. queries/ and schemas/ say what a request may contain, and documents/ what an answer contains.
The commands in cmd/ ask the same questions without HTTP.

doc/how-to/develop/modules.rst lists all folders, and says which may import which.
"""
