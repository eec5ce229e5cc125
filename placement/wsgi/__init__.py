"""Where WSGI servers find the application: by its name in `api`, or by a call."""


def init_application():
    """Return the application of this process, which the first call starts.

    Raises: whatever keeps the service from starting.
    """
    from placement.wsgi.api import application

    return application
