"""The MOOSDB protocol: programs of MOOS as observers of a run, and a run as a client of a MOOSDB.

A process of its own, which the launcher starts beside the run: see ``gate``.
"""
