"""inventories.capacity and inventories.used, which are derived from other columns.

Triggers keep these sums right when other programs write; a recount corrects wrong ones. Claims
update the sums themselves (db/taking_capacity.py), and make the triggers skip what they write.

Called by db/taking_capacity.py, db/engine, db/generations.py, db/schema, objects/ and the commands.
"""
