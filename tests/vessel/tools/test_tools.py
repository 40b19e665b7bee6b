"""``python -m vessel`` on the bundled vessels: its output is correct."""

import json
import re
import shutil
import subprocess
import sys
from math import degrees

import numpy as np
import pytest

from steerageway.vessel.__main__ import main
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.pid import Gains, PidEngine, PidParameters
from steerageway.vessel.tools.energy import free, kinetic_energy, momentum
from steerageway.vessel.tools.inertia import inertia_of, mass_of
from steerageway.vessel.tools.linear import cross_flow_coefficients, damping, natural_periods
from steerageway.vessel.tools.place import SHIPPED, folder_of
from steerageway.vessel.tools.trials import full_ahead, turning_circle, zigzag
from steerageway.vessel.tools.tune import tune
from steerageway.world import shapes
from steerageway.world.mesh import Mesh

REFERENCE = SHIPPED.parent / "tests" / "reference" / "vessels"

pytestmark = pytest.mark.slow  # they compile


@pytest.fixture(scope="module")
def otter():
    return load(folder_of("otter"))


def test_the_otter_makes_six_knots_as_designed(otter):
    assert full_ahead(otter, orders_of(otter))[6] == pytest.approx(6 * 0.5144, rel=1e-3)


def test_a_steady_circle_is_as_wide_as_speed_over_rate(otter):
    orders = orders_of(otter)
    circle = turning_circle(otter, orders, full_ahead(otter, orders))
    assert circle.radius == pytest.approx(circle.speed / circle.rate)
    assert circle.tactical_diameter == pytest.approx(2 * circle.radius, rel=0.1)
    assert 0 < circle.transfer < circle.tactical_diameter


def test_the_mariner_overshoots_in_a_zigzag_as_published():
    """7.8 and 6.3 degrees in 20/20, in a converged run of MSS's ``mariner.m``."""
    mariner = load(folder_of("mariner"), peer_compat="mss")
    orders = orders_of(mariner)
    found = zigzag(mariner, orders, full_ahead(mariner, orders), 20.0)
    assert found == pytest.approx((7.8, 6.3), abs=0.05)


def test_a_vessel_that_swings_round_has_no_zigzag(otter, capsys):
    """At full thrust the Otter goes off faster than a tenth of its rudder holds it."""
    orders = orders_of(otter)
    assert zigzag(otter, orders, full_ahead(otter, orders), 10.0) is None
    assert main(["show", "otter"]) == 0
    assert "zig-zag 10/10: none, the rudder, reversed, does not" in capsys.readouterr().out


def test_heave_has_the_period_of_a_floating_body(otter):
    M = mass_of(otter).M
    pontoons = 2 * 0.75 * 2.0 * 0.25
    period = 2 * np.pi * np.sqrt(M[2, 2] / (1025 * 9.81 * pontoons))
    assert natural_periods(otter)["heave"] == pytest.approx(period, rel=1e-6)
    assert period == pytest.approx(0.841, abs=1e-3)


def test_damping_is_that_of_the_files(otter):
    D = damping(otter, 1.0)
    assert D[0, 0] == pytest.approx(24.4 * 9.81 / (6 * 0.5144), rel=1e-6)
    assert D[1, 1] == pytest.approx(mass_of(otter).M[1, 1], rel=1e-5)  # a time constant of 1 s


def test_a_free_body_keeps_energy_and_momentum(otter):
    body, M = free(otter), mass_of(otter).M
    x = np.concatenate((np.zeros(6), [0.5, 0.3, -0.2, 0.4, -0.3, 0.6], [50.0, -50.0]))
    after = body.step(x, [50.0, -50.0], body.surroundings(), 0.02, steps=750)
    assert kinetic_energy(M, after) == pytest.approx(kinetic_energy(M, x), rel=1e-6)
    np.testing.assert_allclose(momentum(M, after), momentum(M, x), atol=1e-4)


