"""``pMcapLogger``: writes clouds, images and states to an MCAP file, for Foxglove and datasets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.apps.logs.mcap_logger.recording import Recording
from steerageway.apps.shared import heard
from steerageway.apps.shared.block_readers import parse_file_name
from steerageway.apps.shared.measurements import VARIABLES
from steerageway.bus import (
    NANO,
    App,
    Config,
    Message,
    Options,
    declare,
    matches,
    nanoseconds,
    variables,
)
from steerageway.declarations import Whole
from steerageway.moos.values import split_first

SUMMARY = "MCAP_SUMMARY"
MINUTE = 60.0

MEGABYTE = 1_000_000


def read_strides(config: Config, names: Sequence[str]) -> dict[str, int]:
    """Read ``N`` and ``PATTERN:N``: pattern -> N, to write every Nth measurement.

    Raises:
        ConfigError: a line has another form.
    """
    strides = {"*": 1}
    for entry in config.all(*names):
        pattern, number = ("*", entry.value.strip())
        if ":" in entry.value:
            pattern, number = split_first(entry.value, ":")
        try:
            strides[pattern or "*"] = Whole(low=1)(number)
        except ValueError as error:
            raise Config.error(entry, f"{error}, or PATTERN:NUMBER") from None
    return strides


@dataclass(frozen=True)
class McapOptions(Options):
    """Parameters of the configuration block."""

    log: tuple[str, ...] = declare.words(", ".join(VARIABLES), "variables or patterns to write")
    strides: dict[str, int] = declare.custom(
        read_strides,
        "N: write every Nth measurement; or PATTERN:N; repeatable",
        default="1",
        name="stride",
    )
    quota: float = declare.number(1000, "maximum size of the file", unit="MB", above=0)
    compression: str = declare.choice(
        "zstd", {"zstd": "", "lz4": "", "none": ""}, "compression of the file's chunks"
    )
    file: str | None = declare.value(
        "", parse_file_name, "name of the file, without .mcap; default: the community"
    )

    def stride(self, variable: str) -> int:
        """Return the stride of a variable: that of the last matching pattern."""
        return [n for pattern, n in self.strides.items() if matches(pattern, variable)][-1]


class Stream:
    """Statistics of the measurements of one variable.

    Attributes:
        received, kept: number of measurements received, and written.
        first: time of the first one written [s].
        rate: of those written [Hz]; 0 before the second.
        size: bytes of the last one, uncompressed.
    """

    def __init__(self, stride: int) -> None:
        self._stride = stride
        self.received = self.kept = self.size = 0
        self.first = self.rate = 0.0

    def takes(self) -> bool:
        """Count a received measurement; return whether it is to be written."""
        self.received += 1
        return (self.received - 1) % self._stride == 0

    def note(self, size: int, time: float) -> bool:
        """Count a written measurement; return whether its rate has just become known."""
        self.kept, self.size = self.kept + 1, size
        if self.kept == 1:
            self.first = time
        elif self.kept == 2 and time > self.first:
            self.rate = 1.0 / (time - self.first)
            return True
        return False

    @property
    def megabytes_per_minute(self) -> float:
        """Megabytes per simulated minute, uncompressed."""
        return self.rate * self.size * MINUTE / MEGABYTE


class McapLogger(App):
    """Writes the measurements of LiDARs, cameras and sonars to an MCAP file next to the logs.

    Without a log folder it does nothing.
    """

    publications = variables.published("""
        MCAP_SUMMARY | text | MB | | when the rate of a variable becomes known |
            `file=abe.mcap,mb_per_minute=95.0,quota_mb=1000,quota_minutes=10.5`, uncompressed
    """)
    subscriptions = (heard.LIDAR,)
    subscribes = (*VARIABLES, "or the variables of log")
    parameters = McapOptions.parameters()
    may_lag = True
    observes_case_reset = True

    def configure(self) -> None:
        self._options = McapOptions.read(self.config)
        self._recording: Recording | None = None
        self._streams: dict[str, Stream] = {}

    def on_start(self) -> None:
        """Open the file, and register."""
        if self.setting.log_folder is None:
            self.idles = True
            return
        options = self._options
        self.setting.log_folder.mkdir(parents=True, exist_ok=True)
        stem = (options.file or self.community).removesuffix(".mcap")
        path = self.setting.log_folder / f"{stem}.mcap"
        quota = round(options.quota * MEGABYTE)
        self._recording = Recording(path, options.compression, quota)
        self.register(*options.log)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Write measurements."""
        recording = self._recording
        if recording is None:
            return
        for message in mail:
            try:
                self._write(recording, message)
            except ValueError as error:
                self.run_warning(f"{message.name}: {error}")
        if recording.full:
            quota = f"{self._options.quota:g} MB"
            self.run_warning(f"{recording.path.name} has its quota of {quota}: no more is written")

    def _write(self, recording: Recording, message: Message) -> None:
        name = message.name
        stream = self._streams.get(name)
        if stream is None:
            stream = self._streams[name] = Stream(self._options.stride(name))
        if not stream.takes():
            return
        at = nanoseconds(self.setting.epoch) + nanoseconds(message.time)
        size = recording.write(name, message.value, at)
        if size and stream.note(size, message.time):
            self.event(f"{name}: {_rate_of(stream)}")
            self.post(SUMMARY, self._summary(recording))

    def on_case(self, number: int, seed: int) -> None:
        """Mark a new case."""
        if self._recording is not None:
            at = f"{round(self.time * NANO)}"
            about = {"number": str(number), "seed": str(seed), "time": at}
            self._recording.mark("case", about)

    def on_stop(self) -> None:
        """Close the file."""
        if self._recording is not None:
            self._recording.close()
            self._recording = None

    def report(self) -> Iterable[str]:
        """Yield the file, and the statistics of each variable."""
        recording = self._recording
        if recording is None:
            yield "Not logging."
            return
        yield f"Logging to: {recording.path.name}"
        yield f"Written:    {recording.written / MEGABYTE:.1f} MB, not compressed"
        for name, stream in self._streams.items():
            yield f"{name}: {stream.kept} of {stream.received}; {_rate_of(stream)}"

    def _summary(self, recording: Recording) -> str:
        whole = sum(stream.megabytes_per_minute for stream in self._streams.values())
        quota = self._options.quota
        fills = f",quota_minutes={quota / whole:.1f}" if whole else ""
        return f"file={recording.path.name},mb_per_minute={whole:.1f},quota_mb={quota:g}{fills}"


def _rate_of(stream: Stream) -> str:
    rate, size = f"{stream.rate:g} Hz", f"{stream.size / 1000:.1f} kB"
    per_minute = f"{stream.megabytes_per_minute:.1f} MB a simulated minute, not compressed"
    return f"{rate}, {size} each: {per_minute}"
