"""A robot on a serial line: a device such as /dev/ttyUSB0, or a url that pySerial understands (rfc2217://, socket://).

Not all of pySerial's urls have a file descriptor that the event loop could watch, so every line has two threads: one reads
(and reopens the line when it was lost), one writes what the session has queued.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from mobilesim_py import messages
from mobilesim_py.errors import PortError
from mobilesim_py.log import Log
from mobilesim_py.net.door import INTERFACE
from mobilesim_py.net.limits import MakeLimit, by_bytes
from mobilesim_py.net.line import Line
from mobilesim_py.net.link import MakeSession

if TYPE_CHECKING:
    from serial.serialutil import SerialBase

REOPEN_SECONDS = 1.0
READ_SECONDS = 0.2
"""Timeout of a read; closing takes as long."""
READ_SIZE = 65536
SMALLEST_PENDING = 4096


class SerialPort(Line):
    """A serial line and the session of its client."""

    def __init__(
        self,
        device: str,
        baud: int,
        make_session: MakeSession,
        log: Log,
        *,
        robot: str | None = None,
        limit: MakeLimit | None = None,
        interface: str = INTERFACE,
    ) -> None:
        # About one second's worth: on a slow line, old readings must not delay new ones.
        limit = limit or by_bytes(max(SMALLEST_PENDING, baud // 10))
        super().__init__(make_session, log, robot=robot, limit=limit, interface=interface)
        self.device = device
        self.baud = baud
        self._loop: asyncio.AbstractEventLoop | None = None
        self._serial: SerialBase | None = None
        self._pending = bytearray()
        self._wake = threading.Condition()
        self._closing = threading.Event()
        self._may_read = threading.Event()
        """Set when what was read last has been obeyed."""
        self._threads: list[threading.Thread] = []

    @property
    def address(self) -> str:
        """The device."""
        return self.device

    @property
    def is_open(self) -> bool:
        """Whether the device is open."""
        return self._serial is not None

    @property
    def pending(self) -> int:
        """The backlog [bytes]."""
        return len(self._pending)

    def open(self) -> None:
        """Open the line; PortError if that is impossible now. A line lost later is reopened by retrying."""
        self._loop = asyncio.get_running_loop()
        try:
            self._serial = self._open()
        except (OSError, ValueError) as error:  # pySerial's own error is an OSError
            raise PortError(f"Could not open serial line {self.device}: {error}.") from None
        device = f"{self.device} at {self.baud} baud"
        self._log.announce(messages.READY_ON_DEVICE.format(interface=self.interface, device=device), self.robot)
        for work in (self._read, self._write):
            thread = threading.Thread(target=work, name=f"serial {self.device}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def close(self) -> None:
        """End the session and close the line, after flushing the backlog if that is quick."""
        self.lose(messages.CLOSING_CONNECTION)
        self._closing.set()
        self._may_read.set()
        with self._wake:
            self._wake.notify_all()
        for thread in self._threads:
            thread.join(READ_SECONDS * 3)
        self._threads.clear()
        line, self._serial = self._serial, None
        if line is not None:
            self._shut(line)

    def send(self, data: bytes) -> bool:
        """Queue bytes for the writing thread; False if the line is not open."""
        with self._wake:
            if self._serial is None:
                return False
            self._pending += data
            self._wake.notify_all()
        return True

    def hear_later(self) -> None:
        """Leave the reading thread waiting."""

    def hear_on(self) -> None:
        """Let the reading thread go on."""
        self._may_read.set()

    def _open(self) -> SerialBase:
        import serial

        return serial.serial_for_url(self.device, baudrate=self.baud, timeout=READ_SECONDS, write_timeout=1.0)

    @staticmethod
    def _shut(line: SerialBase) -> None:
        try:
            line.close()
        except Exception:  # pySerial raises many things on a device that is gone, and all mean that it is closed
            return

    # The reading thread

    def _read(self) -> None:
        while not self._closing.is_set():
            line = self._serial
            if line is None:
                self._reopen()
                continue
            try:
                data = line.read(1)
                waiting: int = getattr(line, "in_waiting", 0)
                if data and waiting:
                    data += line.read(min(waiting, READ_SIZE))
            except Exception as error:  # see _shut: an unplugged device raises TypeError, termios.error, OSError ...
                if not self._closing.is_set():
                    self._unplugged(line, error)
                continue
            if data:
                self._may_read.clear()
                self._tell(self._heard, bytes(data))
                while not self._may_read.wait(READ_SECONDS) and not self._closing.is_set():
                    pass

    def _unplugged(self, line: SerialBase, error: Exception) -> None:
        with self._wake:
            self._serial = None
            self._pending.clear()
            self._wake.notify_all()
        self._shut(line)
        self._tell(self._lost, str(error))

    def _reopen(self) -> None:
        if self._closing.wait(REOPEN_SECONDS):
            return
        try:
            line = self._open()
        except (OSError, ValueError):
            return
        self._serial = line
        self._tell(self._back)

    # The writing thread

    def _write(self) -> None:
        while True:
            with self._wake:
                while not self._pending and not self._closing.is_set():
                    self._wake.wait()
                if not self._pending:
                    return
                data, line = bytes(self._pending), self._serial
                self._pending.clear()
            if line is None:
                continue
            try:
                line.write(data)
            except Exception:  # the line is slow or gone; in the second case reading will notice as well
                continue

    # On the event loop

    def _tell(self, function: object, *arguments: object) -> None:
        """Call something on the event loop, unless the loop is closed."""
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(function, *arguments)  # type: ignore[arg-type]
        except RuntimeError:
            self._closing.set()

    def _heard(self, data: bytes) -> None:
        self.received(data)
        if not self._waits:
            self._may_read.set()

    def _lost(self, why: str) -> None:
        self.forget_unheard()
        self._log.warning(f"Lost serial line {self.device} ({why}). Waiting for it to come back.", self.robot)
        self.lose(messages.CLIENT_DISCONNECTED)

    def _back(self) -> None:
        self._log.info(messages.READY_ON_DEVICE.format(interface=self.interface, device=self.device), self.robot)
