"""Puts the compiled engine into a wheel, where MOBILESIM_KERNELS names a folder with its code (see `make wheel`)."""

from __future__ import annotations

import os
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelsHook(BuildHookInterface):  # type: ignore[type-arg]
    """The wheel is then one for this system and machine, for all versions of Python."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder, if there is one."""
        folder = os.environ.get("MOBILESIM_KERNELS")
        if folder and self.target_name == "wheel":
            build_data["force_include"][os.path.abspath(folder)] = "mobilesim_py/share/kernels"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
