"""Reads the sections of ``environment.yml`` into an environment, with units and error messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from typing import TypeVar

import numpy as np
import yaml

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.geometry.marine import components, opposite
from steerageway.world import current_field, ground, gusts, sea_state, spectra, spreading
from steerageway.world import keys as env
from steerageway.world.contact import Contact, Wall
from steerageway.world.document import Section, composed, read, replaced
from steerageway.world.environment import Environment, WindField, wander_of
from steerageway.world.errors import InvalidValue
from steerageway.world.gauss_markov import GaussMarkov, SamplePath, WanderingCurrent
from steerageway.world.numbers import lines_of, read_finite
from steerageway.world.random_streams import generator
from steerageway.world.sea_state import SeaState
from steerageway.world.tide import Tide
from steerageway.world.units import quantity, word
from steerageway.world.wind import at_height

LEAST_CORNERS = 3  # of a wall
CALM = 1.0  # peak period of a sea without waves [s]
MOST_TABLE = 1e6  # frequency [rad/s] or density [m² s/rad] that is none of a sea
GAP = 3.0  # multiple of a table's median frequency spacing that counts as a gap
Thing = TypeVar("Thing")


class Notes:
    """Summary lines and warnings collected while an environment is read."""

    def __init__(self) -> None:
        self.echo: list[str] = []
        self.warnings: list[str] = []


def load(
    path: Path | None, seed: int = 0, overrides: Mapping[str, tuple[str, str]] | None = None
) -> Environment:
    """Read an environment.

    Args:
        path: path of the file; None: only the overrides.
        seed: the mission's seed.
        overrides: by dotted key, e.g. ``waves.Hs``: the value as text, and where it was given.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    if path is not None and not path.is_file():
        raise InvalidValue(
            "no such file; expected an environment file, e.g. environment.yml", str(path)
        )
    section = Section(Path("environment")) if path is None else read(path)
    for dotted, (value, where) in (overrides or {}).items():
        try:
            node = composed(value, where)
        except yaml.YAMLError:
            node = None
        if node is None:
            raise InvalidValue(Diagnostic(where, dotted, expected=f"{value!r}: expected a value"))
        section = replaced(section, dotted.split("."), node, where)
    return environment_of(section, seed)


