"""MCAP files: writes messages by topic, reproducibly to the byte, and reads those of any file."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from math import inf
from typing import IO

import lz4.frame  # type: ignore[import-untyped]
import zstandard
from mcap.reader import make_reader
from mcap.records import Channel, Chunk, McapRecord, Message, Schema
from mcap.stream_reader import StreamReader, breakup_chunk
from mcap.writer import CompressionType, Writer

LIBRARY = "steerageway"
LARGEST_CHUNK = 256 << 20  # bytes unpacked


def messages_in(
    file: IO[bytes],
    topics: Collection[str] | None = None,
    first: float = -inf,
    last: float = inf,
) -> Iterator[tuple[Schema | None, Channel, Message]]:
    """Yield the messages of an MCAP file in its order.

    Args:
        file: open for reading.
        topics: of the messages; None: all.
        first, last: UTC [ns]; messages at ``last`` are left out.
    Raises:
        ValueError: a chunk is larger unpacked than ``LARGEST_CHUNK`` or than it says.
        Exception: of several libraries, if the file is damaged.
    """
    file.seek(0)
    summary = make_reader(file).get_summary()
    schemas = {} if summary is None else dict(summary.schemas)
    channels = {} if summary is None else dict(summary.channels)
    wanted = {n for n, one in channels.items() if topics is None or one.topic in topics}
    if summary is None or not summary.chunk_indexes:
        places = [0]
    else:
        places = [
            one.chunk_start_offset
            for one in summary.chunk_indexes
            if one.message_start_time < last and one.message_end_time >= first
            if not one.message_index_offsets or wanted & one.message_index_offsets.keys()
        ]
    for place in places:
        file.seek(place)
        records = StreamReader(file, skip_magic=place > 0, emit_chunks=True).records
        for packed in records:
            for record in _unpacked(packed):
                if isinstance(record, Schema):
                    schemas[record.id] = record
                elif isinstance(record, Channel):
                    channels[record.id] = record
                elif isinstance(record, Message) and first <= record.log_time < last:
                    channel = channels[record.channel_id]
                    if topics is None or channel.topic in topics:
                        yield schemas.get(channel.schema_id), channel, record
            if place:
                break  # what follows a chunk is its index


def _unpacked(record: McapRecord) -> list[McapRecord]:
    if not isinstance(record, Chunk):
        return [record]
    size = record.uncompressed_size
    if size > LARGEST_CHUNK:
        raise ValueError(f"a chunk of {size} bytes; at most {LARGEST_CHUNK} are read")
    if record.compression == "zstd":
        data = zstandard.ZstdDecompressor().stream_reader(record.data).read(size + 1)
    elif record.compression == "lz4":
        data = lz4.frame.LZ4FrameDecompressor().decompress(record.data, max_length=size + 1)
    else:
        return breakup_chunk(record)
    if len(data) != size:
        raise ValueError(f"a chunk of other than the {size} bytes that it says")
    return breakup_chunk(replace(record, compression="", data=data))


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