def test_show_prints_everything_about_a_vessel(capsys):
    assert main(["show", "otter"]) == 0
    output = capsys.readouterr().out
    for words in ("top speed: 3.086 m/s", "M_RB", "M_A", "damping at 0 m/s", "damping at 3.086 m/s",
                  "heave 0.8407 s", "eigenvalues", "turning circle at full rudder",
                  "zig-zag 20/20: overshoots of "):  # fmt: skip
        assert words in output


def test_cross_flow_drag_is_shown_as_coefficients(capsys):
    """For sections alike N_r_ar is Y_v_av L^3 / 32; of type auv heave and pitch have theirs."""
    assert main(["show", "otter"]) == 0
    (output,) = re.findall(r"cross-flow drag as coefficients.*", capsys.readouterr().out)
    found = cross_flow_coefficients(load(SHIPPED / "otter"))
    assert set(found) == {"Y_v_av", "N_r_ar"}
    assert all(f"{name} {value:.4g}" in output for name, value in found.items())
    assert found["N_r_ar"] / found["Y_v_av"] == pytest.approx(2.0**3 / 32)
    diving = cross_flow_coefficients(load(SHIPPED / "otter", overrides={"vessel.type": "auv"}))
    assert diving["Z_w_aw"] == pytest.approx(found["Y_v_av"])
    assert set(diving) == {*found, "Z_w_aw", "M_q_aq"}
    overrides = {"vessel.type": "auv", "hydrodynamics.cross_flow.submerged": "false"}
    assert set(cross_flow_coefficients(load(SHIPPED / "otter", overrides=overrides))) == set(found)
    assert cross_flow_coefficients(load(SHIPPED / "tito_neri")) == {}


def test_a_reader_that_has_seen_enough_gets_no_traceback():
    command = f"{sys.executable} -m vessel show otter | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=SHIPPED.parent)
    assert done.stdout.startswith("otter: ")
    assert done.stderr == ""


def test_energy_prints_the_drift_of_both_schemes(capsys):
    assert main(["energy", "otter", "--hz", "50"]) == 0
    runge_kutta, euler, _ = capsys.readouterr().out.splitlines()
    drifts = [float(re.search(r"([+-]\S+) of it; mom", line)[1]) for line in (runge_kutta, euler)]
    assert abs(drifts[0]) < 1e-6 < abs(drifts[1])


def test_a_published_model_with_separate_mass_keeps_energy_and_momentum(capsys):
    assert main(["energy", "osv", "--hz", "50"]) == 0
    runge_kutta, euler, _ = capsys.readouterr().out.splitlines()
    assert all(abs(float(drift)) < 1e-6 for drift in re.findall(r"(\S+) of it", runge_kutta))
    assert abs(float(re.search(r"([+-]\S+) of it; mom", euler)[1])) > 1e-6
    M = inertia_of(load(folder_of("semisub")))
    assert M[0, 0] == pytest.approx(2.7e7 + 1.7e7)  # of its two matrices
    assert main(["energy", "semisub"]) == 0
    assert capsys.readouterr().out.endswith("momentum is not kept\n")


def test_energy_names_the_schemes_that_diverge(capsys):
    """Mavymini's added mass, in millimetres, makes Euler's steps grow without end."""
    assert main(["energy", "mavymini", "--hz", "50", "--start", "0.3,0.08,0.05"]) == 0
    runge_kutta, euler, _ = capsys.readouterr().out.splitlines()
    assert "momentum off by" in runge_kutta
    assert "Euler, the peers' order at 50 Hz: runs away within 15 s" in euler


