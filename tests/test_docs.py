"""Instructions in the documents work as written."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.build_site import lay_out, place, sources, target, text_of
from docs.write_tables import MARK, TABLES, table_of
from steerageway.launcher.options import parser
from steerageway.launcher.pages import topics
from steerageway.launcher.verbs import VERBS, main
from tests.test_namespace import PACKAGES

ROOT = Path(__file__).parents[1]
RUN = (  # the others' commands are planned, and those of tutorials run by test_tutorials.py
    "README.md",
    "docs/drift_and_wormholes.md",
    "docs/field_apps.md",
    "docs/fleets.md",
    "docs/launching.md",
    "docs/logs.md",
    "docs/pid.md",
    "docs/scenes.md",
    "docs/sweeps.md",
    "docs/time.md",
    "missions/alpha/README.md",
)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ALL_PAGES = sorted(
    str(path.relative_to(ROOT))
    for folder in (".", "docs", "docs/tutorials", "missions/*", "tests/reference/*", "benchmarks")
    for path in ROOT.glob(f"{folder}/*.md")
)
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
BAR = re.compile(r"(?<!\\)\|")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
ANCHOR = re.compile(r"\]\((?!https?:)([^)#]*)#([^)]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def blocks(page: str, language: str) -> list[str]:
    """Return the blocks of one language in a page."""
    text = (ROOT / page).read_text()
    return [body for found, body in BLOCK.findall(text) if found == language]


def commands(page: str) -> list[str]:
    """Return the commands of a page."""
    return [line for block in blocks(page, "sh") for line in block.splitlines() if line.strip()]


PLANNED = [
    page
    for page in ALL_PAGES
    if page not in RUN and not page.startswith("docs/tutorials") and commands(page)
]
INSTALLED = (*PACKAGES, "inputs", "missions")
DATA = (".yml", ".moos", ".bhv", ".txt")
HELP_TOPIC = re.compile(r"steerageway help ([a-z_]+)\b")
COMMANDS_SHOWN = re.compile(r"^ *((?:make|pip|steerageway) [a-z. ]+)$", re.MULTILINE)
FROM_INDEX = re.compile(r"pip install steerageway(?![\w.-]*\.whl)")
NEEDS = {"alog plot": "plot", "pytest": "pytest", "sweep": "sweep", "view": "web"}
"""Commands of tutorials, and what pip installs for them."""
OWN = ("ODOMETRY", "OVERSPEED", "survey/")  # of files that the page has the reader write
OTHER_SPELLING = re.compile(r"python (?:-m (?:apps|bus|launcher|vessel|world)\b|launch\.py)")


def run(command: str, folder: Path, installed: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of an installation in a shell, at a free port so that runs may be parallel."""
    if command.startswith("steerageway run") and "--port" not in command:
        command += " --port auto"
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**own, "PATH": f"{installed / 'bin'}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_a_new_user_starts_with_two_commands_of_a_checkout(page: str) -> None:
    text = (ROOT / page).read_text()
    assert COMMANDS_SHOWN.findall(text)[:2] == ["make demo", "make test"]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {"demo", "test"} <= set(targets)
    assert "viewer.webp" in text


def test_no_page_installs_from_an_index_that_does_not_know_the_package() -> None:
    """An extra may be installed by name: pip finds the installed package, and adds to it."""
    wrong = [page for page in ALL_PAGES if FROM_INDEX.search((ROOT / page).read_text())]
    assert wrong == []


def test_the_first_page_of_the_site_leads_three_kinds_of_users_on() -> None:
    rows = re.findall(r"^\| \*\*(.*?)\*\* \|", (ROOT / "docs/index.md").read_text(), re.MULTILINE)
    assert rows == ["have MOOS missions", "have a vessel", "train or test in bulk"]
    assert place("docs/index.md") == "index.md"


