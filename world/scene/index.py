"""Index of objects that sensors can detect, by scene number, obstacle label and contact name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from steerageway.world.arrays import Floats, Whole
from steerageway.world.scene.model import MATERIALS, OBSTACLE, SEA, VESSEL, Material, Scene


@dataclass(frozen=True)
class Entry:
    """One object.

    Attributes:
        number: identifies it in ray hits; its instance number in images is one more.
        name: name in the scene. kind: class.
        material: its material.
        obstacle: label for obstacle managers. contact: name for contact managers.
    """

    number: int
    name: str
    kind: str
    material: Material
    obstacle: str = ""
    contact: str = ""


class Index:
    """Objects by number, by obstacle and by contact; obstacles and contacts may be added.

    Attributes:
        sea: number of the water.
    """

    def __init__(self, scene: Scene) -> None:
        self.classes = tuple(scene.classes)
        self._entries: list[Entry] = []
        for item in scene.items:
            self._add(item.name, item.kind, item.material, item.obstacle)
        for craft in scene.craft:
            self._add(craft.name, craft.kind, craft.material, contact=craft.name)
        self.sea = self._add(SEA, SEA, scene.sea.material).number

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __getitem__(self, number: int) -> Entry:
        return self._entries[number]

    def of_obstacle(self, label: str) -> Entry | None:
        """Return the object with an obstacle label; None: there is none."""
        return next((one for one in self._entries if label and one.obstacle == label), None)

    def of_contact(self, name: str) -> Entry | None:
        """Return the object with a contact's name in any case; None: there is none."""
        low = name.lower()
        return next((one for one in self._entries if low and one.contact.lower() == low), None)

    def add_obstacle(self, label: str) -> Entry:
        """Add an obstacle that appears during a run."""
        return self._add(label, OBSTACLE, MATERIALS["orange"], label)

    def add_contact(self, name: str) -> Entry:
        """Add a vessel that the scene does not have."""
        return self._add(name, VESSEL, MATERIALS["white"], contact=name)

    def class_numbers(self) -> Whole:
        """Return the class of each object (n + 1,); the last entry, ``[-1]``, is for no hit."""
        return np.array([*(self.classes.index(one.kind) for one in self._entries), 0], np.int64)

    def colours(self) -> Floats:
        """Return the colour of each object (n + 1, 3); the last is for no hit."""
        return np.array([*(one.material.colour for one in self._entries), (0.0, 0.0, 0.0)])

    def reflectances(self) -> Floats:
        """Return the reflectance of each object (n + 1,); the last is for no hit."""
        return np.array([*(one.material.reflectance for one in self._entries), 0.0])

    def _add(
        self, name: str, kind: str, material: Material, obstacle: str = "", contact: str = ""
    ) -> Entry:
        entry = Entry(len(self._entries), name, kind, material, obstacle, contact)
        self._entries.append(entry)
        return entry
