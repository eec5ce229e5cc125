"""Texts that MySQL truncates at some length, and whether that is noticed."""

from placement.db.faults import outages


def assert_noticed(test, conn, read, lengths):
    """Assert that `read` returns everything or raises an Outage, and that both happen.

    `lengths` are the values of group_concat_max_len to try.
    """
    whole = read(conn)
    cut = []
    for length in lengths:
        conn.exec_driver_sql(f"SET SESSION group_concat_max_len = {length}")
        try:
            test.assertEqual(whole, read(conn))
        except outages.Outage as outage:
            test.assertIs(outages.Reason.CUTS, outage.reason)
            cut.append(length)
    test.assertTrue(0 < len(cut) < len(lengths), cut)
