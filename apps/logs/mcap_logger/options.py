"""The parameters of ``pMcapLogger``."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.sensing.measurements import VARIABLES
from steerageway.bus import Config, Entry, Parameter, matches
from steerageway.moos.values import bite

COMPRESSIONS = ("zstd", "lz4", "none")
MEGABYTE = 1_000_000
PARAMETERS = (
    Parameter("log", ", ".join(VARIABLES), "variables or patterns, by commas; repeatable"),
    Parameter("stride", "1", "each so many-th measurement of a variable; or PATTERN:N; repeatable"),
    Parameter("quota", "1000", "the file ends before it is larger [MB], > 0"),
    Parameter("compression", "zstd", f"of its chunks: {', '.join(COMPRESSIONS)}"),
    Parameter("file", "", "the file's name, without .mcap; default: the community's"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``. The quota is in bytes."""

    patterns: tuple[str, ...]
    strides: dict[str, int]
    quota: int
    compression: str
    file: str

    def stride(self, variable: str) -> int:
        """Give the stride of a variable: of the last pattern that is about it."""
        return [n for pattern, n in self.strides.items() if matches(pattern, variable)][-1]


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    words = [word.strip() for entry in config.all("log") for word in entry.value.split(",")]
    return Options(
        patterns=tuple(word for word in words if word) or VARIABLES,
        strides={"*": 1} | dict(_stride(entry) for entry in config.all("stride")),
        quota=round(config.number("quota", default=1000.0, above=0.0) * MEGABYTE),
        compression=config.choice("compression", default="zstd", among=COMPRESSIONS),
        file=_file(config),
    )


def _stride(entry: Entry) -> tuple[str, int]:
    pattern, number = bite(entry.value, ":") if ":" in entry.value else ("*", entry.value.strip())
    if not pattern or not number.isdecimal() or int(number) < 1:
        raise Config.error(entry, "expected a whole number of at least 1, or PATTERN:NUMBER")
    return pattern, int(number)


def _file(config: Config) -> str:
    entry = config.entry("file")
    if entry is None:
        return ""
    name = entry.value.strip().removesuffix(".mcap")
    if not name or any(sign in name for sign in "/\\") or name in (".", ".."):
        raise config.error(entry, "expected a file's name, without folders")
    return name
