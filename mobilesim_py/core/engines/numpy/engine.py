"""The NumPy engine: all robots at once."""

from __future__ import annotations

from mobilesim_py.core.engines.numpy import inertial, laser, motion, painting, rays, sonar, wedges


class NumpyEngine:
    """All robots at once, in NumPy."""

    name = "numpy"
    advance = staticmethod(motion.advance)
    scan = staticmethod(laser.scan)
    ping = staticmethod(sonar.ping)
    feel = staticmethod(inertial.feel)
    cast = staticmethod(rays.cast)
    nearest = staticmethod(wedges.nearest)
    paint = staticmethod(painting.paint)
