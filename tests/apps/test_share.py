"""``pShare``: its lines, and the variables they forward."""

from __future__ import annotations

from math import inf

import pytest

from steerageway.apps.communication import share
from steerageway.apps.communication.share import Share
from steerageway.apps.shared.building import plan_app
from steerageway.apps.shared.routes import Output, RouteError, read_inputs, read_outputs
from steerageway.bus import (
    App,
    Config,
    Input,
    Message,
    Outcome,
    Phase,
    RunPlan,
    Setting,
    nanoseconds,
    run,
)

SHORE = "localhost:9200"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src_name=X, route=localhost:9832", [Output("X", "localhost:9832")]),
        ("src_name=X,dest_name=Y,route=multicast_8", [Output("X", "multicast_8", target="Y")]),
        (
            "src_name = X, route = a:1:udp & multicast_08, max_shares = 2, duration = 60",
            [
                Output("X", "a:1", duration=60.0, most=2),
                Output("X", "multicast_8", duration=60.0, most=2),
            ],
        ),
        ("SRC_NAME=X?:procA, ROUTE=h:1, frequency=4", [Output("X?", "h:1", "procA", "", 0.25)]),
        ("X->10.0.0.4:9000", [Output("X", "10.0.0.4:9000")]),
        ("X>T:10.0.0.4:9000", [Output("X", "10.0.0.4:9000", target="T")]),
        # pShareTest.moos of MOOS's pShare
        ("Z->Z2:h:1,duration = 10", [Output("Z", "h:1", target="Z2", duration=10.0)]),
        ("Y->h:1@2,duration = 10", [Output("Y", "h:1", interval=0.5, duration=10.0)]),
        (
            "X -> Y:h:1@2 & Z:multicast_3, W*:cam_* -> multicast_7",
            [
                Output("X", "h:1", target="Y", interval=0.5),
                Output("X", "multicast_3", target="Z"),
                Output("W*", "multicast_7", "cam_*"),
            ],
        ),
    ],
)
def test_outputs_are_read_in_the_long_form_and_in_the_short_one(
    text: str, expected: list[Output]
) -> None:
    assert read_outputs(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("route = localhost:9201", [("localhost:9201", ("*",))]),
        (
            "route = multicast_21 & localhost:9833, white_list = foo* & ?bar",
            [("multicast_21", ("foo*", "?bar")), ("localhost:9833", ("foo*", "?bar"))],
        ),
        ("localhost:9833, multicast_3", [("localhost:9833", ("*",)), ("multicast_3", ("*",))]),
    ],
)
def test_inputs_are_read_in_the_long_form_and_in_the_short_one(
    text: str, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert read_inputs(text) == expected


@pytest.mark.parametrize(
    ("output", "name", "there"),
    [
        ("X -> h:1", "X", "X"),
        ("X -> Y:h:1", "X", "Y"),
        ("*->T:h:1", "donkey", "Tdonkey"),
        ("X?->h:1", "XY", "XY"),
        ("*_X->^:h:1", "A_X", "A"),
        ("A_*->^:h:1", "A_X", "X"),
    ],
)
def test_a_variable_has_its_name_at_the_receiver(output: str, name: str, there: str) -> None:
    (read,) = read_outputs(output)
    assert read.covers(name, "pTest")
    assert read.name_there(name) == there


@pytest.mark.parametrize(
    "text",
    [
        "src_name=X",
        "src_name=X, route=localhost",
        "src_name=X, route=h:99999",
        "src_name=X, route=multicast_256",
        "src_name=X, rout=h:1, route=h:1",
        "src_name=X, route=h:1, frequency=often",
        "route=h:1",
        "X -> Y:Z",
        "X -> h:1@0",
        "src_name = X, route = h:1, max_shares = 2.5",
        "X*Y -> ^:h:1",
        "X",
    ],
)
def test_an_invalid_output_is_reported_with_the_expected_form(text: str) -> None:
    with pytest.raises(RouteError, match="expected"):
        read_outputs(text)


@pytest.mark.parametrize(
    "line",
    [
        "Output = X",
        "Output = src_name=X, rout=h:1",
        "Output = src_name=X, route=h=1",
        "Input = route = h",
        "Input = rout = h:1",
    ],
)
def test_a_line_that_pshare_cannot_read_is_left_out_with_a_warning(line: str) -> None:
    """In MOOS pShare goes on, too, but without all further lines."""
    lines = [(*line.split(" = ", 1), "a:1"), ("Input", "route = localhost:9205", "a:2")]
    config = Config(lines, where="a")
    share = Share(Setting(name="pShare", community="abe", config=config))
    share.configure()
    assert [inlet.address for inlet in share.listens] == ["localhost:9205"]
    (warning,) = config.warnings
    assert "this line is left out" in warning


class Shore(App):
    """Stores messages from other communities."""

    def on_start(self) -> None:
        self.register("*")
        self.heard: list[Message] = []

    def on_mail(self, mail: list[Message]) -> None:
        self.heard += [m for m in mail if m.community != self.community]


def built(kind: type[App], name: str, community: str, *lines: str):
    """Plan an app from the lines of its block."""
    entries = [
        (*map(str.strip, line.split("=", 1)), f"share.moos:{n}") for n, line in enumerate(lines)
    ]
    config = Config(entries, where="share.moos", last_wins=kind.last_wins)
    return plan_app(kind, Setting(name=name, community=community, config=config))


def shared(
    *lines: str, posts: dict[float, tuple[str, float | str]]
) -> tuple[list[Message], Outcome]:
    """Let a vessel share by these lines; return the messages of the shore, and the outcome."""
    shore = built(Shore, "pShore", "shore", "AppTick = 20")
    apps = (
        built(Share, "pShare", "abe", *lines),
        built(Share, "pShare", "shore", f"Input = route = {SHORE} & multicast_8"),
        shore,
    )
    inputs = tuple(
        Input(nanoseconds(time), Phase.INPUT, "abe", *post, source="pTest")
        for time, post in posts.items()
    )
    plan = RunPlan(("abe", "shore"), apps, inf, "one", stop_at=nanoseconds(5.0), inputs=inputs)
    outcome = run(plan, lambda progress: None)
    received = shore.app.heard  # type: ignore[attr-defined]
    return [m for m in received if m.name != "PSHARE_CMD"], outcome


def counted(count: int) -> dict[float, tuple[str, float | str]]:
    """Post X at 1.05, 1.15, ... s."""
    return {1.05 + n / 10: ("X", float(n)) for n in range(count)}


def test_a_variable_is_forwarded_under_its_new_name() -> None:
    received, outcome = shared(f"Output = X -> Y:{SHORE}", posts=counted(3))
    assert [(m.name, m.value, m.source, m.community) for m in received] == [
        ("Y", float(n), "pTest", "abe") for n in range(3)
    ]
    assert [m.instant - nanoseconds(m.time) for m in received] == [1_000_000] * 3
    assert outcome.values["abe"]["PSHARE_OUTPUT_SUMMARY"] == f"X->Y:{SHORE}"
    assert outcome.values["shore"]["PSHARE_INPUT_SUMMARY"] == f"{SHORE} & multicast_8"


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ("max_shares = 2", [0, 1]),
        ("duration = 1.3", [0, 1, 2]),
        ("duration = 0, max_shares = 3", [0, 1, 2]),
        ("frequency = 5", [0, 2, 4]),
    ],
)
def test_a_route_is_bounded_by_number_duration_and_frequency(
    extra: str, expected: list[int]
) -> None:
    received, _ = shared(f"Output = src_name = X, route = {SHORE}, {extra}", posts=counted(5))
    assert [m.value for m in received] == expected


