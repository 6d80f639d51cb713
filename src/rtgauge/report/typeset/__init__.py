"""The printed page: blocks become a tree of plain values with their measures, and one template lays the tree out.

Python decides what needs arithmetic (widths of columns, where long words may break, places in diagrams); the template
decides how it looks. Texts reach the template as data and are never read as markup.
"""
