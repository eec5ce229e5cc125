"""The choice of providers, given all of their trees: forests and a query -> candidates; all pure.

anchors.py goes from anchor to anchor, depth-first or breadth-first. assignment.py chooses the
providers at one anchor, and enforces the rules that bind groups to each other: isolate (R8),
same_subtree (R10, with subtrees.py) and sums (R11). packing.py helps it to give up early.

Called by candidates/ and its folders.
"""
