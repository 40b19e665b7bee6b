"""How many elements a frame holds, told before any of them is made.

A byte of MessagePack may become an object of sixty: what a frame would grow to is known by its
elements, not by its length.
"""

from __future__ import annotations


def _layout() -> list[tuple[int, int]]:
    """Return for each first byte of an element what follows it.

    Returns: (bytes of the element without its contents, bytes of these that tell their length).
    The elements of arrays and maps are elements of their own.
    """
    layout = [(1, 0)] * 256
    for mark in range(0xA0, 0xC0):  # short texts
        layout[mark] = (1 + (mark & 0x1F), 0)
    for place, size in enumerate((1, 2, 4)):  # bytes, extensions, texts
        layout[0xC4 + place] = layout[0xD9 + place] = (1 + size, size)
        layout[0xC7 + place] = (2 + size, size)
    for mark, size in zip(range(0xCA, 0xD4), (4, 8, 1, 2, 4, 8, 1, 2, 4, 8), strict=True):
        layout[mark] = (1 + size, 0)  # numbers
    for place in range(5):  # short extensions
        layout[0xD4 + place] = (2 + (1 << place), 0)
    for mark, size in zip(range(0xDC, 0xE0), (2, 4, 2, 4), strict=True):  # arrays and maps
        layout[mark] = (1 + size, 0)
    return layout


_LAYOUT = _layout()


def holds_more(frame: bytes, most: int) -> bool:
    """Whether a frame holds more elements than so many; it may be torn, or no MessagePack."""
    place = count = 0
    while place < len(frame) and count <= most:
        head, told = _LAYOUT[frame[place]]
        if told:
            head += int.from_bytes(frame[place + 1 : place + 1 + told])
        place += head
        count += 1
    return count > most
