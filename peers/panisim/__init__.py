"""Panisim's main file, the missions that are made of it, and Panisim's own equations.

main_file   reads ``simulation_input.yml``; rings: its waypoints and geofence
missions    makes a mission for each of its vessels; fleet: blocks that connect them
launching   replaces main files in a launch by those missions
equations   moves a vessel as Panisim does, with ``peer_compat: panisim``
"""