def test_euler_gains_energy_at_2_hz_but_not_at_200_and_damping_dissipates_more(capsys, tmp_path):
    """TurtleBoat's own check, from the start of its runs, and from one that turns faster."""
    picture = tmp_path / "energy.png"
    assert main(["energy", "tito_neri", "--hz", "2,20,200", "--plot", str(picture)]) == 0
    output = capsys.readouterr().out
    gains = [float(gain) for gain in re.findall(r"Euler.* J, (\S+) of it;", output)]
    recorded = json.loads((REFERENCE / "tb_energy.json").read_text())["results"]
    planar = {row["hz"]: row for row in recorded if row["case"] == "peer M, surge-sway-yaw"}
    assert gains == pytest.approx([planar[hz]["rel_change"] for hz in (2, 20, 200)], rel=5e-3)
    assert "damped as it is, at 200 Hz: -0.99 of its energy" in output
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main(["energy", "tito_neri", "--hz", "2", "--start", "0.5,0.2,1"]) == 0
    assert float(re.search(r"Euler.* J, (\S+) of it;", capsys.readouterr().out)[1]) > 100


def test_energy_names_the_files_that_omit_coriolis_terms(capsys):
    assert main(["energy", "remus100"]) == 0
    assert capsys.readouterr().out.endswith("momentum is not kept\n")


def test_a_circle_beyond_the_model_is_reported_as_invalid(capsys):
    assert main(["show", "container"]) == 0
    output = capsys.readouterr().out
    assert "turning circle: none, at full thrust and rudder its model fails" in output
    assert "by acceleration per displacement" in output
    assert output.count("-d(nu_dot)/d(nu) at ") == 3


def test_a_misspelt_user_folder_is_reported_with_the_nearest_one(tmp_path):
    (tmp_path / "mission").mkdir()
    shutil.copytree(SHIPPED / "otter", tmp_path / "catamaran")
    with pytest.raises(InvalidValue) as error:
        folder_of("../catamarn", (tmp_path / "mission",))
    expected = f"../catamarn: no such vessel in {tmp_path}; did you mean catamaran?"
    assert str(error.value) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["energy", "otter", "--hz", "0"], "--hz 0: expected numbers above zero"),
        (["energy", "otter", "--start", "1,2"], "--start 1,2: expected u,v,w,p,q,r or u,v,r"),
        (["energy", "mariner"], "X_rv, Y_r and N_r hold Coriolis forces and damping together"),
        (["show", "oter"], "/inputs; did you mean otter?"),
        (["check", "tests"], "mass is missing"),
        (["tune", "mavymini"], "mavymini: at rest, with nothing that drives it ahead"),
        (["tune", "otter", "--vessel-file", "two.yml"], "two.yml: expected FILE=PATH"),
        (["tune", "otter", "--vessel-file", "engine=two.yml"], "two.yml: expected one of"),
        (["tune", "otter", "--vessel-file", "thrusters=no.yml"], "thrusters = no.yml: expected a"),
    ],
)
def test_impossible_requests_are_reported_with_exit_code_2(arguments, expected, capsys):
    assert main(arguments) == 2
    assert expected in capsys.readouterr().err


def test_check_names_file_line_key_and_value(tmp_path, capsys):
    for path in folder_of("otter").glob("*.yml"):
        (tmp_path / path.name).write_text(path.read_text())
    assert main(["check", str(tmp_path)]) == 0
    assert "no errors" in capsys.readouterr().out
    inertia = tmp_path / "inertia.yml"
    inertia.write_text(re.sub(r"^mass: .*$", "mass: -55", inertia.read_text(), flags=re.M))
    assert main(["check", str(tmp_path)]) == 2
    assert re.search(r"inertia\.yml:\d+: mass = -55: expected a number", capsys.readouterr().err)


def test_check_names_the_open_edge_of_a_hull(tmp_path, capsys):
    folder = shutil.copytree(folder_of("box_barge"), tmp_path / "barge")
    box = shapes.box(4.0, 2.0, 1.0)
    shapes.write_stl(Mesh(box.vertices, box.triangles[1:]), folder / "box.stl")
    assert main(["check", str(folder)]) == 2
    captured = capsys.readouterr()
    assert "box.stl: triangle" in captured.out + captured.err
    assert "belongs to one triangle alone, as 3 edges do: expected a closed body" in (
        captured.out + captured.err
    )


