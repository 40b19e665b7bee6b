"""Generates scenes from a seed: a harbour, a river, an archipelago, debris on the open sea, a maze.

All but the maze have a lane from the datum to the north, which is free over a breadth of 12 m
except for floating obstacles: buoys and debris keep a distance from each other and from the lane's
ends. In the maze, walls with a gap cross it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any

import numpy as np
import yaml

from steerageway.world.arrays import Floats
from steerageway.world.random_streams import generator

LENGTH = 200.0  # length of the lane [m]
HALF = 45.0  # half breadth of the water [m]
FREE = 25.0  # free radius around the lane's ends [m]
APART = 22.0  # distance between floating obstacles [m]
GAP = 16.0  # of the walls of a maze [m]
ATTEMPTS = 200
BUOYS = ("red", "green", "yellow")
HULLS = ("white", "blue", "steel", "orange")
Thing = dict[str, Any]


class Draw:
    """Adds random objects to a scene, from one random stream."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.things: list[Thing] = []
        self._afloat: list[tuple[float, float]] = []

    def between(self, low: float, high: float) -> float:
        """Return a random number between two limits, rounded to the centimetre."""
        return round(float(self.rng.uniform(low, high)), 2)

    def one_of(self, words: tuple[str, ...]) -> str:
        """Return a random word of several."""
        return words[int(self.rng.integers(len(words)))]

    def add(self, name: str, kind: str, shape: str, *, avoid: bool = False, **keys: Any) -> None:
        """Add an object; its name gets a number, and with ``avoid`` it becomes an obstacle."""
        count = sum(one["name"].rpartition("_")[0] == name for one in self.things) + 1
        label = f"{name}_{count}"
        thing = {"name": label, "class": kind, "shape": shape, **keys}
        self.things.append(thing | {"obstacle": label} if avoid else thing)

    def place_afloat(self, half: float) -> tuple[float, float] | None:
        """Return a free place in the lane, away from others and from its ends; None: none found."""
        for _ in range(ATTEMPTS):
            x, y = self.between(-half, half), self.between(0.0, LENGTH)
            near_end = min(hypot(x, y), hypot(x, y - LENGTH)) < FREE
            if not near_end and all(hypot(x - a, y - b) >= APART for a, b in self._afloat):
                self._afloat.append((x, y))
                return x, y
        return None

    def buoys(self, count: int, half: float) -> None:
        """Add buoys in the lane."""
        for _ in range(count):
            place = self.place_afloat(half)
            if place is None:
                return
            self.buoy(*place)

    def buoy(self, x: float, y: float) -> None:
        """Add a buoy: a body, with a mast on it."""
        radius, material = self.between(0.5, 1.1), self.one_of(BUOYS)
        self.add(
            "buoy", "buoy", "sphere", radius=radius, position=[x, y, round(0.3 * radius, 2)],
            material=material, avoid=True,
        )  # fmt: skip
        top = round(1.3 * radius, 2)
        self.add(
            "mast", "buoy", "cylinder", radius=0.12, height=2.0, material=material,
            position=[x, y, round(top + 0.8, 2)],
        )  # fmt: skip

    def polygon(self, radius: float, corners: int) -> list[list[float]]:
        """Return a random polygon about the origin, star-shaped about its centre."""
        angles = 2.0 * np.pi * np.arange(corners) / corners
        radii: Floats = radius * self.rng.uniform(0.8, 1.15, corners)
        points = np.column_stack((radii * np.cos(angles), radii * np.sin(angles)))
        return [[round(x, 2), round(y, 2)] for x, y in points.tolist()]

    def island(self, x: float, y: float, radius: float, trees: int) -> None:
        """Add a rock with trees on it."""
        height = round(radius * self.between(0.15, 0.4) + 2.0, 2)
        self.add(
            "island", "shore", "prism", points=self.polygon(radius, 11), height=height, top=0.55,
            position=[x, y, -2.0], material="rock", avoid=True,
        )  # fmt: skip
        for _ in range(trees):
            a, b = self.between(-0.3, 0.3) * radius, self.between(-0.3, 0.3) * radius
            size = self.between(0.8, 2.2)
            foot = height - 2.0
            place = [round(x + a, 2), round(y + b, 2)]
            self.add(
                "trunk", "vegetation", "cylinder", radius=0.2, height=2.0, material="wood",
                position=[*place, round(foot + 1.0, 2)],
            )  # fmt: skip
            self.add(
                "crown", "vegetation", "sphere", radius=size, material="foliage",
                position=[*place, round(foot + 2.0 + 0.7 * size, 2)],
            )  # fmt: skip

    def moored(self, x: float, y: float, heading: float, length: float) -> None:
        """Add a moored vessel."""
        self.add(
            "moored", "vessel", "hull", length=length, position=[x, y, 0.0], heading=heading,
            material=self.one_of(HULLS),
        )  # fmt: skip


