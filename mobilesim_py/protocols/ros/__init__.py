"""ROS messages without ROS: definitions, md5 sums, and the forms that messages take on a wire."""
