"""Construction of a community's apps from their configuration blocks, before the run starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from steerageway.apps.shared.building import Overrides, global_lines, plan_app, setting_for
from steerageway.apps.shared.registry import NATIVE_KIND, UnknownApp, imported, is_own_code, load
from steerageway.apps.shared.user_code import NO_CODE, check_no_code
from steerageway.bus import App, AppPlan, BusError, Entry, Setting, error_text, is_name
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.launcher.community_options import Override
from steerageway.launcher.errors import LaunchError, Problems
from steerageway.launcher.missions import Community, command_of
from steerageway.launcher.options import Options
from steerageway.launcher.run_parameters import RunParameters
from steerageway.moos.antler import Run
from steerageway.moos.condition import ConditionError
from steerageway.moos.errors import FormatError

NAMED = 40  # characters of a name that is too long, in its error


class AppBuilder:
    """Builds the apps of one community.

    Args:
        community: the community.
        options: those of the launch.
        parameters: of the run.
        log_folder: of the community; None for no logs.
        replays: the same of an earlier run, which is replayed.

    Attributes:
        shared: the mission file's global lines, which record whether an app has read them.
    """

    def __init__(
        self,
        community: Community,
        options: Options,
        parameters: RunParameters,
        log_folder: Path | None,
        replays: Path | None,
    ) -> None:
        self._community, self._options = community, options
        self._epoch, self._folders = parameters.epoch, (log_folder, replays)
        overrides = parameters.overrides
        self._overrides = _by_app(o for o in overrides if o.community in ("", community.name))
        self.shared = global_lines(community.mission, self._overrides)

    def plans(self, problems: Problems) -> list[AppPlan]:
        """Build all apps; errors are added to ``problems``."""
        return list(problems.each(self._plan, self._community.runs))

    def _plan(self, run: Run) -> AppPlan:
        try:
            return self._built(run)
        except KeyboardInterrupt as error:  # of the user, or raised by the app's own code
            said = Diagnostic(run.where, "Run", run.process, "interrupted while it was built")
            raise KeyboardInterrupt(str(said)) from error

    def _built(self, run: Run) -> AppPlan:
        if not is_name(run.alias):
            expected = f"{len(run.alias)} characters: expected a printable name of 256 at most"
            raise LaunchError(Diagnostic(run.where, "Run", run.alias[:NAMED] + "...", expected))
        external = run.alias in self._options.external
        if self._options.no_code and is_own_code(run.process):
            raise LaunchError(Diagnostic(run.where, "Run", run.process, NO_CODE))
        kind = self._kind(run, external)
        start = self._community.antler.start_of(run)
        setting = self._setting(kind, run.alias)
        if self._options.no_code:
            check_no_code(setting)
        try:
            return plan_app(kind, setting, start=start, external=external)
        except (LaunchError, BusError, FormatError, ConditionError):
            raise
        except (Exception, SystemExit) as error:
            problem = f"it cannot be built: {error_text(error)}"
            if ":" not in run.process:
                if not isinstance(error, OSError) or error.filename is None:
                    raise
                problem = f"it cannot be built: {error.filename}: {error.strerror}"
            raise LaunchError(Diagnostic(run.where, "Run", run.process, problem)) from error

    def _kind(self, run: Run, external: bool) -> type[App]:
        if (path := self._community.natives.get(run.alias)) is not None:
            module, _, name = NATIVE_KIND.partition(":")
            command, takes_mission = command_of(self._community, run, path)
            kind = getattr(imported(module), name)
            made: type[App] = kind(command, run.where, takes_mission=takes_mission)
            return made
        try:
            return load(run.process)
        except UnknownApp as error:
            if external:
                return App
            problem = f"{error}{_replacement_hint(run)}"
            raise LaunchError(Diagnostic(run.where, "Run", run.process, problem)) from error

    def _setting(self, kind: type[App], name: str) -> Setting:
        setting = setting_for(
            kind,
            self._community.mission,
            name,
            overrides=self._overrides,
            shared=self.shared,
        )
        log_folder, replays = self._folders
        return replace(
            setting,
            sources=self._community.source_map,
            home=self._community.home,
            log_folder=log_folder,
            launch_list=self._community.launch_list,
            answers_appcasts=self._options.appcasts,
            skip_missing=self._options.skip_missing,
            seed=self._options.seed,
            epoch=self._epoch,
            replays=replays,
        )


def _replacement_hint(run: Run) -> str:
    """Return a hint for a process that is not a known app: which options skip or replace it."""
    if ":" in run.process:
        return ""
    options = f"--skip {run.alias} omits it, --app {run.alias}=PROCESS starts another"
    return f"; {options}, --exec-path DIR a program of its name in DIR"


def _by_app(overrides: Iterable[Override]) -> Overrides:
    lines: dict[str, list[Entry]] = {}
    for override in overrides:
        lines.setdefault(override.app, []).append(override.entry)
    return lines
