"""Where what can be made again is kept between starts: compiled code and worlds. It may be deleted at any time."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder that was asked for, else the user's cache, else, without a home to write to, a temporary one."""
    if asked := os.environ.get("MOBILESIM_CACHE_DIR"):
        return Path(asked)
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mobilesim-py"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):
        pass
    return _temporary_folder()


@cache
def _temporary_folder() -> Path:
    """Return a folder among the temporary ones that is the user's own: code from another's would be run as our own."""
    import tempfile

    user = os.getuid() if hasattr(os, "getuid") else None
    folder = Path(tempfile.gettempdir()) / f"mobilesim-py-{'cache' if user is None else user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if user is None or folder.lstat().st_uid == user:
            return folder
    except OSError:
        return folder  # whoever writes there tells why that is impossible
    return Path(tempfile.mkdtemp(prefix="mobilesim-py-"))
