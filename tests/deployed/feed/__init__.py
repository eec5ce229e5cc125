"""A storm of writes, each of which the feed of changes must report exactly once.

`writers` send writes of all kinds to several servers, through `storm`, while one of the servers is
killed and started again every few seconds. Meanwhile `follower`, a process of its own, keeps a copy
of the cloud with the program that the documentation shows. Then `reporting` compares the answers
that the writers got with the changes that the follower saw, and the test compares the copy with
what the service has.

A write that was not answered may be stored or not, but it must be reported if and only if it is
stored. Nobody knows its request id, so it is recognized by its effects. A write that is stored but
not reported would be noticed in two ways: the copy would differ, and so would the state in which a
later change of the same subject begins.
"""
