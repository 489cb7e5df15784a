"""The smallest agent for the CiberRato contest: `mobilesim ciber --autostart --agent "python3 examples/ciber_first.py"`."""

from mobilesim_py import Mouse

mouse = Mouse("Speedy")  # registers at CIBER_HOST and CIBER_PORT, else at this machine's port 6000
while mouse.read():  # one cycle; False when the simulator is gone
    if mouse.measures.start:
        front = mouse.obstacle(0)  # 1 / distance; None if it was not asked for
        mouse.drive(0.1, 0.1 if front is None or front < 1.5 else -0.1)
        mouse.request("IRSensor0", "Ground")  # only needed where sensors come on request
        mouse.set_leds(visiting=mouse.measures.ground == 0)
