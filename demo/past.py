"""Giving the demo cloud a past: what was done on a server just now is said to have been long ago.

All of it was really done, by the users who are named, but when `make demo` ran. Only a
server's own machine can say otherwise, so this changes its SQLite file. Nobody should do so with a
ledger that others rely on.
"""

import contextlib
import datetime
import json
import random
import sqlite3

from demo import cloud, night

# The cloud was built this long ago, and since then, instances have come one after the other.
_AGE = datetime.timedelta(days=29)
# At the latest, all was over at this time (UTC), and it took this long.
_MORNING = datetime.time(3, 41, 7)
_NIGHT = datetime.timedelta(hours=2, minutes=9, seconds=12)
# Nobody did anything in the hour before.
_QUIET = datetime.timedelta(hours=1)
_MINUTE = datetime.timedelta(minutes=1)


def set_back(path, now):
    """Move the changes of a new demo cloud in an SQLite file back in time; `now` is in UTC.

    What was recorded before them is forgotten, since the feed is in the order of time.
    """
    with contextlib.closing(sqlite3.connect(path, timeout=10)) as conn, conn:
        # As the service does: otherwise the triggers of the feed report what is written here.
        conn.create_function("sqlite_source_id", 0, lambda: "placement", deterministic=True)
        conn.execute("BEGIN IMMEDIATE")
        _forget_before(conn, _first(conn))
        query = "SELECT id, kind, uuid FROM placement_changes ORDER BY id"
        changes = conn.execute(query).fetchall()
        created = {}
        for (change_id, kind, uuid), moment in zip(changes, moments(changes, now), strict=True):
            conn.execute(
                "UPDATE placement_changes SET written_at = ? WHERE id = ?",
                (_stored(moment), change_id),
            )
            if kind == "allocations":
                created.setdefault(uuid, moment)
                _set_creation_back(conn, change_id, created[uuid])
        conn.executemany(
            "UPDATE consumers SET created_at = ? WHERE uuid = ?",
            [(_stored(moment), uuid) for uuid, moment in created.items()],
        )


def _first(conn):
    """Return the id of the first change that loading.load() makes."""
    query = "SELECT max(id) FROM placement_changes WHERE kind = 'trait' AND name = ?"
    return conn.execute(f"{query} AND state_before IS NULL", (cloud.GPU_TRAIT,)).fetchone()[0]


def _forget_before(conn, change_id):
    query = "SELECT max(position) FROM placement_changes WHERE id < ?"
    [dropped] = conn.execute(query, (change_id,)).fetchone()
    conn.execute("DELETE FROM placement_changes WHERE id < ?", (change_id,))
    if dropped is not None:
        conn.execute("UPDATE placement_feed SET dropped = ?", (dropped,))


def _set_creation_back(conn, change_id, moment):
    """Set the time at which a consumer was created, in both states of a change."""
    query = "SELECT state_before, state_after FROM placement_changes WHERE id = ?"
    [states] = conn.execute(query, (change_id,))
    conn.execute(
        "UPDATE placement_changes SET state_before = ?, state_after = ? WHERE id = ?",
        (*(text and _created_at(moment, text) for text in states), change_id),
    )


def _created_at(moment, text):
    state = json.loads(text) | {"created_at": f"{moment:%Y-%m-%dT%H:%M:%SZ}"}
    return json.dumps(state, separators=(",", ":"))


def _stored(moment):
    return f"{moment:%Y-%m-%d %H:%M:%S}.000000"


def moments(changes, now):
    """Return when each of the changes, (id, kind, uuid) in order, is said to have been made."""
    night_begins, *_ = at_night = night_times(now)
    of_old = changes[: -len(at_night)]
    claims = [change for change in of_old if change[1] == "allocations"]
    built = now - _AGE
    pace = (night_begins - _QUIET - built) / len(claims)
    return [
        *([built] * (len(of_old) - len(claims))),
        *(built + pace * number for number in range(1, len(claims) + 1)),
        *at_night,
    ]


def night_times(now):
    """Return when each step of night.happen() is said to have been made: the night is over."""
    morning = datetime.datetime.combine(now.date(), _MORNING, now.tzinfo)
    end = min(morning, now - 20 * _MINUTE)
    found = [end - _NIGHT]
    dice = random.Random(2)
    for _ in night.moved():
        found.append(found[-1] + datetime.timedelta(seconds=dice.randint(180, 600)))
    return [*found, end]
