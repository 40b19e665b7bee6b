"""``Mission``: a mission in this process, stepped by a script, a notebook or a learner.

from steerageway.launcher import Mission

with Mission("missions/alpha", seed=3, config=["uSimMarineV22.turn_rate=50"]) as alpha:
    alpha.register("NAV_X", "NAV_Y")
    alpha.run_until("MISSION = complete", limit=600)
    print(alpha.time, alpha.get("NAV_X"), len(alpha.fetch()))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf, isnan
from operator import index
from pathlib import Path
from typing import Any, Self, SupportsIndex

from steerageway.bus import (
    NANO,
    Case,
    ControlError,
    Failure,
    Goal,
    Message,
    Stepped,
    ValueRefused,
    as_value,
    is_pattern,
    is_postable,
    nanoseconds,
)
from steerageway.diagnostics.nearest import nearest
from steerageway.launcher.community_options import parse_ending
from steerageway.launcher.errors import LaunchError, complain
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.spelling import Spelling
from steerageway.launcher.summary import figures
from steerageway.launcher.translation import translated, translated_failures

STEPPED = ("--placement", "one", "--warp", "max")
WITHOUT_SENSE = (
    *("placement", "transport", "warp", "free_run", "wall_limit", "grant_timeout"),
    *("port", "host", "keys", "attach", "paused", "view", "external", "json", "check", "graph"),
    *("sweep", "case", "jobs", "scheduler", "results"),
)


class MissionFailed(Exception):
    """An app of a mission failed. Attributes: failures."""

    def __init__(self, failures: tuple[Failure, ...]) -> None:
        self.failures = failures
        texts = (f"{f.name} failed at {f.time:.3f} s: {f.reason}\n{f.details}" for f in failures)
        super().__init__("\n".join(texts).rstrip())


class Mission:
    """A mission in this process; time goes on only when it is told to.

    The results are those of ``launch.py``, bit for bit.

    Attributes:
        communities: their names.
        warnings: what is doubtful about the files.
    """

    def __init__(self, *missions: str | Path, **options: object) -> None:
        """Read everything and build every app; nothing has run yet.

        Args:
            missions: mission files, folders or names, as on the command line of ``launch.py``.
            options: the options of ``launch.py`` by their names, with ``_`` for ``-``: ``seed=3``,
                ``config=["uSimMarineV22.turn_rate=50"]``, ``until="MISSION = complete"``,
                ``strict=True``. A list gives an option several times. No logs are left unless
                ``log`` names a new or empty folder.
        Raises:
            LaunchError: a file or an option is wrong, or an option is about what a mission that
                is stepped has not: a pace, observers, other processes.
        """
        for name in WITHOUT_SENSE:
            if name in options:
                complain(f"{name}: not for a mission that is stepped")
        arguments = [*map(str, missions), *STEPPED, *_arguments(options)]
        if options.get("log") is None:
            arguments.append("--no-log")
        self._launch = plan_launch(parse_options(arguments, complain))
        for order in self._launch.plan.orders:
            problem = (
                f"holds a {order.verb}, which launch.py replays, and no mission that is stepped"
            )
            complain(f"inputs {options['inputs']}: {problem}")
        self._run = Stepped(self._launch.plan)
        self._spelling = Spelling(self._launch.plan.apps)
        self._failed = 0
        self._closed = False
        self.communities = self._launch.plan.communities
        self.warnings = self._launch.warnings

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def time(self) -> float:
        """Simulated time [s], since the present case began."""
        return self._run.now / NANO

    @property
    def over(self) -> str:
        """Why the mission is over ("until", "for", "fail_if", ...); empty while it goes on."""
        return self._run.over

    def step(self, count: int = 1) -> bool:
        """Run the next instants at which something happens.

        Returns: False when the mission is over.
        Raises:
            ValueError: the count is not a whole number, 0 or more.
            MissionFailed: an app failed.
            ControlError: the mission is closed.
        """
        self._must_be_open("step")
        whole = _whole(count)
        if whole is None or whole < 0:
            raise ValueError(f"step {count!r}: expected a whole number of instants, 0 or more")
        done = all(self._run.step() for _ in range(whole))
        self._check()
        return done

    def run_until(self, until: float | str, limit: float = inf) -> bool:
        """Run up to and including a time [s] of the case, or until a condition holds.

        Args:
            until: the time, or a condition as for ``--until`` (``abe: NAV_X > 5``), looked at now
                and after each instant.
            limit: the time at which to give up [s].
        Returns: whether it came to that; False when the limit or the mission's end came before,
            and for a time when an app began another case.
        Raises:
            ConditionError: the condition is wrong.
            LaunchError: it names a community that is not there.
            ValueError: the time is no number, or not finite.
            MissionFailed: an app failed.
            ControlError: the mission is closed.
        """
        self._must_be_open("run_until")
        if isinstance(until, str):
            goal = self._goal(until)
            if len(goal.communities) == 1:  # else it may well be unknown in all but one
                name_of_community = goal.communities[0]
                for name in goal.condition.variables:
                    known = self._run.database(name_of_community).variables
                    self._spelling.check("run_until", name_of_community, name, known)
            return self._run_until_goal(goal, limit)
        time, most = _seconds(until), _limit(limit)
        last = min(time, most)
        if not last < inf:
            to_the_end = "while mission.step(): pass, if for_ or until give it an end"
            raise ValueError(f"run_until {last}: expected a finite time [s]; or {to_the_end}")
        done = self._run.run_until(nanoseconds(last))
        self._check()
        return done and time <= most

    def reset(self, case: Case | int | None = None) -> None:
        """End the present case and begin another: time is 0 again and every app built anew.

        The logger goes on, with a line in its log. What the mission does from here is what it
        would do had nothing been before, also when it was over.

        Args:
            case: the seed, and posts to enter; or the seed alone; None: the same seed again.
        Raises:
            ControlError: the logger, or another app that outlives cases, has failed; or the mission
                is closed.
            MissionFailed: an app cannot be built anew.
            ValueError: the seed is not an integer.
            KeyError: there is no community of the case's name.
        """
        self._must_be_open("reset")
        asked = case if isinstance(case, Case) else Case(seed=case)
        name_of_community = self._named(asked.community or self.communities[0])
        for name in (*asked.first, *asked.then):
            self._spelling.check(
                "reset", name_of_community, name, self._run.database(name_of_community).variables
            )
        self._run.reset(replace(asked, seed=_seed(asked.seed)))
        self._check()

    def post(
        self, name: str, value: object, *, community: str = "", source: str = "script"
    ) -> None:
        """Post a value; it enters before the next instant that is run.

        Warns of a name that nobody posts or hears and that is spelt much like one that somebody
        does; ``get``, ``register``, ``run_until`` and ``reset`` do so, too.

        Args:
            name: the variable.
            value: float, str or bytes; other real numbers become floats.
            community: where; may be left out where there is one.
            source: in whose name.
        Raises:
            ValueRefused: not a finite number, text or bytes.
            PostRefused: the variable is of another type, or the mission is over.
            TypeError: the name or the source is no text.
        """
        _texts("post", name=name, source=source)
        taken = as_value(name, value)
        if not is_postable(taken):
            raise ValueRefused(name, taken)
        name_of_community = self._named(community)
        self._spelling.check(
            "post", name_of_community, name, self._run.database(name_of_community).variables
        )
        self._run.post(name_of_community, name, taken, source)

    def get(self, name: str, default: Any = None, *, community: str = "") -> Any:
        """Give a variable's value; the default if it was never posted in this case.

        Raises:
            TypeError: the name is no text.
        """
        _texts("get", name=name)
        name_of_community = self._named(community)
        database = self._run.database(name_of_community)
        value = database.value(name)
        if value is None:
            self._spelling.check("get", name_of_community, name, database.variables)
        return default if value is None else value

    def register(self, *names: str, interval: float = 0.0, community: str = "") -> None:
        """Ask for later posts of these variables, in every case; they wait for ``fetch``.

        Args:
            names: variables, or patterns with * and ?.
            interval: least time between two deliveries of one variable [s].
            community: where; may be left out where there is one.
        Raises:
            RegistrationRefused: no name, or no interval.
            ControlError: the mission is closed.
        """
        self._must_be_open("register")
        name_of_community = self._named(community)
        for name in names:
            known = self._run.database(name_of_community).variables.copy()
            self._run.register(name_of_community, name, interval)
            if not is_pattern(name):
                self._spelling.check("register", name_of_community, name, known)

    def fetch(self) -> list[Message]:
        """Give what has been posted of what was registered, oldest first.

        The rows are named tuples: ``pandas.DataFrame(mission.fetch())`` is a table.
        """
        return self._run.fetch()

    def close(self) -> dict[str, Any]:
        """Let every app take leave and close the logs; again, it only gives the figures.

        Returns: the summary, as ``launch.py --json`` writes it.
        """
        self._closed = True
        return figures(translated(self._run.close(), self._launch), self._launch)

    def _goal(self, text: str) -> Goal:
        apps = {one.name: one.launch_list for one in self._launch.communities}
        return Goal(parse_ending("run_until", text, apps), self.communities)

    def _run_until_goal(self, goal: Goal, limit: float) -> bool:
        run, case, last = self._run, self._run.case, _limit(limit) * NANO
        while True:
            if case is not run.case:
                case, goal = run.case, Goal(goal.condition, self.communities)
            for name in goal.communities:
                goal.look(name, run.database(name).value)
            if goal.reached or (run.upcoming or 0) > last or not run.step():
                break
        self._check()
        return goal.reached

    def _must_be_open(self, what: str) -> None:
        if self._closed:
            raise ControlError(f"{what}: the mission is closed; expected another Mission")

    def _named(self, community: str) -> str:
        name = community or self.communities[0]
        if name not in self.communities or (not community and len(self.communities) > 1):
            hint = nearest(community, self.communities) if community else "several: name one"
            raise KeyError(f"community {community!r}: {hint}")
        return name

    def _check(self) -> None:
        """Raise what failed since the last look.

        Raises:
            MissionFailed: an app did.
        """
        fresh = translated_failures(self._run.failures[self._failed :], self._launch)
        self._failed += len(fresh)
        if fresh:
            raise MissionFailed(tuple(fresh))


def _seconds(time: float, what: str = "") -> float:
    try:
        return float(time)
    except (TypeError, ValueError):
        expected = "expected a time [s]" + ("" if what else ", or a condition as a text")
        raise ValueError(f"run_until {what}{time!r}: {expected}") from None


def _limit(time: float) -> float:
    limit = _seconds(time, "limit=")
    if isnan(limit):
        raise ValueError("run_until limit=nan: expected a time [s]")
    return limit


def _texts(what: str, **given: object) -> None:
    """Check that names are texts.

    Raises:
        TypeError: one is none.
    """
    for key, value in given.items():
        if not isinstance(value, str):
            raise TypeError(f"{what}: {key} {value!r}: expected a text")


def _seed(seed: object) -> int | None:
    """Check a seed: 3.0 would draw other numbers than 3."""
    whole = _whole(seed)
    if whole is None and seed is not None:
        raise ValueError(f"reset: seed {seed!r}: expected an integer, or a Case")
    return whole


def _whole(number: object) -> int | None:
    """Give a whole number, of whatever type; None for anything else."""
    if isinstance(number, bool) or not isinstance(number, SupportsIndex):
        return None
    return index(number)


def _arguments(options: Mapping[str, object]) -> Iterator[str]:
    """Write options as on the command line."""
    for name, value in options.items():
        option = f"--{name.rstrip('_').replace('_', '-')}"
        if isinstance(value, bool):
            yield from [option] * value
        elif isinstance(value, Mapping):
            yield from (f"{option}={key}={_word(option, key, one)}" for key, one in value.items())
        elif isinstance(value, list | tuple):
            yield from (f"{option}={one}" for one in value)
        elif value is not None:
            yield f"{option}={value}"


def _word(option: str, key: object, value: object) -> object:
    if isinstance(value, bool):  # its "True" is not what MOOS-IvP's files say
        raise LaunchError(f'{option} {key}: {value}: expected "{str(value).lower()}", a text')
    if value is None or isinstance(value, list | tuple | Mapping):
        raise LaunchError(f"{option} {key}: {value}: expected a number or a text")
    return value
