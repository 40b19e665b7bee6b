"""Number of elements in a MessagePack frame, counted before it is unpacked.

A byte of MessagePack may become an object of sixty bytes: the memory a frame will need follows from
its number of elements, not from its length.
"""

from __future__ import annotations


def _layout() -> list[tuple[int, int]]:
    """Return the length of an element for each possible first byte.

    Returns: (bytes of the element without its contents, how many of these hold their length).
    The items of arrays and maps count as elements of their own.
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


def has_more_elements(frame: bytes, most: int) -> bool:
    """Whether a frame holds more than ``most`` elements; it may be truncated or garbage."""
    place = count = 0
    while place < len(frame) and count <= most:
        head, length_bytes = _LAYOUT[frame[place]]
        if length_bytes:
            head += int.from_bytes(frame[place + 1 : place + 1 + length_bytes])
        place += head
        count += 1
    return count > most
