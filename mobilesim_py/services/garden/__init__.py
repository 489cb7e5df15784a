"""Garden robots in a running program: the room `garden` bound to the core, the page and ROS."""
