"""How Sphinx builds these pages: `make docs`."""

import pathlib
import sys
from importlib import metadata

# For the extensions, which are not installed.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

project = "Placement"
release = metadata.version("placement-server")
copyright = "its authors; Apache-2.0"

extensions = ["doc.extensions.reference"]
exclude_patterns = ["extensions"]
nitpicky = True
# Clients compare what errors say, quotes and all.
smartquotes = False

html_theme = "alabaster"
html_theme_options = {
    "description": "Inventories, usages and claims of resources",
    "fixed_sidebar": True,
    "page_width": "72rem",
    "sidebar_width": "15rem",
}
html_static_path = ["static"]
html_css_files = ["reference.css"]
html_show_sourcelink = False
