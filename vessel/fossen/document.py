"""How vessels' files are read: as the world's, see ``world.document``."""

from steerageway.world.document import (
    Section,
    composed,
    leaves,
    number_of,
    read,
    read_if_there,
    read_or_tell,
    replaced,
    text_of,
)

__all__ = [
    "Section",
    "composed",
    "leaves",
    "number_of",
    "read",
    "read_if_there",
    "read_or_tell",
    "replaced",
    "text_of",
]