def test_check_reports_every_mistake_of_a_folder_at_once(tmp_path, capsys):
    for path in folder_of("otter").glob("*.yml"):
        (tmp_path / path.name).write_text(path.read_text())

    def edit(name, pattern, text):
        path = tmp_path / f"{name}.yml"
        changed = re.sub(pattern, text, path.read_text(), count=1, flags=re.M)
        assert changed != path.read_text()
        path.write_text(changed)

    edit("inertia", r"^mass: .*$", "mass: heavy")
    edit("hydrodynamics", r"^dim_flag: .*$", "dim_flag: maybe")
    edit("hydrodynamics", r"\Z", "\nX_uu_: 1\nfadding: [X_u]\n")
    edit("geometry", r"^length: .*$", "length: -2")
    edit("thrusters", r"n_max: 103", "n_maxx: 103")
    edit("initial_conditions", r"\A", "start_location: [0, 0\n")
    assert main(["check", str(tmp_path)]) == 2
    errors = capsys.readouterr().err.splitlines()
    for mistake in (
        r"inertia\.yml:\d+: mass = heavy: expected a number",
        r"hydrodynamics\.yml:\d+: dim_flag = maybe: expected true or false",
        r"hydrodynamics\.yml:\d+: X_uu_: unknown key",
        r"hydrodynamics\.yml:\d+: fadding: unknown key; did you mean fading",
        r"geometry\.yml:\d+: length = -2: expected a number above 0",
        r"n_max is missing: expected a number",
        r"n_maxx: unknown key; did you mean n_max",
        r"initial_conditions\.yml:\d+: not YAML",
    ):
        assert [bool(re.search(mistake, line)) for line in errors].count(True) == 1, (
            mistake,
            errors,
        )
    assert len(errors) == 8


def test_check_reads_guidance_control_and_names_of_files_too(tmp_path, capsys):
    for path in folder_of("sookshma").glob("*.yml"):
        (tmp_path / path.name).write_text(path.read_text())
    shutil.copytree(folder_of("sookshma") / "HydRA", tmp_path / "HydRA")
    assert main(["check", str(tmp_path)]) == 0
    (tmp_path / "control.yml").write_text("controler_type: pid\nrudder_angle: 3\n")
    (tmp_path / "guidance.yml").write_text("waypoints: [[1, 2]]\nacceptance_radius: -1\n")
    (tmp_path / "thruster.yml").write_text("thrusters: []\n")
    (tmp_path / "waypoints.yml").write_text("")
    assert main(["check", str(tmp_path)]) == 2
    errors = capsys.readouterr().err
    for mistake in (
        r"control\.yml:1: controler_type: unknown key; did you mean controller_type",
        r"control\.yml:2: rudder_angle: unknown key",
        r"guidance\.yml:1: waypoints = a list: expected 3 numbers",
        r"guidance\.yml:2: acceptance_radius = -1: expected a number at least 0",
        r"thruster\.yml: not read; did you mean thrusters\.yml",
    ):
        assert re.search(mistake, errors)
    assert len(errors.splitlines()) == 5