@pytest.mark.parametrize(
    ("launched", "let_in"),
    [((), ()), (("uFldShoreBroker",), ("*",)), (("uFldNodeBroker",), ("*",))],
)
def test_a_white_list_applies_where_no_broker_agrees_on_shares(
    launched: tuple[str, ...], let_in: tuple[str, ...]
) -> None:
    config = Config([("Input", f"route = {SHORE}, white_list = A & B*", "share.moos:3")])
    share = plan_app(Share, Setting("pShare", config=config, launch_list=("pShare", *launched))).app
    assert [inlet.names for inlet in share.listens] == [let_in or ("A", "B*")]
    assert bool(share.config_warnings) is bool(launched)


def test_an_app_may_be_named_as_the_source() -> None:
    assert shared(f"Output = X:pOther -> {SHORE}", posts=counted(2))[0] == []
    assert len(shared(f"Output = X:pT* -> {SHORE}", posts=counted(2))[0]) == 2


def test_a_multicast_group_reaches_its_listeners() -> None:
    assert len(shared("Output = X -> multicast_8", posts=counted(2))[0]) == 2
    received, outcome = shared("Output = X -> multicast_9", posts=counted(2))
    assert received == []
    assert "multicast_9: no community" in next(iter(outcome.apps[0].run_warnings))


