"""The keys of a vessel's files, each declared once: what readers, forms and documents go by.

One module for each file; ``listing`` puts them together.
"""
