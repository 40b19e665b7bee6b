"""Policies: trained functions from observations to actions or values, from ONNX or Python files."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Policy: TypeAlias = Callable[[Floats], Any]
"""From an observation (n,) to the numbers that it gives."""

RUNTIME = "onnxruntime"


def load_onnx(file: Path, shown: int) -> Policy:
    """Return the function of an ONNX file: one input (1, n) or (n,), of which the first output.

    It runs in one thread, so that it gives the same bits each time.

    Args:
        file: the model.
        shown: number of entries of an observation.

    Raises:
        ValueError: there is no such file, it is no model, or its input has another form; or
            ``onnxruntime`` is not installed.
    """
    if not file.is_file():
        raise ValueError("expected an .onnx file")
    if find_spec(RUNTIME) is None:
        raise ValueError(f"needs {RUNTIME}: pip install 'steerageway[learn]'")
    runtime = import_module(RUNTIME)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its exceptions have no common class
        raise ValueError(f"expected an ONNX model: {_first_line(error)}") from error
    inputs = session.get_inputs()
    shape = inputs[0].shape if len(inputs) == 1 else []
    if inputs[0].type not in KINDS or len(shape) not in (1, 2) or shape[-1] not in (shown, None):
        forms = ", ".join(f"{one.name} {one.type} {one.shape}" for one in inputs)
        raise ValueError(f"inputs {forms}: expected one, of floats, with {shown} entries")
    name, kind = inputs[0].name, KINDS[inputs[0].type]
    form = (1, shown) if len(shape) == 2 else (shown,)

    def policy(observation: Floats) -> Any:
        (found, *_) = session.run(None, {name: observation.astype(kind).reshape(form)})
        return found

    return policy


KINDS = {"tensor(float)": np.float32, "tensor(double)": np.float64}


def evaluate(policy: Policy, observation: Floats, count: int) -> Floats:
    """Return the numbers (count,) that a policy gives for an observation (n,).

    Raises:
        ValueError: it fails, or gives another number of them, or one that is not finite.
    """
    try:
        found = np.asarray(policy(observation), np.float64).reshape(-1)
    except Exception as error:  # a user's function may raise anything
        raise ValueError(f"the policy fails: {_first_line(error)}") from error
    if found.shape != (count,) or not np.isfinite(found).all():
        given = f"{found.size} numbers" if found.size != count else "numbers that are not finite"
        raise ValueError(f"the policy gives {given}: expected {count}")
    return found


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0][:200]}"
