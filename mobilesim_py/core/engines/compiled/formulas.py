# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""The shared formulas as machine code, made from the very functions that the NumPy engine calls."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from mobilesim_py.core.engines import formulas
from mobilesim_py.core.engines.compiled.jit import routine


def compiled(function: Callable[..., Any], **names: Any) -> Any:
    """Return a shared formula as machine code, with some of the names that it uses replaced by compiled ones."""
    copy = types.FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    return routine(copy)


@routine
def choose(condition, yes, no):
    """Choose between two scalars, as `np.where` does between arrays."""
    return yes if condition else no


sincos = compiled(formulas.sincos)
wrap = compiled(formulas.wrap)
scramble = compiled(formulas.scramble)
noise_source = compiled(formulas.noise_source)
draw_key = compiled(
    formulas.draw_key,
    draw_stem=compiled(formulas.draw_stem, scramble=scramble),
    key_at=compiled(formulas.key_at, scramble=scramble),
)
draw_bits = compiled(formulas.draw_bits, scramble=scramble)
high_uniform = compiled(formulas.high_uniform)
low_uniform = compiled(formulas.low_uniform)
polynomial = compiled(formulas.polynomial)
logarithm = compiled(formulas.logarithm, choose=choose, polynomial=polynomial)
normal = compiled(formulas.normal, choose=choose, polynomial=polynomial, logarithm=logarithm)
nearest_in_wedge = compiled(formulas.nearest_in_wedge, choose=choose, along_ray=compiled(formulas.along_ray, choose=choose))
