"""What the package, or its documentation, offers to operators."""
