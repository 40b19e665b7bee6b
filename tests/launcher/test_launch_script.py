"""Launch scripts of MOOS-IvP missions: bash runs them, and what they launch is the mission."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from steerageway.bus import run, sleep
from steerageway.launcher.command import main
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.plan import Launch
from steerageway.peers.launch_script import bash
from tests.launcher.plans import plan

FORMS = Path(__file__).parents[1] / "reference" / "launch_scripts"
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
PLAIN = "Community = {name}\nServerPort = {port}\nProcessConfig = ANTLER\n{{\n  Run = pXRelay\n}}\n"
TWO = """\
#!/bin/bash -e
#  Part 1: functions
vecho() { if [ "$VERBOSE" != "" ]; then echo "$ME: $1"; fi }
on_exit() { echo; echo "$ME: Halting all apps"; kill -- -$$; }
trap on_exit SIGINT
trap on_exit SIGTERM
ME=`basename "$0"`
TIME_WARP=1
SPD="2"
for ARGI; do
    CMD_ARGS+=" ${ARGI}"
    if [ "${ARGI}" = "--help" -o "${ARGI}" = "-h" ]; then
        echo "$ME [OPTIONS]; see   #1"
        exit 0
    elif [ "${ARGI//[^0-9]/}" = "$ARGI" -a "$TIME_WARP" = 1 ]; then
        TIME_WARP=$ARGI
    elif [ "${ARGI:0:6}" = "--spd=" ]; then
        SPD="${ARGI#--spd=*}"
    elif [ "${ARGI}" = "--just_make" -o "${ARGI}" = "-j" ] ; then
        JUST_MAKE="yes"
    else
        echo "$ME: Bad Arg:[$ARGI]. Exit Code 1."
        exit 1
    fi
done

VNAME1="henry"      # the first vehicle
VNAME2="gilda"

nsplug meta_vehicle.moos targ_$VNAME1.moos -f WARP=$TIME_WARP \\
    VNAME=$VNAME1
nsplug meta_vehicle.moos targ_$VNAME2.moos -f WARP=$TIME_WARP VNAME=$VNAME2
nsplug meta_vehicle.bhv targ_henry.bhv -f SPD=1.5
nsplug meta_vehicle.bhv targ_gilda.bhv -f SPD="$SPD"
if [ "${JUST_MAKE}" = "yes" ] ; then
    exit 0
fi
printf "Launching $VNAME1 (WARP=%s) \\n" $TIME_WARP
pAntler targ_henry.moos >& /dev/null &
sleep 100
pAntler targ_$VNAME2.moos > /dev/null 2>&1 &
ANSWER="0"
while [ "${ANSWER}" != "2" ]; do
    printf "Hit (2) to Exit and Kill Simulation \\n"
    read ANSWER
