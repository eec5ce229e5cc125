"""Creates or checks what the documentation shows: examples, recorded answers, steps, and pictures.

The tests that check all of it are in tests/repository and tests/unit/openapi.
"""
