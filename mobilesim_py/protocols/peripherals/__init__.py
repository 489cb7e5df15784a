"""What hangs on a robot's serial ports: cameras, pan-tilt units, GPS receivers. No line and no clock."""
