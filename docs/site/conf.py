"""Sphinx' settings; `stage.py` puts this file and the pages side by side."""

project = "MobileSim"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "MobileSim"
html_show_sphinx = html_show_copyright = False
myst_heading_anchors = 4
exclude_patterns = ["examples/*"]
suppress_warnings = ["misc.highlighting_failure"]  # examples of formats that have no name
