"""The two engines behind one face."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from mobilesim_py.core.engines.compiled.engine import CompiledEngine
from mobilesim_py.core.scene import Hits, IntArray, Rays, RingTable, Scene, Wedges
from mobilesim_py.world.obstacles import ByteArray, FloatArray

if TYPE_CHECKING:
    from mobilesim_py.core.cameras.view import View
    from mobilesim_py.core.engines.numpy.engine import NumpyEngine

__all__ = ["CompiledEngine", "Engine", "NumpyEngine"]


class Engine(Protocol):
    """What moves and senses for all robots. Both engines give the same numbers, to the last bit."""

    name: str

    def advance(self, scene: Scene, ticks: int) -> None:
        """Let some ticks of motion pass, in place: drives, collisions, contacts, odometry."""

    def scan(
        self, scene: Scene, lasers: FloatArray, units: IntArray, width: int
    ) -> tuple[FloatArray, ByteArray, FloatArray]:
        """Return ranges, reflectances and cosines of incidence of each of the lasers `units`, at most `width` beams."""

    def ping(self, scene: Scene, rings: RingTable, sonars: FloatArray, units: IntArray, width: int) -> FloatArray:
        """Return the ranges of each of the sonar rings `units`, of at most `width` transducers."""

    def feel(self, scene: Scene, imus: FloatArray, units: IntArray) -> FloatArray:
        """Return what each of the inertial units `units` feels (a row for each, see `devices.imu_rows.Felt`)."""

    def cast(self, scene: Scene, rays: Rays, mask: int) -> Hits:
        """Return what each ray meets first of all that stops what `mask` says (bits of `Stops`)."""

    def nearest(self, scene: Scene, wedges: Wedges, mask: int) -> FloatArray:
        """Return how far the nearest thing in each wedge is that stops what `mask` says; its reach where there is none."""

    def paint(self, view: View) -> ByteArray:
        """Return what a camera sees: a Bayer mosaic (GBRG), height x width."""


def __getattr__(name: str) -> Any:
    """Import the NumPy engine when it is asked for: most starts never need it."""
    if name == "NumpyEngine":
        from mobilesim_py.core.engines.numpy.engine import NumpyEngine

        return NumpyEngine
    raise AttributeError(f"module {__name__} has no {name}")
