"""The other end of the wires: programs of the user's that start a simulator and drive robots, ours or real ones."""