done
kill %1 %2
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return an empty folder, so deep that no folder of other tests is mirrored around it."""
    place = tmp_path / "home" / "sailor" / "missions" / "demo"
    place.mkdir(parents=True)
    return place


@pytest.fixture
def folder(place: Path) -> Path:
    """Return a folder with templates."""
    (place / "meta_vehicle.moos").write_text(VEHICLE)
    (place / "meta_vehicle.bhv").write_text(BEHAVIORS)
    return place


@pytest.fixture
def script(place: Path) -> Callable[[str], Path]:
    """Return what writes a script into a folder with the missions a, b and c."""
    for number, name in enumerate("abc"):
        (place / f"{name}.moos").write_text(PLAIN.format(name=name, port=9000 + number))
    (place / "meta.moos").write_text(PLAIN.format(name="$(VNAME)", port="$(PORT)"))

    def write(text: str) -> Path:
        path = place / "launch.sh"
        path.write_text(f"#!/bin/bash\n{text}\n")
        return path

    return write


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def mission_text(launch: Launch, name: str) -> str:
    (path,) = (one.mission.path for one in launch.communities if one.name == name)
    return path.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "launched"),
    [
        ("quoted_a", {"zoe": "starts at 10,20,90"}),
        (
            "modern",
            {
                "abe": "starts at x=0,y=0,heading=180",
                "ben": "starts at x=180,y=0,heading=180",
            },
        ),
        *((form, {"zoe": "starts at 1\n"}) for form in ("targs_subdir", "targ_exists", "cd_sub")),
        *((form, {"zoe": "Community  = zoe\n"}) for form in ("default_quotes", "nested_cd")),
    ],
)
def test_a_script_launches_what_it_launches_under_bash(
    form: str, launched: dict[str, str], place: Path
) -> None:
    folder = place.with_name(form)
    shutil.copytree(FORMS / form, folder)
    before = contents(folder)
    launch = plan(folder)
    assert list(launch.plan.communities) == list(launched)
    for name, text in launched.items():
        assert text in mission_text(launch, name)
    assert contents(folder) == before


def test_what_bash_complains_of_is_a_warning_at_the_line() -> None:
    (warning,) = plan(FORMS / "nested_cd").warnings
    assert warning.endswith("nested_cd/launch.sh:5: [: =: unary operator expected")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "warp", "speed"), [((), 1.0, 2.0), (("7", "--spd=3"), 7.0, 3.0)]
)
def test_arguments_behind_two_dashes_are_the_scripts(
    arguments: tuple[str, ...], warp: float, speed: float, folder: Path
) -> None:
    (folder / "launch_demo.sh").write_text(TWO)
    launch = plan(folder / "launch_demo.sh", "--", *arguments)
    assert launch.plan.communities == ("henry", "gilda")
    assert launch.plan.warp == warp
    helms = {app.community: app.app for app in launch.plan.apps}
    speeds = {
        name: helm._engine.behaviors.behaviors[0].settings.speed  # type: ignore[attr-defined]
        for name, helm in helms.items()
    }
    assert speeds == {"henry": 1.5, "gilda": speed}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (("--help",), "launch.sh [OPTIONS]; see   #1"),
        (("--amt=3",), "exit code 1); its output:\n    launch.sh: Bad Arg:[--amt=3]. Exit Code 1."),
        (("-j",), "it launches no mission (exit code 0), without output"),
    ],
)
def test_a_script_that_launches_nothing_is_refused_with_its_own_output(
    arguments: tuple[str, ...], printed: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "launch.sh").write_text(TWO)
    assert main([str(folder), "--check", "--", *arguments]) == 2
    errors = capsys.readouterr().err
    assert printed in errors
    assert "in its place" not in errors


def test_a_template_is_no_fleet_unless_vessels_are_asked_for(folder: Path) -> None:
    (folder / "launch_demo.sh").write_text(TWO)
    with pytest.raises(LaunchError, match=r"one of its scripts, .*launch_demo\.sh, or --vessels N"):
        plan(folder)
    (folder / "meta_vehicle.bhv").write_text(BEHAVIORS.replace("$(SPD)", "1"))
    assert plan(folder, "--vessels", "1").plan.communities == ("abe",)


def test_no_code_refuses_a_script_and_does_not_run_it(
    script: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = script(f"touch {Path.cwd() / 'ran'} ran\npAntler a.moos &")
    for mission in (path, path.parent):
        assert main([str(mission), "--no-code", "--check"]) == 2
        assert capsys.readouterr().err == (
            f"{path}: a script of the mission's own; --no-code refuses it\n"
        )
    assert not (Path.cwd() / "ran").exists()


@pytest.mark.slow
def test_check_says_that_the_script_ran(
    script: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = script("nsplug meta.moos d.moos VNAME=d PORT=9005\npAntler d.moos &")
    assert main([str(path.parent), "--check"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{path}: run by bash; files of nsplug: 1, missions of pAntler: 1\n")


@pytest.mark.slow
def test_a_run_says_that_a_script_chose_its_warp_and_how_to_do_without(
    script: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = script("pAntler a.moos --MOOSTimeWarp=7 &")
    monkeypatch.chdir(path.parent.parent)
    ran = "run by bash; files of nsplug: 0, missions of pAntler: 1"
    short = ("--for", "0.1", "--no-log", "--placement", "one")
    assert main(["demo", *short]) == 0
    told = f"demo/launch.sh: {ran}, at warp 7; without it: steerageway run demo/a.moos\n"
    assert told in capsys.readouterr().err
    assert main(["demo", *short, "--warp", "max"]) == 0
    assert f"{ran}; without it: " in capsys.readouterr().err


@pytest.mark.slow
def test_without_bash_there_is_one_sentence(
    script: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = script("pAntler a.moos")
    monkeypatch.setenv("PATH", str(path.parent))
    assert main([str(path), "--check"]) == 2
    assert capsys.readouterr().err == (
        f"{path}: bash, which runs launch scripts, is not on this machine\n"
    )


def test_arguments_without_a_script_are_refused(script: Callable[[str], Path]) -> None:
    mission = script("").with_name("a.moos")
    with pytest.raises(LaunchError, match="-- 7: arguments of a launch script"):
        plan(mission, "--", "7")


@pytest.mark.slow
def test_vessels_are_launched_in_the_order_of_the_script(script: Callable[[str], Path]) -> None:
    path = script("for V in c a; do ./inner.sh $V & done\npAntler b.moos &\nwait")
    path.with_name("inner.sh").write_text("#!/bin/bash\nsleep 1\npAntler $1.moos >& /dev/null &\n")
    for _ in range(3):
        assert plan(path).plan.communities == ("c", "a", "b")


@pytest.mark.slow
def test_kill_ends_nothing_and_what_goes_on_is_ended(
    script: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bash, "LINGER", 0.2)
    path = script(
        f"trap 'kill -- -$$' EXIT SIGTERM\ntail -f /dev/null &\necho $! > {tmp_path}/pid\n"
        "kill %1; killall tail; kill -- -$$\npAntler a.moos &"
    )
    assert plan(path).plan.communities == ("a",)
    state = Path("/proc", (tmp_path / "pid").read_text().strip(), "stat")
    for _ in range(200):
        if not state.exists() or ") Z " in state.read_text():
            return
        sleep(0.01)
    pytest.fail("tail is still there")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "while true; do sleep 1; done",
        'while [ "$A" != q ]; do read A; done',
        "yes > large",
        "while :; do :; done",
    ],
)
def test_a_script_that_does_not_end_is_ended(
    text: str, script: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, limit in (("LONGEST", 3.0), ("LINGER", 0.1), ("LARGEST_FILE", 100)):
        monkeypatch.setattr(bash, name, limit)
    assert plan(script(f"pAntler a.moos\n{text}")).plan.communities == ("a",)


@pytest.mark.slow
def test_a_script_lives_in_the_copy(script: Callable[[str], Path]) -> None:
    path = script(
        "echo more >> inner/list.txt; rm b.moos; mkdir new; echo x > ~/x; mktemp > where\n"
        "nsplug meta.moos new/d.moos -f VNAME=d PORT=9005\npAntler new/d.moos\n"
        'echo "// $PWD $HOME $TMPDIR" > paths\n'
    )
    (path.parent / "inner").mkdir()
    (path.parent / "inner" / "list.txt").write_text("one\n")
    before = contents(path.parent)
    (launch,) = plan(path).communities
    made = launch.mission.path.parent
    assert (made / "new" / "d.moos").is_file()
    assert (made / "inner" / "list.txt").read_text() == "one\nmore\n"
    _, here, home, temporary = (made / "paths").read_text().split()
    assert here == str(made)
    assert home.endswith("/home")
    assert (made / "where").read_text().startswith(temporary)
    assert contents(path.parent) == before


@pytest.mark.slow
def test_what_is_random_depends_on_the_seed_alone(script: Callable[[str], Path]) -> None:
    path = script(
        "P=`pickpos --amt=1 --poly=0,0:500,0:500,500`\nS=`shuf -i 0-1000 -n 1`\n"
        'nsplug meta.moos d.moos -f VNAME=d PORT="9005 // $P $S $RANDOM $RANDOM `./inner.sh`"\n'
        "pAntler d.moos\n"
    )
    path.with_name("inner.sh").write_text("#!/bin/bash\nX=$RANDOM\necho $X\n")
    texts = [mission_text(plan(path, "--seed", seed), "d") for seed in ("1", "1", "2")]
    drawn = [text.split("// ")[1].split("\n")[0].split(" ") for text in texts]
    assert drawn[0] == drawn[1]
    assert all(one != other for one, other in zip(drawn[0], drawn[2], strict=True))
    assert len(set(drawn[0])) == 5


@pytest.mark.slow
def test_posts_of_a_script_reach_the_community_that_they_name(
    script: Callable[[str], Path],
) -> None:
    path = script(
        "pAntler a.moos &\npAntler b.moos --MOOSTimeWarp=5 &\nsleep 3\n"
        "uPokeDB b.moos DEPLOY=true SPD=2\nuPokeDB GO=now --host=localhost --port=9000\n"
        "uPokeDB none.moos X=1\n"
    )
    launch = plan(path)
    posts = [(one.community, one.name, one.value) for one in launch.plan.inputs]
    assert posts == [("b", "DEPLOY", "true"), ("b", "SPD", 2.0), ("a", "GO", "now")]
    assert launch.plan.warp == 5.0
    assert any("uPokeDB: none.moos = X=1: expected" in warning for warning in launch.warnings)


@pytest.mark.slow
def test_communities_of_one_name_run_under_different_names(script: Callable[[str], Path]) -> None:
    """Both have a database, as in MOOS-IvP, whose ports are theirs."""
    path = script(
        "sed -i 's/= b$/= a/' b.moos\npAntler a.moos &\npAntler b.moos &\nsleep 1\n"
        "uPokeDB b.moos GO=1\n"
    )
    launch = plan(path)
    assert list(launch.plan.communities) == ["a", "a_2"]
    assert [(one.community, one.name) for one in launch.plan.inputs] == [("a_2", "GO")]
    (warning,) = [one for one in launch.warnings if "Community" in one]
    assert warning.endswith("a.moos has this name, too; here it is a_2, expected another")


@pytest.mark.slow
def test_a_script_that_launches_a_missing_file_is_an_error(folder: Path) -> None:
    (folder / "launch.sh").write_text("echo no templates\npAntler targ_abe.moos &\n")
    told = r"launch\.sh: pAntler targ_abe\.moos: there is no such file .*\n    no templates"
    with pytest.raises(LaunchError, match=told):
        plan(folder)


@pytest.mark.slow
def test_files_are_looked_for_where_the_script_starts_the_mission(folder: Path) -> None:
    """A path in a mission is relative to the folder in which MOOS-IvP's pAntler is called."""
    (folder / "meta_vehicle.moos").write_text(VEHICLE.replace("targ_$", "targs/targ_$"))
    (folder / "launch.sh").write_text(
        "nsplug meta_vehicle.moos targs/targ_eve.moos -f VNAME=eve WARP=1\n"
        "nsplug meta_vehicle.bhv targs/targ_eve.bhv -f SPD=fast\npAntler targs/targ_eve.moos &\n"
    )
    with pytest.raises(LaunchError, match=r"meta_vehicle\.bhv:8 \(for eve\): speed = fast"):
        plan(folder)


