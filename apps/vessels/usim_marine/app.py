"""``uSimMarineV22``: simulates a vessel.

It takes rudder, thrust and elevator (or has an embedded PID), advances a model of the vessel from
iteration to iteration, and posts its navigation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from steerageway.apps.shared import wormholes
from steerageway.apps.shared.datum import read_datum
from steerageway.apps.shared.generation import (
    DOCUMENTED,
    MODELS,
    RELEASED,
    Generation,
    generation_of,
)
from steerageway.apps.shared.pid_config import PidOptions, has_pid
from steerageway.apps.shared.pid_posts import NARRATION
from steerageway.apps.vessels.usim_marine.calm import Calm
from steerageway.apps.vessels.usim_marine.handshake import Handshake
from steerageway.apps.vessels.usim_marine.mail import (
    ACTUATORS,
    ELSEWHERE,
    NUMBERS,
    TEXTS,
    Scene,
    TakeNumber,
    TakeText,
    check_size,
)
from steerageway.apps.vessels.usim_marine.parameters import PARAMETERS, SimulatorOptions
from steerageway.apps.vessels.usim_marine.passages import NoPassages, Passages, passed
from steerageway.apps.vessels.usim_marine.pilot import OVERRIDES, Pilot
from steerageway.apps.vessels.usim_marine.pose import check_start
from steerageway.apps.vessels.usim_marine.publisher import Form, Publisher, stern_first
from steerageway.apps.vessels.usim_marine.reading import in_force, read_current_field, vessel_of
from steerageway.apps.vessels.usim_marine.report import drift_summary, report_lines, wind_arrow
from steerageway.apps.vessels.usim_marine.variables import (
    CONTACT_POSTS,
    PUBLICATIONS,
    SUBSCRIPTIONS,
    WORLD_POSTS,
)
from steerageway.bus import Config, Inlet, Message, Outlet, Publication, SharingApp, Value
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.model import Motion
from steerageway.world.constants import NANO

if TYPE_CHECKING:
    from steerageway.apps.vessels.usim_marine.surroundings import Surroundings

REPORTS = (
    *("USM_RESET_COUNT", "USM_TELEPORT_COUNT", "USM_DRIFT_SUMMARY"),
    *("BUOYANCY_REPORT", "TRIM_REPORT"),
)
TO_ACTUATORS = ("ACTUATOR_CMD", "ACTUATOR_CMD_OVERRIDE", "cs_*", "th_*", "az_*", "FAULT_*")
"""Subscriptions of Fossen vessels only."""
FOSSEN_POSTS = (
    *("USM_STATE", "VESSEL_STATE", "USM_ENERGY", "USM_ROLL", "USM_HEAVE"),
    *("USM_CS_*", "USM_TH_*", "USM_AZ_*", "USM_SEA", "USM_AGROUND", "USM_ENVELOPE_LEFT"),
)
"""Additional posts of a Fossen vessel, under the default prefix."""
WITH_DATUM = ("USM_LAT", "USM_LONG")
ARROW_EVERY = 50
CHANGE = "WORLD_CHANGE"
WORLD = "world"
"""The group of all simulators of a run with an environment, which they share."""
WIND = "WIND_CONDITIONS"
CALM = (
    "the environment has waves, but the vessel floats on calm water, with no roll, pitch and heave"
    " by them: expected model = fossen, and a vessel with wave loads"
)


class USimMarine(SharingApp):
    """Simulates a vessel, moved by rudder, thrust and elevator."""

    last_wins = True
    run_wide: Mapping[str, str] = MappingProxyType({})
    default_model: ClassVar[str] = DOCUMENTED
    publications: ClassVar[Sequence[Publication]] = (*PUBLICATIONS, *wormholes.PUBLICATIONS)
    publishes: Sequence[str] = (
        *(*Form().names(), *WITH_DATUM),
        *(*REPORTS, *FOSSEN_POSTS, *WORLD_POSTS, *CONTACT_POSTS),
    )
    subscriptions = SUBSCRIPTIONS
    subscribes: ClassVar[Sequence[str]] = (
        *(*ACTUATORS, *NUMBERS, *TEXTS, *ELSEWHERE, *Generation.other_names),
        *TO_ACTUATORS,
        "NODE_REPORT",
        *("WAVE_HEIGHT", CHANGE),
        *("DESIRED_HEADING", "DESIRED_SPEED", "DESIRED_DEPTH", "SPEED_FACTOR", *OVERRIDES),
    )
    parameters = PARAMETERS
    peer_lines: ClassVar[Mapping[str, str]] = MappingProxyType({"model": RELEASED})

    def configure(self) -> None:
        whole = self.config
        self.model = whole.choice("model", default=self.default_model, among=MODELS)
        whole.all(*(parameter.name for parameter in PARAMETERS))
        generation = generation_of(self.model)
        whole.all(*generation.old_names)
        config = in_force(whole, self.model, warn=self.config_warning)
        options = SimulatorOptions.read(config)
        self._prefix = generation.underscored(options.posts.prefix)
        self._vessel = vessel_of(
            self.model,
            options,
            config,
            generation,
            host=self,
            prefix=self._prefix,
            places=self.setting.places,
            warn=self.config_warning,
        )
        craft = self._vessel
        craft.field = read_current_field(options.around, self.setting.folder)
        craft.field_active = options.around.current_field_active
        steering = options.steering
        handshake = Handshake(steering.trim_tolerance, steering.max_trim_delay)
        step_orders = generation.step_orders(self.random("orders").random)
        self.scene = Scene(craft, handshake, generation, step_orders)
        self._configure_world(config)
        self._warn_of_wind(config)
        self._configure_water_depth(config, options.around.default_water_depth)
        self.scene.resets = generation.resets_at_start(len(config.all("start_pos")))
        self._configure_wormholes(config, options)
        self._configure_pilot(config, options)
        self._configure_posts(config, options)
        self._start = craft.motion, craft.drift
        self._summary = ""
        self._warned: set[str] = set()  # commands with a range warning

    def _configure_world(self, config: Config) -> None:
        """Put the vessel into the environment of the block, if there is one."""
        self._world: Surroundings | Calm = Calm()
        self.alone, self.among_waves = not config.all("environment", "environment_key"), False
        if self.alone:
            return
        from steerageway.apps.shared.environments import read_environment
        from steerageway.apps.vessels.usim_marine.surroundings import Surroundings

        environment = read_environment(config, self.setting.folder, self.setting.seed)
        for key, twice in (
            ("current_field", environment.has_current),
            ("wind_conditions", environment.wind is not None),
        ):
            entry = config.entry(key)
            if entry is not None and twice:
                raise Config.error(entry, "the environment has one, too: expected one of the two")
        self.run_wide = {"environment": environment.identity}
        for warning in environment.warnings:
            self.config_warning(warning)
        around = Surroundings(environment, self.post, self.run_warning, self._share_change)
        self._world = around
        self.outlets, self.listens = (Outlet(WORLD, (CHANGE,)),), (Inlet(WORLD, (CHANGE,)),)
        vessel, contact = self._vessel, environment.contact
        try:
            around.surround(vessel, vessel.on_sea, vessel.draught)
            warning = "" if contact is None else vessel.meet_surfaces(contact)
        except InvalidValue as error:
            line = config.all("environment", "environment_key")[0]
            raise Config.error(line, str(error)) from None
        if warning:
            self.config_warning(warning)
        self.among_waves = any(state.Hs > 0.0 for state in environment.waves)
        if self.among_waves and vessel.on_sea is None:
            self.config_warning(CALM)

    def _configure_water_depth(self, config: Config, depth: float | None) -> None:
        """Set the depth of the block; warn of 0, which older programs take as unknown."""
        entry = config.entry("default_water_depth")
        self.scene.water_depth = self.scene.generation.water_depth(depth)
        if entry is not None and self.scene.water_depth == 0.0:
            self.config_warning(
                f"{entry.key} = {entry.value}: the vessel is aground; where the depth is unknown, "
                "expected no such line",
                entry.where,
            )

    @property
    def start_position(self) -> tuple[float, float, float]:
        """The start position: x, y and depth [m]."""
        motion = self._start[0]
        return motion.x, motion.y, motion.depth

    @property
    def navigation_prefix(self) -> str:
        """The prefix of its navigation variables, as ``USM_``."""
        return self._prefix

    def acts_by_itself(self) -> bool:
        """Whether it shares messages that no mail caused: never."""
        return False

    def _share_change(self, change: str) -> None:
        """Share a change of the environment with the simulators of other communities."""
        message = Message(CHANGE, change, self.time, self.name, "", self.community, self.instant)
        self.share(message, WORLD, CHANGE)

    def _warn_of_wind(self, config: Config) -> None:
        """Warn if there is wind, and nothing that it moves."""
        self._windless = self._vessel.windless
        entry = config.entry(WIND.lower())
        if entry is not None and self._windless:
            self.config_warning(f"{entry.key} does not move it: {self._windless}", entry.where)

    def _configure_wormholes(self, config: Config, options: SimulatorOptions) -> None:
        generation = self.scene.generation
        lines = options.around.wormholes.wormhole
        wormholes = passed(lines, config, generation, warn=self.config_warning)
        self._passages: Passages | NoPassages = NoPassages()
        if wormholes:
            self._passages = Passages(wormholes, self.community, self._prefix, self.post)

    def _configure_pilot(self, config: Config, options: SimulatorOptions) -> None:
        self.pilot: Pilot | None = None
        if has_pid(config):
            overridden = self.scene.generation.overridden
            self.pilot = Pilot.from_config(config, overridden=overridden, post=self.post)
        else:
            for entry in config.all(*(parameter.name for parameter in PidOptions.parameters())):
                self.config_warning(
                    f"{entry.key} has no effect: without a gain of the yaw loop "
                    "there is no embedded PID",
                    entry.where,
                )
        posts = options.posts
        self._thrust_name, self._rudder_name = posts.post_des_thrust, posts.post_des_rudder

    def _configure_posts(self, config: Config, options: SimulatorOptions) -> None:
        generation, pilot = self.scene.generation, self.pilot
        projection = read_datum(self.setting.globals)
        if projection is None:
            self.config_warning("LatOrigin or LongOrigin is missing: no latitude and longitude")
        else:
            check_start(config, self.config_warning)
            self.scene.plane = True
        self._warn_of_prefix(config)
        form = Form(
            prefix=self._prefix,
            projection=projection,
            attitude=pilot is None or pilot.engine.parameters.depth_control,
            dual_state=self.scene.craft.dual_state,
            navpos=options.posts.post_navpos_summary,
            speed=generation.posted_speed(options.by_map.max_speed),
        )
        self._publisher = Publisher(form, self._vessel.post_all, self.run_warning)
        names = [*form.names(), *REPORTS, *self._vessel.names]
        names.extend(name for name in generation.summaries if name not in names)
        names.extend(self._world.names)
        self._sails = options.by_map.polar_plot is not None
        if self._sails:
            names.append("VIEW_ARROW")
        names.extend(self._passages.names)
        if pilot is not None:
            names.extend(("PID_HAS_CONTROL", "USM_NOGO", *NARRATION))
            names.extend(name for name in (self._thrust_name, self._rudder_name) if name)
        self.publishes = tuple(names)

    def _warn_of_prefix(self, config: Config) -> None:
        prefix, entry = self._prefix, config.entry("prefix")
        if entry is not None and prefix.endswith("__"):
            self.config_warning(
                f"prefix = {entry.value}: model = {self.model} posts {prefix}X, as "
                f"the program it follows; prefix = {prefix.rstrip('_')} gives {prefix[:-1]}X",
                entry.where,
            )

    def on_start(self) -> None:
        """Register, and post the drift."""
        numbers: dict[str, TakeNumber] = dict(NUMBERS)
        texts: dict[str, TakeText] = dict(TEXTS)
        numbers.update(self._vessel.number_handlers(orders=self.pilot is None))
        texts.update(self._vessel.text_handlers())
        others = self.scene.generation.other_names
        numbers.update({other: NUMBERS[n] for other, n in others.items() if n in NUMBERS})
        texts.update({other: TEXTS[n] for other, n in others.items() if n in TEXTS})
        changes = self._world.number_handlers(), self._world.text_handlers()
        numbers.update(changes[0])
        texts.update(changes[1])
        # Changes of the environment have a time of their own: they do not act at once.
        self._delayed = frozenset((*changes[0], *changes[1]))
        self._world.announce()
        self._numbers, self._texts = numbers, texts
        self.register(*{**numbers, **texts}, *(self.pilot.subscribed if self.pilot else ()))
        # Handled, but registered only while this simulator is disabled; see on_mail.
        self._numbers.update(ELSEWHERE)
        self.scene.craft.wait(self.time)
        self._post_drift()

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take commands and changes of the surroundings; invalid mail changes nothing."""
        scene, pilot = self.scene, self.pilot
        reach = scene.generation.before_mail(self._reach)
        scene.now = self.time
        enabled, resets, teleports = scene.enabled, scene.resets, scene.teleports
        for message in mail:
            name, value, _, source, _, _, instant = message
            scene.heard = instant / NANO
            try:
                if pilot is not None and name in pilot.subscribed:
                    pilot.take(message, self.time)
                else:
                    if name not in self._delayed:
                        # First move to the instant of the mail, so that it acts from then on.
                        reach(scene.heard)
                    self._take(name, value, source)
            except ValueError as error:
                self.run_warning(f"{name} = {value!r}: {error}")
            if name == WIND and self._windless:
                self.run_warning(f"{WIND} does not move it: {self._windless}")
        if scene.resets != resets:
            self.post("USM_RESET_COUNT", float(scene.resets))
            self._passages.call_off()
        if scene.teleports != teleports:
            self.post("USM_TELEPORT_COUNT", float(scene.teleports))
        if scene.enabled != enabled:
            # While disabled, follow the navigation of the simulator that moves the vessel instead.
            (self.unregister if scene.enabled else self.register)(*ELSEWHERE)

    def _take(self, name: str, value: Value, source: str) -> None:
        if isinstance(value, float):
            take_number = self._numbers.get(name)
            if take_number is None:
                raise InvalidValue("expected a text")
            if name in ACTUATORS:  # their range is that of the vessel
                take_number(self.scene, value, source)
                if abs(value) > self._vessel.most(name):
                    self._warn_of_range(name, value)
            else:
                check_size(value)
                take_number(self.scene, value, source)
        else:
            take_text = self._texts.get(name)
            if take_text is None:
                raise InvalidValue("expected a number")
            take_text(self.scene, str(value), source)

    def _warn_of_range(self, name: str, value: float) -> None:
        """Warn once per command that it is outside its range."""
        if name in self._warned:
            return
        self._warned.add(name)
        most = self._vessel.most(name)
        taken = self.scene.generation.taken(value, most)
        self.run_warning(
            f"{name} = {value:g}: outside {-most:g} to {most:g}, {taken} by model = {self.model} "
            "(told once)"
        )

    def iterate(self) -> None:
        """Move the vessel to the present time, and post its state."""
        scene, now = self.scene, self.time
        craft, generation = scene.craft, scene.generation
        if scene.blocked:
            self._stay(now)
            return
        if not generation.moves(enabled=scene.enabled):
            craft.wait(now)
            return
        generation.proceed(self._steer, self._move, now)
        if not scene.enabled:
            return
        motion = craft.motion
        for name, text in scene.handshake.reports(now, motion.pitch):
            self.post(name, text)
        self._post_motion(motion, craft.true_motion if craft.dual_state else motion)
        if scene.drift_changed or craft.field is not None:
            self._post_drift()
        if self.iteration % ARROW_EVERY == 0 and self._sails and craft.inputs.wind is not None:
            self.post("VIEW_ARROW", wind_arrow(craft.inputs.wind))
        self._passages.show(now, self.iteration)

    def _move(self, now: float) -> None:
        """Move the vessel to the present time, unless it is inside a wormhole.

        One that has passed the wormhole is moved to its exit.
        """
        if self._passages.lead(self.scene.craft, self.scene.generation.leave_wormhole):
            self.scene.craft.wait(now)
            return
        self._advance(now)
        if self.scene.enabled:
            self._vessel.post_rest(now)

    def _steer(self, now: float) -> None:
        """Let the embedded PID set the actuators, if there is one."""
        if self.pilot is None:
            return
        self._vessel.settle()
        output = self.pilot.steer(self.scene.craft, now)
        self._vessel.pass_orders(now)
        if self._thrust_name:
            self.post(self._thrust_name, output.thrust)
        if self._rudder_name:
            self.post(self._rudder_name, output.rudder)

    def _reach(self, instant: float) -> None:
        """Move the vessel to the instant of mail [s], under the commands in effect until then."""
        scene = self.scene
        craft = scene.craft
        if self._vessel.is_past(instant):
            return
        instant = min(max(instant, craft.clock), self.time)
        if scene.blocked:
            craft.wait(instant)
            craft.place(speed=0.0)
        elif not scene.enabled or self._passages.hides(instant):
            craft.wait(instant)
        else:
            self._advance(instant)
            self._vessel.settle()

    def _advance(self, now: float) -> None:
        self._world.at(self.scene, now)
        if self.scene.step_orders is not None:
            self.scene.step_orders.apply(self.scene.craft, now)
        self._vessel.inputs.water_depth = self.scene.water_depth
        self._vessel.advance(now)

    def _stay(self, now: float) -> None:
        """Keep the vessel where it hit an obstacle, and post its state at rest."""
        generation = self.scene.generation
        generation.stay(self.scene.craft, now)
        generation.post_stay(self._post_at_rest)

    def _post_at_rest(self) -> None:
        motion, truth = self.scene.craft.motion, self.scene.craft.true_motion
        self._post_motion(
            motion._replace(speed=0.0, speed_over_ground=0.0),
            truth._replace(speed=0.0, speed_over_ground=0.0),
        )

    def _post_motion(self, motion: Motion, truth: Motion) -> None:
        scene = self.scene
        if self.iteration % scene.generation.posts_every == 0:
            if scene.craft.inputs.reverse:
                motion, truth = stern_first(motion), stern_first(truth)
            self._publisher.post(motion, truth, scene.water_depth)

    def _post_drift(self) -> None:
        """Post the drift, if it has changed."""
        scene = self.scene
        text = drift_summary(scene.craft.total_drift())
        if scene.generation.posts_drift(changed=text != self._summary):
            self._summary = text
            for name in scene.generation.summaries:
                self.post(name, text)
        scene.drift_changed = False

    def on_stop(self) -> None:
        """Release the vessel."""
        self._vessel.end()

    def report(self) -> Iterable[str]:
        """Yield the vessel's position, steering, surroundings and model."""
        yield from report_lines(self.scene, self._start, self.pilot)
        yield from self._passages.report()
        yield from self._world.report()
        yield from self._vessel.report()
