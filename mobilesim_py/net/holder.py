"""Which process listens on a TCP port, as far as the system tells without privileges."""

from __future__ import annotations

import os

_LISTEN = "0A"


def holder_of_port(port: int) -> str:
    """Return the process that listens on a port, such as `process 4711 (MobileSim)`; empty if unknown."""
    inodes = _listening_inodes(port)
    if not inodes:
        return ""
    wanted = {f"socket:[{inode}]" for inode in inodes}
    try:
        processes = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return ""
    for process in processes:
        if _has_descriptor(process, wanted):
            return f"process {process} ({_command(process)})"
    return ""


def _listening_inodes(port: int) -> set[str]:
    """Return the inodes of the IPv4 and IPv6 sockets that listen on a port."""
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(table, encoding="ascii") as lines:
                next(lines, None)
                for line in lines:
                    columns = line.split()
                    if columns[3] == _LISTEN and int(columns[1].rpartition(":")[2], 16) == port:
                        inodes.add(columns[9])
        except (OSError, IndexError, ValueError):
            continue
    return inodes


def _has_descriptor(process: str, wanted: set[str]) -> bool:
    directory = f"/proc/{process}/fd"
    try:
        names = os.listdir(directory)
    except OSError:
        return False  # a process of another user
    for name in names:
        try:
            if os.readlink(f"{directory}/{name}") in wanted:
                return True
        except OSError:
            continue
    return False


def _command(process: str) -> str:
    """Return the program of a process, and for an interpreter also the script."""
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            words = file.read().decode("utf-8", "replace").split("\0")
    except OSError:
        return "unknown"
    text = " ".join(word for word in words[:4] if word)
    return text if len(text) <= 80 else text[:77] + "..."
