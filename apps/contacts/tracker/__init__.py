"""``uTracker``: tracks objects in LiDAR scans, and publishes them as contacts and obstacles."""
