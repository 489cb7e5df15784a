# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""How functions of this engine are compiled.

Nothing but a `kernel` owns arrays: all others borrow them from their caller, so that handing a table of arrays from one
function to the next counts no references (which took longer than the work between them).
"""

from __future__ import annotations

from functools import partial

import numba

_OPTIONS = {"nogil": True, "error_model": "numpy"}
kernel = partial(numba.njit, **_OPTIONS)
"""What the interpreter calls; it may make arrays of its own."""
lean_kernel = partial(numba.njit, _nrt=False, **_OPTIONS)
"""The same, but makes no arrays."""
kernel_part = partial(numba.njit, **_OPTIONS)
"""A part of a kernel that makes arrays."""
routine = partial(numba.njit, _nrt=False, **_OPTIONS)
"""A part of a kernel."""
piece = partial(numba.njit, _nrt=False, forceinline=True, **_OPTIONS)
"""A part of a kernel that is written out at every place that calls it."""
