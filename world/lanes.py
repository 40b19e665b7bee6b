"""A number of compiled code that is eight: ``Lanes``, with the arithmetic of a float in each lane.

Code written for floats computes eight vessels in the time of one if these are in its arrays: see
``lanes``. Processors have instructions for four or eight numbers at a time.

Multiplications and additions may be fused, and sine and cosine are those below, so that a result
differs from that of floats in the last digits. Conditions are of each lane, too: ``formula.chosen``
takes the place of ``if``, and ``everywhere`` tells whether one holds in all.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils, imputils
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing import templates
from numba.extending import intrinsic, models, overload, register_model

from steerageway.world.compiled import CPointer, part
from steerageway.world.formula import chosen, everywhere

LANES = 8
ALIGNED = 8 * LANES  # [byte]
WIDEST = 1e5  # angle whose sine is known in all digits [rad]
FUSED = ("contract",)
VECTOR = ir.VectorType(ir.DoubleType(), LANES)
WORD = ir.IntType(32)
# numba has no types for these
signature: Any = templates.signature
infer_global: Any = templates.infer_global
lower_builtin: Any = imputils.lower_builtin
lower_cast: Any = imputils.lower_cast
external: Any = cgutils.get_or_insert_function


class _Lanes(types.Type):
    def can_convert_from(self, typing: Any, other: Any) -> Any:
        return Conversion.promote if isinstance(other, types.Float | types.Integer) else None

    def unify(self, typing: Any, other: Any) -> Any:
        return self if self.can_convert_from(typing, other) else None


class _Which(types.Type):
    """Whether something holds, in each lane."""


Lanes, Which = _Lanes("Lanes"), _Which("Which")


def _model(kind: Any, vector: Any) -> None:
    """Set what numbers of a type are in LLVM."""
    usual: Any = models.PrimitiveModel

    def begin(self: Any, manager: Any, kind: Any) -> None:
        usual.__init__(self, manager, kind, vector)

    register_model(kind)(type("", (usual,), {"__init__": begin}))


_model(_Lanes, VECTOR)
_model(_Which, ir.VectorType(ir.IntType(1), LANES))


def _spread(context: Any, builder: Any, given: Any, to: Any, value: Any) -> Any:
    number = context.cast(builder, value, given, types.float64)
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, WORD(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(WORD, LANES), None))


for _number in (types.Float, types.Integer):
    lower_cast(_number, Lanes)(_spread)


def _define(
    function: Any, generate: Callable[..., Any], arguments: int = 2, to: Any = Lanes
) -> None:
    """Define a function of lanes by the instruction that ``generate`` makes."""
    given = (Lanes,) * arguments
    cases = {"cases": [signature(to, *given)]}
    infer_global(function)(type("", (templates.ConcreteTemplate,), cases))
    lower_builtin(function, *given)(
        lambda context, builder, signature, values: generate(builder, *values)
    )


def _named(name: str, builder: Any, *values: Any) -> Any:
    """Call one of LLVM's functions of vectors."""
    kind = ir.FunctionType(VECTOR, [VECTOR] * len(values))
    name = f"llvm.{name}.v{LANES}f64"
    return builder.call(external(builder.module, kind, name), values)