def environment_of(file: Section, seed: int) -> Environment:
    """Return the environment specified by a file's section.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    notes = Notes()
    water = file.section(env.WATER)
    density = quantity(water, env.DENSITY)
    gravity = quantity(water, env.GRAVITY)
    depth = quantity(water, env.DEPTH)
    own = water.whole(env.SEED)
    water.finish()
    mixed = seed if own == 0 else seed + 1_000_003 * own
    deep = "deep" if depth == inf else f"{depth:g} m deep"
    notes.echo.append(f"water: {density:g} kg/m3, {deep}, g {gravity:g} m/s2, seed {seed}, {own}")
    section = file.section(env.WAVES)
    waves = _systems(section, notes, depth, gravity)
    drift = section.section(env.DRIFT)
    stokes = drift.flag(env.STOKES)
    drift.finish()
    ramp = quantity(section, env.RAMP, default=2.0 * waves[0].Tp if waves else 0.0)
    wheeler = word(section, env.STRETCHING) == "wheeler"
    section.finish()
    wind = _wind(file, notes, mixed)
    current, wandering, fielded = _current(file, notes, mixed)
    tide, grid = _tide(file, notes), _ground(file, notes)
    contact = _read_contact(file)
    if contact is not None:
        notes.echo.append(_contact_summary(contact))
    file.finish()
    return Environment(
        density=density,
        gravity=gravity,
        depth=depth,
        waves=waves,
        ramp=ramp,
        wheeler=wheeler,
        stokes=stokes,
        current=current,
        wandering=wandering,
        current_file=fielded,
        wind=wind,
        tide=tide,
        ground=grid,
        contact=contact,
        seed=mixed,
        echo=tuple(notes.echo),
        warnings=tuple(notes.warnings),
    )


def _systems(section: Section, notes: Notes, depth: float, gravity: float) -> tuple[SeaState, ...]:
    """Read the wave systems: sea and swell."""
    if not section.nodes:
        return ()
    sea = _state(section, notes, depth, gravity, "jonswap", "cosn")
    systems = [] if sea.spectrum == "off" else [sea]
    if env.SWELL in section:
        swell = section.section(env.SWELL)
        systems.append(_state(swell, notes, depth, gravity, "jonswap", "cos2s"))
        swell.finish()
    return tuple(systems)


def _state(
    section: Section, notes: Notes, depth: float, gravity: float, usual: str, spread: str
) -> SeaState:
    spectrum = section.choice(env.SPECTRUM, default=usual)
    direction = direction_of(section, opposite=True)
    spacing = section.choice(env.SPACING)
    count = section.number(env.COMPONENTS)
    if count > sea_state.MOST_COMPONENTS:
        value = f"{count:g}, which would take {count * sea_state.BYTES / 1e6:.3g} MB"
        section.wrong(env.COMPONENTS, value, f"at most {sea_state.MOST_COMPONENTS}", None)
    low, high = section.vector(env.FREQUENCY_RANGE).tolist()
    if not 0.0 < low < high:
        section.wrong(env.FREQUENCY_RANGE, f"[{low:g}, {high:g}]", "two numbers, ascending", None)
    kind, exponent = _spreading(section, spread if spectrum != "regular" else "none")
    if spectrum == "off":
        return SeaState()
    table: tuple[tuple[float, float], ...] = ()
    if spectrum == "table":
        table = _table(section)
        Hs, Tp, gamma = _parameters_of_table(table)
        Hs = quantity(section, env.HS, default=Hs)
    else:
        Hs, Tp, gamma = _height(section, spectrum, gravity)
    state = SeaState(
        spectrum,
        Hs,
        Tp,
        gamma,
        direction,
        kind,
        exponent,
        int(count),
        (low, high),
        spacing,
        table,
    )
    _judge(section, state, notes, depth, gravity)
    return state


def _height(section: Section, spectrum: str, gravity: float) -> tuple[float, float, float]:
    """Read Hs, Tp and gamma: given, from the wind, or from the sea state number."""
    gamma = 3.3
    if env.SEA_STATE in section:
        number = section.whole(env.SEA_STATE)
        lower = sea_state.WMO[number - 2] if number > 1 else 0.0
        usual = 0.5 * (lower + sea_state.WMO[number - 1])
        Hs = quantity(section, env.HS, default=usual)
        # steepness of fully developed seas: Hs = 0.21 V²/g with wp = 0.88 g/V
        Tp = quantity(section, env.TP, default=5.0 * (Hs or usual) ** 0.5)
    elif env.WIND_SPEED in section:
        speed = quantity(section, env.WIND_SPEED)
        fetch = quantity(section, env.FETCH, default=inf)
        if fetch < inf and speed > 0.0:
            limited = spectra.FetchLimited.of(speed, fetch, gravity)
            Hs, Tp, gamma = limited.height(gravity), 2.0 * np.pi / limited.wp, limited.gamma
        elif speed == 0.0:
            Hs, Tp = 0.0, CALM
        else:
            Hs = spectra.height_of_wind(speed, gravity)
            Tp = 2.0 * np.pi * speed / (0.88 * gravity)
    else:
        Hs = quantity(section, env.HS)
        Tp = quantity(section, env.TP)
    if section.text(env.GAMMA, "auto") != "auto":
        gamma = quantity(section, env.GAMMA)
    elif Hs > 0.0 and (
        env.GAMMA in section or (env.WIND_SPEED not in section and spectrum != "regular")
    ):
        gamma = spectra.gamma_of(Hs, Tp)
    return Hs, Tp, gamma


def direction_of(section: Section, *, opposite: bool) -> float:
    """Return the direction a thing goes to [deg] from ``direction_to`` or ``direction_from``.

    Without ``opposite``, return the direction it comes from.
    """
    towards = env.DIRECTION_TO in section
    if towards and env.DIRECTION_FROM in section:
        section.wrong(env.DIRECTION_TO, section.text(env.DIRECTION_TO), "only one of the two", None)
    angle = quantity(section, env.DIRECTION_TO if towards else env.DIRECTION_FROM)
    return angle % 360.0 if towards is opposite else (angle + 180.0) % 360.0


def _spreading(section: Section, usual: str) -> tuple[str, float]:
    given = section.section(env.SPREADING)
    kind = word(given, env.SPREADING_KIND, default=usual)
    exponent = given.number(env.EXPONENT, spreading.USUAL[kind])
    given.finish()
    return kind, exponent


def _table(section: Section) -> tuple[tuple[float, float], ...]:
    """Read a spectrum table: a CSV file of w [rad/s] and S [m² s/rad]."""
    path = _file(section, "file")
    rows: list[tuple[float, float]] = []
    for number, line in enumerate(lines_of(path), 1):
        words = line.partition("#")[0].split(",")
        if not line.partition("#")[0].strip() or (
            number == 1 and all(word.strip()[:1].isalpha() for word in words)
        ):
            continue
        if len(words) != 2:
            raise InvalidValue(f"{line!r}: expected w [rad/s], S [m² s/rad]", f"{path}:{number}")
        w, S = (read_finite(word, f"{path}:{number}", MOST_TABLE) for word in words)
        if S < 0 or w <= 0 or (rows and w <= rows[-1][0]):
            raise InvalidValue(
                f"{path}:{number}: {line!r}: expected ascending frequencies above 0 and S of at "
                "least 0"
            )
        rows.append((w, S))
    if len(rows) < 3 or not any(S for _, S in rows):
        raise InvalidValue(
            f"{len(rows)} rows: expected at least three, not all of them 0", str(path)
        )
    steps = np.diff([w for w, _ in rows])
    if steps.max() > GAP * np.median(steps):
        at = int(steps.argmax())
        raise InvalidValue(
            f"{path}: no data between {rows[at][0]:g} and {rows[at + 1][0]:g} rad/s: expected a "
            "spectrum without gaps"
        )
    return tuple(rows)


def _parameters_of_table(table: tuple[tuple[float, float], ...]) -> tuple[float, float, float]:
    w, S = np.array(table).T
    return spectra.moments(w, S).Hm0, float(2.0 * np.pi / w[S.argmax()]), 1.0


def _judge(section: Section, state: SeaState, notes: Notes, depth: float, gravity: float) -> None:
    """Reject waves beyond the breaking limit, warn of unusual ones, and add the summary."""
    if state.Hs == 0.0:
        notes.echo.append(f"waves: {state.spectrum}, Hs 0 m: calm")
        return
    steepness, most = state.steepness(depth, gravity), state.steepest(depth, gravity)
    key = next(
        (k for k in (env.HS, env.SEA_STATE, env.WIND_SPEED, env.WAVES_FILE) if k in section), env.HS
    )
    where = section.where(key)
    if steepness > most:
        expected = f"a steepness of at most {most:.3g}, beyond which waves break"
        section.wrong(
            key, f"steepness {steepness:.3g} with a period of {state.Tp:g} s", expected, None
        )
    elif steepness > sea_state.STEEP:
        notes.warnings.append(
            f"{where}: steepness {steepness:.3g}: linear waves above {sea_state.STEEP:g} are 4 % "
            "low at their crests"
        )
    irregular = state.spectrum not in ("regular", "table")
    if irregular and state.Tp / state.Hs**0.5 < sea_state.STEEP_SEA:
        notes.warnings.append(
            f"{where}: Tp/sqrt(Hs) = {state.Tp / state.Hs**0.5:.3g}: seas below "
            f"{sea_state.STEEP_SEA:g} have not been measured"
        )
    if state.repeats_after() < inf:
        notes.warnings.append(
            f"{section.where(env.SPACING)}: the record repeats after {state.repeats_after():.0f} s"
        )
    shape = f", gamma {state.gamma:.3g}" if state.spectrum in ("jonswap", "tma") else ""
    notes.echo.append(
        f"waves: {state.spectrum}, Hs {state.Hs:.4g} m, Tp {state.Tp:.4g} s{shape}, to "
        f"{state.direction:g} deg (from {opposite(state.direction):g} deg), steepness "
        f"{steepness:.3g}, {state.components if irregular else 1} components, spreading "
        f"{state.spreading} {state.exponent:g}"
    )


def _wind(file: Section, notes: Notes, seed: int) -> WindField | None:
    if env.WIND not in file:
        return None
    section = file.section(env.WIND)
    speed = quantity(section, env.SPEED)
    direction = direction_of(section, opposite=False)
    profile = word(section, env.PROFILE)
    height = quantity(section, env.HEIGHT)
    gust = section.section(env.GUST)
    kind = word(gust, env.GUST_SPECTRUM, default="npd" if gust.nodes else "none")
    intensity = gust.number(env.INTENSITY)
    constant = quantity(gust, env.GUST_TIME)
    own = gust.whole(env.SEED)
    gust.finish()
    wander = section.section(env.WANDER)
    deviation = quantity(wander, env.DEVIATION)
    slow = quantity(wander, env.WANDER_TIME)
    wander.finish()
    section.finish()
    mean = at_height(speed, height, profile)
    rng = generator(seed, f"gusts {own}")
    blown = gusts.of_speed(kind, mean, rng, intensity=intensity, constant=constant, height=height)
    notes.echo.append(
        f"wind: {speed:g} m/s from {direction:g} deg, profile {profile}, at {height:g} m "
        f"{mean:.4g} m/s, gusts {kind} of {blown.deviation:.3g} m/s, wander {deviation:g} deg"
    )
    turning = wander_of(deviation, slow, seed)
    return WindField(speed, direction, profile, height, blown, turning)


def _current(
    file: Section, notes: Notes, seed: int
) -> tuple[tuple[float, float], WanderingCurrent | None, current_field.CurrentField | None]:
    section = file.section(env.CURRENT)
    speed = quantity(section, env.CURRENT_SPEED)
    wanders = env.GAUSS_MARKOV in section
    direction = direction_of(section, opposite=True) if speed or wanders else 0.0
    wandering = _wandering(section, speed, direction, seed) if wanders else None
    fielded = _read_named(section, env.CURRENT_FILE, current_field.read)
    section.finish((env.DIRECTION_FROM, env.DIRECTION_TO))
    if speed or wandering or fielded:
        more = ", and a field" if fielded else ""
        if wandering:
            of_speed, of_direction = wandering.speed.process, wandering.direction.process
            more = (
                f", Gauss-Markov: speed {of_speed.low:g} to {of_speed.high:g}, deviation "
                f"{of_speed.sigma:g} m/s in {1 / of_speed.mu:g} s, direction "
                f"{of_direction.sigma:g} deg in {1 / of_direction.mu:g} s{more}"
            )
        notes.echo.append(f"current: {speed:g} m/s to {direction:g} deg{more}")
    steady = components(direction, speed) if speed and not wandering else (0.0, 0.0)
    return steady, wandering, fielded


def _wandering(section: Section, speed: float, direction: float, seed: int) -> WanderingCurrent:
    own = section.section(env.GAUSS_MARKOV)
    constant = quantity(own, env.WANDER_CONSTANT)
    turning = quantity(own, env.DIRECTION_CONSTANT, default=constant)
    sigma = quantity(own, env.SPEED_DEVIATION)
    angle = quantity(own, env.DIRECTION_DEVIATION)
    least = quantity(own, env.SPEED_MIN, high=speed)
    most = quantity(own, env.SPEED_MAX, low=speed)
    name = f"current {own.whole(env.SEED)}"
    own.finish()
    return WanderingCurrent(
        SamplePath(GaussMarkov(speed, sigma, 1.0 / constant, least, most), seed, f"{name} speed"),
        SamplePath(GaussMarkov(direction, angle, 1.0 / turning), seed, f"{name} direction"),
    )


def _tide(file: Section, notes: Notes) -> Tide | None:
    if env.TIDE not in file:
        return None
    section = file.section(env.TIDE)
    tide = Tide(
        range=quantity(section, env.TIDE_RANGE),
        period=quantity(section, env.PERIOD),
        high_water=quantity(section, env.HIGH_WATER),
        stream=quantity(section, env.STREAM),
        direction=direction_of(section, opposite=True),
    )
    section.finish()
    notes.echo.append(
        f"tide: range {tide.range:g} m, period {tide.period:g} s, high water at "
        f"{tide.high_water:g} s, stream {tide.stream:g} m/s to {tide.direction:g} deg"
    )
    return tide


def _ground(file: Section, notes: Notes) -> ground.Ground | None:
    if env.GROUND not in file:
        return None
    section = file.section(env.GROUND)
    vertical = section.choice(env.VERTICAL)
    grid = _read_named(section, "file", lambda path: ground.read(path, vertical))
    if grid is None:
        section.fail(env.GROUND_FILE, "nothing", "a .asc or .csv file of depths")
    section.finish()
    rows, columns = grid.depths.shape
    notes.echo.append(
        f"ground: {rows} by {columns} points, {grid.spacing:g} m apart, {grid.memory / 1e6:.3g} MB"
    )
    return grid


def _read_named(section: Section, key: str, read: Callable[[Path], Thing]) -> Thing | None:
    """Return the contents of the file that a key names; None without the key."""
    return read(_file(section, key)) if key in section else None


def _file(section: Section, key: str) -> Path:
    """Return the path that a key names, relative to the folder of its file."""
    named = section.text(key)
    mark = section.nodes[key].start_mark if key in section.nodes else None
    beside = section.path.parent if mark is None or mark.name == str(section.path) else Path()
    path = beside / named
    if not named or not path.is_file():
        section.fail(key, named or "nothing", f"an existing file, relative to {beside}")
    return path


def _read_contact(file: Section) -> Contact | None:
    """Return an environment's contact settings; None without the key ``contact``.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    if env.CONTACT not in file:
        return None
    section = file.section(env.CONTACT)
    walls = tuple(_wall(one, number) for number, one in enumerate(section.sections(env.WALLS), 1))
    labels = [wall.label for wall in walls]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        section.wrong(env.WALLS, f"duplicate label {twice}", "unique labels", None)
    found = Contact(
        walls=walls,
        at_walls=word(section, env.AT_WALLS),
        at_boats=word(section, env.AT_BOATS),
        at_bottom=word(section, env.AT_BOTTOM),
        restitution=section.number(env.RESTITUTION),
        friction=section.number(env.FRICTION),
        duration=quantity(section, env.DURATION),
    )
    section.finish()
    return found


def _wall(section: Section, number: int) -> Wall:
    """Read a wall: its points are east and north of the datum in the file."""
    label = section.text(env.LABEL, f"wall {number}")
    rows = section.rows(env.POINTS)
    section.finish()
    if len(rows) < LEAST_CORNERS:
        section.fail(env.POINTS, f"{len(rows)} points", "at least three, [east, north]")
    return Wall(label, np.array(rows, np.float64)[:, ::-1].copy())


def _contact_summary(contact: Contact) -> str:
    """Return a one-line summary."""
    walls = ", ".join(wall.label for wall in contact.walls) or "none"
    return (
        f"contact: walls {walls}: {contact.at_walls}, boats: {contact.at_boats}, bottom: "
        f"{contact.at_bottom}, restitution {contact.restitution:g}, friction "
        f"{contact.friction:g}, touch of {contact.duration:g} s"
    )
