"""Names of runs (``MISSION_HASH``), which link a run's logs and results.

    mhash=260101-0930K-CALM-GULL,utc=1767259800.00

Date and time of the mission's epoch, a letter, an adjective and a noun of four letters each, and
the UTC [s] of the epoch. Source: MOOS-IvP's mission hashes, by their documented shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from string import ascii_uppercase

from steerageway.moos.values import fixed, number_of, pairs

_ADJECTIVES = (
    "able airy aqua blue bold busy calm cold cool cozy dark deep deft dual easy even fair fast "
    "fine firm full glad gold good gray hale high huge idle keen kind last lazy lean left live "
    "lone long loud main mild neat nice open oval pale pink pure rare real rich ripe rosy "
    "safe sage slim slow snug soft spry tall tame tidy tiny true vast warm wary wide wild wise"
)
_NOUNS = (
    "bass bear boat brig buoy carp clam cove crab crow dace deck deer dock dory dove duck fish "
    "foam frog gale goat gull hake hare hawk helm hull isle junk keel kelp lamb lark lion "
    "lock loon lynx mast mist moon moth newt oars orca pier pike pond pony port prow puma raft "
    "reef rook rope sail sand seal ship sole star surf swan tern tide toad tuna wake wave"
)
ADJECTIVES = tuple(word.upper() for word in _ADJECTIVES.split())
NOUNS = tuple(word.upper() for word in _NOUNS.split())


@dataclass(frozen=True, slots=True)
class MissionHash:
    """The name of a run.

    Attributes:
        name: ``260101-0930K-CALM-GULL``.
        utc: its date and time [s].
    """

    name: str
    utc: float

    @property
    def short(self) -> str:
        """Its two words: ``CALM-GULL``; "" if it has none."""
        return "-".join(self.name.split("-")[2:])

    @property
    def letter_and_words(self) -> str:
        """The letter and the words: ``K-CALM-GULL``."""
        stamp = self.name.split("-")[1:2]
        return f"{stamp[0][-1:] if stamp else ''}-{self.short}"

    def text(self) -> str:
        """Return it as a value of ``MISSION_HASH``."""
        return f"mhash={self.name},utc={fixed(self.utc, 2)}"


def draw(utc: float, random: Random) -> MissionHash:
    """Draw a random name.

    Args:
        utc: the mission's epoch [s].
        random: for letter and words.
    """
    stamp = datetime.fromtimestamp(utc, UTC).strftime("%y%m%d-%H%M")
    words = f"{random.choice(ADJECTIVES)}-{random.choice(NOUNS)}"
    return MissionHash(f"{stamp}{random.choice(ascii_uppercase)}-{words}", utc)


def parse_mission_hash(text: str) -> MissionHash:
    """Parse a ``MISSION_HASH``, or a name alone.

    Raises:
        ValueError: what was expected.
    """
    fields = dict(pairs(text))
    name, utc = fields.get("mhash", "" if "=" in text else text.strip()), fields.get("utc", "0")
    time = number_of(utc)
    if not name or time is None:
        raise ValueError("expected mhash=NAME,utc=SECONDS")
    return MissionHash(name, time)
