"""How full the cloud was: the sums of each hour, stored once.

Everywhere in this module, an hour is a number, counted from 1970 in UTC.
"""

import datetime
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables

_hours = tables.capacity_hours
_sums = tables.capacity_sums

_HOUR_SECONDS = 3600


class ClassSums(NamedTuple):
    """What all providers together had of a class; a number is None if it is not known.

    providers        how many offered the class
    full_providers   how many of these had nothing left
    largest_free     the most that a single provider had left
    """

    class_name: str
    capacity: int
    used: int
    largest_free: int | None = None
    full_providers: int | None = None
    providers: int | None = None


class HourSample(NamedTuple):
    """The sums of an hour: when they were taken (UTC, with a time zone), and ClassSums."""

    taken_at: datetime.datetime
    hosts: int | None
    sums: list[ClassSums]

    @property
    def hour(self):
        return hour_of(self.taken_at)


def hour_of(moment):
    """Return the number of the hour of a datetime with a time zone."""
    return int(moment.timestamp() // _HOUR_SECONDS)


def start_of(hour):
    """Return the first moment, in UTC, of the hour that has this number."""
    return datetime.datetime.fromtimestamp(hour * _HOUR_SECONDS, datetime.UTC)


def is_stored(conn, hour):
    """Return whether an hour has a sample. Cost: one query."""
    return conn.scalar(sa.select(_hours.c.hour).where(_hours.c.hour == hour)) is not None


def store(conn, *samples):
    """Store HourSamples, at least one. Raises: DBDuplicateEntry if one of the hours has a sample.

    If two nodes of a cluster store the same hour at once, the second one gets a conflict error.
    Cost: two inserts.
    """
    conn.execute(sa.insert(_hours), [_row(sample) for sample in samples])
    sums = [
        {"hour": sample.hour} | class_sum._asdict()
        for sample in samples
        for class_sum in sample.sums
    ]
    if sums:
        conn.execute(sa.insert(_sums), sums)


def _row(sample):
    moment = sample.taken_at.astimezone(datetime.UTC).replace(tzinfo=None, microsecond=0)
    return {"hour": sample.hour, "taken_at": moment, "hosts": sample.hosts}


def remove(conn, hours):
    """Delete the samples of some hours. Cost: two deletes."""
    for table in (_sums, _hours):
        conn.execute(sa.delete(table).where(table.c.hour.in_(hours)))


def forget(conn, before, limit):
    """Delete the samples of up to `limit` hours, the oldest before `before`. Return how many hours.

    Cost: one query, and two deletes if there are such hours.
    """
    query = sa.select(_hours.c.hour).where(_hours.c.hour < before)
    hours = conn.scalars(query.order_by(_hours.c.hour).limit(limit)).all()
    if hours:
        for table in (_sums, _hours):
            # Others add only newer hours, so there are no other hours up to the last of these.
            conn.execute(sa.delete(table).where(table.c.hour <= hours[-1]))
    return len(hours)


class Point(NamedTuple):
    """A sample of one class: the fields of its hour and of its ClassSums."""

    class_name: str
    taken_at: datetime.datetime
    hosts: int | None
    capacity: int
    used: int
    largest_free: int | None
    full_providers: int | None
    providers: int | None


class DailyUse(NamedTuple):
    """The average usage of a class on one of the last days; day 0 ends with the newest sample."""

    class_name: str
    day: int
    used: float


_DAY_HOURS = 24
_point_columns = (
    _sums.c.class_name,
    _hours.c.taken_at,
    _hours.c.hosts,
    _sums.c.capacity,
    _sums.c.used,
    _sums.c.largest_free,
    _sums.c.full_providers,
    _sums.c.providers,
)
_classes = tables.resource_classes
# The samples of deleted classes come last.
_order = (sa.case((_classes.c.id.is_(None), 1), else_=0), _classes.c.id, _sums.c.class_name)
_points_query = (
    sa.select(*_point_columns)
    .select_from(_sums)
    .join(_hours, _hours.c.hour == _sums.c.hour)
    .outerjoin(_classes, _classes.c.name == _sums.c.class_name)
    .order_by(*_order, _sums.c.hour)
)


def points(conn, first_hour, step_hours, limit):
    """Return up to `limit` Points (all if None) since an hour: class by class, the oldest first.

    Of every `step_hours` hours, counted from 1970, only the last sample is returned.
    Cost: one query.
    """
    query = _points_query.where(_sums.c.hour >= first_hour).limit(limit)
    if step_hours > 1:
        last_of_steps = (
            sa.select(sa.func.max(_hours.c.hour))
            .where(_hours.c.hour >= first_hour)
            .group_by(_hours.c.hour - _hours.c.hour % step_hours)
        )
        query = query.where(_sums.c.hour.in_(last_of_steps))
    return [_point(row) for row in conn.execute(query)]


def _point(row):
    """Return the Point for a row of _point_columns, with a time zone."""
    point = Point(*row)
    return point._replace(taken_at=point.taken_at.replace(tzinfo=datetime.UTC))


def newest_points(conn):
    """Return the Points of the newest hour. Cost: one query."""
    newest = sa.select(sa.func.max(_hours.c.hour)).scalar_subquery()
    return [_point(row) for row in conn.execute(_points_query.where(_sums.c.hour == newest))]


def daily_use(conn, newest_hour, days):
    """Return the DailyUses of the last `days` days of 24 hours; day 0 ends with the newest hour.

    Cost: one query.
    """
    age = newest_hour - _sums.c.hour
    # How many hours before the newest hour the day of a sample ends: a multiple of 24.
    end_of_day = age - age % _DAY_HOURS
    query = (
        sa.select(_sums.c.class_name, end_of_day, sa.func.sum(_sums.c.used), sa.func.count())
        .where(_sums.c.hour > newest_hour - days * _DAY_HOURS, _sums.c.hour <= newest_hour)
        .group_by(_sums.c.class_name, end_of_day)
    )
    return [
        DailyUse(class_name, int(hours) // _DAY_HOURS, int(used) / samples)
        for class_name, hours, used, samples in conn.execute(query)
    ]


def stored_hours(conn, first, last):
    """Return the set of the hours from `first` to `last` that have samples."""
    return set(conn.scalars(sa.select(_hours.c.hour).where(_hours.c.hour.between(first, last))))
