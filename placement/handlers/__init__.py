"""One module per resource: a handler parses, calls the objects, and answers.

Beside them is what handlers share: checks.py (the decorators), request.py and response.py,
forms.py (what each version shows), query_grammar.py and candidate_query.py (what a query string
says), provider_body.py, present.py, caching.py and wording.py.
"""
