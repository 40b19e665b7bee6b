"""A URDF with the UUV Simulator's plugins becomes a vessel's folder that is the same vessel."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

from steerageway.vessel.__main__ import main
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load, mistakes_of
from steerageway.vessel.tools.place import folder_of
from steerageway.vessel.tools.urdf import imported

MODEL = json.loads(
    (Path(__file__).parents[2] / "reference" / "uuv" / "rexrov_cases.json").read_text()
)["model"]
# of RexROV's thrusters: place and roll, pitch, yaw [deg], x forward, y port, z up
PLACES = (
    (-0.890895, 0.334385, 0.528822, 0, -74.53, -53.21),
    (-0.890895, -0.334385, 0.528822, 0, -74.53, 53.21),
    (0.890895, 0.334385, 0.528822, 0, -105.47, 53.21),
    (0.890895, -0.334385, 0.528822, 0, -105.47, -53.21),
    (-0.412125, 0.505415, 0.129, 0, 0, 45),
    (-0.412125, -0.505415, 0.129, 0, 0, -45),
    (0.412125, 0.505415, 0.129, 0, 0, 135),
    (0.412125, -0.505415, 0.129, 0, 0, -135),
)
FIRST_ORDER = "<dynamics><type>FirstOrder</type><timeConstant>0.05</timeConstant></dynamics>"
BASIC = "<conversion><type>Basic</type><rotorConstant>0.00031</rotorConstant></conversion>"


def words(values):
    return " ".join(repr(float(value)) for value in np.ravel(values))


def joint(name, xyz, rpy, parent="rexrov/base_link", axis="1 0 0", more=""):
    return f"""
  <joint name="{name}_joint" type="continuous">
    <origin xyz="{words(xyz)}" rpy="{words(rpy)}"/>
    <axis xyz="{axis}"/>
    <parent link="{parent}"/>
    <child link="{name}"/>{more}
  </joint>"""


def thruster(i, dynamics=FIRST_ORDER, conversion=BASIC, more=""):
    *xyz, roll, pitch, yaw = PLACES[i]
    return (
        joint(f"thruster_{i}", xyz, np.radians((roll, pitch, yaw)))
        + f"""
  <gazebo>
    <plugin name="{i}_thruster_model" filename="libuuv_thruster_ros_plugin.so">
      <linkName>thruster_{i}</linkName>
      <jointName>thruster_{i}_joint</jointName>
      <thrusterID>{i}</thrusterID>
      <gain>1</gain>
      <clampMax>2540</clampMax><clampMin>-2540</clampMin>
      <thrustMin>0</thrustMin><thrustMax>0</thrustMax>
      <thrust_efficiency>1</thrust_efficiency>
      <propeller_efficiency>1</propeller_efficiency>
      {dynamics}{conversion}{more}
    </plugin>
  </gazebo>"""
    )


def robot(parts, hydrodynamics="", volume="<volume>1.83826</volume>"):
    # as the figures of the URDF have them: matrices of BODY, the rest with y port and z up
    given = f"""
          <type>fossen</type>
          <added_mass>{words(MODEL["MA_frd_symmetrised"])}</added_mass>
          <linear_damping>{words(-np.array(MODEL["D_linear"]))}</linear_damping>
          <quadratic_damping>{words(-np.array(MODEL["D_quadratic"]))}</quadratic_damping>"""
    return f"""<?xml version="1.0"?>
<robot name="rexrov">
  <link name="rexrov/base_link">
    <inertial>
      <mass value="1862.87"/>
      <origin xyz="0 0 0" rpy="0 0 0"/>
      <inertia ixx="525.39" ixy="1.44" ixz="33.41" iyy="794.2" iyz="2.6" izz="691.23"/>
    </inertial>
  </link>
  <gazebo>
    <plugin name="uuv_plugin" filename="libuuv_underwater_object_ros_plugin.so">
      <fluid_density>1028.0</fluid_density>
      <link name="rexrov/base_link">
        <neutrally_buoyant>0</neutrally_buoyant>
        {volume}
        <box><width>1.5</width><length>2.6</length><height>1.6</height></box>
        <center_of_buoyancy>0.0 0.0 0.3</center_of_buoyancy>
        <hydrodynamic_model>{hydrodynamics or given}
        </hydrodynamic_model>
      </link>
    </plugin>
  </gazebo>{"".join(parts)}
