"""Small ONNX models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save


def linear(file: Path, weights: Any, bias: Any) -> Path:
    """Write the model y = weights x + bias of an observation (1, n), and return its file."""
    arrays = {"W": np.asarray(weights, np.float32), "b": np.asarray(bias, np.float32)}
    count, shown = arrays["W"].shape
    graph = helper.make_graph(
        [helper.make_node("Gemm", ["x", "W", "b"], ["y"], transB=1)],
        "linear",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, shown])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, count])],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    opset = [helper.make_opsetid("", 17)]
    save(helper.make_model(graph, opset_imports=opset, ir_version=9), file)
    return file
