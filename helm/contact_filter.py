"""Contact filters: match and ignore rules by name, group, type, region and source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from steerageway.geometry.geodesy import check_local
from steerageway.helm.contact import Contact
from steerageway.moos.polygon import Polygon, parse_polygon
from steerageway.moos.view import points_text

KINDS = ("name", "group", "type", "vsource", "region")
RULES = tuple(f"{verb}_{kind}" for verb in ("match", "ignore") for kind in KINDS)

_FIELDS: dict[str, Callable[[Contact], str]] = {
    "name": lambda contact: contact.name,
    "group": lambda contact: contact.record.group,
    "type": lambda contact: contact.record.type,
    "vsource": lambda contact: contact.record.vsource,
}


@dataclass(frozen=True, slots=True)
class ContactFilter:
    """Rules that a contact must pass; without rules, every contact does.

    Attributes:
        words: rule ("match_type") -> its names, in lower case.
        regions: rule ("ignore_region") -> its polygons.
        strict: ignore also contacts whose report lacks the field of an ignore rule.
    """

    words: tuple[tuple[str, tuple[str, ...]], ...] = ()
    regions: tuple[tuple[str, tuple[Polygon, ...]], ...] = ()
    strict: bool = True

    def having(self, rule: str, text: str) -> ContactFilter:
        """Return the filter with one more rule; rules of the same name accumulate.

        Args:
            rule: one of ``RULES``.
            text: names separated by commas or colons, optionally in braces; or a polygon.
        Raises:
            ValueError: no name or no polygon, or one that is too far from the datum.
        """
        if rule.endswith("region"):
            regions, polygon = dict(self.regions), parse_polygon(text)
            for corner in polygon.points:
                check_local(*corner)
            regions[rule] = (*regions.get(rule, ()), polygon)
            return replace(self, regions=tuple(regions.items()))
        names = text.strip().removeprefix("{").removesuffix("}").replace(",", ":").split(":")
        given = tuple(word.strip().lower() for word in names if word.strip())
        if not given:
            raise ValueError("expected a name, or several by commas or colons")
        words = dict(self.words)
        words[rule] = (*words.get(rule, ()), *given)
        return replace(self, words=tuple(words.items()))

    def admits(self, contact: Contact, kinds: tuple[str, ...] = KINDS) -> bool:
        """Whether a contact passes the rules of these kinds."""
        if not self.words and not self.regions:
            return True
        by_word = (self._word_admits(rule, words, contact, kinds) for rule, words in self.words)
        by_place = (
            # match: in one of the polygons; ignore: in none
            (rule == "match_region") == any(p.contains(contact.track[:2]) for p in polygons)
            for rule, polygons in self.regions
            if "region" in kinds
        )
        return all(by_word) and all(by_place)

    def _word_admits(
        self, rule: str, words: tuple[str, ...], contact: Contact, kinds: tuple[str, ...]
    ) -> bool:
        verb, _, kind = rule.partition("_")
        if kind not in kinds:
            return True
        value = _FIELDS[kind](contact).lower()
        if verb == "match":
            return value in words
        return value not in words and bool(value or not self.strict)

    def text(self) -> str:
        """Return the rules as fields of an alert request: ``,match_type=kayak:auv`` etc."""
        parts = [f",{rule}={':'.join(words)}" for rule, words in self.words]
        for rule, polygons in self.regions:
            parts += [f",{rule}=pts={{{points_text(p.points, 2)}}}" for p in polygons]
        if not self.strict:
            parts.append(",strict_ignore=false")
        return "".join(parts)
