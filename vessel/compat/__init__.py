"""Models of older MOOS-IvP programs (uSimMarineV22, uSimMarine, pMarinePID), for compatibility.

``thrust_map_engines`` has the thrust-map vessel of the released uSimMarineV22 and of uSimMarine,
``thrust_map`` the thrust map of both, ``pid`` the control law of pMarinePID. Differences from the
present models are listed in docs/simulator.md and docs/pid.md. The rest of ``vessel`` does not
import them.
"""
