"""Frames over a socket come whole, in order, and none gets lost."""

from __future__ import annotations

from threading import Thread
from time import process_time

from steerageway.bus import sleep
from steerageway.bus.transport.channel import Channel


def test_frames_that_come_together_wait_for_whoever_took_the_first_of_them() -> None:
    here, there = Channel.pair()
    here.send("seated", 3)
    here.send("grants", 1)
    here.send("grants", 2)
    here.close()
    assert next(there.frames()) == ("seated", 3)
    assert list(there.frames()) == [("grants", 1), ("grants", 2)]
    there.close()


def test_a_large_frame_takes_time_of_its_length() -> None:
    took = {}
    for size in (10 << 20, 80 << 20):
        here, there = Channel.pair()
        reader = Thread(target=list, args=(there.frames(),))
        reader.start()
        began = process_time()
        sent = here.offer("mail", bytes(size))
        while not sent:
            sleep(0.0005)
            sent = here.flush()
        here.close()
        reader.join()
        there.close()
        took[size] = process_time() - began
    assert took[80 << 20] < 30 * took[10 << 20]
