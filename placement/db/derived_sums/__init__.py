"""inventories.capacity and inventories.used, which are derived from other columns.

Triggers keep them right for writers that do not know them; recounting corrects what is wrong.
Called by db/engine, db/schema and objects/; claims keep the sums themselves (db/capacity.py).
"""
