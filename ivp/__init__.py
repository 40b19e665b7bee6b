"""Interval programming: find the best point of a decision domain for several objective functions.

It knows no bus and no vessels:

    domain = Domain((parse_variable("course:0:359:360"), parse_variable("speed:0:4:41")))
    course, speed = domain["course"], domain["speed"]
    objective = couple(peak(course, Peak(90, 0, 180), wrap=True), peak(speed, Peak(2, 0.5, 1)))
    solve(domain, [objective]).values  # {"course": 90.0, "speed": 2.0}

Objective functions are tables over the grid, not approximations of it, so decisions are exact.
"""

from steerageway import refuse_bare_import
from steerageway.ivp.domain import Domain, DomainError, Variable, parse_variable
from steerageway.ivp.function import Function, couple, normalised, on_grid, one_dimensional
from steerageway.ivp.hill import Peak, peak
from steerageway.ivp.ipf import Ipf, IpfError, read_ipf, write_ipf
from steerageway.ivp.piecewise import Piecewise
from steerageway.ivp.refine import approximate
from steerageway.ivp.slope import hdg, heq, hleq, leq, spd, vector
from steerageway.ivp.solve import Decision, NotFinite, solve

refuse_bare_import(__name__)

__all__ = [
    "Decision", "Domain", "DomainError", "Function", "Ipf", "IpfError", "NotFinite", "Peak",
    "Piecewise", "Variable", "approximate", "couple", "hdg", "heq", "hleq", "leq", "normalised",
    "on_grid", "one_dimensional", "parse_variable", "peak", "read_ipf", "solve", "spd", "vector",
    "write_ipf",
]  # fmt: skip
