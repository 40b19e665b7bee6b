"""Vessel folders: pitfalls of real files, errors with their places, no key without effect."""

from __future__ import annotations

import shutil
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pytest

from steerageway.declarations import finite
from steerageway.peers.panisim.main_file import LENGTH
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import terms
from steerageway.vessel.fossen.folder import FILES, load
from steerageway.vessel.tools.place import SHIPPED
from steerageway.world.document import leaves, read

ROOT = Path(__file__).parents[3]
INPUTS = ROOT / "inputs"
GRAMMAR = {
    "X_u": (0, (0,)),
    "X_u_au": (0, (0, 6)),
    "Y_vr": (1, (1, 5)),
    "Y_v_r": (1, (1, 5)),
    "N_ar_v": (5, (11, 1)),
    "M_q_aq": (4, (4, 10)),
    "Y_vvv": (1, (1, 1, 1)),
}
UNUSED = (
    # a box around the hull, used only for prime coefficients, cross-flow drag and the draught
    "geometry.length",
    "geometry.breadth",
    "geometry.depth",
    "geometry.draft",
    # the radii where a whole matrix is given; their axes where two of them are alike
    "geometry.gyration.*",
    "geometry.CG.orientation.?",
    # names
    "control_surfaces.*_id",
    "thrusters.*_id",
    # anchors, used where they are referred to
    "control_surfaces.delta_max",
    "control_surfaces.deltad_max",
    "control_surfaces.area",
    # names of sections, whose table is what counts
    "control_surfaces.naca_number",
    "control_surfaces.*_NACA",
    # of a surface known by coefficients; or the place of a fin along its own force
    "control_surfaces.*_area",
    "control_surfaces.*_location.?",
    "control_surfaces.*_orientation.?",
    # a place on the axis of the thrust, and a turn about it
    "thrusters.*_location.?",
    "thrusters.*_orientation.1",
    # of water: dimensional coefficients are made for one density
    "vessel.density",
    # where restoring is nil: weight equals buoyancy at one point
    "vessel.gravity",
    "vessel.command_timeout",
    # places in a matrix
    "hydrodynamics.coriolis_omit.*",
)


@pytest.fixture
def otter(tmp_path: Path) -> Path:
    folder = tmp_path / "otter"
    shutil.copytree(INPUTS / "otter", folder)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize(("name", "meaning"), GRAMMAR.items())
def test_the_name_of_a_coefficient_gives_its_factors(name, meaning):
    term = terms.parsed(name)
    assert (term.axis, term.factors) == meaning


@pytest.mark.parametrize("name", ["X_s", "Q_u", "Y_", "dim_flag", "N_delta", "X_uuuuuu"])
def test_other_names_are_no_coefficients(name):
    assert terms.parsed(name) is None


def test_prime_coefficients_are_scaled_by_dimension():
    """Against the dimensions themselves: force kg m/s², moment kg m²/s²."""
    rho, L, U = 1025.0, 3.0, 0.7
    scale = {name: terms.parsed(name).dimension(rho, L, U) for name in ("Y_v", "Y_r", "N_r")}
    assert scale["Y_v"] == pytest.approx(0.5 * rho * L**2 * U)
    assert scale["Y_r"] == pytest.approx(0.5 * rho * L**3 * U)
    assert scale["N_r"] == pytest.approx(0.5 * rho * L**4 * U)
    assert terms.parsed("X_u_au").dimension(rho, L, U) == pytest.approx(0.5 * rho * L**2)
    assert terms.parsed("N_ar_r").dimension(rho, L, 0.0) == pytest.approx(0.5 * rho * L**5)
    assert terms.acceleration_dimension(5, 5, rho, L) == pytest.approx(0.5 * rho * L**5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sookshma", "mavymini"])
def test_panisims_own_folders_load_as_they_are(name):
    craft = load(INPUTS / name)
    assert [c.name for c in craft.commands][:1] == ["cs_1"]
    assert np.isfinite(craft.parameters.matrices).all()


def test_sookshma_takes_its_reference_speed_from_the_froude_number():
    craft = load(INPUTS / "sookshma", overrides=BY_REFERENCE)
    U = 0.16 * np.sqrt(9.81)
    assert craft.parameters.values[0] == pytest.approx(-0.01 * 0.5 * 1025 * U)


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["actual", "reference"])
def test_prime_rudder_and_damping_scale_equally(reading):
    """By the actual speed a turn's radius does not depend on it; by U, neither force does."""
    craft = load(INPUTS / "sookshma", overrides={"hydrodynamics.prime_speed": reading})
    still = craft.surroundings()

    def sway(u, v, delta):
        x = craft.initial.copy()
        x[6:12], x[12:] = [u, v, 0, 0, 0, 0], [delta, *[0.0] * (len(craft.commands) - 1)]
        return craft.derivative(x, x[12:], still)[7]

    for u in (0.25, 1.0):
        rudder = sway(u, 0.0, 0.1)
        damping = sway(u, 0.01 * u, 0.0)
        growth = (u / 0.5) ** 2 if reading == "actual" else 1.0
        assert rudder == pytest.approx(growth * sway(0.5, 0.0, 0.1), rel=1e-4)
        slope = growth if reading == "actual" else u / 0.5
        assert damping == pytest.approx(slope * sway(0.5, 0.005, 0.0), rel=1e-3)


