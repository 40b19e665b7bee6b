"""``steerageway behaviors``: lists the behaviors of the helm, and the parameters of one."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Sequence

from steerageway.apps.shared.terminal import ignoring_closed_pipe
from steerageway.bus import Parameter
from steerageway.declarations.arguments import Parser
from steerageway.diagnostics.nearest import did_you_mean
from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.settings import CommonSettings, declarations, documented


def _with_aliases(kind: type[CommonSettings]) -> Iterator[Parameter]:
    aliases = {field: declared.aliases for field, declared in declarations(kind).values()}
    for one in documented(kind):
        also = ", ".join(f"`{name}`" for name in aliases[one.name])
        yield Parameter(one.name, one.default, f"{one.help}; also {also}") if also else one


COMMON = tuple(_with_aliases(CommonSettings))
"""The parameters of every behavior."""


def parameters_of(kind: type[AnyBehavior]) -> list[Parameter]:
    """Return all parameters of a behavior, those common to all behaviors last."""
    common = {one.name for one in COMMON}
    return sorted(_with_aliases(kind.settings_class), key=lambda one: one.name in common)


def lines(name: str | None) -> Iterator[str]:
    """Yield the names with their first sentences, or what one behavior is and reads."""
    if name is None:
        width = max(map(len, BEHAVIORS))
        yield from (f"  {one:{width}}  {_about(kind)[0]}" for one, kind in BEHAVIORS.items())
        yield "\nParameters of every behavior (default): meaning"
        yield from _listed(COMMON)
    else:
        yield from (f"{name}: {_about(BEHAVIORS[name])[0]}", *_about(BEHAVIORS[name])[1:])
        yield "\nParameters (default): meaning"
        yield from _listed(parameters_of(BEHAVIORS[name]))


def _about(kind: type[AnyBehavior]) -> list[str]:
    return inspect.cleandoc(kind.__doc__ or "").splitlines() or [""]


def _listed(parameters: Iterable[Parameter]) -> Iterator[str]:
    return (f"  {one.name} ({one.default or 'no default'}): {one.help}" for one in parameters)


def main(arguments: Sequence[str] | None = None, prog: str = "steerageway behaviors") -> int:
    """Print what is asked for; return the exit code."""
    parser = Parser(prog=prog, description="List the behaviors, or what one of them reads.")
    parser.add_argument("name", nargs="?", metavar="BHV_NAME", help="a behavior, as BHV_Loiter")
    name = parser.parse_args(arguments).name
    if name is not None and name not in BEHAVIORS:
        print(f"{prog}: {name}: no behavior; {did_you_mean(name, [*BEHAVIORS])}", file=sys.stderr)
        return 2
    with ignoring_closed_pipe():
        for line in lines(name):
            print(line)
    return 0