def _of_each(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Call the exponential function of floats for one lane after another."""
    scalar = context.get_function(math.exp, types.float64(types.float64))
    result = values[0]
    for i in map(WORD, range(LANES)):
        number = scalar(builder, (builder.extract_element(values[0], i),))
        result = builder.insert_element(result, number, i)
    return result


def _define_all() -> None:
    for name in ("add", "sub", "mul", "truediv"):
        instruction = f"f{name.removeprefix('true')}"
        for function in (getattr(operator, name), getattr(operator, f"i{name}")):
            _define(function, lambda b, x, y, i=instruction: getattr(b, i)(x, y, flags=FUSED))
    for sign, name in {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq"}.items():
        compare = getattr(operator, name)
        _define(compare, lambda b, x, y, s=sign: b.fcmp_ordered(s, x, y), to=Which)
    # as Python: the first, if they are not in order
    _define(max, lambda b, x, y: b.select(b.fcmp_ordered(">", y, x), y, x))
    _define(min, lambda b, x, y: b.select(b.fcmp_ordered("<", y, x), y, x))
    _define(operator.neg, lambda b, x: b.fneg(x), 1)
    _define(abs, lambda b, x: _named("fabs", b, x), 1)
    _define(math.sqrt, lambda b, x: _named("sqrt", b, x), 1)
    _define(math.floor, lambda b, x: _named("floor", b, x), 1)


_define_all()
infer_global(math.exp)(
    type("", (templates.ConcreteTemplate,), {"cases": [signature(Lanes, Lanes)]})
)
lower_builtin(math.exp, Lanes)(_of_each)


def _select_of(typing: Any, which: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(*arguments)

    return signature(Lanes, Which, Lanes, Lanes), generate


_select = cast(Callable[[Any, Any, Any], Any], intrinsic(_select_of))


@overload(chosen, strict=False, jit_options={"forceinline": True})
def _chosen_in_lanes(which: Any, one: Any, other: Any) -> Any:
    return (lambda which, one, other: _select(which, one, other)) if which is Which else None


def _all(typing: Any, which: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], ir.IntType(LANES))
        return builder.icmp_unsigned("==", bits, ir.IntType(LANES)(2**LANES - 1))

    return types.boolean(which), generate


_everywhere = cast(Callable[[Any], Any], intrinsic(_all))


@overload(everywhere, strict=False, jit_options={"forceinline": True})
def _everywhere_in_lanes(which: Any) -> Any:
    return (lambda which: _everywhere(which)) if which is Which else None


def _aligned(typing: Any, numbers: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        address = builder.add(builder.ptrtoint(arguments[0], word), word(ALIGNED - 1))
        return builder.inttoptr(builder.and_(address, word(-ALIGNED)), arguments[0].type)

    return numbers(numbers), generate


def _lanes(typing: Any, numbers: Any, first: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.bitcast(arguments[0], VECTOR.as_pointer())
        return builder.gep(pointer, [arguments[1]], source_etype=VECTOR)

    return CPointer(Lanes)(numbers, first), generate


# The first place at or behind a pointer to float64 that may be the address of lanes.
aligned = cast(Callable[[Any], Any], intrinsic(_aligned))
# The lanes from an index on at an aligned pointer to float64: LANES numbers for each.
lanes = cast(Callable[[Any, Any], Any], intrinsic(_lanes))


@part
def sine_and_cosine(x: Any) -> Any:
    """Return sin and cos of angles below ``WIDEST``, within 2e-16.

    Source: reduction by Cody and Waite (1980), polynomials of FreeBSD's k_sin.c and k_cos.c (Sun).
    """
    turns = math.floor(x * (2.0 / math.pi) + 0.5)
    r = x - turns * 1.57079632673412561417e00
    r = (r - turns * 6.07710050630396597660e-11) - turns * 2.02226624879595063154e-21
    z = r * r
    s = 2.75573137070700676789e-06 + z * (
        -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
    )
    s = r + r * z * (
        -1.66666666666666324348e-01
        + z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * s))
    )
    c = -2.75573143513906633035e-07 + z * (
        2.08757232129817482790e-09 - z * 1.13596475577881948265e-11
    )
    c = 4.16666666666666019037e-02 + z * (
        -1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * c)
    )
    c = 1.0 - 0.5 * z + z * z * c
    quarter = turns - 4.0 * math.floor(0.25 * turns)
    odd = chosen(quarter == 1.0, 1.0, chosen(quarter == 3.0, 1.0, 0.0)) == 1.0
    sin, cos = chosen(odd, c, s), chosen(odd, s, c)
    return chosen(quarter >= 2.0, -sin, sin), chosen(abs(quarter - 1.5) < 1.0, -cos, cos)


def _define_angles(function: Any, of_both: Any) -> None:
    @overload(function, strict=False, jit_options={"forceinline": True, "error_model": "numpy"})
    def _(x: Any) -> Any:
        return of_both if x is Lanes else None


_define_angles(math.sin, lambda x: sine_and_cosine(x)[0])
_define_angles(math.cos, lambda x: sine_and_cosine(x)[1])


@overload(math.tan, strict=False, jit_options={"forceinline": True, "error_model": "numpy"})
def _tangent(x: Any) -> Any:
    def of_both(x: Any) -> Any:
        sin, cos = sine_and_cosine(x)
        return sin / cos

    return of_both if x is Lanes else None