def test_a_naca_number_is_a_name_not_an_octal():
    section = read(INPUTS / "mavymini" / "control_surfaces.yml")
    assert section.text("naca_number") == "0015"


def test_infinity_and_none_as_people_write_them():
    assert LENGTH("Inf") == LENGTH(".inf") == float("inf")
    inertia = read(INPUTS / "sookshma" / "inertia.yml")
    assert "inertia_matrix" not in inertia
    assert "mass" in inertia


@pytest.mark.parametrize("text", ["# all comment\n", "---\n...\n", "None\n"])
def test_empty_files_hold_nothing(tmp_path, text):
    (tmp_path / "empty.yml").write_text(text)
    assert list(leaves(read(tmp_path / "empty.yml"))) == []


def test_a_path_in_a_container_is_found_by_its_tail(otter):
    text = "/workspaces/mavlab/inputs/sookshma/HydRA/matlab/sookshma_hydra.json"
    assert text in (INPUTS / "sookshma" / "hydrodynamics.yml").read_text()
    edit(otter / "hydrodynamics.yml", "X_ud: -5.28", f"hydra_file: {text}\n#X_ud: -5.28")
    for key in ("Y_vd", "Z_wd", "K_pd", "M_qd", "N_rd"):
        edit(otter / "hydrodynamics.yml", f"\n{key}", f"\n# {key}")
    with pytest.raises(InvalidValue, match=r"ics\.yml:\d+: .*no such file: expected a file.*tail"):
        load(otter)


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("inertia", "mass: 55.0", "mas: 55.0", "mass is missing"),
        ("inertia", "mass: 55.0", "mass: heavy", "inertia.yml:1: mass = heavy: expected a number"),
        ("inertia", "mass: 55.0", "mass: -1", "mass = -1: expected a number above 0"),
        ("hydrodynamics", "X_u: -77", "X_uu_: 1\nX_u: -77", "X_uu_: unknown key"),
        ("hydrodynamics", "X_u: -77", "X_u|u|: -77", "X_u|u|: unknown key; did you mean X_u_au?"),
        ("hydrodynamics", "X_u: -77", "Xuu: -77", "Xuu: unknown key; did you mean X_uu?"),
        ("hydrodynamics", "N_rd: -24", "N_dr: -24", "N_dr: unknown key; did you mean N_rd?"),
        ("hydrodynamics", "N_rd: -24", "Nrdot: -24", "Nrdot: unknown key; did you mean N_rd?"),
        ("hydrodynamics", "N_ar_r", "N_{|r|r}", "N_{|r|r}: unknown key; did you mean N_arr?"),
        ("hydrodynamics", "LCF:", "LFC:", "restoring.LFC: unknown key; did you mean LCF"),
        ("hydrodynamics", "dim_flag: true", "dim_flag: maybe", "maybe: expected true or false"),
        ("thrusters", "n_max: 103", "n_maxx: 103", "n_max is missing"),
        ("thrusters", "T_prop: 0.1 # s", "T_pro: 0.1", "T_pro: unknown key; did you mean T_prop"),
        ("geometry", "[0.2, 0.0, -0.2]", "[0.2, 0.0]", "CG.position = a list: expected 3 numbers"),
        ("geometry", "length: 2.0", "length: 2.0\nlength: 3.0", "length: stands twice"),
        ("geometry", "length: 2.0", "length: [2.0", "not YAML"),
    ],
)
def test_errors_contain_file_line_key_value_and_the_expected_form(otter, file, old, new, expected):
    edit(otter / f"{file}.yml", old, new)
    with pytest.raises(InvalidValue) as caught:
        load(otter)
    assert expected in str(caught.value)
    assert f"{file}.yml" in str(caught.value)


def test_an_unknown_reference_is_named_with_the_known_ones():
    with pytest.raises(InvalidValue, match="expected one of pvs, mss, panisim"):
        load(INPUTS / "otter", peer_compat="gazebo")


