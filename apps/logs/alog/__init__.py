"""Tools for .alog files: ``steerageway alog --help`` lists them."""
