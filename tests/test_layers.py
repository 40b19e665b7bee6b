"""Import rules between packages and limits of length, checked in the sources."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from steerageway import bus
from steerageway.apps.shared.registry import process_named

ROOT = Path(__file__).parents[1]
NAME = "steerageway"
LIBRARIES = ("bus", "moos", "vessel", "ivp", "world", "helm")
GEOMETRY = "geometry"  # of the marine convention, for all; it imports nothing of the project's
NEUTRAL = "diagnostics"  # what all may speak of; it imports nothing of the project's
DECLARATIONS = "declarations"  # how all declare and refuse a value
SHARED = {NEUTRAL, DECLARATIONS, GEOMETRY}
PACKAGES = (
    *(
        NEUTRAL,
        DECLARATIONS,
        GEOMETRY,
        *LIBRARIES,
        "apps",
        "bridges",
        "web",
        "envs",
        "control",
        "launcher",
    ),
    "peers",
)
ELSEWHERE = {"control": ROOT / NAME / "control"}  # at the top it would hide python-control
MAY_IMPORT = {
    NEUTRAL: {NEUTRAL},
    DECLARATIONS: {NEUTRAL, DECLARATIONS},
    GEOMETRY: {GEOMETRY},
    **{library: {library, *SHARED} for library in LIBRARIES},
    "vessel": {"vessel", "world", *SHARED},
    "helm": {"helm", "ivp", "moos", *SHARED},
    "apps": {*LIBRARIES, "apps", *SHARED},
    "bridges": {"bus", "moos", "vessel", "apps", "bridges", "web", *SHARED},
    "web": {*LIBRARIES, "apps", "web", *SHARED},
    "envs": {"envs", "vessel", "world", "bus", "launcher", *SHARED},
    "control": {"control", "vessel", "world", "moos", *SHARED},
    "launcher": {"bus", "moos", "apps", "web", "launcher", *SHARED},
    "peers": {*LIBRARIES, "apps", "launcher", "peers", *SHARED},
    "launch": {"launcher"},
}
OUTSIDE = {
    NEUTRAL: set(),
    DECLARATIONS: set(),
    GEOMETRY: set(),
    "bus": {"zmq", "msgpack"},
    "moos": set(),
    "vessel": {"numpy", "yaml", "numba"},
    "ivp": {"numpy"},
    "world": {"numpy", "yaml", "numba", "llvmlite"},  # llvmlite: numba knows the processor by it
    "helm": {"numpy"},
    "apps": {"numpy", "prompt_toolkit", "matplotlib"},
    "bridges": set(),
    "web": {"numpy"},
    "envs": {"numpy"},
    "control": {"numpy", "scipy"},
    "launcher": set(),
    "peers": {"numpy", "numba"},
    "launch": set(),
}
OPTIONAL = {
    "apps.experiments.sweep.design": {"scipy", "yaml"},
    "apps.shared.mcap_frames": {"mcap"},
    "apps.shared.mcap_topics": {"mcap", "lz4", "zstandard"},
    "bridges.ais_traffic.bags": {"zstandard"},
    "bridges.foxglove_live": {"foxglove"},
    "bridges.foxglove_playback": {"foxglove"},
    "bridges.mavlink.app": {"pymavlink"},
    "bridges.mavlink.mission": {"pymavlink"},
    "bridges.mavlink.station": {"pymavlink"},
    "bridges.mavlink.telemetry": {"pymavlink"},
    "bridges.mcap.file": {"mcap"},
    "bridges.mcap.layout": {"mcap"},
    "bridges.nmea.ais": {"pyais"},
    "bridges.nmea.received": {"pynmeagps"},
    "bridges.nmea.sentences": {"pynmeagps"},
    "bridges.frames": {"numpy"},
    "bridges.rerun": {"numpy", "rerun"},
    "bridges.ros.bag": {"rosbags"},
    "bridges.ros.dds": {"cyclonedds", "rosbags"},
    "bridges.ros.messages": {"rosbags", "numpy"},
    "bridges.ros.readings": {"numpy"},
    "bridges.ros.services": {"rosbags"},
    "bridges.ros.topics": {"rosbags"},
    "bridges.ros.transport": {"rosbags"},
    "bridges.ros.websocket": {"websockets", "cbor2", "numpy"},
    "bridges.ros.zenoh": {"zenoh"},
    "vessel.fmi.importer": {"fmpy"},
    "vessel.tools.urdf": {"xacrodoc"},
    "vessel.control_allocation.qp": {"daqp"},
    "vessel.wave_forces.capytaine": {"h5py"},
    "vessel.perception.tracking": {"scipy"},
    "vessel.perception.measurement": {"msgpack"},
    "world.rays.embree": {"embreex"},
    "world.pictures": {"matplotlib"},
    "control.trials": {"pandas"},
    "envs": {"gymnasium"},
    "envs.drawing": {"matplotlib"},
    "envs.missions": {"gymnasium"},
    "envs.parallel": {"gymnasium", "pettingzoo"},
    "envs.randomisation": {"gymnasium"},
    "envs.single": {"gymnasium"},
    "envs.vector": {"gymnasium"},
    "envs.viewing": {"gymnasium"},
    "declarations.arguments": {"argcomplete"},
    "launcher.completion": {"argcomplete"},
    "launcher.results": {"numpy", "pandas"},
    "launcher.sweep.table": {"pyarrow"},
    "launcher.sweep.effects": {"numpy"},
    "launcher.sweep.report": {"numpy"},
    "launcher.sweep.search": {"numpy"},
    "launcher.testing": {"pytest"},
    "launcher.sweep.figures": {"matplotlib"},
    "web.viewer.charts": {"numpy", "PIL"},
    "web.viewer.server": {"starlette"},
    "web.application": {"starlette"},
    "web.security": {"starlette"},
    "web.answers": {"starlette"},
    "web.serving": {"uvicorn"},
    "web.configurator.server": {"starlette"},
    "web.configurator.tree": {"yaml"},
}
WITHOUT_NUMPY = (
    *("uSimMarineV22", "uSimMarine", "pMarinePIDV22", "pMarinePID", "pLogger"),
    *("pNodeReporter", "uProcessWatch", "pRealm", "pXRelay", "pContactMgrV20", "pObstacleMgr"),
    "uDriftWormhole",
    *("uFldNodeComms", "uFldMessageHandler", "uFldCollisionDetect", "uFldCollObDetect"),
    *("uFldPathCheck", "pSpoofNode", "pBasicContactMgr"),
    *("uFldObstacleSim", "uFldBeaconRangeSensor", "uFldContactRangeSensor", "uFldGenericSensor"),
    *("uFldHazardSensor", "uFldHazardMgr", "uFldHazardMetric", "uFldRescueMgr", "uPlayback"),
    *("pSearchGrid", "pMissionEval", "pMissionHash", "pAutoPoke", "uLoadWatch", "uFldDelve"),
    "uSweep",
)
TOKENS = "bus.core.runtime"  # who may come in; no run depends on it
LONGEST_MODULE, LONGEST_FUNCTION = 600, 50
MAINS = ("app.py", "__main__.py")  # of an app's package
CLOCKS = {"time", "sched", "asyncio"}
CLOCK = "bus.core.clock"
TODAY = {"now", "today", "utcnow"}
EPOCH = "launcher.epoch"
CHANCE = {"secrets", "uuid"}
# Servers beside runs: they have an event loop, and a token nobody can guess.
WEB = "web."
TOKEN = "web.security"
# The layers of the bus, lowest first: each imports from itself and from those below it.
PUBLIC_FOR_USERS = {"BusError", "Refused"}  # what a script may want to catch
BUS_LAYERS = ("core", "transport", "database", "lockstep", "observers", "free", "processes")


def modules() -> dict[str, Path]:
    """Return every module of the project's own packages, without the project's name."""
    found = {"launch": ROOT / "launch.py"}
    for package in PACKAGES:
        folder = ELSEWHERE.get(package, ROOT / package)
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


MODULES = modules()


def modules_of(package: str) -> dict[str, Path]:
    """Return the modules of one of the packages, or the launching script."""
    return {name: path for name, path in MODULES.items() if name.partition(".")[0] == package}


in_each_package = pytest.mark.parametrize("package", MAY_IMPORT)


@cache
def tree_of(path: Path) -> ast.Module:
    """Return a file's syntax tree."""
    return ast.parse(path.read_text())


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return everything in a file's syntax tree."""
    return tuple(ast.walk(tree_of(path)))