def test_a_route_opened_by_a_command_forwards_the_present_value_and_then_new_ones() -> None:
    command = f"cmd = output, src_name = X, dest_name = Z, route = {SHORE}"
    posts = {
        **counted(2),
        2.0: ("PSHARE_CMD", command),
        2.5: ("PSHARE_CMD", command),
        3.5: ("X", 9.0),
    }
    received, outcome = shared(f"Output = X -> Y:{SHORE}", posts=posts)
    assert [(m.name, m.value) for m in received] == [
        ("Y", 0.0), ("Y", 1.0), ("Z", 1.0), ("Y", 9.0), ("Z", 9.0),
    ]  # fmt: skip
    assert outcome.values["abe"]["PSHARE_OUTPUT_SUMMARY"] == f"X->Y:{SHORE}, X->Z:{SHORE}"


# In Share::Impl::AddRoute of MOOS's pShare a route with the name, new name and address of an
# earlier one takes its place: its limits count, from now; of duration 0 it sends what is there.
@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ("max_shares = 1", [0, 1]),  # its one message is gone, and it has one more
        ("duration = 1.55", [0, 1]),
        ("duration = 0, max_shares = 3", [0, 0]),
        ("frequency = 0.5", [0, 1]),
    ],
)
def test_a_route_that_is_stated_again_takes_the_place_of_the_first(
    extra: str, expected: list[int]
) -> None:
    way = f"src_name = X, route = {SHORE}"
    again = f"cmd = output, {way}, {extra}"
    posts = {1.05: ("X", 0.0), 2.0: ("PSHARE_CMD", again), 3.3: ("X", 1.0), 4.0: ("X", 2.0)}
    received, outcome = shared(f"Output = {way}, max_shares = 1", "AppTick = 1", posts=posts)
    assert [m.value for m in received] == expected
    assert outcome.values["abe"]["PSHARE_OUTPUT_SUMMARY"] == f"X->X:{SHORE}"


def test_of_two_lines_of_one_route_the_last_counts() -> None:
    lines = (f"Output = X -> {SHORE}", f"Output = src_name=X,dest_name=X,route={SHORE},frequency=5")
    assert [m.value for m in shared(*lines, posts=counted(4))[0]] == [0, 2]


def test_a_pattern_opened_by_a_command_sends_nothing_twice_the_old_way() -> None:
    command = f"cmd = output, src_name = X*, route = {SHORE}"
    posts = {**counted(1), 2.0: ("PSHARE_CMD", command)}
    received, _ = shared(f"Output = X -> Y:{SHORE}", posts=posts)
    assert [(m.name, m.value) for m in received] == [("Y", 0.0), ("X", 0.0)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cmd = outptu, src_name = X, route = h:1", "expected cmd = output"),
        ("cmd = output, src_name = X", "expected a route"),
        ("cmd = input, route = localhost:9300", "expected as an Input line"),
    ],
)
def test_an_invalid_command_is_a_run_warning(command: str, expected: str) -> None:
    _, outcome = shared(posts={1.0: ("PSHARE_CMD", command)})
    assert expected in next(iter(outcome.apps[0].run_warnings))


def test_commands_open_a_bounded_number_of_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "MOST_NAMES", 3)
    command = f"cmd = output, src_name = X, route = {SHORE}, dest_name = "
    posts = {**counted(1), **{1.0 + k / 10: ("PSHARE_CMD", f"{command}Y{k}") for k in range(5)}}
    received, outcome = shared(posts=posts)
    assert {m.name for m in received} == {"Y0", "Y1", "Y2"}
    assert any("expected at most 3 outputs" in text for text in outcome.apps[0].run_warnings)


def test_an_input_that_is_open_may_be_requested_again() -> None:
    posts = {1.0: ("PSHARE_CMD", "cmd = input, route = localhost:9201")}
    _, outcome = shared("Input = route = localhost:9201", posts=posts)
    assert not outcome.apps[0].run_warnings


def test_messages_from_other_communities_are_not_forwarded() -> None:
    apps = (
        built(Share, "pShare", "abe", f"Output = X -> {SHORE}", "Input = localhost:9201"),
        built(Share, "pShare", "shore", f"Input = {SHORE}", "Output = X -> localhost:9201"),
    )
    post = Input(nanoseconds(1.0), Phase.INPUT, "abe", "X", 1.0)
    outcome = run(
        RunPlan(("abe", "shore"), apps, inf, "one", stop_at=nanoseconds(2.0), inputs=(post,)),
        lambda progress: None,
    )
    (shore,) = [app.app for app in apps if app.community == "shore"]
    assert outcome.values["shore"]["X"] == 1.0
    assert list(shore.report())[-1].endswith(": 0")
