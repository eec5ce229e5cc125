"""Answers of the page that are proven by doing what they say."""