def test_an_override_changes_one_value_and_must_mean_a_file():
    craft = load(INPUTS / "otter", overrides={"inertia.payload.mass": 0})
    assert craft.parameters.matrices[1][0, 0] == pytest.approx(55 + 5.281521009576395)
    twice = load(INPUTS / "otter", overrides={"thrusters.thrusters.2.n_max": 50})
    assert twice.commands[1].high == 50.0
    with pytest.raises(InvalidValue, match="otter: override: mass: expected FILE"):
        load(INPUTS / "otter", overrides={"mass": 1})
    with pytest.raises(InvalidValue, match=r"inertai\.mass: expected FILE\.KEY, as inertia\.KEY$"):
        load(INPUTS / "otter", overrides={"inertai.mass": 1})
    for nowhere in ("3", "0", "²"):
        with pytest.raises(InvalidValue, match=f"{nowhere}: expected a place from 1 to 2"):
            load(INPUTS / "otter", overrides={f"thrusters.thrusters.{nowhere}.n_max": 50})


def numeric_keys(name: str) -> list[str]:
    found = []
    for file in FILES:
        path = INPUTS / name / f"{file}.yml"
        if not path.is_file():
            continue
        for keys, text in leaves(read(path)):
            if finite(text) is not None:
                found.append(".".join((file, *keys)))
    return found


def signature(craft) -> np.ndarray:
    """Return the data that determine a run: rates at two states, limits, and initial state."""
    rng = np.random.default_rng(7)
    around = craft.surroundings((0.1, 0.2, 0.05), (3.0, 4.0))
    rates = []
    for share, behind in ((0.8, 0.5), (0.8, 1e-4), (0.2, 1e-4)):
        commands = np.array([c.low + share * (c.high - c.low) for c in craft.commands])
        x = np.concatenate((rng.normal(scale=0.2, size=12), (1 - behind) * commands))
        x[2] = 0.05  # coming out of the water
        x[6] = 0.5 + abs(x[6])  # from behind, a propeller knows no advance
        rates.append(craft.derivative(x, commands, around))
        rates.append(craft.step(x, 2 * commands, around, 1e-4, 5))
    bounds = [bound for c in craft.commands for bound in (c.low, c.high)]
    return np.concatenate((*rates, bounds, craft.initial))


# Mavymini's HydRA file is in millimetres: added mass of 1e9 kg, beside which no other number
# counts; and its propeller pushes nothing.
BY_REFERENCE = {"hydrodynamics.prime_speed": "reference"}
OTHERWISE = {
    "sookshma": BY_REFERENCE,
    "mavymini": {"hydrodynamics.hydra_file": "None", "thrusters.thrusters.1.KT_at_J0": 0.4},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["otter", "remus100", "torpedo", "tito_neri", "sookshma", "mavymini"]
)
def test_one_per_cent_of_any_number_changes_the_run_or_is_listed(name):
    always: dict[str, object] = OTHERWISE.get(name, {})
    before = signature(load(INPUTS / name, overrides=always))
    idle = []
    for dotted in numeric_keys(name):
        file, *keys = dotted.split(".")
        value = float(dict(leaves(read(INPUTS / name / f"{file}.yml")))[tuple(keys)])
        try:
            changed = load(INPUTS / name, overrides=always | {dotted: value * 1.01 or 0.01})
        except InvalidValue:
            continue
        if np.array_equal(signature(changed), before):
            idle.append(dotted)
    assert [key for key in idle if not any(fnmatchcase(key, place) for place in UNUSED)] == []


@pytest.mark.parametrize(
    ("given", "starts"),
    [
        ("[0.5, -0.1, 0.2]", [0.5, -0.1, 0.2, 0.0, 0.0, 0.0]),  # Panisim's older files
        ("[0.5, -0.1, 0.2, 0.01, 0.02, 0.03]", [0.5, -0.1, 0.2, 0.01, 0.02, 0.03]),
    ],
)
def test_a_start_may_set_the_speed_without_the_turn_rates(otter, given, starts):
    (otter / "initial_conditions.yml").write_text(f"start_velocity: {given}\n")
    np.testing.assert_array_equal(load(otter).initial[6:12], starts)


def test_a_start_of_four_velocities_is_refused(otter):
    (otter / "initial_conditions.yml").write_text("start_velocity: [0.5, 0, 0, 0.1]\n")
    with pytest.raises(InvalidValue, match=r"yml:1: start_velocity = a list: expected 6 numbers"):
        load(otter)


def test_a_vessel_shows_itself_in_a_line():
    assert repr(load(SHIPPED / "otter")) == "<otter: 14 states, commanded by th_1, th_2>"
