"""The older programs of the field, for missions that must repeat them.

``thrust_map_engines`` has the thrust-map vessel of the released uSimMarineV22 and of uSimMarine,
``thrust_map`` the thrust map of both, ``pid`` the control law of pMarinePID. What differs from the
present models is listed in docs/simulator.md and docs/pid.md. The rest of ``vessel`` knows nothing
of them.
"""