</robot>
"""


@pytest.fixture
def bring(tmp_path):
    """Return ``bring(text) -> folder``: write a URDF, and import it."""

    def brought(text):
        (tmp_path / "robot.urdf").write_text(text)
        folder = tmp_path / "vessel"
        assert main(["import", str(tmp_path / "robot.urdf"), "--output", str(folder)]) == 0
        return folder

    return brought


@pytest.mark.slow
def test_rexrov_is_imported_like_the_bundled_one(bring, capsys):
    folder = bring(robot([thruster(i) for i in range(8)]))
    assert "thrusters.yml" in capsys.readouterr().out
    assert mistakes_of(folder) == []
    ours, reference = load(folder_of("rexrov")), load(folder)
    around, rng = ours.surroundings((0.2, -0.1, 0.0)), np.random.default_rng(5)
    for _ in range(10):
        x = ours.initial.copy()
        x[:12] = [0, 0, 20, *rng.uniform(-0.5, 0.5, 9)]
        x[12:] = rng.uniform(-900, 900, 8)
        command = rng.uniform(-3000, 3000, 8)
        expected = ours.derivative(x, command, around)
        np.testing.assert_allclose(
            reference.derivative(x, command, around), expected, rtol=1e-9, atol=1e-9
        )


def test_every_kind_of_rotor_conversion_and_fin_is_read(bring):
    bessa = (
        "<dynamics><type>Bessa</type><Jmsp>0.02</Jmsp><Kv1>0.02</Kv1><Kv2>0.001</Kv2><Kt>0.3</Kt>"
        "<Rm>0.5</Rm></dynamics>"
    )
    table = (
        "<conversion><type>LinearInterp</type><inputValues>-5 0 5</inputValues>"
        "<outputValues>-9 0 10</outputValues></conversion>"
    )
    dead = (
        "<conversion><type>Bessa</type><rotorConstantL>0.001</rotorConstantL>"
        "<rotorConstantR>0.002</rotorConstantR><deltaL>-50</deltaL><deltaR>25</deltaR></conversion>"
    )
    yoerger = "<dynamics><type>Yoerger</type><alpha>0.05</alpha><beta>25</beta></dynamics>"
    fin = joint("arm", (-1, 0, 0), (0, 0, 0.5)) + joint(
        "fin0", (0.2, 0, 0), (0.3, 0, 0), "arm", "0 0 1", '<limit lower="-0.5" upper="0.5"/>'
    )
    fin += """
  <gazebo><plugin name="fin0_model" filename="libuuv_fin_ros_plugin.so">
    <dynamics><type>FirstOrder</type><timeConstant>0.2</timeConstant></dynamics>
    <liftdrag><type>TwoLines</type><area>0.05</area><fluid_density>1028</fluid_density>
      <a0>0.1</a0><alpha_stall>0.26</alpha_stall><cla>4</cla><cla_stall>-1.2</cla_stall>
      <cda>0.3</cda><cda_stall>1.1</cda_stall></liftdrag>
    <fin_id>0</fin_id><link_name>fin0</link_name><joint_name>fin0_joint</joint_name>
  </plugin></gazebo>"""
    zero = "<dynamics><type>ZeroOrder</type></dynamics>"
    folder = bring(
        robot([thruster(0, bessa, table), thruster(1, yoerger, dead), thruster(2, zero), fin])
    )
    assert mistakes_of(folder) == []
    read = yaml.safe_load((folder / "thrusters.yml").read_text())["thrusters"]
    assert [one["rotor"]["type"] for one in read] == ["bessa", "yoerger", "zero_order"]
    assert read[0]["conversion"]["table"] == [[-5, -9], [0, 0], [5, 10]]
    (fin,) = yaml.safe_load((folder / "control_surfaces.yml").read_text())["control_surfaces"]
    along = 0.2 * np.array((np.cos(0.5), np.sin(0.5)))
    assert fin["control_surface_location"] == pytest.approx([-1 + along[0], -along[1], 0.0])
    assert fin["control_surface_delta_max"] == pytest.approx(np.degrees(0.5))
    assert fin["control_surface_lift_drag"]["a0"] == 0.1


def test_full_matrices_become_the_coefficients_names(tmp_path):
    full = np.zeros((6, 6))
    full[1, 5] = -7.0
    given = "".join(
        f"<{name}>{words(full)}</{name}>"
        for name in ("linear_damping", "linear_damping_forward_speed", "quadratic_damping")
    )
    (tmp_path / "a.urdf").write_text(robot([], f"<type>fossen</type>{given}"))
    found = imported(tmp_path / "a.urdf")
    named = {k: v for k, v in found.files["hydrodynamics"].items() if k[0] in "XYZKMN"}
    assert named == {"Y_r": -7.0, "Y_ur": -7.0, "Y_av_r": -7.0}
    assert "no thruster: no plugin has a <conversion>" in found.remarks


RHO = 1028.0


def of_form(tmp_path, text):
    """Return the diagonals of added mass and quadratic drag of a form, and the warnings."""
    (tmp_path / "a.urdf").write_text(robot([thruster(0)], text))
    found = imported(tmp_path / "a.urdf")
    keys = found.files["hydrodynamics"]
    names = ("X_au_u", "Y_av_v", "Z_aw_w", "K_ap_p", "M_aq_q", "N_ar_r")
    added = np.diag(found.files["inertia"]["added_mass_matrix"])
    return added, np.array([keys.get(name, 0.0) for name in names]), " ".join(found.remarks)


def test_a_sphere_has_half_its_waters_mass_and_a_spheres_drag(tmp_path):
    added, drag, _ = of_form(tmp_path, "<type>sphere</type><radius>0.5</radius>")
    displaced = RHO * 4 / 3 * np.pi * 0.125
    assert added == pytest.approx([displaced / 2] * 3 + [0] * 3)
    assert drag == pytest.approx([-0.5 * RHO * 0.5 * np.pi * 0.25] * 3 + [0] * 3)


@pytest.mark.parametrize(("axis", "along"), [("i", 0), ("k", 2)])
def test_a_cylinder_weighs_its_water_sideways_and_a_disc_along(tmp_path, axis, along):
    text = f"<type>cylinder</type><radius>0.1</radius><length>2</length><axis>{axis}</axis>"
    added, drag, warnings = of_form(tmp_path, text)
    across = [i for i in range(3) if i != along]
    assert added[across] == pytest.approx([RHO * np.pi * 0.01 * 2] * 2)
    assert added[along] == pytest.approx(RHO * 8 / 3 * 0.001)
    assert added[[3 + i for i in across]] == pytest.approx([RHO * np.pi * 0.01 * 8 / 12] * 2)
    assert added[3 + along] == 0.0
    assert drag[across] == pytest.approx([-0.5 * RHO * 0.82 * 0.2 * 2] * 2)
    assert drag[along] == pytest.approx(-0.5 * RHO * 0.99 * np.pi * 0.01)
    assert "as of a disc" in warnings


def test_a_spheroid_has_lambs_added_mass_which_nears_a_spheres(tmp_path):
    """Where a = 2 b, Lamb's table has k1 = 0.209, k2 = 0.702, k' = 0.240."""
    text = "<type>spheroid</type><radius>{}</radius><length>{}</length>"
    added, drag, warnings = of_form(tmp_path, text.format(0.5, 2.0))
    mass = RHO * 4 / 3 * np.pi * 0.25
    inertia = mass * (1.0 + 0.25) / 5
    expected = np.array([0.209, 0.702, 0.702, 0, 0.240, 0.240]) * [*[mass] * 3, *[inertia] * 3]
    assert added == pytest.approx(expected, rel=6e-3)
    assert not drag.any()
    assert "no drag of its own" in warnings
    near, _, _ = of_form(tmp_path, text.format(0.5, 1.002))
    assert near[:3] == pytest.approx([RHO * 2 / 3 * np.pi * 0.125] * 3, rel=1e-2)


def test_a_box_has_the_drag_of_its_faces_and_keeps_additional_damping(tmp_path):
    linear = "<linear_damping>-1 -2 -3 -4 -5 -6</linear_damping>"
    _, drag, warnings = of_form(tmp_path, f"<type>box</type><cd>0.8</cd>{linear}")
    assert drag[:3] == pytest.approx([-0.4 * RHO * a for a in (1.5 * 1.6, 2.6 * 1.6, 2.6 * 1.5)])
    assert imported(tmp_path / "a.urdf").files["hydrodynamics"]["M_q"] == -5.0
    assert "no added mass" in warnings


@pytest.mark.slow
def test_the_folder_of_a_cylinder_is_a_valid_vessel(bring):
    text = "<type>cylinder</type><radius>0.7</radius><length>2.6</length>"
    folder = bring(robot([thruster(i) for i in range(8)], text))
    assert mistakes_of(folder) == []
    vessel = load(folder)
    x = vessel.initial.copy()
    x[6] = 1.0
    x[2] = 20.0
    assert vessel.derivative(x, np.zeros(8), vessel.surroundings())[6] < 0.0


def test_omissions_and_assumptions_are_reported(tmp_path):
    more = (
        thruster(0)
        .replace("2540", "0")
        .replace(
            "<thrust_efficiency>1</thrust_efficiency>", "<thrust_efficiency>1.5</thrust_efficiency>"
        )
    )
    (tmp_path / "a.urdf").write_text(robot([more]))
    warnings = imported(tmp_path / "a.urdf").remarks
    assert any("no clamp" in one for one in warnings)
    assert any("thrust_efficiency 1.5" in one for one in warnings)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("FirstOrder", "SecondOrder"), "<type> one of ZeroOrder, FirstOrder, Yoerger, Bessa"),
        (("0.05</time", "fast</time"), "<timeConstant> = fast: expected 1 finite number"),
        (("<jointName>thruster_0_joint", "<jointName>nothing"), "the name of a joint"),
        (('parent link="rexrov/base_link"', 'parent link="moon"'), "it ends at moon"),
        (('mass value="1862.87"', 'mass value="0"'), "<mass value=> above zero"),
        (("<volume>1.83826</volume>", ""), "<volume> above zero"),
        (("<type>fossen</type>", "<type>ball</type>"), "<type> one of fossen, sphere, cylinder"),
        (
            ("<type>fossen</type>", "<type>sphere</type><radius>-1</radius>"),
            "<radius> above zero in it",
        ),
        (
            ("<type>fossen</type>", "<type>cylinder</type><axis>x</axis>"),
            "<axis> one of i, j, k in it",
        ),
        (
            ("<type>fossen</type>", "<type>spheroid</type><radius>2</radius>"),
            "<length> above twice <radius>",
        ),
        (("<box>", "<ball>"), "not XML"),
        (('<robot name="rexrov">', '<robot name="${name}">'), "a file that xacro has expanded"),
        (('<?xml version="1.0"?>', "<!DOCTYPE r [<!ENTITY a 'b'>]>"), "no document type"),
        (("<clampMin>-2540", "<clampMin>100"), "clampMin at most 0"),
        (('axis xyz="1 0 0"', 'axis xyz="0 0 0"'), "an axis that is not zero"),
        (('rpy="0 0 0"', 'rpy="0 0"'), "expected 3 finite numbers"),
    ],
)
def test_invalid_files_are_reported_with_place_and_expected_form(
    change, expected, tmp_path, capsys
):
    file = tmp_path / "robot.urdf"
    text = robot([thruster(0)])
    assert change[0] in text
    file.write_text(text.replace(*change))
    assert main(["import", str(file), "--output", str(tmp_path / "out")]) == 2
    errors = capsys.readouterr().err
    assert expected in errors
    assert f"{file}:" in errors
    assert not (tmp_path / "out").exists()


def test_no_folder_is_written_over(bring, tmp_path, capsys):
    bring(robot([thruster(0)]))
    again = ["import", str(tmp_path / "robot.urdf"), "--output", str(tmp_path / "vessel")]
    assert main(again) == 2
    assert "it exists already" in capsys.readouterr().err


def test_no_such_file(tmp_path):
    with pytest.raises(InvalidValue, match="no such file"):
        imported(tmp_path / "nothing.urdf")


def test_a_xacro_file_is_expanded_where_xacrodoc_is(tmp_path, capsys):
    pytest.importorskip("xacrodoc")
    text = robot("".join(thruster(i) for i in range(2)))
    space = ' xmlns:xacro="http://www.ros.org/wiki/xacro">'
    plain, turned = text.replace('name="rexrov">', 'name="rexrov">', 1), text
    turned = turned.replace(
        '<robot name="rexrov">',
        f'<robot name="rexrov"{space}<xacro:property name="volume" value="${{0.91913 * 2}}"/>',
    ).replace("<volume>1.83826</volume>", "<volume>${volume}</volume>")
    for name, content in (("plain.urdf", plain), ("turned.xacro", turned)):
        (tmp_path / name).write_text(content)
        assert main(["import", str(tmp_path / name), "--output", str(tmp_path / name[:5])]) == 0
    for file in (tmp_path / "plain").iterdir():
        there = tmp_path / "turne" / file.name
        assert file.read_text().replace("plain.urdf", "") == there.read_text().replace(
            "turned.xacro", ""
        )


def test_without_xacrodoc_a_xacro_file_explains_the_alternative(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "xacrodoc", None)
    (tmp_path / "robot.xacro").write_text(robot(""))
    assert main(["import", str(tmp_path / "robot.xacro")]) == 2
    assert "pip install 'steerageway[xacro]'" in capsys.readouterr().err


def test_errors_of_xacro_give_no_traceback(tmp_path, capsys):
    pytest.importorskip("xacrodoc")
    text = robot("").replace("<volume>1.83826</volume>", "<volume>${none_such}</volume>")
    (tmp_path / "robot.xacro").write_text(text)
    assert main(["import", str(tmp_path / "robot.xacro")]) == 2
    assert "robot.xacro: xacro: " in capsys.readouterr().err
