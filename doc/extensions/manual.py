"""Manual pages have no links: a reference to another page becomes its title, emphasised."""

from docutils import nodes


def setup(app):
    app.connect("doctree-resolved", _without_links)
    return {"parallel_read_safe": True}


def _without_links(app, tree, _docname):
    if app.builder.name != "man":
        return
    for reference in list(tree.findall(nodes.reference)):
        if reference.get("internal"):
            title = reference.astext()
            reference.replace_self(nodes.emphasis("", title))
