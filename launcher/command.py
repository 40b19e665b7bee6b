"""``launch.py``: runs a mission from the command line; status, summary and exit code."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from steerageway.apps.shared.run_files import begun_by
from steerageway.apps.shared.terminal import complete_streams, say, silence
from steerageway.bus import Outcome, Placement, PortInUse, Progress, ServerError
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.folders import write_summary
from steerageway.launcher.gateway import Gateway, announce
from steerageway.launcher.options import ANY_PORT, PROGRAM, Options, parse_options
from steerageway.launcher.plan import Launch, plan_launch
from steerageway.launcher.viewing import Viewer, begin_foxglove, begin_view

WRONG = 2
FAILED = 4  # a condition of --fail-on occurred
GARBAGE = 10_000  # objects between two collections of a run, which makes hardly any cycles
NEEDED = ("zmq", "msgpack", "numpy", "yaml")


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Run a mission, a sweep or a check.

    Args:
        arguments: without the program's name; None for those of this process.
        prog: how the program was called.
    Returns: the exit code.
    """
    complete_streams()
    options = parse_options(arguments, prog=prog)
    try:
        _check_environment()
        if options.sweep is not None:
            return _sweep(options, sys.argv[1:] if arguments is None else arguments)
        if options.check:
            return _check(options, plan_launch(options))
        return _run(options, _planned(options))[1]
    except LaunchError as error:
        _print_errors(error)
        return WRONG
    except BrokenPipeError:  # the reader of the output has closed it, as head does
        silence(sys.stdout)
        return 0
    except KeyboardInterrupt as error:
        say(f"{error}" or "interrupted", to=sys.stderr)
        return 128 + signal.SIGINT


def _planned(options: Options) -> Launch:
    if options.placement != Placement.CLUSTER:
        return plan_launch(options)
    from steerageway.launcher.cluster.workers import plan_on_cluster

    return plan_on_cluster(options)


def _check_environment() -> None:
    """Check that this Python has the packages that every mission needs.

    Raises:
        LaunchError: it has not; usually the system's Python, with the environment not activated.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise LaunchError(
            f"{sys.executable} has no {', '.join(missing)}: expected the Python of the environment"
            " that make demo sets up; . .venv/bin/activate makes it the one of this terminal"
        )


def _sweep(options: Options, arguments: Sequence[str]) -> int:
    from steerageway.launcher.sweep.command import sweep

    return sweep(options, arguments, _run)


def _check(options: Options, launch: Launch) -> int:
    from steerageway.launcher.check import check_text, graph_text

    _print(f"{check_text(launch)}\n\n{graph_text(launch)}" if options.graph else check_text(launch))
    return 0


def _run(options: Options, launch: Launch) -> tuple[Outcome, int]:
    """Run a launch and print its summary; return outcome and exit code."""
    from steerageway.bus import run
    from steerageway.launcher.status import Status

    _announce(launch, quiet=options.quiet)
    plan = launch.plan
    logs = f"logs: {plan.run_folder}" if plan.run_folder is not None else ""
    status = Status(sys.stderr, plan.communities, plan.stop_at, logs)
    shown: Callable[[Progress], None] = _ignored if options.quiet else status
    if options.port == ANY_PORT and not options.quiet:
        shown = _after_port(status)
    gateway, viewer, foxglove = _begin_beside(options, launch)
    gc.freeze()  # one collection of what lasts the whole run takes 20 ms
    usual = gc.get_threshold()
    gc.set_threshold(GARBAGE)
    try:
        outcome = run(plan, shown)
    except ServerError as error:
        gateway.abandon()
        launch.folder.release()
        hint = " (--port auto takes any free port)" if isinstance(error, PortInUse) else ""
        raise LaunchError(f"{error}{hint}") from error
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()
        viewer.run_ends()
        foxglove.run_ends()
    if not options.quiet:
        status.begin()
        status.clear()
    from steerageway.launcher.summary import exit_code, figures
    from steerageway.launcher.translation import translated

    outcome, paced = gateway.run_ended(outcome)
    outcome = translated(outcome, launch)
    for failure in outcome.failures:
        say(failure.details, to=sys.stderr, end="")
    code = exit_code(outcome, waited_for=bool(options.until), bounded=plan.stop_at is not None)
    if code == 0 and "warning" in options.fail_on:
        code = FAILED if any(app.run_warnings for app in outcome.apps) else 0
    try:
        _print_summary(figures(outcome, launch, paced), options.json, quiet=options.quiet)
    except LaunchError as error:
        _print_errors(error)
        code = code or WRONG
    viewer.wait()
    return outcome, code


def _begin_beside(options: Options, launch: Launch) -> tuple[Gateway, Viewer, Viewer]:
    """Start what runs beside the run: gateway of MOOS programs, viewer, Foxglove's server.

    Raises:
        LaunchError: one cannot be started; none goes on.
    """
    gateway = None
    try:
        gateway = Gateway(launch.gate, launch.plan.run_folder)
        viewer = begin_view(options.view)
        foxglove = begin_foxglove(options.foxglove, control=options.open)
    except LaunchError:
        if gateway is not None:
            gateway.abandon()
        launch.folder.release()
        raise
    if not options.quiet:
        announce(gateway, sys.stderr)
    return gateway, viewer, foxglove


def _after_port(shown: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """Return a reader of progress reports that first prints where the run's broker listens."""
    address = ""

    def show(progress: Progress) -> None:
        nonlocal address
        if not address and (address := begun_by(os.getpid())):
            say(f"broker: {address}", to=sys.stderr)
        shown(progress)

    return show


def _ignored(progress: Progress) -> None:
    """Ignore a progress report."""


def _announce(launch: Launch, *, quiet: bool) -> None:
    """Print launch scripts, skipped apps, warnings and hints before the run starts."""
    for line in () if quiet else launch.scripts:
        say(line, to=sys.stderr)
    for one in () if quiet else launch.communities:
        for name, why in one.skipped:
            say(f"{one.name}: {name} is not started: {why}", to=sys.stderr)
    for warning in launch.warnings:
        say(f"warning: {warning}", to=sys.stderr)
    for line in () if quiet else launch.watch:
        say(line, to=sys.stderr)


def _print_summary(run: dict[str, Any], file: str, *, quiet: bool) -> None:
    """Print the summary of a run, and write it as JSON.

    Args:
        run: its figures.
        file: the JSON file; "-": JSON on the standard output instead of the text; "": none.
        quiet: whether to print errors only.

    Raises:
        LaunchError: the summary cannot be written.
    """
    from steerageway.launcher.summary import text, wrong

    written = json.dumps(run, indent=2, allow_nan=False)
    try:
        told = written if file == "-" else "\n".join(wrong(run)) if quiet else text(run)
        if told:
            _print(told)
    finally:
        if file not in ("", "-"):
            write_summary(file, written)


def _print(text: str) -> None:
    try:
        say(text)
    except OSError as error:
        raise LaunchError(f"the standard output: {error.strerror}") from error


def _print_errors(error: LaunchError) -> None:
    say(*error.problems, to=sys.stderr)
