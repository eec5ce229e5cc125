"""The clouds that servers are asked about: the large one, ordinary ones, and those of agents."""
