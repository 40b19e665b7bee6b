"""``pMcapLogger``: writes clouds and images to an MCAP file, which Foxglove opens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from steerageway.apps.logs.mcap_logger.options import MEGABYTE, PARAMETERS, read_options
from steerageway.apps.logs.mcap_logger.recording import Recording
from steerageway.apps.logs.mcap_logger.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.apps.sensing.measurements import VARIABLES
from steerageway.bus import NANO, App, Message, nanoseconds, variables

SUMMARY = "MCAP_SUMMARY"
MINUTE = 60.0


class Stream:
    """What is known of the measurements of one variable.

    Attributes:
        heard, kept: how many came and were written.
        first: when the first one that was written was taken [s].
        rate: of those that are written [Hz]; 0 until two were.
        size: bytes of the last one, not compressed.
    """

    def __init__(self, stride: int) -> None:
        self._stride = stride
        self.heard = self.kept = self.size = 0
        self.first = self.rate = 0.0

    def takes(self) -> bool:
        """Count one that came; say whether its turn is to be written."""
        self.heard += 1
        return (self.heard - 1) % self._stride == 0

    def note(self, size: int, time: float) -> bool:
        """Note that one was written; say whether its rate has become known."""
        self.kept, self.size = self.kept + 1, size
        if self.kept == 1:
            self.first = time
        elif self.kept == 2 and time > self.first:
            self.rate = 1.0 / (time - self.first)
            return True
        return False

    @property
    def a_minute(self) -> float:
        """Megabytes of a simulated minute, not compressed."""
        return self.rate * self.size * MINUTE / MEGABYTE


class McapLogger(App):
    """Writes what sensors that look outward measure beside the logs, for Foxglove and for datasets.

    Without a log folder it does nothing.
    """

    publications = PUBLICATIONS
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = SUBSCRIPTIONS
    subscribes = (*VARIABLES, "or what log names")
    parameters = PARAMETERS
    may_lag = True
    observes_case_reset = True

    def configure(self) -> None:
        """Read the block."""
        self._options = read_options(self.config)
        self._recording: Recording | None = None
        self._streams: dict[str, Stream] = {}

    def on_start(self) -> None:
        """Open the file, and register."""
        if self.setting.log_folder is None:
            return
        options = self._options
        self.setting.log_folder.mkdir(parents=True, exist_ok=True)
        path = self.setting.log_folder / f"{options.file or self.community}.mcap"
        self._recording = Recording(path, options.compression, options.quota)
        self.register(*options.patterns)

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
            quota = f"{self._options.quota / MEGABYTE:g} MB"
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
        """Give the file, and what is written to it."""
        recording = self._recording
        if recording is None:
            yield "Not logging."
            return
        yield f"Logging to: {recording.path.name}"
        yield f"Written:    {recording.written / MEGABYTE:.1f} MB, not compressed"
        for name, stream in self._streams.items():
            yield f"{name}: {stream.kept} of {stream.heard}; {_rate_of(stream)}"

    def _summary(self, recording: Recording) -> str:
        whole = sum(stream.a_minute for stream in self._streams.values())
        quota = self._options.quota / MEGABYTE
        fills = f",quota_minutes={quota / whole:.1f}" if whole else ""
        return f"file={recording.path.name},mb_per_minute={whole:.1f},quota_mb={quota:g}{fills}"


def _rate_of(stream: Stream) -> str:
    rate, size = f"{stream.rate:g} Hz", f"{stream.size / 1000:.1f} kB"
    return f"{rate}, {size} each: {stream.a_minute:.1f} MB a simulated minute, not compressed"
