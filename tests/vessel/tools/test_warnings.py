"""An incompletely described vessel is valid, but missing terms and their effects are reported."""

import re
from pathlib import Path

import pytest

from steerageway.launcher.starts.command import begin
from steerageway.vessel.__main__ import main
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.warnings import remarks

INPUTS = Path(__file__).parents[3] / "inputs"
pytestmark = pytest.mark.slow  # they compile

HULL = {
    "geometry": "length: 4.0\nbreadth: 1.6\ndraft: 0.35\ngyration: [0.6, 1.0, 1.0]\n",
    "inertia": "mass: 700\n",
    "hydrodynamics": """
X_ud: -92
Y_vd: -700
Z_wd: -700
K_pd: -59
M_qd: -566
N_rd: -490
X_u_au: -60
Y_v: -467
Z_w: -3396
K_p: -328
M_q: -3700
N_r: -595
restoring: {waterplane_area: 5.1, GM_T: 1.1, GM_L: 9.8}
""",
    "thrusters": """thrusters:
- {thruster_location: [-1.8, -0.5, 0.3], D_prop: 0.25, KT_at_J0: 0.4, n_max: 1500,
   azimuth: {angle_max: 45, rate_max: 30}}
- {thruster_location: [-1.8, 0.5, 0.3], D_prop: 0.25, KT_at_J0: 0.4, n_max: 1500,
   azimuth: {angle_max: 45, rate_max: 30}}
""",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in HULL.items():
        (tmp_path / f"{name}.yml").write_text(text)
    return tmp_path


def without(folder, *keys):
    """Take lines out of the hydrodynamics."""
    path = folder / "hydrodynamics.yml"
    kept = [line for line in path.read_text().splitlines() if line.partition(":")[0] not in keys]
    path.write_text("\n".join(kept) + "\n")
    return folder


def test_a_whole_vessel_leaves_no_doubt(folder):
    assert list(remarks(load(folder))) == []


def test_a_vessel_without_a_name_has_its_folders_from_within_it_too(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert main(["check", "."]) == 0
    assert capsys.readouterr().out == f".: no errors; 4 commands, model of {folder.name}\n"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("Y_vd", "N_rd"), ["no added mass in sway, yaw"]),
        (("K_p", "N_r"), ["no damping in roll, yaw"]),
    ],
)
def test_missing_terms_give_a_warning(folder, keys, expected):
    assert list(remarks(load(without(folder, *keys)))) == expected


def test_a_drag_of_u_squared_that_accelerates_astern_gives_a_warning(folder):
    hydrodynamics = folder / "hydrodynamics.yml"
    hydrodynamics.write_text(hydrodynamics.read_text().replace("X_u_au", "X_uu"))
    (warning,) = remarks(load(folder))
    assert warning.startswith("in one direction, damping accelerates it in surge: ")


def test_a_drag_of_u_squared_is_reported_though_a_linear_one_hides_it_when_slow(folder):
    hydrodynamics = folder / "hydrodynamics.yml"
    text = re.sub(r"(?m)^X_u\w*:.*\n", "", hydrodynamics.read_text())
    hydrodynamics.write_text(f"{text}X_u: -20\nX_uu: -40\n")  # at -0.5 m/s they are equal
    (warning,) = [text for text in remarks(load(folder)) if "damping accelerates" in text]
    assert warning.startswith("in one direction, damping accelerates it in surge: ")
    assert warning.endswith("; did you mean X_u_au, of u|u|?")


def test_damping_of_the_wrong_sign_is_reported_as_such(folder):
    hydrodynamics = folder / "hydrodynamics.yml"
    hydrodynamics.write_text(hydrodynamics.read_text().replace("N_r: -595", "N_r: 595"))
    warnings = [warning for warning in remarks(load(folder)) if "damping accelerates" in warning]
    assert warnings == [
        "damping accelerates it in yaw, both ways: a force against a motion has a negative "
        "coefficient, as X_u: -5"
    ]


@pytest.mark.parametrize(("key", "wrong"), [("X_u", "50"), ("Y_v", "200"), ("N_r", "1")])
def test_linear_damping_of_the_wrong_sign_is_an_error_even_with_correct_quadratic_terms(
    key, wrong, folder, capsys
):
    file = without(folder, key) / "hydrodynamics.yml"
    file.write_text(f"{file.read_text()}{key}: {wrong}\nY_v_av: -900\nN_r_ar: -900\n")
    assert main(["check", str(folder)]) == 2
    errors = capsys.readouterr().err
    line = file.read_text().splitlines().index(f"{key}: {wrong}") + 1
    assert errors.startswith(f"{file}:{line}: {key}")
    assert "it amplifies the motion" in errors


