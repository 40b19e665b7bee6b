"""Reads the keys of a sensor's errors: ``<part>_bias``, ``<part>_rms``, ``dropout``, ..."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

import numpy as np
import yaml

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.sensors.noise import Errors, Faults, factor
from steerageway.vessel.sensors.truth import Array
from steerageway.world.document import Section


def read_errors(
    section: Section, parts: Mapping[str, int], standard_rms: Mapping[str, float]
) -> dict[str, Errors]:
    """Read the errors of each part.

    Args:
        section: a sensor's.
        parts: name -> number of components.
        standard_rms: default standard deviations of the parts' noise.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    custom = section.section(sen.COVARIANCE)
    chosen = section.flag(sen.USE_COVARIANCE)
    found = {}
    for part, size in parts.items():
        given = _covariance(custom, sen.PART_COVARIANCE.replace("PART", part), size)
        standard = np.eye(size) * standard_rms.get(part, 0.0) ** 2
        covariance = standard if given is None or not chosen else given
        key = sen.PART_RMS.replace("PART", part)
        if key in section:
            if chosen and given is not None:
                section.fail(key, section.text(key), f"either it or {part}_covariance")
            covariance = np.diag(_amounts(section, key, size) ** 2)
        drift = _amounts(section, sen.PART_DRIFT_RMS.replace("PART", part), size)
        found[part] = Errors(
            covariance,
            _components(section, sen.PART_BIAS.replace("PART", part), size, 0.0),
            drift,
            _time_constants(section, part, size, drift),
            _components(section, sen.PART_SCALE.replace("PART", part), size, 0.0),
            _positive(section, sen.PART_LIMIT.replace("PART", part), size),
            _amounts(section, sen.PART_RESOLUTION.replace("PART", part), size),
        )
    custom.finish()
    return found


def read_faults(section: Section, errors: Errors) -> Faults:
    """Read dropout and outliers of a sensor with these errors.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    faults = Faults(
        section.number(sen.DROPOUT),
        section.number(sen.OUTLIER_RATE),
        section.positive(sen.OUTLIER_SCALE),
    )
    if faults.outlier_rate > 0 and not errors.covariance.any():
        section.fail(sen.OUTLIER_RATE, f"{faults.outlier_rate:g}", "noise that it can make larger")
    return faults


def _covariance(section: Section, key: str, size: int) -> Array | None:
    """Read a covariance matrix, row by row or as a list of rows; None if the key is missing."""
    if key not in section:
        return None
    node = section.nodes[key]
    if size == 1 and isinstance(node, yaml.ScalarNode):
        matrix = np.array([[section.number(key)]])
    elif node.value and isinstance(node.value[0], yaml.SequenceNode):
        matrix = section.matrix(key, size, size)
    else:
        matrix = section.vector(key, size * size).reshape(size, size)
    try:
        factor(matrix)
    except InvalidValue as error:
        section.fail(key, str(error), f"a covariance: {size} by {size}, symmetric, none negative")
    return matrix


def _components(section: Section, key: str, size: int, default: float) -> Array:
    """Read a number for each component, or one for all, as (size,)."""
    if key not in section:
        return np.full(size, default)
    if isinstance(section.nodes[key], yaml.SequenceNode):
        return section.vector(key, size)
    return np.full(size, section.number(key))


def _amounts(section: Section, key: str, size: int) -> Array:
    """Read numbers of at least 0; default 0."""
    values = _components(section, key, size, 0.0)
    if (values < 0).any():
        section.fail(key, str(values.tolist()), "numbers at least 0")
    return values


def _positive(section: Section, key: str, size: int) -> Array:
    """Read numbers above 0; default infinity."""
    values = _components(section, key, size, inf)
    if (values <= 0).any():
        section.fail(key, str(values.tolist()), "numbers above 0")
    return values


def _time_constants(section: Section, part: str, size: int, drift: Array) -> Array:
    """Read the time constants of a drift [s], which are required if there is a drift."""
    key = sen.PART_DRIFT_TIME.replace("PART", part)
    if drift.any() and key not in section:
        section.fail(
            sen.PART_DRIFT_RMS.replace("PART", part), str(drift.tolist()), f"{key} beside it [s]"
        )
    return _positive(section, key, size)
