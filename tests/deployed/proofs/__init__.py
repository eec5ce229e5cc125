"""Tests that prove the page's answers by doing what they say."""
