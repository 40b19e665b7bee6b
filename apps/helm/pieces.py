"""``BHV_IPF``: objective functions in MOOS-IvP's piecewise form, for tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from steerageway.apps.helm.behaviors.base import AnyBehavior
from steerageway.ivp import Domain, Function, approximate, write_ipf
from steerageway.ivp.ipf import packets

ERROR = 1.0  # maximum error of the pieces, in utility (0 to 100)


def ipf_posts(
    domain: Domain, objectives: Mapping[AnyBehavior, Function], iteration: int
) -> Iterator[tuple[str, str]]:
    """Yield the texts of all objective functions of an iteration, with the behavior's name.

    Long ones are split into packets.
    """
    for behavior, objective in objectives.items():
        name: str = behavior.settings.name
        called = name.replace(",", ";")  # commas separate the fields
        text = write_ipf(approximate(domain, objective, ERROR), f"{iteration}:{called}")
        for packet in packets(text, f"{called}^{iteration}"):
            yield packet, name