def test_check_reads_the_deviations_of_a_reference(tmp_path, capsys):
    for path in folder_of("otter").glob("*.yml"):
        (tmp_path / path.name).write_text(path.read_text())
    (tmp_path / "peer_compat.yml").write_text("mss:\n  thrusters:\n    n_max: 3\n")
    assert main(["check", str(tmp_path)]) == 2
    assert re.search(r"peer_compat\.yml:3: n_max: unknown key", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("sensor", "expected"),
    [
        (
            "sensor_type: GPS, publish_rat: 5",
            r"yml:2: sensors.1.publish_rate is missing: .*yml:2: sensors.1.publish_rat$",
        ),
        ("sensor_type: Compas, publish_rate: 5", r"sensors\.yml:2: .*Compas: expected compass"),
        ("sensor_type: GPS, publish_rate: 5, nois: 1", r"nois: unknown key"),
        ("sensor_type: encoder, publish_rate: 5, actuator_type: thruster, actuator_id: 9", "9"),
        ("sensor_type: GPS, publish_rate: 5", None),
        ("sensor_type: encoders, publish_rate: 5", None),
        ("sensor_type: Inclinometer, publish_rate: 5, beams: 3", None),  # a mission may have it
    ],
)
def test_check_reads_the_sensors(sensor, expected, tmp_path, capsys):
    for path in folder_of("otter").glob("*.yml"):
        (tmp_path / path.name).write_text(path.read_text())
    (tmp_path / "sensors.yml").write_text(f"sensors:\n- {{{sensor}}}\n")
    assert main(["check", str(tmp_path)]) == (2 if expected else 0)
    assert re.search(expected or "^$", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("otter", []),
        (
            "sookshma",
            [
                "no damping in heave, roll, pitch",
                "no propulsion ahead, and it loses its initial speed",
            ],
        ),
        (
            "mavymini",
            [
                "hydra_file: of another vessel: a hull of 7.514e+09 kg, where this one displaces "
                "1, and about 231 m long, where length is 1",
                "added mass in surge, sway, heave, roll, pitch, yaw is more than 20 times its "
                "mass: units, or another vessel's file?",
                "no damping in roll, pitch",
                "in one direction, damping accelerates it in surge, sway, yaw: X_uu is of u², "
                "which has one sign; did you mean X_u_au, of u|u|?",
                "without thrust it accelerates from 0.071 to 2.4 m/s in 60 s",
                "no propulsion ahead",
            ],
        ),
        ("dsrv", ["no propulsion ahead"]),
    ],
)
def test_check_reports_causes_of_a_helm_without_effect(name, expected, capsys):
    assert main(["check", name]) == 0
    _, *remarks = capsys.readouterr().out.splitlines()
    assert [warning.partition(": ")[2] for warning in remarks] == expected


def settings_in(text):
    """Return the block that ``tune`` prints, as key and value."""
    return dict(re.findall(r"^\s*(\w+)\s+= (\S+)$", text, re.M))


def engine_of(block):
    def gains(loop):
        return Gains(*(float(block.get(f"{loop}_pid_{k}", 0)) for k in ("kp", "kd")))

    return PidEngine(
        PidParameters(
            yaw=gains("yaw"),
            speed=gains("speed"),
            z_to_pitch=gains("z_to_pitch"),
            pitch=gains("pitch"),
            speed_factor=float(block.get("speed_factor", 0)),
            max_rudder=float(block.get("maxrudder", 100)),
            depth_control=block["depth_control"] == "true",
            simulation=True,
        )
    )


def steered_states(vessel, block, seconds, heading, speed, depth=0.0):
    """Return the states (ticks, 12 + n) of a vessel under the real controller."""
    engine, orders = engine_of(block), orders_of(vessel)
    tick = 1 / float(block["AppTick"])
    engine.take_control()
    track = [vessel.initial]
    for k in range(int(seconds / tick)):
        x, t = track[-1], k * tick
        for quantity, value in (
            (engine.desired_heading, heading), (engine.desired_speed, speed),
            (engine.desired_depth, depth), (engine.heading, degrees(x[5])),
            (engine.speed, float(np.hypot(x[6], x[7]))), (engine.depth, x[2]),
            (engine.pitch, x[4]),
        ):  # fmt: skip
            quantity.tell(float(value), t)
        out = engine.step(t)
        command = orders.commands(out.rudder, out.thrust, out.elevator)
        steps = round(tick / 0.025)
        track.append(vessel.step(x, command, vessel.surroundings(), tick / steps, steps=steps))
    return np.array(track)


