"""How Sphinx builds these pages, and the manual pages: `make docs`, `make man`."""

import pathlib
import sys
from importlib import metadata

# For the extensions, which are not installed.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

project = "Placement"
release = metadata.version("placement-server")
copyright = "its authors; Apache-2.0"

extensions = ["doc.extensions.manual", "doc.extensions.reference", "doc.extensions.notes"]
exclude_patterns = ["extensions"]
nitpicky = True
# Clients compare what errors say, quotes and all.
smartquotes = False
highlight_language = "text"

html_theme = "furo"
html_title = "Placement"
html_static_path = ["static"]
html_css_files = ["placement.css"]
html_show_sourcelink = False

man_pages = [
    (
        "reference/placement-manage",
        "placement-manage",
        "change and describe the database and the API of Placement",
        [],
        1,
    ),
    (
        "reference/placement-status",
        "placement-status",
        "check whether this release of Placement can serve the database",
        [],
        1,
    ),
]
