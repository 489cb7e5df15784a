"""ROS 1 as a carrier."""
