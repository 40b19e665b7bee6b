"""Whole runs as MCAP files and rosbag2, and back; loaded by the log tools and the logger."""