def harbour(draw: Draw) -> float:
    """Quays on both sides with moored vessels and sheds, piers, buoys."""
    for side in (-1.0, 1.0):
        x = side * (HALF + 10.0)
        middle = 0.5 * LENGTH
        draw.add("quay", "quay", "box", size=[LENGTH + 60.0, 20.0, 8.0], position=[x, middle, -2.0])
        for number in range(4):
            y = -10.0 + 60.0 * number + draw.between(0.0, 25.0)
            size = [draw.between(12.0, 28.0), draw.between(7.0, 12.0), draw.between(5.0, 11.0)]
            place = [side * (HALF + 12.0), round(y, 2), round(2.0 + 0.5 * size[2], 2)]
            draw.add("shed", "building", "box", size=size, position=place, material="steel")
        for number in range(2):
            y = round(45.0 + 90.0 * number + draw.between(-15.0, 15.0), 2)
            length = draw.between(10.0, 18.0)
            place = [round(side * (HALF - 0.5 * length), 2), y, 0.6]
            draw.add(
                "pier", "pier", "box", size=[3.0, length, 1.6], position=place, material="wood",
                avoid=True,
            )  # fmt: skip
        for number in range(3):
            length = draw.between(8.0, 22.0)
            y = round(20.0 + 70.0 * number + draw.between(-8.0, 8.0), 2)
            draw.moored(round(side * (HALF - 0.2 * length), 2), y, 0.0, length)
    draw.buoys(9, HALF - 18.0)
    return 9.0


def river(draw: Draw) -> float:
    """Winding banks, two bridges on pillars, buoys along the fairway."""
    for side in (-1.0, 1.0):
        phase = draw.between(0.0, 6.28)
        for number in range(14):
            y = -30.0 + 20.0 * number
            wind = 6.0 * float(np.sin(y / 35.0 + phase))
            draw.add(
                "bank", "shore", "box", size=[22.0, 30.0, 5.0], heading=round(6.0 * wind / 6.0, 2),
                position=[round(side * (HALF + 8.0) + wind, 2), y, -1.0], material="grass",
            )  # fmt: skip
    for number in range(2):
        y = round(60.0 + 85.0 * number + draw.between(-12.0, 12.0), 2)
        deck = draw.between(5.5, 8.0)
        draw.add(
            "bridge", "bridge", "box", size=[8.0, 2.0 * HALF + 30.0, 1.0],
            position=[0.0, y, deck],
        )  # fmt: skip
        for x in (-16.0, 16.0):
            draw.add(
                "pillar", "bridge", "cylinder", radius=1.6, height=round(deck + 6.0, 2),
                position=[x, y, round(0.5 * deck - 3.0, 2)],
                avoid=True,
            )  # fmt: skip
    draw.buoys(7, HALF - 20.0)
    return 6.0


def archipelago(draw: Draw) -> float:
    """Islands with trees beside the lane, skerries near it, buoys."""
    for side in (-1.0, 1.0):
        for number in range(5):
            radius = draw.between(12.0, 26.0)
            x = side * (34.0 + radius + draw.between(0.0, 40.0))
            y = -15.0 + 55.0 * number + draw.between(-15.0, 15.0)
            draw.island(round(x, 2), round(y, 2), radius, int(draw.rng.integers(3, 9)))
    for _ in range(5):
        place = draw.place_afloat(HALF - 12.0)
        if place is not None:
            draw.add(
                "skerry", "rock", "prism", points=draw.polygon(draw.between(1.5, 3.5), 8),
                height=draw.between(2.4, 3.4), top=0.5, position=[*place, -2.0], material="rock",
                avoid=True,
            )  # fmt: skip
    draw.buoys(4, HALF - 18.0)
    return 20.0


def debris(draw: Draw) -> float:
    """Logs, containers, barrels and buoys adrift on the open sea."""
    kinds: tuple[Callable[[Draw, list[float]], None], ...] = (_log, _container, _barrel)
    for number in range(12):
        place = draw.place_afloat(HALF)
        if place is not None:
            kinds[number % 3](draw, list(place))
    draw.buoys(3, HALF - 10.0)
    return 200.0


