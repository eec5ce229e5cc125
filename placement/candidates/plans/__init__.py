"""Plans, which change nothing: where consumers could move, and which must go to make room.

Called by handlers/operator, queries/, documents/ and the commands.
"""
