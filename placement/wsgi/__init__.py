"""Where WSGI servers find the application: as api.application, or by calling init_application()."""


def init_application():
    """Return the application of this process; the first call starts it.

    Raises: whatever keeps the service from starting.
    """
    from placement.wsgi.api import application

    return application
