"""Frames over a stream socket arrive whole and in order, and none is lost."""

from __future__ import annotations

from threading import Thread
from time import process_time

import pytest

from steerageway.bus import sleep
from steerageway.bus.transport.channel import Channel


def test_frames_that_come_together_wait_for_the_reader_of_the_first_one() -> None:
    here, there = Channel.pair()
    here.send("seated", 3)
    here.send("grants", 1)
    here.send("grants", 2)
    here.close()
    assert next(there.frames()) == ("seated", 3)
    assert list(there.frames()) == [("grants", 1), ("grants", 2)]
    there.close()


@pytest.mark.slow
def test_a_large_frame_costs_as_much_as_a_few_dozen_copies_of_it() -> None:
    # Copying the rest at each send would be 140 copies.
    content = bytes(64 << 20)
    began = process_time()
    copies = [bytearray(content) for _ in range(4)]
    copied = (process_time() - began) / len(copies)
    here, there = Channel.pair()
    reader = Thread(target=list, args=(there.frames(),))
    reader.start()
    began = process_time()
    sent = here.offer("mail", content)
    while not sent:
        sleep(0.0005)
        sent = here.flush()
    here.close()
    reader.join()
    there.close()
    assert process_time() - began < 80 * copied