@pytest.mark.slow
def test_a_mission_is_what_was_there_before_the_script_cleans_up(folder: Path) -> None:
    cleaning = "pAntler targ_henry.moos &\nuMAC targ_henry.moos\nrm -f targ_*\n"
    (folder / "launch.sh").write_text(TWO.partition("pAntler")[0] + cleaning)
    assert plan(folder).plan.communities == ("henry",)


@pytest.mark.slow
def test_the_command_that_ends_a_strict_script_is_named(script: Callable[[str], Path]) -> None:
    path = script("")
    path.write_text("#!/bin/bash -e\nlet COUNT=0\npAntler a.moos &\n")
    with pytest.raises(LaunchError, match=r"\(exit code 1\).*\n.*line 2: let COUNT=0: exit code 1"):
        plan(path)


@pytest.mark.slow
def test_errors_of_a_template_are_reported_at_the_template(folder: Path) -> None:
    (folder / "launch.sh").write_text(TWO.replace("SPD=1.5", "SPD=fast"))
    with pytest.raises(LaunchError, match=r"meta_vehicle\.bhv:8.* speed = fast: expected a number"):
        plan(folder)


@pytest.mark.slow
def test_the_command_line_overrides_the_script(folder: Path) -> None:
    (folder / "launch.sh").write_text(TWO)
    launch = plan(folder, "--define", "SPD=3", "--define", "gilda:WARP=1")
    helm = launch.plan.apps[0].app
    assert helm._engine.behaviors.behaviors[0].settings.speed == 3.0  # type: ignore[attr-defined]


