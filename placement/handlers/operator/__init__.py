"""/operator: what operators ask of the service. It has no microversions, and answers only grow."""
