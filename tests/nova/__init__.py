"""nova's own functional tests, as its release has them, with our fixture: `make nova`.

nova is in an environment of its own, where openstack-placement must not be installed. choice.txt
names the tests: those of nova's client of Placement, and some of what places, moves, repairs and
counts instances. The first lines are enough for a short run.
"""
