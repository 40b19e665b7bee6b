"""Interpretation of MOOS-IvP launch scripts: their expansions and launches, without execution."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.launch_script import Script, read_script
from tests.launcher.plans import plan

VEHICLE = """\
Community = $(VNAME)
MOOSTimeWarp = $(WARP)
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = pHelmIvP
}
ProcessConfig = pHelmIvP
{
  behaviors = targ_$(VNAME).bhv
  domain = speed:0:4:41
}
ProcessConfig = pMarineViewer
{
  button_one = DEPLOY # DEPLOY=true
  button_one = MOOS_MANUAL_OVERRIDE=false # AT=$[UTC]
  button_two = RETURN HOME # RETURN=true
}
"""
BEHAVIORS = """\
initialize DEPLOY = false, AT = 0
initialize RETURN = false
Behavior = BHV_ConstantSpeed
{
  name = cruise
  condition = DEPLOY = true
  duration = no-time-limit
  speed = $(SPD)
}
"""
ARGUMENTS = """\
for ARGI; do
    CMD_ARGS+=" ${ARGI}"
    if [ "${ARGI}" = "--help" -o "${ARGI}" = "-h" ]; then
        echo "$ME [OPTIONS]; see   #1"
        exit 0
    elif [ "${ARGI//[^0-9]/}" = "$ARGI" -a "$TIME_WARP" = 1 ]; then
        TIME_WARP=$ARGI
    elif [ "${ARGI:0:8}" = "--vname=" ]; then
        VNAME="${ARGI#--vname=*}"
    elif [ "${ARGI:0:6}" = "--spd=" ]; then
        SPD="${ARGI#--spd=*}"
    elif [ "${ARGI}" = "--just_make" -o "${ARGI}" = "-j" ] ; then
        JUST_MAKE="yes"
    else
        printf "Bad Argument: %s \\n" $ARGI
        exit 1
    fi
done
"""
HEAD = """\
#!/bin/bash -e
#  Part 1: functions
vecho() { if [ "$VERBOSE" != "" ]; then echo "$ME: $1"; fi }
on_exit() {
    echo "$ME: Halting all apps"
    kill -- -$$
}
trap on_exit SIGINT
ME=`basename "$0"`
TIME_WARP=1
JUST_MAKE="no"
"""
TAIL = """\
ANSWER="0"
while [ "${ANSWER}" != "2" ]; do
    printf "Hit (2) to Exit and Kill Simulation \\n"
    read ANSWER
done
if [ "${ANSWER}" = "2" ]; then
    kill %1 %2
fi
"""
TWO = f"""{HEAD}{ARGUMENTS}
VNAME1="henry"      # the first vehicle
VNAME2="gilda"

nsplug meta_vehicle.moos targ_$VNAME1.moos -f WARP=$TIME_WARP \\
    VNAME=$VNAME1
nsplug meta_vehicle.moos targ_$VNAME2.moos -f WARP=$TIME_WARP VNAME=$VNAME2
nsplug meta_vehicle.bhv targ_henry.bhv -f SPD=1.5
nsplug meta_vehicle.bhv targ_gilda.bhv -f SPD="2"
if [ ${{JUST_MAKE}} = "yes" ] ; then
    exit 0
fi
printf "Launching $VNAME1 (WARP=%s) \\n" $TIME_WARP
pAntler targ_henry.moos >& /dev/null &
sleep 0.25
pAntler targ_$VNAME2.moos > /dev/null 2>&1 &
{TAIL}"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with templates."""
    (tmp_path / "meta_vehicle.moos").write_text(VEHICLE)
    (tmp_path / "meta_vehicle.bhv").write_text(BEHAVIORS)
    return tmp_path


def script(folder: Path, text: str, *arguments: str) -> Script:
    (folder / "launch.sh").write_text(text)
    return read_script(folder / "launch.sh", arguments)


def made(found: Script) -> list[tuple[str, str, dict[str, str]]]:
    return [(call.source, call.target, dict(call.macros)) for call, _ in found.calls]


def test_a_script_reports_its_expansions_and_launches(folder: Path) -> None:
    found = script(folder, TWO)
    assert found.unread == []
    assert [one.file for one in found.launched] == ["targ_henry.moos", "targ_gilda.moos"]
    assert made(found) == [
        ("meta_vehicle.moos", "targ_henry.moos", {"WARP": "1", "VNAME": "henry"}),
        ("meta_vehicle.moos", "targ_gilda.moos", {"WARP": "1", "VNAME": "gilda"}),
        ("meta_vehicle.bhv", "targ_henry.bhv", {"SPD": "1.5"}),
        ("meta_vehicle.bhv", "targ_gilda.bhv", {"SPD": "2"}),
    ]
    number = TWO[: TWO.index("nsplug")].count("\n") + 1
    assert found.calls[0][1] == f"{folder / 'launch.sh'}:{number}"


