"""The search for providers of the requested resources; search.py has its stages, in order.

    a query string
    -> CandidateQuery   query.py       names of classes, traits ...; queries/ parses them
    -> ResolvedQuery    resolution.py  keys instead of names
    -> feasible roots   feasible.py    all roots with candidates, perhaps more; found from sets of
                                       providers or by the conditions of db/search/roots.py, as
                                       batches.py decides
    -> forests          batches.py     the trees of those roots, in batches; forests.py adds the
                                       sharing providers that each can use
    -> candidates       solver/        pure and lazy

Outside the search, why/ explains why nothing was found, fits/ counts how many more would fit, and
plans/ looks for other places for consumers.

The rules are in four places. db/provider_room.py decides whether an amount fits, for a search, and
kinds/ decides what a single provider has to meet. solver/assignment.py has the rules that bind
groups to each other. rules.py has the rest: which root may be an anchor (root_required), and which
provider may serve a group.

small_or_large_cloud.py decides where a search reads from. A small cloud is read in one statement;
then all stages are pure, and small_trees.py takes the place of batches.py.

Called by queries/, documents/, flavors/, handlers/, metrics/ and the commands.
"""
