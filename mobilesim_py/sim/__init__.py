"""The stepped core: robots as arrays, motion, odometry, sensors; no protocol, no wall clock."""
