"""The viewer's picture at an instant."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.apps.shared.board import News
from steerageway.bus import Message, nanoseconds
from steerageway.web.viewer.feed import Feed
from steerageway.web.viewer.picture import Picture, column_of, shapes_in_order

EPOCH = 1_767_225_600.0
Mail = tuple[str, str, float | str, float]  # community, variable, value, time

LABELS = st.sampled_from(["a", "b", ""])
NUMBERS = st.integers(0, 9).map(float)
POINTS = st.builds(
    lambda label, x, active, lasts: (
        f"x={x},y=1,active={active}{f',label={label}' if label else ''}"
        f"{f',duration={lasts}' if lasts else ''}"
    ),
    LABELS,
    NUMBERS,
    st.sampled_from(["true", "false"]),
    st.sampled_from([0, 2, 50]),
)
BAD = st.sampled_from(["x=what,label=a", "x=1,y=1e9,label=b", "x=1,y=1,radius=-1", "label=a"])
GRID = "pts={0,0:10,0:10,10:0,10},cell_size=5,cell_vars=x:1,label=psg"
REPORTS = st.builds(
    lambda name, x: f"NAME={name},X={x},Y=2,SPD=1,HDG=90,TIME=5,TYPE=ship",
    st.sampled_from(["abe", "intruder", "BEN"]),
    NUMBERS,
)
BEHAVIORS = st.sampled_from(
    ["none", "loiter$5.00$100$9$0.01$0/0$1$n/a$n/a", "a$5.00$n/a:b$6.00$n/a"]
)
LISTS = ("active_bhvs", "running_bhvs", "idle_bhvs")
SUMMARIES = st.dictionaries(st.sampled_from(LISTS), BEHAVIORS, max_size=3).map(
    lambda told: "".join(["iter=5", *(f",{key}={told[key]}" for key in told), ",ofnum=1"])
)
SAID = st.one_of(
    st.tuples(st.just("IVPHELM_SUMMARY"), SUMMARIES),
    st.tuples(st.just("IVPHELM_BHV_ACTIVE"), st.sampled_from(["", "loiter", "a,b"])),
    st.tuples(st.sampled_from(["VIEW_POINT", "VIEW_CIRCLE"]), POINTS),
    st.tuples(st.just("VIEW_GRID"), st.just(GRID)),
    st.tuples(st.just("VIEW_GRID_DELTA"), st.sampled_from(["psg@1,x,1", "psg@99,x,1"])),
    st.tuples(st.just("NODE_REPORT"), REPORTS | st.just("NAME=abe,X=what")),
    st.tuples(st.sampled_from(["VIEW_CIRCLE", "VIEW_POINT"]), BAD),
    st.tuples(st.sampled_from(["NAV_X", "NAV_Y", "NAV_HEADING"]), NUMBERS | st.just("1e-3")),
    st.tuples(st.sampled_from(["MODE", "IVPHELM_STATE"]), st.sampled_from(["PARK", "DRIVE"])),
    st.tuples(st.just("DESIRED_HEADING"), NUMBERS),
    st.tuples(st.just("PMV_CLEAR"), st.just("all")),
)
HISTORY = st.lists(st.tuples(st.sampled_from(["abe", "ben"]), SAID), max_size=60).map(
    lambda mail: [(home, name, value, 0.5 * n) for n, (home, (name, value)) in enumerate(mail)]
)


def drawn(mail: Sequence[Mail], time: float = 100.0) -> Picture:
    """Return the picture that some messages make."""
    picture = Picture(["abe", "ben"], EPOCH)
    for home, name, value, at in mail:
        picture.take(home, name, value, at)
        picture.advance(at)
    picture.advance(time)
    return picture


def shown(picture: Picture) -> object:
    """Return all that a page is shown of a picture."""
    return (
        [(one.look(), str(one.row(picture.time))) for one in picture.placed()],
        list(shapes_in_order(picture)),
        [helm.row() for helm in picture.helms.values() if helm.state],
        sorted(picture.troubles.values()),
    )


def last_of_each_column(mail: Sequence[Mail]) -> list[Mail]:
    """Return the messages that an index of a log would pick."""
    whole, last = [], {}
    for place, (home, name, value, _) in enumerate(mail):
        column = column_of(name, value)
        if column is not None and column.endswith("*"):
            whole.append(place)
        elif column is not None:
            last[home, column] = place
    return [mail[place] for place in sorted([*whole, *last.values()])]


def message(name: str, value: float | str, time: float) -> Message:
    """Return a message as it comes by mail."""
    return Message(name, value, time, "pHelmIvP", "", "", nanoseconds(time))


@pytest.mark.slow
@given(HISTORY)
def test_the_last_message_of_each_column_makes_the_same_picture_as_all_do(mail):
    time = mail[-1][3] if mail else 0.0
    assert shown(drawn(last_of_each_column(mail), time)) == shown(drawn(mail, time))


@pytest.mark.slow
@given(HISTORY, st.integers(1, 60))
def test_mail_in_one_batch_makes_the_same_picture_as_single_messages(mail, most):
    feed = Feed(["abe", "ben"], EPOCH, 0.0)
    for first in range(0, len(mail), most):
        feed.take([News(home, message(*rest)) for home, *rest in mail[first : first + most]])
    time = mail[-1][3] if mail else 0.0
    assert shown(feed.picture) == shown(drawn(mail, time))


@pytest.mark.slow
@given(HISTORY, st.integers(0, 60))
def test_the_changes_sent_to_a_page_add_up_to_the_picture(mail, half):
    picture = drawn(mail[:half], 0.0)
    kept = dict(picture.shapes)
    seen = picture.revision
    for home, name, value, at in mail[half:]:
        picture.take(home, name, value, at)
        picture.advance(at)
        put, drop = picture.changes(seen)
        seen = picture.revision
        kept |= {shape["key"]: shape for shape in put}
        for key in drop:
            kept.pop(key, None)
        assert kept == picture.shapes


def test_a_shape_is_replaced_by_its_label_and_erased_by_it():
    mail = [("abe", "VIEW_POINT", f"x={x},y=0,label=wp", float(x)) for x in range(3)]
    (shape,) = drawn(mail).shapes.values()
    assert (shape["x"], shape["t"]) == (2, 2)
    assert not drawn([*mail, ("abe", "VIEW_POINT", "label=wp,active=false", 9.0)]).shapes


def test_communities_and_kinds_have_separate_labels():
    mail = [
        ("abe", "VIEW_POINT", "x=0,y=0,label=one", 1.0),
        ("ben", "VIEW_POINT", "x=0,y=0,label=one", 1.0),
        ("abe", "VIEW_CIRCLE", "x=0,y=0,radius=3,label=one", 1.0),
    ]
    assert len(drawn(mail).shapes) == 3


def test_a_shape_expires_in_simulated_seconds():
    mail = [("abe", "VIEW_CIRCLE", "x=0,y=0,radius=3,label=c,duration=10", 5.0)]
    assert drawn(mail, 15.0).shapes
    assert not drawn(mail, 15.1).shapes


def test_a_stamp_in_utc_is_converted_to_a_time_of_the_run():
    text = f"x=0,y=0,radius=3,label=c,time={EPOCH + 2:.2f},duration=10"
    (shape,) = drawn([("abe", "VIEW_CIRCLE", text, 5.0)], 11.0).shapes.values()
    assert (shape["t"], shape["until"]) == (2.0, 12.0)


def test_pulses_end_by_themselves():
    mail = [("abe", "VIEW_RANGE_PULSE", "x=0,y=0,radius=3,label=p", 0.0)]
    assert drawn(mail, 15.0).shapes
    assert not drawn(mail, 15.5).shapes


def test_a_vessel_is_drawn_once_it_has_a_position():
    assert not drawn([("abe", "NAV_X", 1.0, 0.0)]).placed()
    (abe,) = drawn([("abe", "NAV_X", 1.0, 0.0), ("abe", "NAV_Y", 2.0, 0.0)]).placed()
    assert (abe.name, abe.x, abe.y, abe.own) == ("abe", 1.0, 2.0, True)
    assert abe.row(40.0)[7] == 40.0


def test_a_contact_is_drawn_from_reports_and_a_community_is_not():
    report = "NAME={},X=5,Y=6,SPD=2,HDG=45,TYPE=ship,COLOR=red,TIME=1"
    mail = [("abe", "NODE_REPORT", report.format(name), 3.0) for name in ("BEN", "tanker")]
    (tanker,) = drawn(mail).placed()
    assert tanker.look()["kind"] == "contact"
    assert (tanker.name, tanker.x, tanker.heading, tanker.time) == ("tanker", 5, 45, 3)
    assert tanker.look()["color"] == "red"


def test_the_roster_changes_when_a_vessel_changes_its_look():
    own = "NAME=abe,X=0,Y=0,SPD=0,HDG=0,TYPE={},TIME=1"
    picture = drawn([("abe", "NODE_REPORT_LOCAL", own.format("kayak"), 1.0)])
    before = picture.roster
    picture.take("abe", "NODE_REPORT_LOCAL", own.format("kayak"), 2.0)
    assert picture.roster == before
    picture.take("abe", "NODE_REPORT_LOCAL", own.format("ship"), 3.0)
    assert picture.roster > before


def test_a_helm_that_only_posts_summaries_has_its_behaviors_from_these():
    summaries = [
        "iter=1,active_bhvs=survey$5.00$100$9$0.01$0/0$1$n/a$n/a:avoid$5.00$200$9$0.01,"
        "idle_bhvs=return$0.00$n/a,completed_bhvs=none",
        "iter=2,total_pcs_formed=9",
        "iter=3,idle_bhvs=none,running_bhvs=return$6.00$n/a",
    ]
    mail = [("abe", "IVPHELM_STATE", "DRIVE", 0.0)]
    mail += [("abe", "IVPHELM_SUMMARY", text, float(n)) for n, text in enumerate(summaries)]
    helm = drawn(mail).helms["abe"]
    assert helm.active == ["survey", "avoid"]
    assert (helm.idle, helm.running, helm.completed) == ([], ["return"], [])


def test_shapes_that_cannot_be_drawn_are_counted_and_harmless():
    mail = [
        ("abe", "VIEW_CIRCLE", "x=what", 1.0),
        ("abe", "VIEW_POINT", "x=0,y=0,label=a", 1.0),
    ]
    picture = drawn(mail)
    assert len(picture.shapes) == 1
    (problem,) = picture.troubles.values()
    assert problem.startswith("abe: VIEW_CIRCLE: x = what: expected")


def test_of_very_many_drawings_the_latest_are_kept_whatever_was_seen_before(monkeypatch):
    monkeypatch.setattr("steerageway.web.viewer.picture.MOST_DRAWINGS", 20)
    mail = [
        ("abe", "VIEW_POINT", f"x={k},y=0,label={k % 37},active={k % 5 != 0}", float(k))
        for k in range(200)
    ]
    picture = drawn(mail)
    assert picture.thinned == {"abe"}
    last = last_of_each_column(mail)
    assert len(last) == 37
    assert shown(drawn(last[-21:])) == shown(drawn(last)) == shown(picture)
    assert len(picture.shapes) == sum(
        int(text[2 : text.index(",")]) % 5 != 0 for _, _, text, _ in last[-20:]
    )