def test_a_vessel_that_creeps_without_thrust_is_reported(folder):
    file = folder / "hydrodynamics.yml"
    file.write_text(f"{file.read_text()}X_u_au_au: 0\nX_v: 900\nY_u: 900\n")
    assert any("without thrust" in text for text in remarks(load(folder)))


def test_an_actuator_too_fast_for_the_usual_steps_is_reported_instead_of_divergence(folder):
    thrusters = folder / "thrusters.yml"
    thrusters.write_text(thrusters.read_text().replace("D_prop", "T_prop: 0.005, D_prop"))
    (warning,) = remarks(load(folder))
    assert "th_1" in warning
    assert "time_step of 0.0139 s or less" in warning


@pytest.mark.parametrize(("Y_r", "drives"), [("1000", False), ("1200", True), ("-1200", True)])
def test_damping_that_accelerates_a_combined_motion_gives_a_warning(Y_r, drives, folder):
    """It does where (Y_r + N_v)² > 4 Y_v N_r: beyond 1054 here. A tenth more is reported."""
    file = folder / "hydrodynamics.yml"
    file.write_text(f"{file.read_text()}Y_r: {Y_r}\n")
    warnings = [warning for warning in remarks(load(folder)) if "combined motions" in warning]
    expected = "at rest, damping accelerates combined motions in sway, yaw: Y_r, N_v are"
    assert [warning.startswith(expected) for warning in warnings] == [True] * drives


def test_a_degree_of_freedom_that_is_held_needs_neither_mass_nor_damping(folder):
    (folder / "vessel.yml").write_text("active_dof: [1, 1, 1, 0, 1, 1]\n")
    assert list(remarks(load(without(folder, "K_p", "K_pd")))) == []


def test_a_matrix_of_three_degrees_of_freedom_may_have_other_zeros(folder):
    (folder / "vessel.yml").write_text("active_dof: [1, 1, 0, 0, 0, 1]\n")
    rows = [[700, *[0] * 5], [0, 700, *[0] * 4], *[[0] * 6] * 3, [*[0] * 5, 700]]
    (folder / "inertia.yml").write_text(f"mass: 700\ninertia_matrix: {rows}\n")
    keys = ("Z_wd", "K_pd", "M_qd", "Z_w", "K_p", "M_q", "restoring")
    assert list(remarks(load(without(folder, *keys)))) == []


def test_a_hull_with_cg_above_cb_gives_a_warning(folder):
    geometry = folder / "geometry.yml"
    geometry.write_text(geometry.read_text() + "CG: {position: [0, 0, -0.1]}\n")
    falls, ends = remarks(load(without(folder, "restoring")))
    assert falls.startswith("no righting moment in roll, pitch: CG lies above CB")
    assert ends.startswith("at full thrust, rudder amidships, its model fails: ")
    assert "tumbles" in ends


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ("0.7", ["az_1 turns by 0.7 degrees at most: angle_max is in degrees"]),
        *(("40", []), ("0.01", [])),
    ],
)
def test_an_angle_given_in_radians_is_reported(limit, expected, folder):
    thrusters = folder / "thrusters.yml"
    thrusters.write_text(thrusters.read_text().replace("angle_max: 45", f"angle_max: {limit}"))
    assert [warning for warning in remarks(load(folder)) if warning.startswith("az_1")] == expected


def test_a_vessel_that_may_capsize_about_one_axis_only_is_reported(folder):
    geometry = folder / "geometry.yml"
    geometry.write_text(geometry.read_text() + "CG: {position: [0, 0, -0.1]}\n")
    (folder / "vessel.yml").write_text("active_dof: [1, 1, 1, 0, 1, 1]\n")
    falls, *_ = remarks(load(without(folder, "restoring")))
    assert falls.startswith("no righting moment in pitch: CG lies above CB")


def test_show_prints_available_figures_of_a_vessel_that_tumbles(folder, capsys):
    without(folder, "restoring", "M_q", "Z_w")
    assert main(["show", str(folder)]) == 0
    output = capsys.readouterr().out
    assert "top speed: none, at full thrust its model fails: " in output
    assert "damping at 0 m/s" in output
    assert "turning circle" not in output


def test_tune_names_the_uncontrollable_axes_and_suggests_a_lower_thrust(folder, capsys):
    """With way on the Munk moment turns it sideways sooner than its thrusters come about."""
    assert main(["tune", str(folder)]) == 2
    errors = capsys.readouterr().err
    assert "none of the gains tried keeps its heading, linearised at 30, 60, 90 % thrust" in errors
    assert "% thrust: of 520 sets of gains" in errors
    assert "settle, but none also at the other thrusts" in errors
    assert "left alone at 90 % it goes " in errors
    skeg = "Try N_uv and Y_uv, as of a skeg (steerageway help vessel_files), or "
    assert skeg + "--thrust below 60, or gains by hand (steerageway help pid)" in errors
    assert main(["tune", str(folder), "--thrust", "30"]) == 0
    assert "yaw_pid_kp" in capsys.readouterr().out


