"""Tests of the ROS 2 carrier."""
