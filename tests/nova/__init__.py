"""nova's own functional tests, from its release, with our fixture: `make nova`.

nova has its own environment, in which openstack-placement must not be installed. choice.txt names
the tests: those of nova's client for Placement, and some tests that place, move, repair and count
instances. The first lines are enough for a short run.
"""
