"""Call a function in each serving process, including those that a server forks.

As this project configures them, gunicorn and uWSGI load the application in each process. With
other options, they load it in a parent and then fork, and threads do not survive a fork. uWSGI
forks without telling Python.
"""

import os

try:
    # This module exists only inside uWSGI.
    import uwsgi
except ImportError:
    uwsgi = None


def in_each_process(begin):
    """Call `begin` now and in each process that is forked from this one.

    Under uWSGI, `begin` is not called in the master, which serves nothing.
    """
    if uwsgi is None:
        os.register_at_fork(after_in_child=begin)
        begin()
        return
    in_forked_workers(begin)
    if uwsgi.worker_id():
        begin()


def in_forked_workers(call):
    """Make uWSGI call a function in each worker that it forks, after any hook set earlier."""
    before = getattr(uwsgi, "post_fork_hook", None)

    def hook():
        if before is not None:
            before()
        # Other processes, such as mules, serve no requests.
        if uwsgi.worker_id():
            call()

    uwsgi.post_fork_hook = hook
