"""Writers that meet: claims, inventories and trees that others change at the same time.

`interleaving`, beside this room, puts two writers into one order.
"""
