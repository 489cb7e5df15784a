"""Robots as ROS robots."""
