"""The bench runs a user-defined behavior without a mission, with the same world as in one."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from steerageway.helm import (
    Behavior,
    BehaviorError,
    CommonSettings,
    Mail,
    behavior_bench,
    number,
    parameter,
)
from steerageway.ivp import Function, Peak, peak
from steerageway.moos.errors import FormatError


@dataclass
class KeepClearSettings(CommonSettings):
    """Parameters of the behavior below."""

    limit: float = parameter("20", number(low=0), "least range at the closest approach [m]")


class KeepClear(Behavior[KeepClearSettings]):
    """Turns north as long as a contact or an obstacle comes too near."""

    settings_class = KeepClearSettings
    listens = ("NODE_REPORT", "GIVEN_OBSTACLE", "SEA_STATE")
    publishes = ("NEAREST",)

    def run(self) -> Function | None:
        """Prefer north, or nothing."""
        near = [one.cpa for one in self.world.contacts]
        near += [one.range for one in self.world.obstacles]
        self.seen = self.world.mail("SEA_STATE")
        if not near:
            return None
        self.post("NEAREST", min(near))
        if min(near) > self.settings.limit:
            return None
        return peak(self.world.domain["course"], Peak(0.0, basewidth=90), wrap=True)


def test_without_anything_near_it_has_no_objective() -> None:
    bench = behavior_bench(KeepClear)
    bench.step()
    assert (bench.state, bench.decision, bench.posts) == ("running", {}, [])
    with pytest.raises(ValueError, match="running: it has no objective"):
        bench.utility(course=0, speed=0)


def test_a_contact_is_seen_with_range_bearing_and_closest_approach() -> None:
    bench = behavior_bench(KeepClear)
    bench.own(x=0, y=0, heading=90, speed=2)
    bench.contact("ben", x=100, y=10, heading=270, speed=2)
    bench.step(5.0)
    (ben,) = bench.world.contacts
    assert (ben.name, ben.heading, ben.speed) == ("ben", 270.0, 2.0)
    assert (ben.x, ben.y) == pytest.approx((90.0, 10.0))
    assert ben.range == pytest.approx((90**2 + 10**2) ** 0.5)
    assert ben.bearing == pytest.approx(83.66, abs=0.01)
    assert ben.cpa == pytest.approx(10.0)
    assert ben.cpa_time == pytest.approx(90 / 4)
    assert ben.age == pytest.approx(5.0)
    assert bench.decision == {"course": 0.0}
    assert bench.posted["NEAREST"] == pytest.approx(10.0)


def test_an_obstacle_is_seen_until_it_is_gone() -> None:
    bench = behavior_bench(KeepClear, "limit = 5")
    bench.obstacle("rock", [(10, -5), (20, -5), (20, 5), (10, 5)])
    bench.hear("GIVEN_OBSTACLE", "pts={-30,-5:-20,-5:-20,5:-30,5},label=log,duration=3")
    bench.step()
    rock, log = bench.world.obstacles
    assert (rock.name, rock.range, rock.nearest) == ("rock", 10.0, (10.0, 0.0))
    assert (log.name, log.range) == ("log", 20.0)
    bench.step(4.0)
    assert [one.name for one in bench.world.obstacles] == ["rock"]
    bench.hear("GIVEN_OBSTACLE", "pts={10,-5:20,-5:20,5:10,5},label=rock,active=false")
    bench.step()
    assert bench.world.obstacles == ()


def test_all_mail_of_an_iteration_is_there_and_only_of_it() -> None:
    bench = behavior_bench(KeepClear)
    bench.hear("SEA_STATE", 3)
    bench.hear("SEA_STATE", 4)
    bench.step()
    assert bench.behavior.seen == [Mail("SEA_STATE", 3.0, 0.0), Mail("SEA_STATE", 4.0, 0.0)]
    bench.step()
    assert bench.behavior.seen == []
    assert bench.world.number("SEA_STATE") == 4.0
    assert bench.world.age("SEA_STATE") == 0.5


def test_an_invalid_parameter_is_refused_as_in_a_file() -> None:
    with pytest.raises(FormatError, match=r"limt.*did you mean limit"):
        behavior_bench(KeepClear, "limt = 3")


def test_undeclared_variables_may_not_be_posted() -> None:
    class Chatty(Behavior[CommonSettings]):
        def run(self) -> Function | None:
            self.post("SECRET", 1.0)
            return None

    with pytest.raises(BehaviorError, match="posts SECRET: expected it among"):
        behavior_bench(Chatty).step()


def test_an_invalid_return_value_is_reported_with_the_file_and_the_line() -> None:
    class Wrong(Behavior[CommonSettings]):
        def run(self) -> Function | None:
            return 217.0  # type: ignore[return-value]

    with pytest.raises(BehaviorError, match=r"run gave 217.0: .*\(test_bench\.py:\d+\)"):
        behavior_bench(Wrong).step()


def test_conditions_and_shipped_behaviors_work_on_the_bench_too() -> None:
    from steerageway.helm.behaviors.constant import ConstantSpeed

    bench = behavior_bench(
        ConstantSpeed, "speed = 2\nduration = no-time-limit\ncondition = GO = true"
    )
    bench.step()
    assert bench.state == "idle"
    bench.hear("GO", "true")
    bench.step()
    assert (bench.state, bench.decision) == ("active", {"speed": 2.0})
