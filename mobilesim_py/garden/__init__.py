"""What a garden robot's own computers do: odometry, localisation, an occupancy grid, registration, goals and states.

All of it knows the world only through what is handed in: poses, ranges, a sketch. It never imports the core.
"""
