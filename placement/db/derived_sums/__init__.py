"""inventories.capacity and inventories.used, which are derived from other columns.

Triggers keep these sums right when other programs write; a recount corrects wrong ones. Called by
db/engine, db/schema, db/generations.py, objects/ and the commands. Claims keep the sums themselves
(db/capacity.py), and tell the triggers so.
"""
