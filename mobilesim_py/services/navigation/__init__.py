"""Navigation for the robots of a running program: goals from any carrier, velocities for any drive."""