@pytest.mark.parametrize(
    ("arguments", "warp", "launched"),
    [((), "1", 2), (("7",), "7", 2), (("--just_make",), "1", 0), (("-h",), None, 0)],
)
def test_arguments_are_passed_as_in_the_script(
    arguments: tuple[str, ...], warp: str | None, launched: int, folder: Path
) -> None:
    found = script(folder, TWO, *arguments)
    assert len(found.launched) == launched
    assert [macros.get("WARP") for _, _, macros in made(found)[:1]] == ([warp] if warp else [])


def test_scripts_that_call_each_other_and_loops_over_numbers_are_followed(folder: Path) -> None:
    vehicle = (
        f'{HEAD}VNAME="abe"\nSPD=1\n{ARGUMENTS}\n'
        'NSFLAGS="--strict --force"\n'
        "nsplug meta_vehicle.moos targ_$VNAME.moos $NSFLAGS VNAME=$VNAME WARP=$TIME_WARP\n"
        "nsplug meta_vehicle.bhv targ_$VNAME.bhv $NSFLAGS SPD=$SPD\n"
        "pAntler targ_$VNAME.moos >& /dev/null &\nexit 0\n"
    )
    (folder / "launch_vehicle.sh").write_text(vehicle)
    (folder / "names.txt").write_text("abe\nben\n")
    text = f"""{HEAD}
VNAMES=(`cat names.txt`)
SPEEDS=(1.5 2)
VARGS=" $TIME_WARP "
for IX in `seq 1 2`;
do
    IXX=$(($IX - 1))
    IVARGS="$VARGS --vname=${{VNAMES[$IXX]}} "
    IVARGS+=" --spd=${{SPEEDS[$IXX]}}"
    CMD="./launch_vehicle.sh $IVARGS"
    eval $CMD
done
[ "$JUST_MAKE" != "yes" ] && echo launched
"""
    found = script(folder, text)
    assert found.unread == []
    assert [one.file for one in found.launched] == ["targ_abe.moos", "targ_ben.moos"]
    assert [macros for _, name, macros in made(found) if name.endswith(".bhv")] == [
        {"SPD": "1.5"},
        {"SPD": "2"},
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("X=5", "5"),
        ("X='a b'", "a b"),
        ('A=3; X="v$A.${A}0"', "v3.30"),
        ("X=${NONE:-7}", "7"),
        ("A=abe; X=${A^^}", "ABE"),
        ("A=targ_abe.moos; X=${A%.moos}", "targ_abe"),
        ("A=one.two.three; X=${A##*.}", "three"),
        ("A=one.two; X=${A/./-}", "one-two"),
        ("X=$((3 * 4 - 2))", "10"),
        ('A=4; let "A=$A+1"; X=$A', "5"),
        ("export X=9", "9"),
        ("A=2; if [ $A -gt 1 ]; then X=big; else X=small; fi", "big"),
        ('if [[ "ab" == a* && -n "x" ]]; then X=yes; fi', "yes"),
        ("for X in a b c; do :; done", "c"),
        ("if [ -f meta_vehicle.moos ]; then X=there; fi", "there"),
        ("A=1  # X=2\nX=$A", "1"),
    ],
)
def test_forms_of_the_shell(text: str, value: str, folder: Path) -> None:
    found = script(folder, f'{text}\nnsplug meta_vehicle.moos out.moos X="$X"\n')
    assert made(found)[0][2] == {"X": value}
    assert found.unread == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("./init_field.sh --amt=2", "./init_field.sh --amt=2"),
        ("IP=`get_info.sh --ip`", "`get_info.sh --ip`"),
        ("pickpos --amt=2 > pos.txt", "pickpos --amt=2"),
        ("while read X; do pAntler targ_$X.moos; done", "while read X"),
        ("if grep -q sim x; then pAntler a.moos; fi", "if grep -q sim x"),
        ("nsplug meta_vehicle.moos", "nsplug"),
    ],
)
def test_a_line_that_is_not_read_is_reported(line: str, expected: str, folder: Path) -> None:
    (unread,) = script(folder, f"A=1\n{line}\npAntler a.moos &\n").unread
    assert unread.startswith(f"{folder / 'launch.sh'}:2: ")
    assert expected in unread


@pytest.mark.parametrize("loop", ["while true; do", "for I in `seq 1 999999`; do nsplug a b"])
def test_a_script_that_does_not_end_is_abandoned(loop: str, folder: Path) -> None:
    script(folder, f"{loop}\nA=1\ndone\n")


def test_a_script_that_calls_itself_is_abandoned(folder: Path) -> None:
    assert "./launch.sh" in script(folder, "./launch.sh\n").unread[0]


def test_a_folder_is_launched_like_its_script_does(folder: Path) -> None:
    script(folder, TWO)
    before = sorted(path.name for path in folder.iterdir())
    launch = plan(folder)
    assert launch.plan.communities == ("henry", "gilda")
    assert not any("launch.sh" in warning for warning in launch.warnings)
    helms = {app.community: app.app for app in launch.plan.apps}
    speeds = {
        name: helm._engine.behaviors.behaviors[0].settings.speed  # type: ignore[attr-defined]
        for name, helm in helms.items()
    }
    assert speeds == {"henry": 1.5, "gilda": 2.0}
    assert sorted(path.name for path in folder.iterdir()) == before


