# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""Single instructions: a ray against eight segments in one stroke is `outlines.meet` in LLVM's vector instructions.

The compiler does not find them by itself in a loop this short. They are not those of one processor: where it has shorter
vectors, or none, LLVM makes several instructions of each. Importing this module imports Numba.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from mobilesim_py.core.engines import formulas
from mobilesim_py.world.sight import BLOCK

_DOUBLE = ir.DoubleType()
_VECTOR = ir.VectorType(_DOUBLE, BLOCK)
_INDEX = ir.IntType(32)


def _constant(value):
    return ir.Constant(_VECTOR, [value] * BLOCK)


def _spread(builder, scalar):
    """A vector of the same number."""
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), scalar, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_INDEX, BLOCK), [0] * BLOCK))


def _smaller(builder, a, b):
    return builder.select(builder.fcmp_ordered("<", a, b), a, b)


def _cross(builder, ax, ay, bx, by):
    return builder.fsub(builder.fmul(ax, by), builder.fmul(ay, bx))


@intrinsic
def nearest_in_block(typing_context, blocks, block, ox, oy, dx, dy):
    """How far along a ray the nearest segment of a block is, `blocks` being those of `sight.Sight`; FAR if none is met."""
    signature = types.float64(blocks, types.intp, types.float64, types.float64, types.float64, types.float64)

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        first = builder.mul(arguments[1], ir.Constant(arguments[1].type, 4 * BLOCK))

        def load(field):
            place = builder.add(first, ir.Constant(first.type, field * BLOCK))
            pointer = builder.bitcast(builder.gep(array.data, [place]), _VECTOR.as_pointer())
            return builder.load(pointer, align=8)

        x, y, dx, dy = (_spread(builder, argument) for argument in arguments[2:])
        rx, ry, ex, ey = builder.fsub(load(0), x), builder.fsub(load(1), y), load(2), load(3)
        across = _cross(builder, dx, dy, ex, ey)
        flip = builder.select(builder.fcmp_ordered("<", across, _constant(0.0)), _constant(-1.0), _constant(1.0))
        side = builder.fmul(_cross(builder, rx, ry, dx, dy), flip)
        reach = builder.fmul(_cross(builder, rx, ry, ex, ey), flip)
        across = builder.fmul(across, flip)
        met = builder.fcmp_ordered(">", across, _constant(0.0))
        for is_so in (
            builder.fcmp_ordered(">=", side, builder.fmul(_constant(-formulas.ON_SEGMENT), across)),
            builder.fcmp_ordered("<=", side, builder.fmul(_constant(1.0 + formulas.ON_SEGMENT), across)),
            builder.fcmp_ordered(">=", reach, _constant(0.0)),
        ):
            met = builder.and_(met, is_so)
        nearest = builder.select(met, builder.fdiv(reach, across), _constant(formulas.FAR))
        width = BLOCK
        while width > 1:
            # Fold the upper half onto the lower one.
            width //= 2
            order = [(k + width) % BLOCK for k in range(BLOCK)]
            other = builder.shuffle_vector(nearest, nearest, ir.Constant(ir.VectorType(_INDEX, BLOCK), order))
            nearest = _smaller(builder, nearest, other)
        return builder.extract_element(nearest, ir.Constant(_INDEX, 0))

    return signature, generate


@intrinsic
def fetch_block(typing_context, blocks, block):
    """Ask the memory for a block that will soon be met, and do not wait for it."""
    signature = types.void(blocks, types.intp)

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        first = builder.mul(arguments[1], ir.Constant(arguments[1].type, 4 * BLOCK))
        pointer_type = ir.IntType(8).as_pointer()
        prefetch = builder.module.declare_intrinsic(
            "llvm.prefetch", [pointer_type], ir.FunctionType(ir.VoidType(), [pointer_type, _INDEX, _INDEX, _INDEX])
        )
        for field in range(4):
            place = builder.add(first, ir.Constant(first.type, field * BLOCK))
            pointer = builder.bitcast(builder.gep(array.data, [place]), pointer_type)
            # For reading, to be kept, as data.
            builder.call(prefetch, [pointer, *(ir.Constant(_INDEX, value) for value in (0, 3, 1))])
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def lowest_bit(typing_context, word):
    """Which bit is the lowest one that is set in a word of 64 bits that is not zero."""
    signature = types.int64(types.uint64)

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return signature, generate
