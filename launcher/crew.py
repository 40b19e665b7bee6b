"""Builds a community's apps: each from its block, with its times, checked before anything runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from apps.registry import UnknownApp, load
from apps.shell import Overrides, build, global_lines, parameters_of, setting_for
from bus import App, Config, Entry, Setting
from bus.app import tick_period
from bus.plan import AppPlan
from bus.stamps import nth
from launcher.errors import LaunchError, Problems
from launcher.given import Override
from launcher.missions import Community
from moos.antler import Run

_NANO_PER_MILLI = 1_000_000
_MODES = ("0", "1", "2")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What all apps of a community are told alike."""

    seed: int
    epoch: float
    log_folder: Path | None
    external: Sequence[str]


class Muster:
    """Makes the apps of one community.

    Attributes:
        shared: the mission file's lines; they know which of them an app has read.
    """

    def __init__(
        self, community: Community, overrides: Sequence[Override], given: Circumstances
    ) -> None:
        self._community = community
        self._overrides = [o for o in overrides if o.community in ("", community.name)]
        self._given = given
        self.shared = global_lines(community.mission)

    def plans(self, problems: Problems) -> list[AppPlan]:
        """Make them all; what is wrong goes to ``problems``."""
        return list(problems.each(lambda line: self._plan(*line), self._community.places))

    def _plan(self, place: int, run: Run) -> AppPlan:
        external = run.alias in self._given.external
        kind = self._kind(run, external)
        setting = self._setting(kind, run.alias)
        config = setting.config
        app = build(kind, setting)
        return AppPlan(
            app=app,
            rebuild=lambda seed: build(kind, replace(setting, seed=seed)),
            start=round(self._community.antler.ms_between_launches * place * _NANO_PER_MILLI),
            period=_period(kind, config),
            mode=int(config.choice("IterateMode", default="0", among=_MODES)),
            least_gap=_least_gap(config),
            external=external,
        )

    def _kind(self, run: Run, external: bool) -> type[App]:
        try:
            return load(run.process)
        except UnknownApp as error:
            if external:
                return App
            raise LaunchError(f"{run.where}: Run = {run.process}: {error}") from error

    def _setting(self, kind: type[App], name: str) -> Setting:
        setting = setting_for(
            kind,
            self._community.mission,
            name,
            overrides=self._lines_instead(name),
            shared=self.shared,
        )
        return replace(
            setting,
            log_folder=self._given.log_folder,
            launch_list=self._community.launch_list,
            seed=self._given.seed,
            epoch=self._given.epoch,
        )

    def _lines_instead(self, name: str) -> Overrides:
        lines: dict[str, list[Entry]] = {}
        for override in self._overrides:
            if override.app == name:
                lines.setdefault(override.entry.key.lower(), []).append(override.entry)
        return lines


def first_iteration(plan: AppPlan) -> int:
    """Give when an app first iterates of itself [ns]; its start if only mail makes it iterate."""
    return plan.start if plan.mode == 1 else plan.start + nth(1, plan.period)


def _period(kind: type[App], config: Config) -> tuple[int, int]:
    """Give the exact period of an app's AppTick; without a line, of its documented default."""
    entry = config.entry("AppTick")
    if entry is None:
        return tick_period(next(p.default for p in parameters_of(kind) if p.name == "AppTick"))
    try:
        return tick_period(entry.value.strip())
    except ValueError:
        raise config.error(entry, "expected iterations a second, above 0") from None


def _least_gap(config: Config) -> int:
    """Give the least time between two runs that mail causes [ns], by MaxAppTick; 0: no limit."""
    entry = config.entry("MaxAppTick")
    if entry is None or config.number("MaxAppTick", default=0.0, low=0.0) == 0.0:
        return 0
    return nth(1, tick_period(entry.value.strip()))
