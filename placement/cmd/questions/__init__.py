"""Commands of placement-manage that look something up."""
