"""inventories.capacity and inventories.used, which are derived from other columns.

Triggers keep them right for writers that do not know them; recounting corrects what is wrong.
Called by db/engine, db/schema, db/generations.py, objects/ and the commands. Claims keep the
sums themselves (db/capacity.py), and tell the triggers so.
"""
