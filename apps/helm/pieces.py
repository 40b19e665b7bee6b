"""``BHV_IPF``: the objectives in MOOS-IvP's piecewise form, for tools to show and compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from steerageway.apps.helm.behaviors.base import AnyBehavior
from steerageway.ivp import Domain, Function, approximate, write_ipf
from steerageway.ivp.ipf import packets

ERROR = 1.0  # how far pieces may be off an objective [of its 100]


def ipf_posts(
    domain: Domain, objectives: Mapping[AnyBehavior, Function], iteration: int
) -> Iterator[tuple[str, str]]:
    """Return the texts of all objectives of an iteration, each with the behavior's name.

    Long ones are cut into packets.
    """
    for behavior, objective in objectives.items():
        name: str = behavior.settings.name
        called = name.replace(",", ";")  # commas part the fields
        text = write_ipf(approximate(domain, objective, ERROR), f"{iteration}:{called}")
        for packet in packets(text, f"{called}^{iteration}"):
            yield packet, name
