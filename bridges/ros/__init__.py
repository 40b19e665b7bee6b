"""Messages of ROS 2, and bags of them, without ROS: types and CDR are those of rosbags."""
