"""What the log calls a client: `HOST (IP)`, without a DNS query, which might take seconds."""

from __future__ import annotations

from typing import Any

HOSTS_FILE = "/etc/hosts"
_names: dict[str, str] | None = None


def describe_peer(address: Any) -> str:
    """Describe the address that `accept` gave."""
    ip = address_of(address)
    return f"{_host_names().get(ip, ip)} ({ip})"


def address_of(address: Any) -> str:
    """Return the IP of the address that `accept` gave; an IPv4 client of an IPv6 socket keeps its usual form."""
    ip = str(address[0]) if isinstance(address, tuple) and address else str(address)
    return ip.removeprefix("::ffff:")


def _host_names() -> dict[str, str]:
    """Read the names in the hosts file, once."""
    global _names
    if _names is None:
        _names = {"127.0.0.1": "localhost", "::1": "localhost"}
        try:
            with open(HOSTS_FILE, encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    words = line.partition("#")[0].split()
                    if len(words) >= 2:
                        _names.setdefault(words[0], words[1])
        except OSError:
            pass
    return _names
