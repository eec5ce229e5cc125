"""The owners of consumers, as SQL: a project, a user and, for most consumers, a type."""

from placement.db import tables

_consumers = tables.consumers
_projects = tables.projects
_users = tables.users
_types = tables.consumer_types

PROJECT = _projects.c.external_id
USER = _users.c.external_id
TYPE = _types.c.name


def joined(query):
    """Return a Select from consumers, joined with the tables of PROJECT, USER and TYPE.

    Consumers without a type are kept.
    """
    return (
        query.join(_projects, _projects.c.id == _consumers.c.project_id)
        .join(_users, _users.c.id == _consumers.c.user_id)
        .outerjoin(_types, _types.c.id == _consumers.c.consumer_type_id)
    )
