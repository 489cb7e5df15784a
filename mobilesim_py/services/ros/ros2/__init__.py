"""ROS 2 by rclpy, where that is installed: a node in this process, fed from the one table of topics."""
