"""Writers that meet: claims, inventories and trees that others change at the same time.

`interleaving`, beside this folder, puts two writers into a given order.
"""
