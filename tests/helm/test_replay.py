"""The helm is deterministic: a new helm with the same mail makes the same posts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from steerageway.bus import Answer, Kind, Message, Post, Runner, Value, run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import Launch, plan_launch
from steerageway.moos.alog import read_entries

ALPHA = Path(__file__).parents[2] / "missions" / "alpha"
POKES = ("--set", "@40:SURVEY_UPDATE=speed=2 # lead=12", "--set", "@60:SLOW=true")


class Grant(NamedTuple):
    """The input of a helm at an instant, and its posts."""

    kind: Kind
    instant: int
    mail: tuple[Message, ...]
    answer: Answer


def planned(*options: str) -> Launch:
    """Plan alpha for one process, flat out."""
    fixed = ("--until", "MISSION = complete", "--placement", "one", "--warp", "max")
    return plan_launch(parse_options([str(ALPHA), *fixed, *POKES, *options]))


@pytest.fixture(scope="module")
def taped(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Grant], Path]:
    """Return every grant of the helm of an alpha run, and the run's log."""
    folder = tmp_path_factory.mktemp("alpha") / "log"
    grants: list[Grant] = []
    given = Runner.run

    def taping(self: Runner, kind: Kind, instant: int, mail: Sequence[Message]) -> Answer:
        answer = given(self, kind, instant, mail)
        if self.app.name == "pHelmIvP":
            grants.append(Grant(kind, instant, tuple(mail), answer))
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Runner, "run", taping)
        outcome = run(planned("--log", str(folder)).plan, lambda progress: None)
    assert outcome.exit_reason == "until"
    (log,) = folder.rglob("*.alog")
    return grants, log


def fresh_helm() -> Runner:
    """Return the helm of a run that has not begun."""
    apps = [one.app for one in planned("--no-log").plan.apps]
    return Runner(next(app for app in apps if app.name == "pHelmIvP"))


def shown(value: Value) -> str:
    """Return a value as a log shows it: numbers with five decimals."""
    return f"{value:.5f}" if isinstance(value, float) else str(value)


@pytest.mark.slow
def test_same_mail_gives_the_posts_of_the_log(taped: tuple[list[Grant], Path]) -> None:
    grants, log = taped
    helm = fresh_helm()
    answers = [helm.run(one.kind, one.instant, one.mail) for one in grants]
    assert answers == [one.answer for one in grants]
    logged = [(e.name, e.value) for e in read_entries(log) if e.source == "pHelmIvP"]
    posts = [Post(*row) for one in grants for row in one.answer[0]]
    assert [name for name, _ in logged] == [post.name for post in posts]
    assert all(
        shown(post.value) == shown(value) for post, (_, value) in zip(posts, logged, strict=True)
    )


@pytest.mark.slow
def test_other_mail_gives_other_posts(taped: tuple[list[Grant], Path]) -> None:
    grants, _ = taped
    helm = fresh_helm()
    for number, one in enumerate(grants):
        mail = one.mail
        if number == 100:
            mail = tuple(m._replace(value=m.value + 9.0) if m.name == "NAV_X" else m for m in mail)
        if helm.run(one.kind, one.instant, mail) != one.answer:
            assert number == 100
            return
    pytest.fail("nothing changed")
