"""Each key of a vessel's files is declared once; readers, messages and documents go by that."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from math import inf
from pathlib import Path
from shutil import copytree

import pytest

from steerageway.declarations.key import Key, Kind, declared, flat, found
from steerageway.vessel.fossen.folder import FILES, load, models
from steerageway.vessel.fossen.keys import listing, outward
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.fossen.keys.vessel import MODELS
from steerageway.vessel.perception.reading import KINDS as DEVICES
from steerageway.vessel.perception.reading import DeviceReader
from steerageway.vessel.sensors.kinds import KINDS as SENSORS
from steerageway.vessel.sensors.reading import ALL_ENCODERS
from steerageway.vessel.tools.check import mistakes_of
from steerageway.world.document import Section, read, read_if_there
from steerageway.world.errors import InvalidValue
from steerageway.world.units import UNITS, quantity

ROOT = Path(__file__).parents[2]
INPUTS = ROOT / "inputs"
VESSELS = sorted(path.parent.name for path in INPUTS.glob("*/geometry.yml"))
BUILDERS = sorted(
    [
        *(ROOT / "vessel" / "fossen").glob("build*.py"),
        *(ROOT / "vessel" / "fossen" / "published").glob("*.py"),
        *(ROOT / "vessel" / "wave_forces" / f"{name}.py" for name in ("motion", "table")),
        *(
            ROOT / "vessel" / "fossen" / f"{name}.py"
            for name in ("assembly", "floating", "frame", "plausible")
        ),
    ]
)
READERS = [
    ROOT / "peers" / "panisim" / "main_file.py",
    ROOT / "world" / "reading.py",
    *(
        ROOT / "vessel" / "sensors" / f"{name}.py"
        for name in ("error_keys", "kinds", "reading", "sensor", "sensor_base", "text")
    ),
    *(
        ROOT / "vessel" / "perception" / f"{name}.py"
        for name in ("camera", "device", "lidar", "reading", "sonar")
    ),
]
NAMESAKES = (
    *("wind", "depth", "azimuth", "file"),  # kinds of sensors
    *("r", "intensity", "range"),  # fields of clouds
)
PANISIM = ROOT / "tests" / "reference" / "panisim" / "simulation_input.yml"
ASKS = {
    "number": {Kind.NUMBER, Kind.WHOLE, Kind.TEXT},
    "positive": {Kind.NUMBER},
    "vector": {Kind.VECTOR},
    "matrix": {Kind.MATRIX},
    "rows": {Kind.ROWS},
    "pairs": {Kind.ROWS},
    "flag": {Kind.FLAG},
    "choice": {Kind.CHOICE},
    "words": {Kind.WORDS},
    "section": {Kind.SECTION},
    "sections": {Kind.LIST},
}
NAMES = {path[-1].name for keys in listing.FILES.values() for path in flat(keys)} - set(
    listing.FILES
)
POSITIONS = {*ASKS, "text", "wrong", "fail", "where", "sound", "find", "finish"}


def asked_by_name(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Return where a reader asks a section for a key that it spells out."""
    for node in ast.walk(tree):
        texts: list[ast.expr] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in POSITIONS:
                texts = [part for arg in node.args for part in getattr(arg, "elts", [arg])][:2]
                if node.func.attr in ("wrong", "fail"):
                    texts = texts[:1]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            texts = [node.left]
        elif isinstance(node, ast.Assign | ast.For | ast.comprehension):
            source = node.value if isinstance(node, ast.Assign) else node.iter
            texts = list(getattr(source, "elts", []))
        for text in texts:
            if isinstance(text, ast.Constant) and text.value in NAMES:
                yield text.lineno, str(text.value)


@pytest.mark.parametrize("path", BUILDERS, ids=lambda path: path.stem)
def test_no_reader_spells_out_a_key(path: Path) -> None:
    assert list(asked_by_name(ast.parse(path.read_text()))) == []


@pytest.mark.parametrize("vessel", VESSELS)
def test_keys_in_the_files_are_declared(vessel: str) -> None:
    model = read_if_there(INPUTS / vessel / "vessel.yml").text("model")
    for file in FILES:
        path = INPUTS / vessel / f"{file}.yml"
        if path.is_file():
            of = model or "coefficients"
            keys = [key for key in listing.FILES[file] if not key.models or of in key.models]
            assert [name for name in read(path).nodes if not found(keys, [name])] == []


