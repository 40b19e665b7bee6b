"""Older programs of the MOOS-IvP family, for missions that name them or reproduce their results.

Apps: ``older_usim_marine`` (uSimMarine), ``older_marine_pid`` (pMarinePID), ``basic_contact_mgr``,
``moos_bridge``.
``simulators`` has what differs in the posts and mail of the older simulators; ``thrust_map`` and
``thrust_map_engines`` their motion, ``pid`` the control law of
pMarinePID. Differences from the present models are listed in docs/simulator.md and docs/pid.md.
"""
