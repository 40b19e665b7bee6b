"""Diagnostics: errors and warnings about users' files, as data. Every package may import it."""

from steerageway import refuse_bare_import

refuse_bare_import(__name__)