def strings(file: Path) -> Iterator[str]:
    """Yield a module's strings but for docstrings: what it may print."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield node.value


@pytest.mark.slow
def test_messages_lead_to_pages_that_an_installation_has() -> None:
    modules = [file for package in INSTALLED for file in (ROOT / package).rglob("*.py")]
    assert len(modules) > 400
    printed = [(file.name, text) for file in modules for text in strings(file)]
    assert [
        one for one in printed if re.search(r"\w+\.md\b", one[1]) and one[1] != "README.md"
    ] == []
    data = (f for package in INSTALLED for f in (ROOT / package).rglob("*") if f.suffix in DATA)
    printed += [(file.name, file.read_text(encoding="utf-8")) for file in data]
    printed += [(page, (ROOT / page).read_text()) for page in ALL_PAGES]
    named = [(file, word) for file, text in printed for word in HELP_TOPIC.findall(text)]
    assert len(named) > 20
    assert [one for one in named if one[1] not in {*topics(), *VERBS}] == []


def test_what_a_tutorial_runs_is_installed_by_its_first_lines() -> None:
    for page in (page for page in ALL_PAGES if page.startswith("docs/tutorials")):
        (install,) = re.findall(r"pip install (\"steerageway.*)", (ROOT / page).read_text())[:1]
        for command in commands(page):
            needed = [need for word, need in NEEDS.items() if word in command]
            assert all(need in install for need in needed), f"{page}: {command}"


@pytest.mark.slow
def test_the_tables_of_variables_are_as_declared() -> None:
    command = (sys.executable, "-m", "docs.write_tables", "--check")
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"make docs: {result.stdout}{result.stderr}"


MARKS = {
    match[0]: match
    for page in ALL_PAGES
    for match in MARK.finditer((ROOT / page).read_text(encoding="utf-8"))
}
ROW = re.compile(r"^\| `([^`]+)`", re.MULTILINE)
WORD = re.compile(r"[\w-]+")
HEADING_OF_TABLE = re.compile(r"^#+ (\w+)(?:\.yml)?$", re.MULTILINE)


def test_every_table_is_in_a_page() -> None:
    assert {match["what"] for match in MARKS.values()} == set(TABLES)


@pytest.mark.slow
@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: mark[9:60])
def test_a_table_has_the_rows_that_its_command_prints(
    mark: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that a reader of the sources, or of an installation without pages, can see them."""
    what, owner, names, command = MARKS[mark].groups()
    table = table_of(what, owner or "", re.findall(r"`([^`]+)`", names or ""))
    if command == "make site":
        return
    program, *words = shlex.split(command)
    assert program == "steerageway"
    assert main(words) == 0
    printed = set(WORD.findall(capsys.readouterr().out))
    rows = HEADING_OF_TABLE.findall(table) if what == "all apps" else ROW.findall(table)
    assert rows
    assert [row for row in rows if not printed.issuperset(WORD.findall(row))] == []


@pytest.mark.slow
def test_the_pages_of_the_site_have_tables_in_place_of_all_marks(tmp_path: Path) -> None:
    lay_out(tmp_path / "pages")
    pages = {path: path.read_text("utf-8") for path in (tmp_path / "pages").rglob("*.md")}
    assert len(pages) == len([source for source in sources() if source.endswith(".md")])
    assert [path for path, text in pages.items() if re.search("^> (Table|Drawing):", text)] == []
    links = [(path, link) for path, text in pages.items() for link in LINK.findall(text)]
    inside = [(path, link) for path, link in links if (path.parent / link).suffix]
    assert len(inside) > 300
    assert [one for one in inside if not (one[0].parent / one[1]).exists()] == []
    assert sum(len(ROW.findall(text)) for text in pages.values()) > 2000


def test_every_link_leads_somewhere() -> None:
    links = [(page, link) for page in ALL_PAGES for link in LINK.findall((ROOT / page).read_text())]
    assert [one for one in links if not ((ROOT / one[0]).parent / one[1]).exists()] == []


