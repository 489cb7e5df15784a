"""A robot on a pseudo-terminal, for clients that only speak to a serial port.

The client opens the terminal's path (or the link to it) as if it were a serial device. When it closes it, reading
fails and `poll` reports a hang-up continuously; so while nobody has it open, it is polled with a timer instead of being
registered with the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select

from mobilesim_py import messages
from mobilesim_py.errors import PortError
from mobilesim_py.log import Log
from mobilesim_py.net.door import INTERFACE
from mobilesim_py.net.limits import MakeLimit
from mobilesim_py.net.line import Line
from mobilesim_py.net.link import MakeSession

LOOK_SECONDS = 0.05
"""Polling period for clients that open the terminal."""
READ_SIZE = 65536


class PtyPort(Line):
    """A pseudo-terminal and the session of its client."""

    def __init__(
        self,
        link: str,
        make_session: MakeSession,
        log: Log,
        *,
        robot: str | None = None,
        limit: MakeLimit | None = None,
        interface: str = INTERFACE,
        listens_first: bool = False,
    ) -> None:
        """`listens_first`: the client waits to be spoken to, so that its session begins when it opens the terminal."""
        super().__init__(make_session, log, robot=robot, limit=limit, interface=interface)
        self.link = os.path.abspath(link) if link else ""
        """A symbolic link to make to the terminal, or empty."""
        self.path = ""
        """The terminal's own path, once open."""
        self._master = -1
        self._is_open = False
        self._listens_first = listens_first
        self._timer: asyncio.TimerHandle | None = None
        self._pending = bytearray()

    @property
    def address(self) -> str:
        """The path by which the client knows it."""
        return self.link or self.path

    @property
    def pending(self) -> int:
        """The backlog [bytes]."""
        return len(self._pending)

    def open(self) -> None:
        """Make the terminal and the link to it; PortError if that is impossible."""
        try:
            import tty

            self._master, slave = os.openpty()
        except (ImportError, AttributeError, OSError) as error:  # a system without them, or without any left
            raise PortError(f"Could not make a pseudo-terminal: {error}.") from None
        tty.setraw(slave)  # no echo, and no byte means anything to the terminal itself
        self.path = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self._master, False)
        if self.link:
            try:
                self._make_link()
            except OSError as error:
                self.close()
                raise PortError(f"Could not link {self.link} to {self.path}: {error.strerror}.") from None
        where = f"{self.path} (linked as {self.link})" if self.link else self.path
        self._log.announce(messages.READY_ON_DEVICE.format(interface=self.interface, device=where), self.robot)
        self._look_later()

    def close(self) -> None:
        """End the session, remove the link, and hang up; what the client has not read yet is lost with the terminal."""
        self.lose(messages.CLOSING_CONNECTION)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._master >= 0:
            self._stop_listening()
            os.close(self._master)
            self._master = -1
        if self.link:
            with contextlib.suppress(OSError):
                if os.readlink(self.link) == self.path:  # it may belong to another simulator by now
                    os.unlink(self.link)

    def send(self, data: bytes) -> bool:
        """Write what the terminal accepts and keep the rest; False if nobody has it open."""
        if not self._is_open:
            return False
        was_empty = not self._pending
        self._pending += data
        if was_empty:
            self._flush()
        return True

    def hear_later(self) -> None:
        """Read no more for now; what the client sends waits in the terminal."""
        if self._is_open:
            asyncio.get_running_loop().remove_reader(self._master)

    def hear_on(self) -> None:
        """Read again."""
        if self._is_open:
            asyncio.get_running_loop().add_reader(self._master, self._readable)

    def _make_link(self) -> None:
        """Make the link, in place of an older one; a real file is not overwritten."""
        if os.path.lexists(self.link) and not os.path.islink(self.link):
            raise FileExistsError(17, "there is a file of that name already")
        beside = f"{self.link}.{os.getpid()}"
        os.symlink(self.path, beside)
        os.replace(beside, self.link)

    def _look_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        """Poll for a client that has opened the terminal, and begin to read when there is one."""
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        events = dict(poll.poll(0))
        if events.get(self._master, 0) & select.POLLHUP and not events[self._master] & select.POLLIN:
            self._look_later()
            return
        self._is_open = True
        asyncio.get_running_loop().add_reader(self._master, self._readable)
        if self._listens_first and not self.is_busy:
            self._begin()

    def _readable(self) -> None:
        try:
            data = os.read(self._master, READ_SIZE)
        except BlockingIOError:
            return
        except OSError:  # EIO: the last one who had it open has closed it
            data = b""
        if data:
            self.received(data)
            return
        self._stop_listening()
        self._forget_unread()
        self.lose(messages.CLIENT_DISCONNECTED)
        if self._master >= 0:
            self._look_later()

    def _stop_listening(self) -> None:
        if self._is_open:
            loop = asyncio.get_running_loop()
            loop.remove_reader(self._master)
            loop.remove_writer(self._master)
            self._is_open = False
        self._pending.clear()
        self.forget_unheard()

    def _forget_unread(self) -> None:
        """Discard what the last client did not read, so that the next one does not take it for an answer."""
        import termios

        # Only the client's side of the terminal can do that, and only for what was sent to it: a next client may have
        # written already.
        with contextlib.suppress(OSError, termios.error):
            slave = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                termios.tcflush(slave, termios.TCIFLUSH)
            finally:
                os.close(slave)

    def _flush(self) -> None:
        try:
            del self._pending[: os.write(self._master, self._pending)]
        except BlockingIOError:
            pass
        except OSError:
            self._pending.clear()  # reading will tell that it was closed
        loop = asyncio.get_running_loop()
        if self._pending:
            loop.add_writer(self._master, self._flush)
        else:
            loop.remove_writer(self._master)
