"""The tools beside the simulator: 'mobilesim TOOL ...'."""
