"""What comes in takes its share of the time and of the memory, and nothing of it is lost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from steerageway.bridges.links import LONGEST_TURN, MOST_TEXTS, REST, Arrivals, Counts
from steerageway.bus import sleep, wall


def test_what_comes_without_end_takes_turns_and_keeps_its_order() -> None:
    numbers, asked = count(), 0

    def receive() -> Iterator[int]:
        nonlocal asked
        asked += 1
        yield from (next(numbers) for _ in range(1000))

    arrivals, taken, began = Arrivals(receive), list[int](), wall()
    turns = 0
    while turns < 4:
        found = []
        for number in arrivals.turn():
            found.append(number)
            sleep(LONGEST_TURN / 4)
        turns += bool(found)
        taken += found
    assert taken == list(range(len(taken)))
    assert asked == 1
    assert wall() - began > 3 * REST * LONGEST_TURN


def test_what_is_taken_quickly_never_rests() -> None:
    arrivals = Arrivals(lambda: iter("ab"))
    assert ["".join(arrivals.turn()) for _ in range(3)] == ["ab", "ab", "ab"]


def test_texts_that_others_invent_are_counted_and_not_all_kept() -> None:
    counts = Counts()
    for number in range(3 * MOST_TEXTS):
        counts[f"from port {number}"] += 1
        counts["from port 0"] += 1
    assert counts.total() == 6 * MOST_TEXTS
    assert len(counts) == MOST_TEXTS + 1
    assert counts["from port 0"] == 3 * MOST_TEXTS + 1
    assert counts["others"] == 2 * MOST_TEXTS
