"""``Mission``: a mission in this process, stepped by a script, notebook or learning environment.

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
from steerageway.diagnostics.progress import Bar
from steerageway.launcher.community_options import parse_ending
from steerageway.launcher.errors import LaunchError, raise_error
from steerageway.launcher.gateway import names
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.results import DRAWN, Posts
from steerageway.launcher.spelling import Spelling
from steerageway.launcher.summary import figures
from steerageway.launcher.translation import translated, translated_failures
from steerageway.launcher.value_spelling import Use, is_word, uses_in_condition

STEPPED = ("--placement", "one", "--warp", "max")
WITHOUT_SENSE = (
    *("placement", "warp", "free_run", "wall_limit", "grant_timeout"),
    *("port", "host", "keys", "attach", "paused", "view", "external", "json", "check", "graph"),
    *("sweep", "case", "jobs", "scheduler", "results", "moosdb"),
    *("worst", "table", "memory_limit", "log_budget", "find_failure"),
)


class MissionFailed(Exception):
    """An app of a mission failed. Attributes: failures."""

    def __init__(self, failures: tuple[Failure, ...]) -> None:
        self.failures = failures
        texts = (f"{f.name} failed at {f.time:.3f} s: {f.reason}\n{f.details}" for f in failures)
        super().__init__("\n".join(texts).rstrip())


class Mission:
    """A mission in this process, whose simulated time advances only by calls of its methods.

    The results are those of ``launch.py``, bit for bit.

    Attributes:
        communities: their names.
        warnings: about the mission's files.
    """

    def __init__(self, *missions: str | Path, **options: object) -> None:
        """Read the files and build the apps; nothing runs yet.

        Args:
            missions: mission files, folders or names, as on the command line of ``launch.py``.
            options: the options of ``launch.py`` by their names, with ``_`` for ``-``: ``seed=3``,
                ``config=["uSimMarineV22.turn_rate=50"]``, ``until="MISSION = complete"``,
                ``strict=True``. A list repeats an option. No logs are written unless ``log``
                names a new or empty folder.

        Raises:
            LaunchError: a file or an option is not valid, or an option does not apply to a
                stepped mission: warp, observers, other processes.
        """
        for name in WITHOUT_SENSE:
            if name in options:
                raise_error(f"{name}: not for a mission that is stepped")
        arguments = [*map(str, missions), *STEPPED, *arguments_of(options)]
        if options.get("log") is None:
            arguments.append("--no-log")
        self._launch = plan_launch(replace(parse_options(arguments, raise_error), stepped=True))
        for order in self._launch.plan.orders:
            problem = f"holds a {order.verb}, which run replays, and no mission that is stepped"
            raise_error(f"inputs {options['inputs']}: {problem}")
        for name in names(self._launch.gate.programs if self._launch.gate is not None else ()):
            raise_error(f"{name}: a program is paced: in a stepped mission only with lockstep=True")
        self._run = Stepped(self._launch.plan)
        self._spelling = Spelling(self._launch.plan.apps, self._launch.communities)
        self._failed = 0
        self._closed = False
        self._waiting: list[Message] = []  # received, but not yet fetched
        self._drawn = Posts()
        self._case = self._run.case
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
        """Why the mission is over ("until", "for", "fail_if", ...); empty while it is not."""
        return self._run.over

    def step(self, count: int = 1) -> bool:
        """Run the next instants at which there is an activation or a post.

        Returns: False if the mission is over.
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

    def run_until(self, until: float | str, limit: float = inf, *, progress: bool = False) -> bool:
        """Run up to and including a time [s] of the case, or until a condition holds.

        Args:
            until: the time, or a condition as for ``--until`` (``abe: NAV_X > 5``), evaluated now
                and after each instant.
            limit: time limit of a condition [s].
            progress: show a progress bar on a terminal or in a notebook, up to the time or limit.

        Returns: whether the time or condition was reached; False if the limit or the mission's
            end came first, or, for a time, if an app began another case.

        Raises:
            ConditionError: the condition is not valid.
            LaunchError: there is no community of its name.
            ValueError: the time is not a number, not finite, or earlier than the present one.
            MissionFailed: an app failed.
            ControlError: the mission is closed.
        """
        self._must_be_open("run_until")
        if isinstance(until, str):
            goal = self._goal(until)
            self._spelling.check_values(uses_in_condition(f"run_until {until}"))
            if len(goal.communities) == 1:  # of several, most may not have the variable
                name_of_community = goal.communities[0]
                for name in goal.condition.variables:
                    known = self._run.database(name_of_community).variables
                    self._spelling.check("run_until", name_of_community, name, known)
            return self._run_until_goal(goal, limit, progress=progress)
        time, most = _seconds(until), _limit(limit)
        last = min(time, most)
        if not last < inf:
            to_the_end = "while mission.step(): pass, if for_ or until give it an end"
            raise ValueError(f"run_until {last}: expected a finite time [s]; or {to_the_end}")
        if nanoseconds(last) < self._run.now and time <= most:
            raise ValueError(f"run_until {time:g}: expected a later time than {self.time:g} s")
        done = self._run_up_to(nanoseconds(last), progress=progress)
        self._check()
        return done and time <= most

    def reset(self, case: Case | int | None = None) -> None:
        """End the present case and begin another: time is 0 again and every app is rebuilt.

        The logger continues, with a line in its log. The new case runs as in a new mission, also
        if this one was over.

        Args:
            case: the seed and posts; or the seed alone; None: the same seed again.

        Raises:
            ControlError: the logger, or another app that survives resets, has failed; or the
                mission is closed.
            MissionFailed: an app cannot be rebuilt.
            ValueError: the seed is not an integer.
            KeyError: there is no community of the case's name.
        """
        self._must_be_open("reset")
        asked = case if isinstance(case, Case) else Case(seed=case)
        self._named(asked.community or self.communities[0])
        for key in (*asked.first, *asked.then):
            name_of_community, name = asked.place(key, self.communities)
            if ":" in name:
                self._named(name.rpartition(":")[0])
            known = self._run.database(name_of_community).variables
            self._spelling.check("reset", name_of_community, name, known)
        seed = _seed(asked.seed)
        self._run.reset(replace(asked, seed=seed))
        self._check()

    def post(
        self, name: str, value: object, *, community: str = "", source: str = "script"
    ) -> None:
        """Post a value; it is committed before the next instant that is run.

        Warns of a name that no app posts or subscribes to, if it is similar to one that is in use;
        so do ``get``, ``register``, ``run_until`` and ``reset``. Also warns of a value that looks
        misspelt; so does ``run_until``.

        Args:
            name: the variable.
            value: float, str or bytes; other real numbers become floats.
            community: its name; may be omitted if there is only one.
            source: the name under which the value is posted.
        Raises:
            ValueRefused: the value is not a finite number, text or bytes.
            PostRefused: the variable is of another type, or the mission is over.
            TypeError: the name or the source is not a text.
        """
        _texts("post", name=name, source=source)
        taken = as_value(name, value)
        if not is_postable(taken):
            raise ValueRefused(name, taken)
        name_of_community = self._named(community)
        self._spelling.check(
            "post", name_of_community, name, self._run.database(name_of_community).variables
        )
        if isinstance(taken, str) and is_word(taken):
            self._spelling.check_values([Use(f"post {name}={taken}", name, taken)])
        self._run.post(name_of_community, name, taken, source)

    def get(self, name: str, default: Any = None, *, community: str = "") -> Any:
        """Return a variable's value; the default if it was not posted in this case.

        Raises:
            TypeError: the name is not a text.
        """
        _texts("get", name=name)
        name_of_community = self._named(community)
        database = self._run.database(name_of_community)
        value = database.value(name)
        if value is None:
            self._spelling.check("get", name_of_community, name, database.variables)
        return default if value is None else value

    def register(self, *names: str, interval: float = 0.0, community: str = "") -> None:
        """Subscribe to variables, in this and later cases; ``fetch`` returns their posts.

        Args:
            names: variables, or patterns with * and ?.
            interval: least time between two deliveries of one variable [s].
            community: its name; may be omitted if there is only one.

        Raises:
            RegistrationRefused: a name or the interval is not valid.
            ControlError: the mission is closed.
        """
        self._must_be_open("register")
        name_of_community = self._named(community)
        for name in names:
            known = self._run.database(name_of_community).variables.copy()
            self._run.register(name_of_community, name, interval)
            if not is_pattern(name):
                self._spelling.check("register", name_of_community, name, known)

    def fetch(self) -> Posts:
        """Return the posts of registered variables since the last call, oldest first.

        A list of messages, which are named tuples; ``fetch().arrays()`` and ``fetch().frame()``
        are the same as NumPy arrays and as a ``pandas.DataFrame``.
        """
        posts, self._waiting = Posts([*self._waiting, *self._received()]), []
        return posts

    def show(self) -> Any:
        """Return a picture of the tracks so far, which a notebook draws; ``save`` writes it.

        Of what is registered, since the last ``reset``: ``register("NAV_*", "VIEW_*")`` gives
        tracks, waypoints and areas. ``fetch`` returns these posts all the same.

        Raises:
            LaunchError: no position was registered, or none was posted.
            MatplotlibMissing: it is not installed.
        """
        self._waiting += self._received()
        return self._drawn.show()

    def close(self) -> dict[str, Any]:
        """Stop every app and close the logs; further calls only return the summary.

        Returns: the summary, as ``launch.py --json`` writes it.
        """
        self._closed = True
        return figures(translated(self._run.close(), self._launch), self._launch)

    def vessel(self, community: str = "") -> Any:
        """Return the vessel of a community, as ``vessel.fossen.folder.load`` does.

        With the lines of its simulator's block. None: it has none by files.

        Args:
            community: its name; may be omitted if there is only one.
        """
        from steerageway.apps.shared.simulator import vessel_beside

        settings = (one.app.setting for one in self._launch.plan.apps)
        name_of_community = self._named(community)
        return vessel_beside(next(one for one in settings if one.community == name_of_community))

    def _goal(self, text: str) -> Goal:
        apps = {one.name: one.launch_list for one in self._launch.communities}
        return Goal(parse_ending("run_until", text, apps), self.communities)

    def _received(self) -> list[Message]:
        earlier, present = self._run.received()
        if self._run.case is not self._case:  # also an app may have begun another
            self._drawn.clear()
            self._case = self._run.case
        self._drawn += [one for one in present if one.name in DRAWN]
        return [*earlier, *present]

    def _run_up_to(self, last: int, *, progress: bool) -> bool:
        """Run up to an instant, in parts of one per cent if these are shown."""
        run, first = self._run, self._run.now
        if not progress:
            return run.run_until(last)
        with Bar() as bar:
            for part in range(101):
                bar(f"to {last / NANO:g} s", part / 100)
                if not run.run_until(first + (last - first) * part // 100):
                    return False
        return True

    def _run_until_goal(self, goal: Goal, limit: float, *, progress: bool) -> bool:
        run, case, last = self._run, self._run.case, _limit(limit) * NANO
        first, span = run.now, max(last - run.now, 1.0)
        what = f"at most to {limit:g} s" if limit < inf else "no time limit"
        with Bar() as bar:
            while True:
                if progress:
                    bar(what, (run.now - first) / span)
                if case is not run.case:  # an app began another case: conditions are to hold in it
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
        """Raise the failures since the last call.

        Raises:
            MissionFailed: an app has failed.
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
    """Check that arguments are texts.

    Raises:
        TypeError: one is not.
    """
    for key, value in given.items():
        if not isinstance(value, str):
            raise TypeError(f"{what}: {key} {value!r}: expected a text")


def _seed(seed: object) -> int | None:
    """Check that a seed is an integer: 3.0 would give other random numbers than 3."""
    whole = _whole(seed)
    if whole is None and seed is not None:
        raise ValueError(f"reset: seed {seed!r}: expected an integer, or a Case")
    return whole


def _whole(number: object) -> int | None:
    """Return a whole number of any integer type as int; None for anything else."""
    if isinstance(number, bool) or not isinstance(number, SupportsIndex):
        return None
    return index(number)


def arguments_of(options: Mapping[str, object]) -> Iterator[str]:
    """Convert keyword options to command-line arguments."""
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
