"""Tools for .alog files: ``python -m apps.alog --help`` lists them."""
