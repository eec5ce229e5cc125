"""Commands of OpenStackClient for what placement-server answers below /operator.

A command asks the service once, by `service`, and shows the answer as rows, by `report`. It knows
the service only by HTTP: nothing is imported from there.
"""
