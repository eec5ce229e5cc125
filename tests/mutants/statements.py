"""Statements of a module, by their lines."""

import ast


def lines(tree, line):
    """Return the lines of the statement at a line, or of its head if it has a body."""
    heads = (
        range(node.lineno, _end_of_head(node) + 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
    )
    return min((head for head in heads if line in head), key=len, default=[line])


def runs_on_import(tree, line):
    """Whether a line is outside of every function, so that it runs when the module is imported."""
    return not any(
        node.body[0].lineno <= line <= node.end_lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    )


def _end_of_head(node):
    if isinstance(node, ast.Match):
        return max(node.lineno, node.cases[0].pattern.lineno - 1)
    body = getattr(node, "body", None)
    return max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