@pytest.mark.slow
def test_macros_of_a_file_count_after_those_of_the_line(folder: Path) -> None:
    (folder / "all.txt").write_text("// of all vessels\nWARP = 1\n#define SPD 2\nVNAME=none\n")
    (folder / "launch.sh").write_text(
        "nsplug meta_vehicle.moos targ_eve.moos -f VNAME=eve --macros=all.txt\n"
        "nsplug meta_vehicle.bhv targ_eve.bhv -f --macros=all.txt\npAntler targ_eve.moos &\n"
    )
    assert plan(folder).plan.communities == ("eve",)


@pytest.mark.slow
def test_options_of_nsplug_count_in_a_script(script: Callable[[str], Path]) -> None:
    # Expander::expandFile of MOOS-IvP: with -x the file with an x behind its name comes first
    path = script(
        "nsplug meta.moos targ_x.moos -x -f VNAME=plain PORT=9007\n"
        "nsplug parts.moos targ_t.moos --tag=b -f\n"
        "pAntler targ_x.moos &\npAntler targ_t.moos &"
    )
    (path.parent / "meta.moosx").write_text(PLAIN.format(name="patched", port="$(PORT)"))
    tagged = PLAIN.format(name="tagged", port=9008)
    (path.parent / "parts.moos").write_text(f"<tag> a\nNothing\n<tag> b\n{tagged}")
    assert plan(path).plan.communities == ("patched", "tagged")