def anchors(page: str) -> list[str]:
    """Return the anchors of a page's headings, as a forge's reader makes them."""
    words = [re.sub(r"[^\w\- ]", "", found.lower()) for found in HEADING.findall(text_of(page))]
    return [found.replace(" ", "-") for found in words]


def test_every_link_into_a_page_leads_to_a_heading() -> None:
    links = [
        (page, target(page, link) if link else page, anchor)
        for page in ALL_PAGES
        for link, anchor in ANCHOR.findall(text_of(page))
    ]
    assert len(links) > 100
    there = {page: anchors(page) for page in dict.fromkeys(page for _, page, _ in links)}
    assert [link for link in links if link[2] not in there[link[1]]] == []


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    for page in ALL_PAGES:
        text = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
        for table in TABLE.findall(text):
            head, *rows = [len(BAR.findall(row)) for row in table.splitlines()]
            assert rows == [head] * len(rows), f"{page}: {table}"


@pytest.mark.process
def test_make_demo_runs_alpha_to_its_end_and_draws_its_track(tmp_path: Path) -> None:
    for name in ("launch.py", "missions", "inputs", "Makefile", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    installed = f"{sys.prefix}/with-plot"  # taken for up to date: this environment has it all
    command = ["make", f"VENV={sys.prefix}", f"--assume-old={installed}", "demo"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    made = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    assert "ended: until MISSION = complete" in made.stdout
    assert (tmp_path / "demo" / "track.png").read_bytes().startswith(b"\x89PNG")


def test_users_are_told_one_spelling_of_every_command() -> None:
    """An installation has only the command ``steerageway``; two places speak of a checkout."""
    found = [page for page in ALL_PAGES for _ in OTHER_SPELLING.findall((ROOT / page).read_text())]
    assert found == ["README.md", "docs/launching.md"]


@pytest.mark.process
@pytest.mark.parametrize("page", RUN)
def test_the_commands_of_a_page_work_from_an_installation(
    page: str, installed: Path, tmp_path: Path
) -> None:
    first = {command: one for one in reversed(RUN) for command in commands(one)}
    for command in dict.fromkeys(commands(page)):
        # what several pages show is run for the first
        if first[command] == page and not any(name in command for name in OWN):
            ended = run(_quicker(command, page), tmp_path, installed)
            assert ended.returncode == 0, f"{command}\n{ended.stderr}"


def _quicker(command: str, page: str) -> str:
    """Return a command whose run takes one process: those of the readme have processes."""
    runs = command.startswith("steerageway run") and "--placement" not in command
    return f"{command} --placement one" if runs and page != "README.md" else command


@pytest.mark.slow
@pytest.mark.parametrize("page", PLANNED)
def test_the_runs_of_a_page_can_be_planned_in_an_empty_folder(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in commands(page):
        program, *words = shlex.split(command.partition("&&")[0])
        assert program in ("steerageway", "pip"), command
        if words[0] in ("run", "sweep") and not any(name in command for name in OWN):
            assert main([*words, "--check"]) == 0, f"{command}\n{capsys.readouterr().err}"


@pytest.mark.process
def test_the_app_in_the_readme_runs_as_printed(installed: Path, tmp_path: Path) -> None:
    (program,) = blocks("README.md", "python")
    assert len([line for line in program.splitlines() if line.strip()]) == 10
    (command,) = [line for line in commands("README.md") if "ODOMETRY" in line]
    (line,) = re.findall(r"`(Run = odometer:\w+)`", (ROOT / "README.md").read_text())
    begin = re.findall(r"`(steerageway new mission \w+)`", (ROOT / "README.md").read_text())[-1]
    assert run(begin, tmp_path, installed).returncode == 0
    _add_app(tmp_path / "survey", "odometer", program, line)
    ended = run(f"{command} --for 200", tmp_path, installed)
    assert ended.returncode == 0, ended.stderr


def _add_app(mission: Path, module: str, program: str, line: str, block: str = "") -> None:
    """Add an app to a mission, as a user does."""
    (mission / f"{module}.py").write_text(program)
    file = mission / f"{mission.name}.moos"
    text = file.read_text().replace("  Run = MOOSDB", f"  {line}\n  Run = MOOSDB", 1)
    file.write_text(f"{text}\n{block}")


@pytest.mark.process
def test_the_app_of_the_page_on_apps_runs_and_reads_its_block(
    installed: Path, tmp_path: Path
) -> None:
    page = (ROOT / "docs/apps.md").read_text()
    program, tests, marked = blocks("docs/apps.md", "python")
    (command,) = commands("docs/apps.md")
    (added,) = re.findall(r"^```\n(Run = speed_guard:.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (begin,) = re.findall(r"`(steerageway new mission \w+)`", page)
    assert run(begin, tmp_path, installed).returncode == 0
    _add_app(tmp_path / "survey", "speed_guard", program, *added.split("\n", 1))
    ended = run(f"{command} --for 200", tmp_path, installed)
    assert ended.returncode == 0, ended.stderr
    assert "faster than 1.8 m/s for 5 s" in ended.stdout
    wrong = run(f"{command} --config SpeedGuard.limit=fast", tmp_path, installed)
    assert wrong.returncode == 2
    assert "expected a number" in wrong.stderr
    (tmp_path / "test_speed_guard.py").write_text(tests)
    (tmp_path / "test_marked.py").write_text(marked)
    tested = run("python -m pytest test_speed_guard.py test_marked.py", tmp_path, installed)
    assert "4 passed" in tested.stdout, tested.stdout
    for told in re.findall(r"`(steerageway app [^`]+ --\w+)`", page):
        assert run(told, tmp_path / "survey", installed).returncode == 0, told


@pytest.mark.process
def test_the_page_of_the_pid_describes_the_effect_of_gains(installed: Path, tmp_path: Path) -> None:
    (program,) = blocks("docs/pid.md", "python")
    (documented,) = blocks("docs/pid.md", "text")
    (tmp_path / "gains.py").write_text(program)
    found = run("python gains.py", tmp_path, installed)
    assert (found.returncode, found.stdout) == (0, documented), found.stderr


@pytest.mark.process
def test_the_run_of_the_page_on_panisim_completes(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "survey").mkdir()
    files = ("simulation_input.yml", "guidance.yml")
    for name, text in zip(files, blocks("docs/panisim.md", "yaml"), strict=True):
        (tmp_path / "survey" / name).write_text(text)
    (command,) = commands("docs/panisim.md")
    ended = run(command, tmp_path, installed)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.slow
def test_the_examples_of_the_page_on_own_behaviors_run(tmp_path: Path) -> None:
    first, give_way, tests = blocks("docs/own_behaviors.md", "python")
    (tmp_path / "test_give_way.py").write_text(f"{give_way}\n\n{tests}")
    (tmp_path / "test_hold.py").write_text(
        f"{first}\n\nfrom steerageway.helm import behavior_bench\n\n\n"
        "def test_it():\n    bench = behavior_bench(HoldCourse, 'course = 217')\n"
        "    bench.step()\n    assert bench.decision == {'course': 217.0}\n"
    )
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout


def test_the_readme_counts_the_vessels_and_names_every_folder() -> None:
    text = (ROOT / "README.md").read_text()
    vessels = [path for path in (ROOT / "inputs").iterdir() if (path / "geometry.yml").is_file()]
    assert len(vessels) == 1 + 29
    assert "Twenty-nine more vessels" in text
    for folder in (
        "launcher",
        "bus",
        "moos",
        "world",
        "vessel",
        "ivp",
        "diagnostics",
        "declarations",
        "geometry",
        "apps",
        "peers",
        "missions",
        "inputs",
    ):
        assert f"`{folder}/`" in text


def test_every_option_is_explained() -> None:
    text = (ROOT / "docs/launching.md").read_text()
    options = [o for action in parser()._actions for o in action.option_strings if o != "-h"]
    missing = [o for o in options if o != "--help" and f"`{o}" not in text and f" {o}" not in text]
    assert missing == []