def _log(draw: Draw, place: list[float]) -> None:
    radius = draw.between(0.2, 0.45)
    draw.add(
        "log", "debris", "cylinder", radius=radius, height=draw.between(3.0, 9.0), pitch=90.0,
        heading=draw.between(0.0, 180.0), position=[*place, 0.1], material="wood", avoid=True,
    )  # fmt: skip


def _container(draw: Draw, place: list[float]) -> None:
    draw.add(
        "container", "debris", "box", size=[6.06, 2.44, 2.59], position=[*place, 0.0],
        heading=draw.between(0.0, 180.0), pitch=draw.between(-12.0, 12.0),
        material=draw.one_of(HULLS), avoid=True,
    )  # fmt: skip


def _barrel(draw: Draw, place: list[float]) -> None:
    draw.add(
        "barrel", "debris", "cylinder", radius=0.3, height=0.9, pitch=draw.between(0.0, 90.0),
        position=[*place, 0.15], material="blue", avoid=True,
    )  # fmt: skip


def maze(draw: Draw) -> float:
    """A closed basin, which walls with a gap, and a pier beside it, divide; a buoy in each part."""
    ends = 0.5 * LENGTH + 30.0
    for side in (-1.0, 1.0):
        draw.add(
            "quay", "quay", "box", size=[2.0 * ends, 6.0, 8.0], material="concrete",
            position=[side * (HALF + 3.0), 0.5 * LENGTH, -2.0],
        )  # fmt: skip
        _wall(draw, -HALF, HALF, 0.5 * LENGTH + side * ends)
    last = 0.0
    for number in range(1, 4):
        y = 0.25 * number * LENGTH
        # Apart from the one before, so that there is no straight way.
        gap = draw.between(-30.0, 30.0)
        while abs(gap - last) < GAP:
            gap = draw.between(-30.0, 30.0)
        last = gap
        _wall(draw, -HALF, gap - 0.5 * GAP, y)
        _wall(draw, gap + 0.5 * GAP, HALF, y)
        length = draw.between(10.0, 18.0)
        x = gap + (0.5 * GAP + 1.0) * (1.0 if gap < 0.0 else -1.0)
        draw.add(
            "pier", "pier", "box", size=[length, 2.0, 5.0], avoid=True,
            position=[round(x, 2), round(y - 0.5 * length, 2), -0.5],
        )  # fmt: skip
    for number in range(4):
        x = draw.between(18.0, 34.0) * (1.0 if draw.rng.random() < 0.5 else -1.0)
        draw.buoy(round(x, 2), round(0.25 * (number + 0.5) * LENGTH + draw.between(-4.0, 2.0), 2))
    return 9.0


def _wall(draw: Draw, west: float, east: float, y: float) -> None:
    """Add a wall from west to east."""
    draw.add(
        "wall", "quay", "box", size=[2.0, round(east - west, 2), 5.0], avoid=True,
        position=[round(0.5 * (west + east), 2), y, -0.5],
    )  # fmt: skip


KINDS: dict[str, Callable[[Draw], float]] = {
    "harbour": harbour,
    "river": river,
    "archipelago": archipelago,
    "debris": debris,
    "maze": maze,
}


def scene_text(kind: str, seed: int) -> str:
    """Return the YAML of a scene.

    Args:
        kind: one of ``KINDS``.
        seed: seed of everything in it: positions and sizes, sun, fog.
    """
    draw = Draw(generator(seed, f"scene {kind}"))
    depth = KINDS[kind](draw)
    light: Thing = {
        "sun_azimuth": draw.between(0.0, 360.0),
        "sun_elevation": draw.between(12.0, 65.0),
        "ambient": draw.between(0.25, 0.45),
    }
    if draw.rng.random() < 0.5:
        light["visibility"] = round(draw.between(150.0, 2000.0))
    tree = {
        "name": kind,
        "seed": seed,
        "bottom": {"depth": depth},
        "light": light,
        "sea": {"colour": [draw.between(0.01, 0.05), draw.between(0.07, 0.14), 0.12]},
        "objects": draw.things,
    }
    head = f"# steerageway world scene {kind} --seed {seed}\n"
    return head + yaml.safe_dump(tree, sort_keys=False, default_flow_style=None, width=110)