@pytest.mark.slow
def test_a_button_posts_the_same_as_in_the_viewer(folder: Path) -> None:
    (folder / "launch.sh").write_text(TWO)
    pressed = ("--button", "deploy", "--button", "@9:gilda:return home")
    launch = plan(folder, "--warp", "max", *pressed, "--for", "10")
    posts = [(post.community, post.name, post.value) for post in launch.plan.inputs]
    assert ("henry", "DEPLOY", "true") in posts
    assert ("henry", "MOOS_MANUAL_OVERRIDE", "false") in posts
    assert [p for p in posts if p[1] == "RETURN"] == [("gilda", "RETURN", "true")]
    (at,) = [value for home, name, value in posts if (home, name) == ("gilda", "AT")]
    assert isinstance(at, float)
    assert at > 1.7e9
    assert run(launch.plan, lambda progress: None).exit_reason == "for"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("button", "expected"),
    [
        ("DEPOY", "expected a button's label; the nearest is DEPLOY"),
        ("abe:DEPLOY", "expected a community"),
        ("@soon:DEPLOY", "@soon: expected a number from 0"),
    ],
)
def test_an_unknown_button_is_named(button: str, expected: str, folder: Path) -> None:
    (folder / "launch.sh").write_text(TWO)
    with pytest.raises(LaunchError, match=f"--button {button}: .*{expected}"):
        plan(folder, "--button", button)


@pytest.mark.slow
def test_buttons_are_named_unless_one_is_pressed_or_a_variable_is_posted(folder: Path) -> None:
    (folder / "launch.sh").write_text(TWO)
    (line,) = plan(folder).watch
    assert "DEPLOY, RETURN HOME;" in line
    assert '--button "DEPLOY"' in line
    for more in (("--button", "DEPLOY"), ("--set", "DEPLOY=true"), ("--view",)):
        assert plan(folder, *more).watch == ()
