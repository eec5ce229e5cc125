"""Commands about plans: where consumers would go, and who would have to make room."""
