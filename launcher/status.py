"""Status lines of a run: rewritten in place on a terminal, elsewhere a line at intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TextIO

from steerageway.apps.shared.terminal import say
from steerageway.bus import NANO, Progress, Value
from steerageway.diagnostics.progress import progress_bar

PLAIN_EVERY = 20  # progress reports (two per wall second) between lines if not on a terminal
MOST_STOPPED = 3  # limit of vessels whose all-stop is shown in a fleet's line
MOTION = ("X", "Y", "SPEED")  # navigation variables of the status line, without prefix
MOST_SHOWN = 120  # limit of characters of a value
STOPS = ("IVPHELM_ALLSTOP", "BHV_ERROR")  # why helms have stopped their vessels
HELM = ("IVPHELM_STATE", "MODE")
NO_REASON = ("", "clear", "ManualOverride")  # values of IVPHELM_ALLSTOP that are no error
ERROR = "BehaviorError"
_UP_AND_CLEAR = "\033[F\033[2K"


def shown_of(communities: int, navigation: Sequence[str], stream: TextIO) -> tuple[str, ...]:
    """Return the variables whose values ``Status`` shows.

    Of several vessels that is all only on a terminal: elsewhere nobody sees the others, which would
    be read twice a wall second for each of hundreds of vessels.
    """
    each = communities == 1 or stream.isatty()
    return (*navigation, *HELM, *STOPS) if each else STOPS


class Status:
    """Shows the status of a run, for each progress report."""

    def __init__(
        self,
        stream: TextIO,
        communities: Sequence[str],
        stop_at: int | None,
        heading: str = "",
    ) -> None:
        """Make the display.

        Args:
            stream: of the output; lines are rewritten if it is a terminal.
            communities: with one line each.
            stop_at: the last instant of the run [ns], for a progress bar; None: unknown.
            heading: a line to print once when the run starts.
        """
        self._stream = stream
        self._communities = communities
        self._stop_at = stop_at
        self._heading = heading
        self._rewrites = stream.isatty()
        self._shown = 0
        self._reports = 0
        self._announced: set[str] = set()  # apps waited for that have been printed

    def __call__(self, progress: Progress) -> None:
        """Show a progress report; not on a terminal only every ``PLAIN_EVERY``-th."""
        self.begin()
        self._reports += 1
        if self._rewrites:
            self.clear()
            lines = list(self._lines(progress))
            self._shown = len(lines)
            say(*lines, to=self._stream)
        elif lines := list(self._plain(progress)):
            say(*lines, to=self._stream)

    def _plain(self, progress: Progress) -> Iterator[str]:
        fresh = [name for name in progress.waiting_for if name not in self._announced]
        self._announced.update(fresh)
        if fresh:
            yield f"waiting for {', '.join(fresh)}"
        if self._reports % PLAIN_EVERY == 0:
            yield fleet_line(self._communities, progress)

    def begin(self) -> None:
        """Print the heading, if it has not been printed."""
        if self._heading:
            say(self._heading, to=self._stream)
            self._heading = ""

    def clear(self) -> None:
        """Remove the lines from a terminal."""
        if self._rewrites and self._shown:
            say(to=self._stream, end=_UP_AND_CLEAR * self._shown)
            self._shown = 0

    def _lines(self, progress: Progress) -> Iterator[str]:
        for community in self._communities:
            yield community_line(community, progress, progress.values.get(community, {}))
        if self._stop_at:
            yield progress_bar(progress.time * NANO / self._stop_at)
        if progress.waiting_for:
            yield f"waiting for {', '.join(progress.waiting_for)}"


def community_line(community: str, progress: Progress, values: Mapping[str, Value]) -> str:
    """Return the status of a community: time, warp, position, speed, helm."""
    pace = "paused" if progress.paused else f"warp {progress.warp:.1f}"
    parts = [f"{community}: {progress.time:9.1f} s", pace]
    # Of another prefix than NAV_, if the community has no NAV_X.
    names = sorted(values, key=lambda name: not name.startswith("NAV_"))
    x, y, speed = (
        next((values[name] for name in names if name.endswith(f"_{kind}")), None) for kind in MOTION
    )
    if isinstance(x, float) and isinstance(y, float):
        parts.append(f"x {x:.1f} m, y {y:.1f} m")
    if isinstance(speed, float):
        parts.append(f"{speed:.2f} m/s")
    helm = [values.get(name) for name in HELM]
    parts += [printable(value) for value in helm if isinstance(value, str)]
    if stop := stop_text(values):
        parts.append(f"all-stop: {stop}")
    return "  ".join(parts)


def fleet_line(communities: Sequence[str], progress: Progress) -> str:
    """Return the status of all communities in one line: of several, only those at all-stop."""
    if len(communities) == 1:
        (name,) = communities
        return community_line(name, progress, progress.values.get(name, {}))
    pace = "paused" if progress.paused else f"warp {progress.warp:.1f}"
    stops = {name: stop_text(progress.values.get(name, {})) for name in communities}
    stopped = [f"{name}: {stop}" for name, stop in stops.items() if stop]
    parts = [f"{len(communities)} communities: {progress.time:9.1f} s", pace]
    if stopped:
        parts.append(f"all-stop: {'; '.join(stopped[:MOST_STOPPED])}")
    if len(stopped) > MOST_STOPPED:
        parts.append(f"and {len(stopped) - MOST_STOPPED} more")
    return "  ".join(parts)


def stop_text(values: Mapping[str, Value]) -> str:
    """Return a helm's reason of an all-stop, with the behavior's error; "" for none."""
    reason = values.get("IVPHELM_ALLSTOP", "")
    if not isinstance(reason, str) or reason in NO_REASON:
        return ""
    error = values.get("BHV_ERROR", "") if reason == ERROR else ""
    return printable(f"{reason}: {error}" if error and isinstance(error, str) else reason)


def printable(text: str) -> str:
    """Return the beginning of a posted text without control characters of terminals."""
    cut = text[:MOST_SHOWN]
    return cut if cut.isprintable() else "".join(c if c.isprintable() else "?" for c in cut)
