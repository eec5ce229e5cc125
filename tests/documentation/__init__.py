"""What the documentation shows: its examples, recorded answers, pages walked through, and pictures.

The tests that check all of it are in tests/repository and tests/unit/openapi.
"""
