"""Who can provide the requested resources: finding.py has the stages of the search, in order.

CandidateQuery                        query.py       values; queries/ reads it from a query string
             -> ResolvedQuery         resolution.py  keys instead of names
             -> feasible roots        feasible.py    a superset, from sets of who has what, or by
                                                     the conditions of db/search/roots.py;
                                                     db/search/narrowing.py decides which way
             -> forests               batches.py     the trees of those roots, in batches
             -> candidates            solver/        pure and lazy

A small cloud is read whole by one statement (sources.py); then all stages are pure, and
small_trees.py takes the place of batches.py.

Called by queries/, documents/, flavors/, handlers/, metrics/ and the commands.
"""
