"""How claims are written: everything that the consumers take is stored, or nothing.

Before microversion 1.8, a claim names no owner: handlers/allocation.py then takes the placeholder
project and user of the configuration (incomplete_consumer_project_id, incomplete_consumer_user_id).

Called by handlers/, which make a ConsumerClaim for each consumer in a body, and by objects/.
"""
