"""The tables as a whole: making and migrating them, taking them over, and sharing them.

`older_tables` makes those of earlier releases of openstack-placement.
"""
