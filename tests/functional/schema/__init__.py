"""The tables as a whole: making and migrating them, taking them over, and sharing them.

`older_tables` makes the tables of earlier releases of openstack-placement.
"""
