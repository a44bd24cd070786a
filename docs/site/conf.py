# SPDX-License-Identifier: Zlib
# Sphinx's settings for the site (target `site`, cmake/PliantSite.cmake). The pages come from prepare.py.
import os

project = "Pliant"
author = "the Pliant project"
copyright = author
version = release = os.environ["PLIANT_VERSION"]

extensions = ["myst_parser", "breathe"]
root_doc = "index"
smartquotes = False  # an apostrophe after a letter is a transpose or a rate
myst_heading_anchors = 4  # links to headings, as GitHub makes them

breathe_projects = {"Pliant": os.environ["PLIANT_XML"]}
breathe_default_project = "Pliant"
breathe_default_members = ("members", "protected-members")
breathe_show_include = False
primary_domain = "cpp"
highlight_language = "none"  # of indented blocks: drawings and commands; fenced ones name theirs

html_theme = "furo"
html_title = "Pliant"
html_static_path = ["static"]
html_css_files = ["pliant.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
