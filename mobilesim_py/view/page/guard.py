"""Who may use the viewer: the rules for Host, Origin and token, as plain functions, and the headers of every answer.

On loopback no token is needed, but the Host must be a loopback name: a page from elsewhere whose name was made to point at
127.0.0.1 (DNS rebinding) still says its own name there. On any other address every request must show the token. An
Origin, which browsers send with whatever could change something, must be the Host that was asked.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
from dataclasses import dataclass
from urllib.parse import urlsplit

TOKEN_VARIABLE = "MOBILESIM_WEB_TOKEN"
"""Environment variable with a token that the user has chosen."""

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' blob: data:",
            "media-src 'self' blob:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True)
class Visit:
    """The headers of a request that tell where it comes from."""

    host: str
    origin: str | None = None
    fetch_site: str | None = None
    """Sec-Fetch-Site: what the browser says of the page that asks."""
    navigates: bool = False
    """The user follows a link: what is answered is shown, and the page with the link does not get it."""
    tokens: tuple[str, ...] = ()
    """The token that it presents in the URL, a header or a cookie."""


@dataclass(frozen=True)
class Refusal:
    """Why a request is refused."""

    status: int
    text: str


@dataclass(frozen=True)
class Guard:
    """The rules for one address to listen on."""

    token: str = ""
    """Empty: loopback, no token needed."""

    @classmethod
    def of(cls, bind: str) -> Guard:
        """Return the guard of a bind address."""
        if is_loopback(bind):
            return cls()
        return cls(os.environ.get(TOKEN_VARIABLE) or secrets.token_urlsafe(24))

    def refuse(self, visit: Visit) -> Refusal | None:
        """Return why a request must not be answered; None if it may."""
        if not self.token and not is_loopback(host_name(visit.host)):
            return Refusal(403, "The viewer answers to localhost only: ask for it by that name, or use --web-bind.")
        if visit.origin is not None and not _same_origin(visit.origin, visit.host):
            return Refusal(403, "This page must not use the viewer: it comes from elsewhere.")
        if visit.origin is None and not visit.navigates and visit.fetch_site in ("cross-site", "same-site"):
            return Refusal(403, "This page must not use the viewer: it comes from elsewhere.")
        if self.token and not any(hmac.compare_digest(_bytes(t), _bytes(self.token)) for t in visit.tokens):
            return Refusal(401, "A token is needed: use the address that the simulator printed when it started.")
        return None


def _bytes(token: str) -> bytes:
    """Return a token as it came: a header may hold bytes that are no text."""
    return token.encode("utf-8", "backslashreplace")


def is_loopback(host: str) -> bool:
    """Tell whether a name or address can only mean this machine."""
    if host.lower().rstrip(".") == "localhost" or host.lower().rstrip(".").endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_name(host: str) -> str:
    """Return the name in a Host header, without port and brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _same_origin(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()
