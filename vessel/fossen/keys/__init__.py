"""Keys of a vessel's files, declared once for readers, forms and generated documents.

One module per file; ``listing`` combines them.
"""
