"""``steerageway vessel identify LOG``: its options, which need no library of an extra."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from steerageway.declarations import Number
from steerageway.declarations.arguments import Parser, argument
from steerageway.moos.recorded_table import MAP, mapped

COMMAND = "steerageway.control.command"
"""What the options are for; it needs the extra ``control``."""
MODELS = ("nomoto", "surge", "fossen3", "mmg")
ORDERS = ("first", "second", "norrbin")
SURGE = (
    "surge: m u' = -R1 u - R2 u|u| + thrust_1 s; s is thrust [N], or its order [%, rpm] as a part "
    "of the greatest one of the run, or the square of this part, signed: what fits better."
)


def parser(prog: str) -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    tells = "Print parameters of a vessel, with confidence, from a recorded run."
    top = Parser(prog=prog, description=tells, epilog=SURGE)
    top.add_argument(
        "log",
        type=Path,
        metavar="LOG",
        help="LOG.alog, a run's folder with one, or CSV with units in its head",
    )
    top.add_argument(
        MAP,
        nargs="+",
        action="extend",
        type=argument(mapped),
        default=[],
        metavar="NAME=COLUMN",
        help="columns of a CSV with other names: rudder=cmd time=stamp",
    )
    top.add_argument("--model", choices=MODELS, required=True, help="what is identified")
    top.add_argument("--order", choices=ORDERS, default=ORDERS[0], help="of nomoto (first)")
    top.add_argument(
        "--vessel", metavar="NAME", help="of fossen3, mmg: folder of first values; of surge: mass"
    )
    top.add_argument("--free", metavar="KEYS", help="of fossen3, mmg: free keys, as X_u,Y_v")
    positive = argument(Number(above=0.0))
    top.add_argument("--prior", type=positive, help="of fossen3, mmg: how sure they are, as 0.3")
    top.add_argument(
        "--full-rudder", type=positive, default=35.0, help="of nomoto: angle of 100 %% [deg] (35)"
    )
    top.add_argument("--speed", type=positive, help="of nomoto: speed of the run [m/s] (its u)")
    top.add_argument(
        "--held-back",
        type=argument(Number(low=0.0, high=0.9)),
        default=0.25,
        help="last part of the run, to judge the model by (0.25)",
    )
    top.add_argument("--output", type=Path, metavar="FOLDER", help="the vessel folder to write")
    top.add_argument("--json", action="store_true", help="as data")
    return top


def main(arguments: Sequence[str] | None = None, prog: str = "vessel identify") -> int:
    """Run the command and return its exit code."""
    options = parser(prog).parse_args(arguments)
    code: int = import_module(COMMAND).main(options)
    return code
