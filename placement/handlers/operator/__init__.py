"""/operator: what operators ask. There are no microversions; answers may gain new fields."""