def test_tune_of_a_weak_rudder_advises_more_of_it_and_no_less_thrust(tmp_path, capsys):
    skiff = begin("vessel", "skiff", tmp_path)
    thrusters = skiff / "thrusters.yml"
    thrusters.write_text(thrusters.read_text().replace("angle_max: 35", "angle_max: 0.01"))
    assert main(["tune", str(skiff)]) == 2
    errors = capsys.readouterr().err
    assert re.search(r": a rudder of 100 % turns it \S+ degrees at most: expected 30\. Try", errors)
    assert errors.endswith("Try a larger rudder, or --thrust above 60\n")


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        (["--method", "lqr"], "--method: expected --controller dp, pose, velocity; not pid"),
        (["--bandwidth", "1"], "--bandwidth: expected --controller dp, pose, velocity; not pid"),
        (["--controller", "dp", "--thrust", "30"], "--thrust: expected --controller pid; not dp"),
        (["--controller", "pose", "--json"], "--json: expected --controller pid; not pose"),
    ],
)
def test_tune_refuses_an_option_that_its_controller_does_not_use(option, reason, capsys):
    assert main(["tune", str(INPUTS / "otter"), *option]) == 2
    assert reason in capsys.readouterr().err


def test_tune_says_that_the_elevator_is_too_weak_for_a_dive(capsys):
    """At the surface, npsauv's model floats up: 13 degrees of elevator hold it 0.46 m deeper."""
    assert main(["tune", str(INPUTS / "npsauv")]) == 2
    errors = capsys.readouterr().err
    assert (
        "an elevator of 13 degrees takes it 0.46 m deeper at most at 60 % thrust: expected 0.5"
        in errors
    )
    assert "Try larger fins, more speed" in errors


def test_a_thrust_that_leaves_no_more_for_the_trial_is_refused(folder, capsys):
    assert main(["tune", str(folder), "--thrust", "70"]) == 2
    assert "--thrust 70: expected a number above 0, 66.67 at most" in capsys.readouterr().err


def test_full_thrust_beyond_the_envelope_is_reported():
    (warning,) = remarks(load(INPUTS / "supply"))
    assert "at full thrust, rudder amidships, it leaves its envelope: speed 2" in warning
    assert "outside -3 to 3" in warning


def test_added_mass_of_another_order_of_magnitude_is_reported():
    heavy = load(INPUTS / "otter", overrides={"hydrodynamics.X_ud": -6e9})
    assert any("added mass in surge is more than 20 times" in warning for warning in remarks(heavy))


def test_full_rudder_beyond_the_envelope_is_reported_if_full_thrust_is_not():
    (warning,) = remarks(load(INPUTS / "clarke83"))
    assert warning.startswith("at full thrust and full rudder, its model fails: ")
    assert "outside the envelope of its data, drift angle" in warning


def test_sails_without_wind_are_not_thrusters_out_of_the_water():
    (warning,) = remarks(load(INPUTS / "dinghy"))
    assert warning == "no propulsion in calm air, but by sails"


def test_full_thrust_astern_is_reported_for_a_model_of_motion_ahead():
    (warning,) = remarks(load(INPUTS / "tanker"))
    assert warning.startswith("at full thrust astern, it leaves its envelope: speed -")


def test_hydras_file_of_another_vessel_is_reported(capsys):
    assert main(["check", str(INPUTS / "mavymini")]) == 0
    output = capsys.readouterr().out
    assert "hydra_file: of another vessel: a hull of 7.514e+09 kg, where this one displa" in output
    assert "m long, where length is 1" in output
    assert main(["check", str(INPUTS / "sookshma")]) == 0
    assert "of another vessel" not in capsys.readouterr().out


def test_show_reports_warnings_too(capsys):
    assert main(["show", str(INPUTS / "supply")]) == 0
    output = capsys.readouterr().out
    assert "warning: " in output
    assert "at full thrust, rudder amidships, it leaves its envelope: speed 20.7 m/s" in output


def test_a_keel_on_the_bottom_of_the_files_own_water_is_reported():
    aground = load(INPUTS / "tanker", overrides={"hydrodynamics.water_depth": 18})
    assert "aground at the start: water_depth 18 m, draught 18.46 m" in list(remarks(aground))
    shallow = load(INPUTS / "osv", overrides={"vessel.water_depth": 5.5})
    assert any(
        warning.startswith("at the start, depth 5.5 m, less") for warning in remarks(shallow)
    )
