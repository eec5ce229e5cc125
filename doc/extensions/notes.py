"""The directive `notes`: the release notes of all versions, a section for each."""

from sphinx.util.docutils import SphinxDirective

from doc.extensions import changelog


class Notes(SphinxDirective):
    """The directive, without arguments."""

    def run(self):
        return self.parse_text_to_nodes(changelog.report(), allow_section_headings=True)


def setup(app):
    app.add_directive("notes", Notes)
    return {"parallel_read_safe": True}
