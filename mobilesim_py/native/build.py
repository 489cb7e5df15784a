# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls, disable-error-code="no-any-return,attr-defined"
"""Making machine code: Numba compiles functions, and what it made of them goes into one object file.

The functions are called once with a `Recorder` in their place, which sees what their arguments are. Each gets an entry that
reads them from a block (see `native.kernel`). Importing this module imports Numba.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic

from mobilesim_py.native.kernel import REAL, WHOLE, Code, code_of, plain_codes, words_of
from mobilesim_py.native.machine_code import LIBRARY, OBJECT, Kernels, Manifest, symbol

LINK_SECONDS = 60.0
_C_LIBRARY = frozenset(
    [
        "malloc",
        "free",
        "memset",
        "memcpy",
        "memmove",
        "sqrt",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "exp",
        "log",
        "pow",
        "floor",
        "ceil",
        "rint",
        "fabs",
        "fmod",
        "hypot",
    ]
)
"""What every process has anyway."""
_MEMORY = """
; What Numba's code asks for when it makes an array: a counted piece of memory behind a header.
declare ptr @malloc(i64)
declare void @free(ptr)

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %alignment = zext i32 %align to i64
  %room = add i64 %size, %alignment
  %all = add i64 %room, 64
  %overflows = icmp ult i64 %all, %size
  br i1 %overflows, label %none, label %ask
ask:
  %header = call ptr @malloc(i64 %all)
  %failed = icmp eq ptr %header, null
  br i1 %failed, label %none, label %fill
fill:
  %place = ptrtoint ptr %header to i64
  %behind = add i64 %place, 64
  %less = sub i64 %alignment, 1
  %over = add i64 %behind, %less
  %mask = xor i64 %less, -1
  %data = and i64 %over, %mask
  store i64 1, ptr %header
  %destructor = getelementptr i64, ptr %header, i64 1
  store i64 0, ptr %destructor
  %information = getelementptr i64, ptr %header, i64 2
  store i64 0, ptr %information
  %data_field = getelementptr i64, ptr %header, i64 3
  store i64 %data, ptr %data_field
  %size_field = getelementptr i64, ptr %header, i64 4
  store i64 %size, ptr %size_field
  ret ptr %header
none:
  ret ptr null
}

define void @NRT_MemInfo_call_dtor(ptr %header) {
  call void @free(ptr %header)
  ret void
}
"""

_CALL = """
; Numba's functions return a status, and have places for a result and for an error that nobody asks for here.
declare i32 @{inner}(ptr, ptr, ptr, ptr)

define i32 @{name}(ptr %block) {{
  %result = alloca ptr
  %error = alloca ptr
  %status = call i32 @{inner}(ptr %result, ptr %error, ptr %block, ptr %block)
  ret i32 %status
}}
"""


class Recorder:
    """Stands for functions that are yet to be compiled, and remembers what they are called with."""

    def __init__(self) -> None:
        self.codes: dict[str, tuple[Code, ...]] = {}

    def __call__(self, name: str) -> Callable[..., None]:
        """Return what stands for a function."""

        def record(*arguments: Any) -> None:
            codes = tuple(map(code_of, arguments))
            if self.codes.setdefault(name, codes) != codes:
                raise TypeError(f"{name} is called with {codes} and with {self.codes[name]}")

        return record


def build(
    functions: Mapping[str, Any], examples: Callable[[Kernels], None], folder: Path, features: Sequence[str] = ()
) -> None:
    """Compile functions by name (as Numba's decorators return them) for the processor that Numba compiles for.

    `examples` calls each of them once. The folder gets the object file, its manifest and, if there is a linker, the
    library; OSError if it cannot be written.
    """
    recorder = Recorder()
    examples(recorder)
    whole = llvm.parse_assembly(_MEMORY)
    for name, codes in recorder.codes.items():
        whole.link_in(_module_with_entry(name, functions[name], tuple(plain_codes(codes))))
    _keep_only(whole, {symbol(name) for name in recorder.codes})
    machine = _target_machine()
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(whole, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3)))
    _check(whole)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / OBJECT).write_bytes(machine.emit_object(whole))
    _link(folder)
    Manifest(recorder.codes, tuple(features)).save(folder)


@intrinsic
def _pointer(typing_context, address):
    """Return the pointer that a whole number is."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), generate


def _module_with_entry(name: str, function: Any, codes: Sequence[str]) -> llvm.ModuleRef:
    """Compile a function; return a module in which nothing but its entry can be seen from outside."""
    names = {"function": function, "carray": numba.carray, "pointer": _pointer}
    passed, word = [], 0
    for place, code in enumerate(codes):
        if code in (WHOLE, REAL):
            passed.append(f"{'whole' if code == WHOLE else 'real'}[{word}]")
        else:
            shape = "".join(f"whole[{word + 1 + axis}], " for axis in range(words_of(code) - 1))
            names[f"dtype{place}"] = np.dtype(code.partition(":")[0])
            passed.append(f"carray(pointer(whole[{word}]), ({shape}), dtype{place})")
        word += words_of(code)
    exec(f"def entry(whole, real):\n    function({', '.join(passed)})\n", names)
    arguments = (types.CPointer(types.int64), types.CPointer(types.float64))
    compiled = numba.njit(
        types.void(*arguments), nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(names["entry"]).overloads[arguments]
    inner = f"{symbol(name)}_entry"
    module = llvm.parse_assembly(str(compiled.library._final_module))
    module.get_function(compiled.fndesc.llvm_func_name).name = inner
    module.link_in(llvm.parse_assembly(_CALL.format(name=symbol(name), inner=inner)))
    _keep_only(module, {symbol(name)})
    return module


def _keep_only(module: llvm.ModuleRef, names: set[str]) -> None:
    """Let nothing but these functions be seen from outside a module."""
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration and item.name not in names:
            item.linkage = "internal"


def _check(module: llvm.ModuleRef) -> None:
    """Refuse code that would not run without Numba: TypeError that names what it calls."""
    called = (function.name for function in module.functions if function.is_declaration)
    if missing := [name for name in called if not name.startswith("llvm.") and name not in _C_LIBRARY]:
        raise TypeError(f"compiled functions call what only Numba has: {', '.join(missing)}")


def _target_machine() -> llvm.TargetMachine:
    """Return the processor that Numba compiles for, with code that may lie anywhere in memory."""
    cpu = numba.config.CPU_NAME or llvm.get_host_cpu_name()
    features = numba.config.CPU_FEATURES
    if features is None:
        features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=cpu, features=features, opt=3, reloc="pic", codemodel="default")


def _link(folder: Path) -> None:
    """Make the library if there is a linker; without it llvmlite loads the object file."""
    library = folder / LIBRARY
    library.unlink(missing_ok=True)
    shared = "-dynamiclib" if sys.platform == "darwin" else "-shared"
    for linker in ("cc", "gcc", "clang", "ld"):
        if path := shutil.which(linker):
            words = [path, shared, "-o", str(library), str(folder / OBJECT), "-lm"]
            try:
                done = subprocess.run(words, capture_output=True, timeout=LINK_SECONDS, check=False)
            except (OSError, subprocess.SubprocessError):
                continue
            if done.returncode == 0 and library.exists():
                return
    library.unlink(missing_ok=True)
