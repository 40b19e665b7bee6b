"""``--moosdb``, ``--exec-path``, ``pMOOSGate``: the process that serves programs of MOOS."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from steerageway.apps.shared.building import block_of
from steerageway.apps.shared.registry import GATE_OPTIONS, imported
from steerageway.apps.shared.terminal import say
from steerageway.apps.shared.user_code import program
from steerageway.bus import App, Entry, Failure, Outcome, may_meet
from steerageway.declarations import decimal
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.launcher.errors import LaunchError, Problems
from steerageway.launcher.missions import Community, command_of
from steerageway.launcher.options import SERVER_PORT, Options
from steerageway.launcher.run_parameters import RunParameters
from steerageway.moos.globals import server_port
from steerageway.moos.handover import write_handover

FASTEST = 400.0  # warp that programs of MOOS take
STOP = 10.0  # timeout of the gateway's end [wall s]
FOLDER = "programs"  # of a run's folder, with the output of its programs


@dataclass(frozen=True, slots=True)
class GatePlan:
    """What a run needs of a gateway.

    Attributes:
        ports: community -> port of its MOOSDB; 0 for any free one.
        links: live MOOSDBs to connect to, for the gateway.
        programs: communities with programs in their launch lists.
        warp: simulated seconds per wall second.
        resume: whether time stands until the programs have connected.
    """

    ports: Mapping[str, int]
    links: tuple[dict[str, Any], ...]
    programs: tuple[Community, ...]
    warp: float
    resume: bool


def plan_gate(
    options: Options,
    communities: Sequence[Community],
    parameters: RunParameters,
    problems: Problems,
) -> GatePlan | None:
    """Return what the gateway is to do; None if the run needs none. Errors are collected."""
    wanted = [one for one in communities if one.gate or one.programs or options.moosdb is not None]
    programs = tuple(one for one in wanted if one.programs)
    if options.sweep is not None:
        paced = "a program is paced: with --sweep only with --lockstep"
        problems.found += (Diagnostic(expected=f"{name}: {paced}") for name in names(programs))
        return None
    if not wanted:
        return None
    ports: dict[str, int] = {}
    links: list[dict[str, Any]] = []
    for number, one in enumerate(wanted):
        ports[one.name] = _port(options, one, number)
        if one.gate is not None:
            problems.tried(partial(_read_block, one, parameters, ports, links), None)
    problems.found += (
        Diagnostic(expected=text) for text in _conflicts(options, parameters, programs)
    )
    resume = bool(programs) and not options.paused and not options.free_run
    if options.inputs is not None:
        links = []  # what came from there is replayed
    return GatePlan(ports, tuple(links), programs, parameters.warp, resume)


def _port(options: Options, one: Community, number: int) -> int:
    if options.moosdb == SERVER_PORT or (options.moosdb is None and one.gate is not None):
        return server_port(one.mission)
    return options.moosdb + number if isinstance(options.moosdb, int) and options.moosdb else 0


def _read_block(
    one: Community, parameters: RunParameters, ports: dict[str, int], links: list[dict[str, Any]]
) -> None:
    """Read the block of a community's gate into its port and its link.

    Raises:
        ConfigError: a line is wrong.
        LaunchError: lines do not fit each other.
    """
    assert one.gate is not None
    alias = one.gate.alias
    given = [
        over.entry
        for over in parameters.overrides
        if over.app == alias and over.community in ("", one.name)
    ]
    config = block_of(App, one.mission, alias, {alias: given})
    module, _, name = GATE_OPTIONS.partition(":")
    block = getattr(imported(module), name).read(config)
    unread: Sequence[Entry] = config.unread()
    for entry in unread:
        if entry.key.lower() not in ("apptick", "commstick"):
            problem = "expected port, connect, send or receive"
            raise LaunchError(Diagnostic(entry.where, entry.key, entry.value, problem))
    ports[one.name] = block.port or ports[one.name]
    for sent in block.send:
        for received in block.receive:
            if may_meet(sent, received):
                problem = f"a variable goes one way: {sent} is sent, and {received} received"
                raise LaunchError(Diagnostic(config.where, "receive", received, problem))
    if not block.connect:
        if block.send or block.receive:
            problem = "expected connect = HOST:PORT as well"
            raise LaunchError(Diagnostic(config.where, "send, receive", "", problem))
        return
    host, _, port = block.connect.rpartition(":")
    if not host or not (number := decimal(port, 65536)):
        raise LaunchError(Diagnostic(config.where, "connect", block.connect, "expected HOST:PORT"))
    about = {"community": one.name, "host": host.strip("[]"), "port": number, "name": alias}
    links.append({**about, "send": block.send, "receive": block.receive})


def names(programs: Sequence[Community]) -> list[str]:
    """Return the names of the programs of communities."""
    return [run.alias for one in programs for run, _ in one.programs]


def _conflicts(
    options: Options, parameters: RunParameters, programs: Sequence[Community]
) -> Iterator[str]:
    if options.keys is not None:
        yield "--keys: not with a MOOSDB, whose programs have none"
    follow = ", ".join(names(programs))
    if follow and parameters.warp > FASTEST:
        shown = "max" if parameters.warp == inf else f"{parameters.warp:g}"
        expected = f"expected a number up to {FASTEST:g}"
        yield f"--warp {shown}: {follow} follow the wall clock; {expected}"


class Gateway:
    """The gateway's process; without a plan the methods have no effect."""

    def __init__(self, plan: GatePlan | None, folder: Path | None) -> None:
        """Start it, and write the mission files of its programs.

        Args:
            plan: what it is to do. folder: of the run; None: the programs' output is dropped.

        Raises:
            LaunchError: a port cannot be bound.
        """
        self._process: subprocess.Popen[bytes] | None = None
        self._plan, self._temporary = plan, folder is None
        self.lines: tuple[str, ...] = ()
        if plan is None:
            return
        self._folder = Path(tempfile.mkdtemp()) if folder is None else folder / FOLDER
        command = program("steerageway.bridges.moosdb")
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
        try:
            self._begin(plan)
        except BaseException:
            self.abandon()
            raise

    def _begin(self, plan: GatePlan) -> None:
        """Tell the process what it is to do, once its ports are known.

        Raises:
            LaunchError: a port cannot be bound.
        """
        self._write({"ports": dict(plan.ports)})
        answer = self._read()
        if "ready" not in answer:
            asked = ", ".join(str(port) for port in plan.ports.values() if port)
            why = answer.get("error", "its process has ended")
            hint = "" if not asked else "; --moosdb auto takes any free port"
            raise LaunchError(f"the MOOSDB port {asked or 'of the gateway'}: {why}{hint}")
        ports = answer["ready"]
        if plan.programs:
            self._folder.mkdir(exist_ok=True)
        found = [about for one in plan.programs for about in self._programs(one, ports[one.name])]
        self._write(
            {
                "launcher": os.getpid(),
                "warp": plan.warp,
                "programs": found,
                "links": plan.links,
                "resume": plan.resume,
            }
        )
        self.lines = tuple(
            f"{name}: MOOSDB at 127.0.0.1:{port}; programs of MOOS that connect are paced, "
            "not in lockstep"
            for name, port in ports.items()
        )

    def _programs(self, one: Community, port: int) -> Iterator[dict[str, Any]]:
        """Return what the gateway is to start, with the mission file that the programs read."""
        assert self._plan is not None
        mission = self._folder / f"{one.name}.moos"
        write_handover(one.mission.path, mission, one.name, port, self._plan.warp)
        for run, path in one.programs:
            command, takes_mission = command_of(one, run, path)
            more = [str(mission.resolve()), run.alias] if takes_mission else []
            yield {
                "name": run.alias,
                "community": one.name,
                "command": [*command, *more],
                "folder": str(one.mission.path.parent.resolve()),
                "output": str((self._folder / f"{one.name}.{run.alias}.txt").resolve()),
            }

    def _write(self, line: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(line).encode() + b"\n")
            self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        """Return the next line of the process; {} at its end."""
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = json.loads(line) if line else {}
        return found if isinstance(found, dict) else {}

    def abandon(self) -> None:
        """End the process, as the run does not begin."""
        self._end()
        if self._process is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def run_ended(self, outcome: Outcome) -> tuple[Outcome, tuple[str, ...]]:
        """End the process with the run.

        Returns: the outcome with what the gateway tells; the programs that took part.
        """
        if self._process is None:
            return outcome, ()
        told = self._end()
        for line in told:
            if "failed" in line and outcome.exit_reason in ("stopped", "app_failed"):
                failure = Failure(**line["failed"])
                failures = [*outcome.failures, failure]
                outcome = replace(outcome, exit_reason="app_failed", failures=failures)
        report: dict[str, Any] = next((x["report"] for x in told if "report" in x), {})
        faults = [f"MOOSDB of {text}" for text in report.get("faults", ())]
        if not report:
            faults.append("MOOSDB: the gateway's process ended unexpectedly")
        # In free run nothing is deterministic, and there is nothing to replay.
        paced = tuple(report.get("paced", {})) if outcome.deterministic else ()
        outcome = replace(
            outcome,
            complaints=[*outcome.complaints, *faults],
            deterministic=outcome.deterministic and not paced,
        )
        if self._temporary:
            shutil.rmtree(self._folder, ignore_errors=True)
        return outcome, paced

    def _end(self) -> list[dict[str, Any]]:
        """Let the process end, and its programs with it; return what it has told since."""
        if self._process is None:
            return []
        try:
            output, _ = self._process.communicate(timeout=STOP)
        except subprocess.TimeoutExpired as late:
            output = late.output or b""
        with suppress(ProcessLookupError, PermissionError):  # whatever is left of its session
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        return [json.loads(line) for line in output.splitlines()]


def announce(gateway: Gateway, to: Any) -> None:
    """Print where programs find the run."""
    for line in gateway.lines:
        say(line, to=to)
