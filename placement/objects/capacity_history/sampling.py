"""The capacity of the cloud, sampled every hour by the first process that finds no sample."""

import datetime
from typing import NamedTuple

from placement.db.chunks import chunks
from placement.db.records import capacity_samples
from placement.db.records.capacity_samples import ClassSums, HourSample
from placement.db.reports import capacity_report
from placement.db.schema.foreign_writes import ForeignWrites

hour_of = capacity_samples.hour_of

# How many hours are deleted, or imported, in one transaction.
_FORGOTTEN_AT_ONCE = 100
_ADDED_AT_ONCE = 100


class Added(NamedTuple):
    """How many hours were stored, had a sample already, or were too old to be stored."""

    stored: int
    present: int
    too_old: int


def sample_if_due(database, days_kept, now):
    """Store the sums of the hour of `now`, a datetime in UTC, unless some process has done so.

    A process that stores a sample also deletes those older than `days_kept` days. Return whether
    this call stored a sample.
    Cost: one query; some more if a sample is stored. Its sums are computed outside of the
    transaction that stores them.
    """
    hour = hour_of(now)
    with database.reader() as conn:
        if capacity_samples.is_stored(conn, hour):
            return False
    sample = _sample(database, now)
    if not database.in_transaction(lambda conn: _store_first(conn, sample)):
        return False
    forget_older(database, days_kept, now)
    return True


def _sample(database, now):
    """Return the HourSample of the cloud as it is."""
    # What other programs have written counts, too, even if no request has come since.
    ForeignWrites(database).begin()
    with database.reports() as conn:
        host_count = capacity_report.host_count(conn)
        sums = capacity_report.sums(conn, capacity_report.BY_CLASS)
    return HourSample(now, host_count, [_class_sums(each) for each in sums])


def _class_sums(of_class):
    """Return the ClassSums of a Sum."""
    return ClassSums(
        of_class.class_name,
        capacity=of_class.capacity,
        used=of_class.used,
        largest_free=of_class.largest_free,
        full_providers=of_class.full,
        providers=of_class.providers,
    )


def _store_first(conn, sample):
    """Store the sample, unless its hour has one already. Return whether it was stored.

    Raises: DBDuplicateEntry if another process has stored one since; the next attempt finds it.
    """
    if capacity_samples.is_stored(conn, sample.hour):
        return False
    capacity_samples.store(conn, sample)
    return True


def forget_older(database, days_kept, now):
    """Delete the samples that are older than `days_kept` days, in small transactions."""
    oldest = _oldest_kept(days_kept, now)

    def forget_some(conn):
        return capacity_samples.forget(conn, oldest, _FORGOTTEN_AT_ONCE)

    while database.in_transaction(forget_some) == _FORGOTTEN_AT_ONCE:
        pass


def _oldest_kept(days_kept, now):
    """Return the first hour whose sample is not too old to be kept."""
    return hour_of(now - datetime.timedelta(days=days_kept))


def add(database, samples, days_kept, now, replace=False):
    """Store HourSamples of other programs, in their order, in small transactions. Return the Added.

    Hours that have a sample keep it, unless `replace` is true. Samples older than `days_kept` days
    are left out.
    """
    oldest = _oldest_kept(days_kept, now)
    recent = [sample for sample in samples if sample.hour >= oldest]
    stored = sum(
        database.in_transaction(lambda conn, some=some: _add_some(conn, some, replace))
        for some in chunks(recent, _ADDED_AT_ONCE)
    )
    return Added(stored, present=len(recent) - stored, too_old=len(samples) - len(recent))


def _add_some(conn, samples, replace):
    """Store samples; unless `replace`, hours that have one keep it. Return how many were stored."""
    present = capacity_samples.stored_hours(conn, samples[0].hour, samples[-1].hour)
    if replace:
        capacity_samples.remove(conn, {sample.hour for sample in samples} & present)
        present = ()
    new = [sample for sample in samples if sample.hour not in present]
    if new:
        capacity_samples.store(conn, *new)
    return len(new)
