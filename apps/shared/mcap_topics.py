"""Writes messages by topic to an MCAP file; its bytes are reproducible."""

from __future__ import annotations

from typing import IO

from mcap.writer import CompressionType, Writer

LIBRARY = "steerageway"


class McapTopics:
    """The topics of an MCAP file: a channel each, and a schema for each name of one.

    Args:
        file: open for writing.
        compression: zstd, lz4 or none.

    Attributes:
        count: number of messages.
        writer: for records other than messages.
    """

    def __init__(self, file: IO[bytes], compression: str) -> None:
        self.writer = Writer(file, compression=CompressionType[compression.upper()])
        self.writer.start("", LIBRARY)
        self.count = 0
        self._schemas: dict[str, int] = {}
        self._channels: dict[str, int] = {}
        self._numbers: dict[int, int] = {}

    def add(
        self, topic: str, schema: str, text: bytes, data: bytes, at: int, number: int | None = None
    ) -> None:
        """Write a message in JSON.

        Args:
            topic: of the message.
            schema, text: the name and the JSON of its schema, used once for each topic and name.
            data: the message.
            at: UTC [ns].
            number: its sequence number; None: the count of its topic.
        """
        channel = self._channels.get(topic)
        if channel is None:
            if schema not in self._schemas:
                self._schemas[schema] = self.writer.register_schema(schema, "jsonschema", text)
            channel = self.writer.register_channel(topic, "json", self._schemas[schema])
            self._channels[topic] = channel
        count = self._numbers[channel] = self._numbers.get(channel, 0) + 1
        self.writer.add_message(channel, at, data, at, count if number is None else number)
        self.count += 1

    def close(self) -> None:
        """Write the summary, which readers need as an index; the file stays open."""
        self.writer.finish()  # type: ignore[no-untyped-call]