@pytest.fixture(scope="module")
def gains(otter):
    """Return the Otter's block, found once."""
    return settings_in("\n".join(tune(otter)))


@pytest.mark.parametrize("speed", [0.8, 1.5, 2.5])
def test_the_otter_keeps_heading_and_speed_with_its_gains(otter, gains, speed):
    track = steered_states(otter, gains, 120, heading=90.0, speed=speed)
    end = track[len(track) * 3 // 4 :]
    assert np.degrees(end[:, 5]) == pytest.approx(90, abs=1)
    assert end[:, 6] == pytest.approx(speed, rel=0.03)


def kept_going(name):
    """Return a bundled vessel and its block; sookshma as if its speed were maintained."""
    vessel, text = load(SHIPPED / name), (SHIPPED / name / "marine_pid.moos").read_text()
    if name != "sookshma":
        return vessel, text
    kept = {"vessel.maintain_speed": True, "vessel.U": float(vessel.initial[6])}
    return load(SHIPPED / name, overrides=kept), text


BLOCKS = sorted(path.parent.name for path in SHIPPED.glob("*/marine_pid.moos"))


def test_every_vessel_that_anything_drives_carries_a_block():
    assert [path.name for path in sorted(SHIPPED.iterdir()) if path.name not in BLOCKS] == [
        "bluerov2",
        "bluerov2_heavy",
        "box_barge",
        "dinghy",
        "mavymini",
        "navalvessel",
        "rexrov",
        "sphere",
    ]


@pytest.mark.parametrize("name", BLOCKS)
def test_a_shipped_block_takes_its_vessel_to_heading_speed_and_depth(name):
    vessel, text = kept_going(name)
    block = settings_in(text)
    speed = float(full_ahead(vessel, orders_of(vessel), 60.0)[6])
    settling = max(float(s) for s in re.findall(r"settles in ([\d.e+]+) s", text))
    track = steered_states(vessel, block, 100 + 20 * settling, heading=30.0, speed=speed, depth=5.0)
    end = track[len(track) * 9 // 10 :]
    if "yaw_pid_kp" in block:
        assert np.degrees(end[:, 5]) == pytest.approx(30, abs=1.5)
    assert np.hypot(end[:, 6], end[:, 7]) == pytest.approx(speed, rel=0.05)
    if block["depth_control"] == "true":
        assert end[:, 2] == pytest.approx(5, abs=0.25)


@pytest.mark.parametrize("name", ["mariner", "otter", "sookshma", "tito_neri"])
def test_a_shipped_block_takes_its_vessel_round_without_swinging_past(name):
    """Sookshma's rudder needs 35 s from amidships to its stop: full rudder would let it circle."""
    vessel, text = kept_going(name)
    speed = float(full_ahead(vessel, orders_of(vessel), 60.0)[6])
    settling = max(float(s) for s in re.findall(r"settles in ([\d.e+]+) s", text))
    track = steered_states(
        vessel, settings_in(text), 60 + 15 * settling, heading=150.0, speed=speed
    )
    heading = np.degrees(track[:, 5])
    assert heading.max() < 180
    assert heading[len(heading) * 3 // 4 :] == pytest.approx(150, abs=1.5)


def test_a_vessel_is_tuned_with_a_file_of_a_mission_in_another_folder(tmp_path, capsys):
    """A quarter of the thrust: another speed at 60 %."""
    output = (SHIPPED / "otter" / "thrusters.yml").read_text()
    own = tmp_path / "weak.yml"
    own.write_text(output.replace("0.01108", "0.00277"))
    assert main(["tune", "otter", "--vessel-file", f"thrusters={own}"]) == 0
    weak = capsys.readouterr().out
    assert main(["tune", "otter"]) == 0
    printed = (weak, capsys.readouterr().out)
    speeds = [float(re.search(r"at ([\d.]+) m/s", text)[1]) for text in printed]
    assert speeds[0] < 0.7 * speeds[1]