def test_errors_of_a_template_are_reported_at_the_template(folder: Path) -> None:
    script(folder, TWO.replace('SPD="2"', "SPD=fast"))
    with pytest.raises(LaunchError, match=r"meta_vehicle\.bhv:8.* speed = fast: expected a number"):
        plan(folder)


def test_the_command_line_overrides_the_script(folder: Path) -> None:
    script(folder, TWO)
    launch = plan(folder, "--define", "SPD=3", "--define", "gilda:WARP=1")
    helm = launch.plan.apps[0].app
    assert helm._engine.behaviors.behaviors[0].settings.speed == 3.0  # type: ignore[attr-defined]


def test_a_plain_mission_is_launched_by_its_script(folder: Path) -> None:
    (folder / "meta_vehicle.moos").rename(folder / "alpha.moos")
    (folder / "other.moos").write_text("ProcessConfig = ANTLER\n{\n}\n")
    text = VEHICLE.replace("$(VNAME)", "alpha").replace("$(WARP)", "1")
    (folder / "alpha.moos").write_text(text)
    (folder / "targ_alpha.bhv").write_text(BEHAVIORS.replace("$(SPD)", "1"))
    script(folder, 'COMMUNITY="alpha"\npAntler $COMMUNITY.moos --MOOSTimeWarp=1 >& /dev/null &\n')
    assert plan(folder).plan.communities == ("alpha",)


def test_a_template_for_vessels_replaces_an_unreadable_script(folder: Path) -> None:
    (folder / "meta_vehicle.bhv").write_text(BEHAVIORS.replace("$(SPD)", "1"))
    script(folder, f"./init_field.sh\n{TWO}")
    launch = plan(folder)
    assert launch.plan.communities == ("abe", "ben")
    warnings = " ".join(launch.warnings)
    assert "launch.sh:1: ./init_field.sh: not read" in warnings
    assert "meta_vehicle.moos is launched for 2 vessels in its place" in warnings


def test_a_script_that_launches_a_missing_file_is_an_error(folder: Path) -> None:
    (folder / "meta_vehicle.moos").rename(folder / "meta.moos")
    script(folder, "pAntler targ_abe.moos &\n")
    with pytest.raises(LaunchError, match=r"launch\.sh:1: pAntler targ_abe\.moos: no nsplug line"):
        plan(folder)


def test_macros_of_a_file_count_after_those_of_the_line(folder: Path) -> None:
    (folder / "all.txt").write_text("// of all vessels\nWARP = 1\n#define SPD 2\nVNAME=none\n")
    (folder / "launch.sh").write_text(
        "nsplug meta_vehicle.moos targ_eve.moos -f VNAME=eve --macros=all.txt\n"
        "nsplug meta_vehicle.bhv targ_eve.bhv -f --macros=all.txt\npAntler targ_eve.moos &\n"
    )
    assert plan(folder).plan.communities == ("eve",)


def test_a_button_posts_the_same_as_in_the_viewer(folder: Path) -> None:
    script(folder, TWO)
    launch = plan(
        folder,
        "--warp",
        "max",
        "--button",
        "deploy",
        "--button",
        "@9:gilda:return home",
        "--for",
        "10",
    )
    posts = [(post.community, post.name, post.value) for post in launch.plan.inputs]
    assert ("henry", "DEPLOY", "true") in posts
    assert ("henry", "MOOS_MANUAL_OVERRIDE", "false") in posts
    assert [p for p in posts if p[1] == "RETURN"] == [("gilda", "RETURN", "true")]
    (at,) = [value for home, name, value in posts if (home, name) == ("gilda", "AT")]
    assert isinstance(at, float)
    assert at > 1.7e9
    assert run(launch.plan, lambda progress: None).exit_reason == "for"


@pytest.mark.parametrize(
    ("button", "expected"),
    [
        ("DEPOY", "expected a button's label; the nearest is DEPLOY"),
        ("abe:DEPLOY", "expected a community"),
        ("@soon:DEPLOY", "@soon: expected a number from 0"),
    ],
)
def test_an_unknown_button_is_named(button: str, expected: str, folder: Path) -> None:
    script(folder, TWO)
    with pytest.raises(LaunchError, match=f"--button {button}: .*{expected}"):
        plan(folder, "--button", button)


def test_buttons_are_named_unless_one_is_pressed_or_a_variable_is_posted(folder: Path) -> None:
    script(folder, TWO)
    (line,) = plan(folder).watch
    assert "DEPLOY, RETURN HOME;" in line
    assert '--button "DEPLOY"' in line
    for more in (("--button", "DEPLOY"), ("--set", "DEPLOY=true"), ("--view",)):
        assert plan(folder, *more).watch == ()
