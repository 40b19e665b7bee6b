"""``pHelmIvP``: decides course, speed and depth from the behaviors' objective functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from steerageway.apps.helm.behavior_posts import LISTS, BehaviorPosts, ipf_posts
from steerageway.apps.helm.contact_variables import OWN_REPORT, REPORTS, ContactVariables
from steerageway.apps.helm.control import DISABLED, MALCONFIG, NAVIGATION, OVERRIDES, PARK, Control
from steerageway.apps.helm.files import as_config_error, read_files, read_kinds
from steerageway.apps.helm.inbox import INITIAL, Inbox
from steerageway.apps.helm.options import HelmOptions, course_doubt
from steerageway.apps.helm.post_filter import PostFilter
from steerageway.apps.helm.variables import OF_HELM, PUBLICATIONS, SUBSCRIPTIONS
from steerageway.apps.shared.block_readers import AS_MOOS_LINES
from steerageway.bus import App, AtLaunch, ConfigError, Message, variables
from steerageway.helm.all_stop import (
    CLEAR,
    DISABLED_BY_STANDBY,
    MANUAL_OVERRIDE,
    MISSING,
    AllStop,
    reason_to_stop,
)
from steerageway.helm.behavior_set import BehaviorSet
from steerageway.helm.behavior_variables import Declared, awaited, flagged, requested, updated
from steerageway.helm.behaviors import LEFT_OUT
from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.build import domain_warnings, file_warnings
from steerageway.helm.engine import Engine
from steerageway.helm.mode_values import unset_modes
from steerageway.helm.report import Report, appcast_lines
from steerageway.helm.world import World
from steerageway.ivp import Domain
from steerageway.moos.bhv import BehaviorFile
from steerageway.moos.errors import FormatError
from steerageway.moos.modes import ModeSet

COMMANDS = ("BHV_ABLE_FILTER", "HELM_MAP_CLEAR", "IVPHELM_REJOURNAL", "RESTART_HELM")
STARTUP = "HELM_STARTUP_MSG"  # aux of posts that behaviors make at the helm's start

FIXED = variables.names(OF_HELM)


class Helm(App):
    """The helm. The variables it may post depend on the behavior files."""

    publications = PUBLICATIONS
    publishes: Sequence[str] = (*FIXED, "DESIRED_*", "PHELMIVP_PID")
    subscriptions = SUBSCRIPTIONS
    subscribes = (
        *NAVIGATION,
        "NAV_DEPTH",
        *OVERRIDES,
        *COMMANDS,
        "DB_CLIENTS",
        "IVPHELM_STATE",
        *REPORTS,
        OWN_REPORT,
    )
    parameters = HelmOptions.parameters()
    keeps_quotes = True
    peer_lines = AS_MOOS_LINES

    def configure(self) -> None:
        self._options = HelmOptions.read(self.config)
        domain = self._domain()
        if doubt := course_doubt(domain):
            lines = [one for one in self.config.all("domain") if "course" in one.value.lower()]
            self.config_warning(doubt, lines[0].where)
        self._world = World(self.community, domain, self.random("macros"), self.setting.folder)
        self._world.turn_radius = self._options.turn_radius
        self._world.as_moos = self._options.as_moos
        self._contact_variables = ContactVariables(self, self._options, self._world)
        self._post_filter = PostFilter(self)
        self._all_stop = AllStop()
        self._control = Control(self, self._options, self._world)
        self._initial_due = True
        self._startup_due = True
        self._report = Report()
        handlers: dict[str, Callable[[Message], None]] = {
            **self._control.handlers(),
            **self._contact_variables.handlers(),
            "BHV_ABLE_FILTER": self._filter,
            "HELM_MAP_CLEAR": lambda message: self._post_filter.request_refresh(),
            "IVPHELM_REJOURNAL": lambda message: setattr(self._behavior_posts, "in_full", True),
            "RESTART_HELM": self._restart,
        }
        self._inbox = Inbox(self, self._world, self._options.ok_skew, handlers)
        self._pid_name = f"{self.name.upper()}_PID"
        self._outputs = {v.name: f"DESIRED_{v.name.upper()}" for v in domain}
        if "course" in self._outputs:
            self._outputs["course"] = "DESIRED_HEADING"
        self._kinds = read_kinds(
            self._options,
            self.setting.folder,
            self.config_warning,
            skip_missing=self.setting.skip_missing,
        )
        try:
            self._load()
        except FormatError as error:
            raise as_config_error(error) from error
        file = self._file
        warnings = (
            *file.warnings,
            *unset_modes(file),
            *file_warnings(file.behaviors, self._kinds),
            *domain_warnings(file.behaviors, self._kinds, domain),
        )
        for text in warnings:
            self.config_warning(text)
        if not self._options.files:
            self.config_warning("no line behaviors = FILE: there is nothing for the helm to decide")
        self._declare()

    def _domain(self) -> Domain:
        """Return the decision variables; MOOS-IvP's helm decides all of them from above."""
        given = self._options.domain
        if not self._options.as_moos:
            return given
        return Domain(tuple(replace(variable, from_above=True) for variable in given))

    def _load(self) -> None:
        """Read the behavior files and build everything that depends on them."""
        file = read_files(self._options, self.config, self.setting.folder, self.setting.sources)
        behaviors = BehaviorSet(file.behaviors, self._world, self._kinds)
        modes = ModeSet(file.modes)
        self._file: BehaviorFile = file
        self._engine = Engine(behaviors, modes)
        self._behavior_posts = BehaviorPosts(self, behaviors, modes)
        # a decision not posted yet, and all behaviors of its iteration, completed ones included
        self._unposted: tuple[Report, Sequence[AnyBehavior]] | None = None

    def _declare(self) -> None:
        # both names, as an all-stop is posted without the prefix
        prefixed = (self._options.prefix + name for name in self._outputs.values())
        names = [*FIXED, self._pid_name, *self._outputs.values(), *prefixed, *self._file_names()]
        self.publishes = tuple(dict.fromkeys(names))
        self._declared = Declared(self.publishes)
        file = self._file
        there = [one for one in file.behaviors if not self._kinds.why_left_out(one.kind)]
        self.at_launch = AtLaunch(
            awaits=awaited(replace(file, behaviors=tuple(there))),
            reads=updated(there),
            pokes=flagged(file),
            requests=[pair for one in self._engine.behaviors.described for pair in requested(one)],
            missing=[b.kind for b in file.behaviors if b not in there and b.kind not in LEFT_OUT],
            holds_for=tuple(self._options.hold_on_apps.items()),
        )

    def _file_names(self) -> list[str]:
        """Return every variable that the helm may post because of the behavior files."""
        names = [initial.name for initial in self._file.initial]
        return [*names, *self._engine.modes.variables, *self._engine.behaviors.publications()]

    def on_start(self) -> None:
        self._tick()
        self._control.begin()
        self._post_initial(deferred=False)
        self._register_all()
        self.post(self._pid_name, 0.0)
        self.post("IVPHELM_DOMAIN", str(self._options.domain))
        self.post("IVPHELM_MODESET", self._engine.modes.describe())
        for name in LISTS:
            self.post(f"{name}_CNT", 0.0)
        if self._options.alias:
            self.post("IVPHELM_ALIAS", self._options.alias)
        for name in self._options.files:
            self.post("PLOGGER_CMD", f"COPY_FILE_REQUEST = {name}")

    def _register_all(self) -> None:
        names = [*self._control.variables, *COMMANDS, *self._engine.behaviors.subscriptions()]
        names += self._engine.modes.watched
        # to learn whether another app sets them first
        names += [initial.name for initial in self._file.initial if initial.deferred]
        names += self._contact_variables.subscriptions(names)
        names += [OWN_REPORT] if "NODE_MESSAGE_LOCAL" in self._declared else []
        self._inbox.register(names)

    def _post_initial(self, *, deferred: bool) -> None:
        for initial in self._file.initial:
            known = initial.name in self._world.values
            if initial.deferred == deferred and not (deferred and known):
                self._world.take(initial.name, initial.value)
                self.post(initial.name, initial.value, aux=INITIAL)

    def on_mail(self, mail: Sequence[Message]) -> None:
        self._tick()
        self._inbox.take(mail)

    def _filter(self, message: Message) -> None:
        try:
            self._engine.behaviors.able(str(message.value))
        except ValueError as error:
            self.run_warning(f"BHV_ABLE_FILTER = {message.value!s}: {error}")

    def _restart(self, message: Message) -> None:
        """Reload the behavior files: type1 keeps all values, type2 posts the initial ones again."""
        if message.value not in ("type1", "type2"):
            return
        try:
            self._load()
            # the bus knows only the variables that were declared at launch
            undeclared = [name for name in self._file_names() if name not in self._declared]
            if undeclared:
                expected = "expected only variables that were declared at the helm's start"
                raise FormatError("RESTART_HELM", undeclared[0], "", expected)
        except (FormatError, ConfigError) as error:
            self._control.state = MALCONFIG
            self.run_warning(str(error))
            self.post("IVPHELM_BHVSET_WARNING", str(error))
            return
        if self._control.state == MALCONFIG:
            self._control.state = PARK
        self._startup_due = True
        self._post_filter.clear()
        self._register_all()
        if message.value == "type2":
            self._post_initial(deferred=False)
        self.post("IVPHELM_RESTARTED", "true")

    def iterate(self) -> None:
        self._tick()
        if self.time < self._world.busy_until:
            return
        self._post_decision()  # one that a ``BHV_TestFailure`` delayed until now
        control = self._control
        if self._startup_due and not control.waiting_for:
            self._startup_due = False
            self._post_startup()
        is_ready = control.update()
        if control.state == DISABLED:
            # a standby helm has taken over: declare an all-stop once, then post nothing
            if self._all_stop.declared != DISABLED_BY_STANDBY:
                self._declare_stop(DISABLED_BY_STANDBY)
                self.post("IVPHELM_STATE", DISABLED)
            return
        self.post("IVPHELM_STATE", control.state_text)
        # measured times are posted as 0, so that logs do not depend on the machine
        self.post("IVPHELM_CPU", 0.0)
        if control.is_contested:
            # republish all outputs: the primary helm may have posted others in the meantime
            control.is_contested = False
            self._post_filter.request_refresh()
            self._behavior_posts.in_full = True
            self._all_stop.repeat()
        if is_ready:
            # by then, all values posted before the helm's start have been received
            if self._initial_due and control.receives_own_state:
                self._initial_due = False
                self._post_initial(deferred=True)
            if not control.has_control:
                self._declare_stop(MANUAL_OVERRIDE)
            elif control.may_decide():
                self._decide()
                self._world.end_iteration()

    def _post_startup(self) -> None:
        """Post what behaviors and templates request at the helm's start (``on_helm_start``)."""
        for behavior in self._engine.behaviors.described:
            # postings of its configuration belong to its first iteration
            later, behavior.postings = behavior.postings, []
            try:
                behavior.on_helm_start()
            except Exception as error:  # a user's behavior may raise anything
                behavior.warn(f"at the helm's start: {type(error).__name__}: {error}")
            self._post_filter.release(behavior, STARTUP)
            behavior.postings = later

    def _tick(self) -> None:
        self._world.time = self.time
        self._world.utc = self.utc

    def _decide(self) -> None:
        alive = self._engine.behaviors.behaviors
        self._report = self._engine.decide(self._declared)
        self._unposted = self._report, alive
        if self.time >= self._world.busy_until:
            self._post_decision()

    def _post_decision(self) -> None:
        """Post the results of the last iteration, unless they are posted already."""
        if self._unposted is None:
            return
        (report, alive), self._unposted = self._unposted, None
        engine, options = self._engine, self._options
        self._post_filter.begin_iteration()
        for variable, text in engine.changed_modes:
            self.post(variable, text, aux="HELM_MODE")
        for behavior in alive:
            self._post_filter.release(behavior)
        if self._options.posts_ipf:
            for text, name in self.objectives():
                self.post("BHV_IPF", text, aux=name)
        self._behavior_posts.post_results(report, engine.update_results)
        self._contact_variables.post_summaries(alive)
        if engine.update_results or engine.spawned:
            self._register_all()
        reason = reason_to_stop(report, options.domain, goals_mandatory=options.goals_mandatory)
        self._declare_stop(reason)
        if reason == CLEAR:
            for name, value in report.decision.items():
                self.post(options.prefix + self._outputs[name], value)

    def _declare_stop(self, reason: str) -> None:
        declared = self._all_stop.declare(reason)
        if declared is None:
            return
        self.post("IVPHELM_ALLSTOP", declared)
        if declared == CLEAR:
            return
        if declared.startswith(MISSING):
            self.post("BHV_ERROR", declared)
        for name in self._outputs.values():
            self.post(name, 0.0)
        self._control.park_after_all_stop()

    @property
    def decided(self) -> Report:
        """The result of its last iteration."""
        return self._report

    def objectives(self) -> list[tuple[str, str]]:
        """Return the functions of its last iteration as posted with ``post_ipf``, and of whom."""
        return list(ipf_posts(self._options.domain, self._report.objectives, self._world.iteration))

    def report(self) -> Iterable[str]:
        behaviors, verbosity = self._engine.behaviors, self._options.verbosity
        if verbosity == "quiet":
            yield f"State: {self._control.state}   All-stop: {self._all_stop.declared}"
            return
        yield from appcast_lines(self._report, behaviors, self._control.state)
        yield f"All-stop: {self._all_stop.declared}"
        if self._options.hold_on_apps:
            missing = ", ".join(self._control.waiting_for)
            yield f"Hold-on-apps: {f'waiting for {missing}' if missing else 'satisfied'}"
        if verbosity == "verbose":
            yield from self._post_filter.table()
