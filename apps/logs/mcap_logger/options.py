"""The parameters of ``pMcapLogger``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from steerageway.apps.shared.block_readers import parse_file_name
from steerageway.apps.shared.measurements import VARIABLES
from steerageway.bus import Config, Options, declare, matches
from steerageway.declarations import Whole
from steerageway.moos.values import split_first

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
