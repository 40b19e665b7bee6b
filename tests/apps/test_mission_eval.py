"""``pMissionEval``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from steerageway.apps.experiments.mission_eval import MissionEval
from steerageway.bus import CannotGoOn, Config, ConfigError, run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries
from tests.apps.parameters import Shown

EPOCH = 1767259800.0  # 2026-01-01T09:30:00Z
HASH = "mhash=260101-0930K-CALM-GULL,utc=1767259800.00"
ONE = "lead_condition = DONE = true\npass_condition = SCORE > 5\nfail_condition = HIT = true\n"
ONE_LEAD = "lead_condition = DONE = true\n"
shows = Shown()


@pytest.fixture
def judge(drive, tmp_path):
    def start(block, **setting):
        setting = {"log_folder": tmp_path / "run", **setting}
        return drive(MissionEval, block, name="pMissionEval", epoch=EPOCH, **setting)

    return start


@pytest.fixture
def line(judge, tmp_path) -> Callable[..., str]:
    """Return the report of a mission with these columns, evaluated at 20 s."""

    def report(block, mail=(), **setting):
        driven = judge(ONE_LEAD + "report_file = r.txt\n" + block, **setting)
        driven.tick(1.0, dict(mail))
        driven.tick(20.0, {"DONE": "true"})
        return (tmp_path / "run" / "r.txt").read_text()

    return report


@shows("lead_condition", "pass_condition", "fail_condition")
@pytest.mark.parametrize(
    ("mail", "result", "why"),
    [
        ({"SCORE": 6.0}, None, "unmet_lead_cond: [DONE = true]"),
        ({"DONE": "true", "SCORE": 6.0}, "pass", "pass"),
        ({"DONE": "true", "SCORE": 5.0}, "fail", "unmet_pass_cond: [SCORE > 5]"),
        ({"DONE": "true"}, "fail", "unmet_pass_cond: [SCORE > 5]"),
        ({"DONE": "true", "SCORE": 6.0, "HIT": "true"}, "fail", "met_fail_cond: [HIT = true]"),
        ({"DONE": "true", "SCORE": 6.0, "HIT": "false"}, "pass", "pass"),
    ],
)
def test_when_the_lead_conditions_hold_the_mission_is_judged(judge, mail, result, why):
    driven = judge(ONE)
    assert [(post.name, post.value) for post in driven.started] == [("MISSION_RESULT", "pending")]
    posted = driven.tick(1.0, mail)
    assert posted.get("MISSION_RESULT") == result
    assert posted.get("MISSION_EVALUATED") == ("true" if result else None)
    assert posted["MISSION_LCHECK_STAT"] == why
    assert driven.tick(2.0, mail) == {}


def test_without_a_condition_none_of_no_aspects_is_judged(judge):
    assert judge("").tick(1.0)["MISSION_LCHECK_STAT"] == "pending"


TWO_LEADS = "lead_condition = HERE = true\nlead_condition = THERE = true\n"


def test_leads_in_a_row_are_of_one_aspect_and_must_hold_at_once(judge):
    driven = judge(TWO_LEADS + "pass_condition = SCORE > 5")
    driven.tick(1.0, {"HERE": "true", "SCORE": 6.0})
    driven.tick(2.0, {"HERE": "false", "THERE": "true"})
    assert driven.tick(3.0, {"SCORE": 7.0}) == {}
    assert driven.tick(4.0, {"HERE": "true"})["MISSION_RESULT"] == "pass"


@pytest.mark.parametrize("kind", ["pass_condition = HIT = false", "fail_condition = HIT = true"])
def test_a_lead_after_other_conditions_begins_an_aspect_that_is_judged_later(judge, kind):
    first, second = TWO_LEADS.splitlines()
    driven = judge(f"{first}\n{kind}\n{second}\n")
    driven.tick(1.0, {"HERE": "true", "HIT": "false"})  # the first aspect: it passed, once for all
    assert driven.tick(2.0, {"HERE": "false", "HIT": "true"}) == {}
    assert driven.tick(3.0, {"THERE": "true"})["MISSION_RESULT"] == "pass"


def test_a_judgement_is_final(judge):
    driven = judge(ONE)
    driven.tick(1.0, {"DONE": "true"})
    assert driven.tick(2.0, {"SCORE": 9.0}) == {}


def test_aspects_are_judged_one_after_the_other(judge):
    block = (
        "lead_condition = LEG = 1\npass_condition = SPEED > 1\n"
        "lead_condition = LEG = 2\nlead_condition = HOME = true\nfail_condition = HIT = true\n"
    )
    driven = judge(block)
    assert driven.tick(1.0, {"LEG": 2.0, "HOME": "true"}) == {
        "MISSION_LCHECK_STAT": "unmet_lead_cond: [LEG = 1]"
    }
    posted = driven.tick(2.0, {"LEG": 1.0, "SPEED": 2.0})
    assert posted == {"MISSION_LCHECK_STAT": "unmet_lead_cond: [LEG = 2]"}
    assert driven.tick(3.0, {"LEG": 2.0})["MISSION_RESULT"] == "pass"
    driven = judge(block)
    assert driven.tick(1.0, {"LEG": 1.0, "SPEED": 1.0})["MISSION_RESULT"] == "fail"


@shows("result_flag", "pass_flag", "fail_flag")
@pytest.mark.parametrize(("score", "flags"), [(6.0, "PASSED"), (4.0, "FAILED")])
def test_flags_are_posted_by_the_result_with_their_macros(judge, score, flags):
    block = "result_flag = SAID=$[GRADE]\npass_flag = PASSED=$[SCORE]\nfail_flag = FAILED=-1"
    driven = judge(ONE + block)
    posted = driven.tick(1.0, {"DONE": "true", "SCORE": score})
    assert posted["SAID"] == "fail" if score < 5 else "pass"
    assert {"PASSED", "FAILED"} & set(posted) == {flags}
    assert posted[flags] == (6.0 if score > 5 else -1.0)


@shows("mailflag")
def test_mail_may_be_answered(judge):
    driven = judge(ONE + "mailflag = @HIT#HITS_SEEN=at $[SCORE]")
    posted = driven.tick(1.0, {"HIT": "false", "SCORE": 2.5})
    assert posted["HITS_SEEN"] == "at 2.5"
    assert "HITS_SEEN" not in driven.tick(2.0, {"SCORE": 1.0})


def test_conditions_may_name_the_missions_form_and_hash(judge):
    driven = judge(
        'mission_form = form\nlead_condition = MHASH_SHORT != ""\n'
        "pass_condition = MISSION_FORM = form\npass_condition = MHASH_UTC = 1767259800\n"
        "pass_condition = MHASH_SHORT = CALM-GULL\nresult_flag = TOLD = $[MHASH_SHORT]"
    )
    assert "MISSION_EVALUATED" not in driven.tick(1.0)
    mail = {"MISSION_HASH": "mhash=260101-0930K-CALM-GULL,utc=1767259800.00"}
    posted = driven.tick(2.0, mail)
    assert (posted["MISSION_RESULT"], posted["TOLD"]) == ("pass", "[CALM-GULL]")


def test_an_answer_to_mail_may_count_it(judge):
    driven = judge(
        ONE + "mailflag = @HIT#HITS=$[CNT]\nmailflag = @MISS#MISSES=$(CNT) of $[MCNT]\n"
        "mailflag = @MISS#LAST=$[UTC]\nmailflag = @ANY#OTHER=$[CNT]"
    )
    assert not {"CNT", "MCNT", "UTC", "ANY"} & set(driven.registered)
    mail = [driven.message(name, "x", 1.0) for name in ("HIT", "MISS", "HIT", "HIT", "MISS")]
    posted = driven.take(1.0, mail)
    assert (posted["HITS"], posted["MISSES"]) == (3.0, "2 of 5")
    assert isinstance(posted["LAST"], float)
    assert "OTHER" not in posted
    assert driven.tick(2.0, {"DONE": "false"})["OTHER"] == 1.0


@shows("report_file", "report_column", "report_line_format")
def test_a_line_of_columns_goes_into_the_runs_folder(line):
    columns = "report_column = grade=$[GRADE]\nreport_column = n=$(N)\nreport_column = x=$[NONE]"
    mail = {"N": 2.5, "DONE": "false"}
    assert line(columns, mail) == "grade=pass  n=2.5  x=$[NONE]\n"
    # a second case of the same run adds its line
    assert line(columns + "\nreport_line_format = csp", mail).endswith(
        "\ngrade=pass, n=2.5, x=$[NONE]\n"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(12.3456789, "12.346"), (123456789.123, "123456789.123"), (0.0000123, "0"), (-4.5, "-4.5")],
)
def test_numbers_have_three_decimals_at_most_as_in_moos_ivp(line, value, text):
    # posted to MOOS-IvP's pMissionEval, and read in its report
    assert line("report_column = n=$[N]", {"N": value, "DONE": "false"}) == f"n={text}\n"


@shows("mission_form", "mission_mod")
def test_macros_contain_the_mission_its_name_and_the_time(line):
    names = ("MISSION_FORM", "MMOD", "MHASH", "MHASH_SHORT", "MHASH_LSHORT", "MHASH_UTC")
    names += ("DATE", "TIME", "YEAR", "MONTH", "DAY", "HOUR", "MIN", "SEC", "WALL_TIME")
    block = "mission_form = berta\nmission_mod = fast\n"
    block += "\n".join(f"report_column = $[{name}]" for name in names)
    warp = Config([("MOOSTimeWarp", "4", "test.moos:1")])
    assert line(block, {"MISSION_HASH": HASH}, globals=warp).split("  ") == [
        *("berta", "fast", HASH, "[CALM-GULL]", "K-CALM-GULL", "1767259800.00"),
        *("2026-01-01", "09:30:20", "2026", "01", "01", "09", "30", "20", "5.00\n"),
    ]


def test_a_complete_block_has_no_warnings(judge):
    block = ONE + "report_file = r.txt \nreport_column = $[GRADE]\nmission_mod = fast "
    assert list(judge(block).app.config_warnings) == []


def test_it_subscribes_to_the_variables_of_its_lines_except_its_own(judge):
    block = ONE + "report_file = r.txt\nreport_column = $[GRADE] $[MMOD] $[ODO]\n"
    block += "result_flag = SAID = $[DATE] $[WIND]\nprereport_column = $[START] $[MHASH]"
    received = {"MISSION_HASH", "DONE", "SCORE", "HIT", "ODO", "WIND", "START"}
    assert set(judge(block).registered) == received


def test_columns_before_the_evaluation_are_written_with_it_at_the_latest(judge, tmp_path):
    block = ONE_LEAD + "report_file = r.txt\nreport_column = $[GRADE]\nprereport_column = first"
    judge(block).tick(1.0, {"DONE": "true"})
    assert (tmp_path / "run" / "r.txt").read_text() == "first  pass\n"


@shows("prereport_column")
def test_columns_may_be_written_before_the_judgement(judge, tmp_path):
    block = ONE_LEAD + "report_file = r.txt\nreport_column = $[GRADE]\n"
    block += "prereport_column = $[MHASH_SHORT]\nprereport_column = form=$[MISSION_FORM]"
    driven = judge(block)
    driven.tick(1.0)
    assert not (tmp_path / "run").exists()
    driven.tick(2.0, {"MISSION_HASH": HASH})
    assert (tmp_path / "run" / "r.txt").read_text() == "[CALM-GULL]  form=mission  "
    driven.tick(3.0, {"DONE": "true"})
    assert (tmp_path / "run" / "r.txt").read_text() == "[CALM-GULL]  form=mission  pass\n"


def test_a_file_outside_is_written_in_the_runs_folder_with_a_warning(judge, tmp_path):
    driven = judge(ONE_LEAD + "report_file = ../results/r.txt\nreport_column = $[GRADE]")
    assert "written into the run's folder" in driven.app.config_warnings[0]
    driven.tick(1.0, {"DONE": "true"})
    assert (tmp_path / "run" / "r.txt").read_text() == "pass\n"


def test_without_logs_there_is_no_report(judge, tmp_path):
    driven = judge(ONE_LEAD + "report_file = r.txt\nreport_column = a", log_folder=None)
    assert driven.tick(1.0, {"DONE": "true"})["MISSION_RESULT"] == "pass"
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_cannot_be_written_ends_the_mission(judge, tmp_path):
    driven = judge(ONE_LEAD + "report_file = r.txt\nreport_column = a")
    (tmp_path / "run" / "r.txt").mkdir(parents=True)
    with pytest.raises(CannotGoOn, match=r"r\.txt: cannot write the report"):
        driven.app._write("a")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lead_condition = (A", "lead_condition = "),
        ("pass_flag = HIT", "expected VAR=value"),
        ("mailflag = HIT#A=1", "expected @VAR#OUT=value"),
        ("report_line_format = tabs", "expected one of white, csp"),
        ("mission_form = two words", "expected one word"),
        ("report_file = ..", "expected the name of a file"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(judge, line, expected):
    with pytest.raises(ConfigError, match=expected):
        judge(line)


def test_suspicious_settings_give_a_warning(judge):
    assert "never judged" in judge("pass_flag = A=1").app.config_warnings[0]
    assert "judged at once" in judge("pass_condition = A = 1").app.config_warnings[0]
    assert "report_column" in judge(ONE + "report_file = r.txt").app.config_warnings[0]
    driven = judge(ONE)
    driven.tick(1.0, {"MISSION_HASH": "utc=3"})
    assert list(driven.app.run_warnings) == [
        "MISSION_HASH = utc=3: expected mhash=NAME,utc=SECONDS"
    ]


MISSION = """\
Community = shore
ProcessConfig = ANTLER
{
  MSBetweenLaunches = 100
  Run = MOOSDB
  Run = pLogger
  Run = pMissionHash
  Run = uTimerScript
  Run = pMissionEval
}
ProcessConfig = pLogger
{
  WildCardLogging = true
}
ProcessConfig = uTimerScript
{
  event = var=ARRIVED,val=true,time=30
}
ProcessConfig = pMissionEval
{
  lead_condition = ARRIVED = true
  pass_condition = DB_UPTIME < 60
  report_file    = results.txt
  report_column  = $[MHASH_SHORT]
  report_column  = $[GRADE]
}
"""


def launched(tmp_path: Path, name: str, mission: str) -> tuple[str, Path]:
    """Run a mission until it is evaluated; return the end reason and the folder."""
    folder = tmp_path / "mission"
    folder.mkdir(exist_ok=True)
    (folder / "judged.moos").write_text(mission)
    arguments = [str(folder), "--until", "MISSION_EVALUATED = true", "--for", "100"]
    arguments += ["--fail-if", "MISSION_RESULT = fail", "--log", str(tmp_path / name)]
    arguments += ["--placement", "one", "--warp", "max"]
    outcome = run(plan_launch(parse_options(arguments)).plan, lambda progress: None)
    assert [path.name for path in folder.iterdir()] == ["judged.moos"]
    return outcome.exit_reason, tmp_path / name


@pytest.mark.slow
def test_a_mission_ends_with_its_evaluation_and_writes_a_line_next_to_its_log(tmp_path: Path):
    why, folder = launched(tmp_path, "first", MISSION)
    assert why == "until"
    (log,) = folder.rglob("*.alog")
    assert [e.value for e in read_entries(log) if e.name == "MISSION_EVALUATED"] == ["true"]
    line = (folder / "results.txt").read_text()
    assert line.endswith("]  pass\n")
    _, again = launched(tmp_path, "second", MISSION)
    assert (again / "results.txt").read_text() == line
    why, folder = launched(tmp_path, "third", MISSION.replace("DB_UPTIME < 60", "DB_UPTIME < 20"))
    assert why == "fail_if"
    assert (folder / "results.txt").read_text() == line.replace("pass", "fail")


def test_every_parameter_has_a_test():
    assert {one.name for one in MissionEval.parameters} == shows.names