def imports_of(path: Path) -> Iterator[str]:
    """Yield the modules a file imports, inside functions and for types, too.

    Those of the project come without its name.
    """
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix(f"{NAME}.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module is not None
            module = node.module.removeprefix(f"{NAME}.")
            names = (f"{module}.{alias.name}" for alias in node.names)
            yield module
            yield from (name for name in names if name in MODULES)


@cache
def app_of(module: str) -> str:
    """Return the app that a module of ``apps`` belongs to; "" for what a group shares.

    An app is a package of a group, or a registered file; the helm is a group by itself.
    """
    parts = module.split(".")
    if parts[1:2] == ["helm"]:
        return "apps.helm"
    is_package = len(parts) > 2 and (ROOT / "/".join(parts[:3])).is_dir()
    return ".".join(parts[:3]) if is_package or process_named(module) else ""


@pytest.mark.slow
@in_each_package
def test_packages_import_only_those_below_them(package: str) -> None:
    for module, path in modules_of(package).items():
        for imported in imports_of(path):
            top = imported.partition(".")[0]
            if top in (*PACKAGES, "launch", "tests"):
                assert top in MAY_IMPORT[package], f"{module} imports {imported}"


def test_layers_of_the_bus_import_only_downward() -> None:
    folders = {path.parent.name for path in modules_of("bus").values()} - {"bus"}
    assert folders == set(BUS_LAYERS)
    for module, path in modules_of("bus").items():
        layer = module.split(".")[1] if module.count(".") > 1 else ""
        for imported in imports_of(path):
            parts = imported.split(".")
            if layer and parts[0] == "bus" and len(parts) > 1:
                below = BUS_LAYERS[: BUS_LAYERS.index(layer) + 1]
                assert parts[1] in below, f"{module} imports {imported}"


@pytest.mark.slow
def test_only_the_public_modules_of_the_bus_are_imported_outside() -> None:
    for module, path in MODULES.items():
        if not module.startswith("bus"):
            past = [i for i in imports_of(path) if i.startswith("bus.")]
            assert not past, f"{module} imports {past}"


def test_the_public_modules_of_the_bus_export_only_used_names() -> None:
    used = set()
    folders = ("tests", "benchmarks", "docs")
    beside = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    face = re.compile(rf"^\s*from {NAME}\.bus import (\([^)]*\)|.*)$", re.MULTILINE)
    for path in (*MODULES.values(), *beside):
        for names in face.findall(path.read_text()):
            (line,) = ast.parse(f"from {NAME}.bus import {names}").body
            assert isinstance(line, ast.ImportFrom)
            used |= {alias.name for alias in line.names}
    assert all(getattr(bus, name) is not None for name in bus.__all__)
    assert used - set(bus.__all__) == set()
    assert set(bus.__all__) - used <= PUBLIC_FOR_USERS


def test_groups_of_apps_import_from_each_other_only_what_all_share() -> None:
    for module, path in modules_of("apps").items():
        group = module.split(".")[:2]
        for imported in imports_of(path):
            if imported.startswith("apps."):
                allowed = imported.split(".")[:2] in (group, ["apps", "shared"])
                assert allowed or module == "apps.__main__", f"{module} imports {imported}"


@pytest.mark.parametrize("package", ["bridges", "web"])
def test_bridges_and_web_import_of_the_apps_only_what_all_share(package: str) -> None:
    for module, path in modules_of(package).items():
        for imported in imports_of(path):
            assert not imported.startswith("apps.") or imported.startswith("apps.shared"), module


def test_apps_import_from_each_other_only_shared_modules_of_their_group() -> None:
    for module, path in modules_of("apps").items():
        for imported in imports_of(path):
            if imported.startswith("apps."):
                allowed = {"", app_of(module)}
                assert app_of(imported) in allowed, f"{module} imports {imported}"


def test_every_app_is_found_under_its_own_name() -> None:
    for module, path in modules_of("apps").items():
        app = app_of(module)
        if app and (path.name in MAINS or (app == module and path.name != "__init__.py")):
            name = app.rpartition(".")[2]
            found = find_spec(f"{NAME}.apps.{name}")
            assert found is not None, module
            origin = Path(found.origin or "")
            assert path.samefile(origin) or path.parent.samefile(origin.parent), module


@in_each_package
def test_only_declared_libraries_from_outside_are_imported(package: str) -> None:
    for module, path in modules_of(package).items():
        known = {NAME, *MAY_IMPORT[package], *OUTSIDE[package], *OPTIONAL.get(module, ())}
        for imported in imports_of(path):
            top = imported.partition(".")[0]
            assert top in sys.stdlib_module_names or top in known, f"{module} imports {imported}"


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield every call of a file with the last part of the name that is called."""
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr, node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node


@in_each_package
def test_wall_time_and_date_are_read_in_one_place_each(package: str) -> None:
    for module, path in modules_of(package).items():
        if module != CLOCK:
            allowed = {"asyncio"} if module.startswith(WEB) else set()
            assert not (CLOCKS - allowed) & set(imports_of(path)), module
        if module != EPOCH:
            dates = [ast.unparse(call.func) for name, call in calls(path) if name in TODAY]
            assert not any(date.startswith(("datetime.", "date.")) for date in dates), module


@in_each_package
def test_all_chance_comes_from_seeded_generators(package: str) -> None:
    for module, path in modules_of(package).items():
        allowed = {"secrets"} if module == TOKEN else set()
        assert not (CHANCE - allowed) & set(imports_of(path)), module
        for node in nodes_of(path):
            if isinstance(node, ast.Import):
                assert "random" not in {alias.name for alias in node.names}, module
            elif isinstance(node, ast.ImportFrom) and node.module == "random":
                assert {alias.name for alias in node.names} == {"Random"}, module
        for name, call in calls(path):
            assert name != "urandom" or module == TOKENS, module
            assert name not in ("Random", "default_rng") or call.args, f"{module}: no seed"


@pytest.mark.slow
def test_processes_that_need_no_numpy_start_without_it() -> None:
    names = ", ".join(f'"{name}"' for name in WITHOUT_NUMPY)
    program = (
        "import sys\n"
        "import steerageway.launcher.command\n"
        "from steerageway.bus.processes import one, run, supervisor\n"
        "from steerageway.apps.shared.registry import load\n"
        f"for name in ({names}): load(name)\n"
        'print(sorted({"numpy", "numba", "scipy", "pyproj", "matplotlib"} & set(sys.modules)))'
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


def lengths(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the length of every function's body, its docstring left out."""
    for node in nodes_of(path):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            yield node.name, (body[-1].end_lineno or 0) - body[0].lineno + 1


@in_each_package
def test_modules_and_functions_stay_short(package: str) -> None:
    for module, path in modules_of(package).items():
        assert len(path.read_text().splitlines()) <= LONGEST_MODULE, module
        too_long = {name: length for name, length in lengths(path) if length > LONGEST_FUNCTION}
        assert not too_long, module


@pytest.mark.slow
def test_no_import_goes_in_a_circle_even_inside_functions_or_for_types() -> None:
    graph = {
        module: {i for i in imports_of(path) if i in MODULES} - {module}
        for module, path in MODULES.items()
    }
    for module in graph:
        _walk(graph, (module,), set())


def _walk(graph: dict[str, set[str]], path: tuple[str, ...], done: set[str]) -> None:
    for imported in sorted(graph[path[-1]] - done):
        # A package's face imports its modules, and they import each other past it.
        if _is_face(imported) or _is_face(path[-1]):
            continue
        assert imported not in path, f"circle: {' -> '.join((*path, imported))}"
        _walk(graph, (*path, imported), done)
        done.add(imported)


def _is_face(module: str) -> bool:
    return MODULES[module].name == "__init__.py"