@pytest.mark.parametrize("vessel", ["otter", "remus100", "rexrov", "sookshma", "sphere", "supply"])
def test_readers_use_declared_keys_as_written(vessel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    strange: list[tuple[str, str]] = []

    def watched(name: str) -> None:
        original = getattr(Section, name)

        def asked(self: Section, key: str, *args: object, **more: object) -> object:
            if not isinstance(key, Key):
                listed = self.prefix == "" and found(listing.FILES["hydrodynamics"], [key])
                if not (listed and listed.pattern) and name != "number":
                    strange.append((name, key))
            elif key.kind not in ASKS[name]:
                strange.append((name, f"{key} {key.kind}"))
            return original(self, key, *args, **more)

        monkeypatch.setattr(Section, name, asked)

    for name in ASKS:
        watched(name)
    load(INPUTS / vessel)
    assert strange == []


def test_every_default_is_within_its_range_and_choices() -> None:
    for keys in listing.FILES.values():
        for *_, key in flat(keys):
            if isinstance(key.default, float) and key.default not in (inf, -inf):
                assert key.low <= key.default <= key.high, key.name
                assert key.default > key.above, key.name
            if key.kind is Kind.CHOICE:
                assert key.choices, key.name
                assert key.default in (*key.choices, None), key.name
            if key.kind in (Kind.SECTION, Kind.LIST):
                assert key.keys, key.name
            assert key.meaning, key.name


def test_keys_know_the_models() -> None:
    assert models() == MODELS


def test_a_key_is_found_by_its_path_through_lists_and_patterns() -> None:
    thrusters = listing.FILES["thrusters"]
    expected = found(thrusters, ["thrusters", "2", "azimuth", "rate_max"])
    assert expected is not None
    assert expected.unit == "deg/s"
    damping = found(listing.FILES["hydrodynamics"], ["Y_phi_au_av"])
    assert damping is not None
    assert damping.pattern
    assert found(listing.FILES["hydrodynamics"], ["Y_vdot"]) is not None
    assert found(listing.FILES["hydrodynamics"], ["Y_x"]) is None
    assert found(thrusters, ["thrusters", "2", "azimut"]) is None


def test_a_declared_key_brings_its_range_into_the_message(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("wake: 2\nunit: knots\n")
    section, thruster = read(tmp_path / "a.yml"), listing.FILES["thrusters"][0]
    by_name = {key.name: key for key in thruster.keys}
    for name, expected in (
        ("wake", "a number from -1 to 1"),
        ("unit", "one of rpm, rad/s, fraction"),
    ):
        with pytest.raises(ValueError, match=expected):
            section.number(by_name[name]) if name == "wake" else section.choice(by_name[name])


@pytest.mark.slow
def test_the_tool_prints_keys_as_data_and_refuses_other_files() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "steerageway.vessel", "keys", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    record = json.loads(run("geometry", "--json").stdout)
    assert record["geometry"][0]["name"] == "length"
    assert record["geometry"][0]["required"] is True
    wrong = run("geometri")
    assert wrong.returncode == 2
    assert "did you mean geometry?" in wrong.stderr


@pytest.mark.parametrize("path", READERS, ids=lambda path: path.stem)
def test_readers_of_the_other_files_spell_none_out_either(path: Path) -> None:
    output = [
        (line, name)
        for line, name in asked_by_name(ast.parse(path.read_text()))
        if name not in NAMESAKES
    ]
    assert output == []


def test_panisims_own_inputs_hold_declared_keys_only() -> None:
    own = [path for name in ("sookshma", "mavymini") for path in (INPUTS / name).glob("*.yml")]
    known = [path for path in (*own, PANISIM) if path.stem in listing.FILES]
    assert len(known) == 19
    for path in known:
        keys = listing.FILES[path.stem]
        unknown = [name for name in read(path).nodes if not found(keys, [name])]
        assert unknown == [], path


def test_every_kind_of_sensor_that_is_declared_is_read_by_one_app() -> None:
    assert tuple(DEVICES) == outward.KINDS
    assert {*SENSORS, ALL_ENCODERS, *DEVICES} == set(sen.KINDS)


def test_sensors_that_look_outward_read_every_key_declared_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: set[str] = set()
    contains = Section.__contains__

    def contains_and_notes(self: Section, key: str) -> bool:
        requested.add(str.__str__(key))
        return contains(self, key)

    lens = "distortion: opencv, horizontal_fov: 60"
    items = [*(f"sensor_type: {kind}" for kind in outward.KINDS), f"sensor_type: Camera, {lens}"]
    lines = [f"  - {{{item}, sensor_name: A{i}}}" for i, item in enumerate(items)]
    (tmp_path / "sensors.yml").write_text("\n".join(["sensors:", *lines]))
    monkeypatch.setattr(Section, "__contains__", contains_and_notes)
    DeviceReader().file(tmp_path / "sensors.yml")
    assert {key.name for key in outward.KEYS} - requested == set()


@pytest.mark.parametrize("file", [name for name in listing.FILES if name != "hydrodynamics"])
def test_the_constants_of_a_table_are_in_the_order_of_its_lines(file: str) -> None:
    module = file.replace("simulation_input", "simulation")
    where = "world.keys" if file == "environment" else f"vessel.fossen.keys.{module}"
    for name, key in vars(import_module(f"steerageway.{where}")).items():
        if isinstance(key, Key) and name != "_":
            assert set(name.split("_")) & set(key.name.upper().split("_")), f"{name}: {key.name}"


def test_a_table_declares_sections_lists_and_repeated_keys() -> None:
    top, (parts, kind, size, file, at, whole) = declared("""
        parts[] + @a,b: what it has
            kind big|small (by its size): sort
            size[2] [m] > 0 <= 5 = 1 2: length: \
                and width
            file .csv required: its table
        at[] [m] (0): where
        parts_count whole from 1 to 4 = 2: how many
            """)
    assert top == (parts, at, whole)
    assert parts.keys == (kind, size, file)
    assert (parts.kind, parts.ours, parts.models, parts.usual) == (
        *(Kind.LIST, True, ("a", "b"), "none"),
    )
    assert (kind.choices, kind.default, kind.usual) == (("big", "small"), None, "by its size")
    assert kind.ours
    assert not kind.models
    assert (size.default, size.above, size.high, size.unit) == ((1.0, 2.0), 0.0, 5.0, "m")
    assert size.meaning == "length: and width"
    assert (file.kind, file.suffixes, file.required) == (Kind.FILE, (".csv",), True)
    assert (at.kind, at.size, at.ours) == (Kind.VECTOR, 0, False)
    assert (whole.kind, whole.low, whole.high, whole.default) == (Kind.WHOLE, 1.0, 4.0, 2.0)
    again, new = declared("at, parts_count\nmore: number", *top)
    assert again[:2] == (at, whole)
    assert new == again[2:]


@pytest.mark.parametrize("table", ["speed [m/s: fast", "speed fast: fast", "\na: one\n   b: two"])
def test_a_line_that_declares_nothing_is_refused(table: str) -> None:
    with pytest.raises(ValueError, match=r"expected (a declaration|the indentation)"):
        declared(table)


def ranged() -> Iterator[Key]:
    for path in (path for keys in listing.FILES.values() for path in flat(keys)):
        if path[-1].kind in (Kind.NUMBER, Kind.VECTOR):
            yield path[-1]


@pytest.mark.slow
@pytest.mark.parametrize("size", ["1e308", "-1e308", "1e30"])
def test_no_number_of_a_file_is_larger_than_anything_at_sea(tmp_path: Path, size: str) -> None:
    """Of any larger, some square or product is no float: sqrt of the largest float is 1.3e154."""
    for key in ranged():
        vector = f"[{', '.join([size] * (key.size or 1))}]"
        file = tmp_path / "file.yml"
        file.write_text(f"a: 1\nkey: {size if key.kind is Kind.NUMBER else vector}\n")
        named = replace(key, name="key", pattern="")
        with pytest.raises(InvalidValue) as caught:
            read(file).vector(named, key.size or 1) if key.kind is Kind.VECTOR else quantity_of(
                read(file), named
            )
        assert f"{file}:2: key" in str(caught.value)


def quantity_of(section: Section, key: Key) -> float:
    return quantity(section, key) if key.unit in UNITS else section.number(key)


@pytest.mark.parametrize(
    ("unit", "value"),
    [("m", 458.45), ("kg", 657_019e3), ("m/s", 153.0), ("m²", 458.45 * 68.8), ("s", 3.2e9)],
)
def test_the_largest_and_fastest_vessels_are_taken(tmp_path: Path, unit: str, value: float) -> None:
    """Seawise Giant, laden; Spirit of Australia's record, half as much again; a century."""
    (tmp_path / "file.yml").write_text(f"key: {value}\n")
    assert read(tmp_path / "file.yml").number(Key("key", unit=unit)) == value


def test_a_start_in_utm_coordinates_is_asked_about(tmp_path: Path) -> None:
    folder = tmp_path / "otter"
    copytree(INPUTS / "otter", folder)
    start = folder / "initial_conditions.yml"
    start.write_text(
        start.read_text().replace("start_location: [0.0, 0.0", "start_location: [7032000, 569000")
    )
    with pytest.raises(InvalidValue, match=r"initial_conditions.yml:1: .*UTM coordinates\?"):
        load(folder)


def test_waypoints_in_utm_coordinates_are_asked_about(tmp_path: Path) -> None:
    folder = tmp_path / "otter"
    copytree(INPUTS / "otter", folder)
    (folder / "guidance.yml").write_text("waypoints:\n  - [7032000, 569000, 0]\n")
    (told,) = mistakes_of(folder)
    assert "guidance.yml:2: waypoints" in str(told)
    assert str(told).endswith("are these UTM coordinates?")
