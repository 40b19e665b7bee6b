"""Posts that wait for other apps, and registrations that do."""

from __future__ import annotations

import math

from networks import app_plan

from steerageway.bus import App, Message
from steerageway.bus.core.app import Registration
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.stamps import NEVER, stamp
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.held_posts import HeldPosts
from steerageway.bus.lockstep.late_registrations import LateRegistrations
from steerageway.bus.lockstep.outside_posts import OutsidePosts
from steerageway.bus.lockstep.reachability import Reachability

SECOND = 10**9


class Poster(App):
    """May post what others may, and a variable of its own."""

    publishes = ("SHARED",)


class OwnPoster(App):
    """Posts what nobody else does."""

    publishes = ("OWN",)


def three_apps() -> tuple[CaseState, Reachability, HeldPosts]:
    """Return a case in which two apps may post SHARED, and a third OWN."""
    kinds = {"pA": Poster, "pB": Poster, "pC": OwnPoster}
    apps = [app_plan(kind, name, 0.0, "1") for name, kind in kinds.items()]
    state = CaseState(RunPlan(("alpha",), apps, math.inf))
    reach = Reachability(state.slots, state.directory, ())
    return state, reach, HeldPosts(state, reach)


def post(
    state: CaseState, held: HeldPosts, name: str, rank: int, second: int, value: float
) -> None:
    """Commit or hold a post of an app."""
    database, instant = state.databases["alpha"], second * SECOND
    message = Message(name, value, second, state.slots[rank].name, "", "alpha", instant)
    entry = (stamp(instant, 0), rank, 0, message)
    held.commit(database, database.variable(name), entry)


def test_a_post_is_held_until_the_other_posters_have_passed_it() -> None:
    state, _, held = three_apps()
    post(state, held, "SHARED", 0, 3, 1.0)
    assert state.databases["alpha"].value("SHARED") is None
    assert [name for _, name in held.variables] == ["SHARED"]
    assert not held.release()
    state.slots[0].next = state.slots[1].next = stamp(3 * SECOND, 1)
    assert held.release()
    assert state.databases["alpha"].value("SHARED") == 1.0
    assert not held.variables


def test_held_posts_are_committed_in_order_of_their_stamps() -> None:
    state, _, held = three_apps()
    database = state.databases["alpha"]
    post(state, held, "SHARED", 1, 3, 1.0)
    post(state, held, "SHARED", 0, 2, 2.0)
    post(state, held, "SHARED", 1, 4, 3.0)
    held.release_all()
    assert [entry[3].value for entry in database.variable("SHARED").recent] == [2.0, 1.0, 3.0]


def test_what_only_one_app_posts_is_committed_at_once() -> None:
    state, _, held = three_apps()
    post(state, held, "OWN", 2, 3, 1.0)
    assert state.databases["alpha"].value("OWN") == 1.0
    assert held.first_of(2) == NEVER


def test_the_first_held_post_is_known_for_each_mailbox() -> None:
    state, _, held = three_apps()
    reader = state.slots[2]
    reader.register(Registration("SHARED"), 0)
    post(state, held, "SHARED", 0, 3, 1.0)
    post(state, held, "SHARED", 1, 2, 1.0)
    assert held.first_by_mailbox() == {reader.mailbox: stamp(2 * SECOND, 0)}


def test_a_registration_waits_until_every_app_has_reached_its_stamp() -> None:
    state, reach, held = three_apps()
    late = LateRegistrations(OutsidePosts(state, held.commit), reach)
    slot, place = state.slots[2], stamp(2 * SECOND, 0)
    late.add(place, slot, Registration("SHARED"))
    assert slot.waits
    assert not late.apply(place - 1)
    assert not slot.mailbox.registrations
    assert late.apply(place)
    assert slot.mailbox.registrations
    assert not slot.waits


def test_registrations_of_a_failed_app_never_come_into_force_but_are_reported() -> None:
    state, reach, held = three_apps()
    late = LateRegistrations(OutsidePosts(state, held.commit), reach)
    slot = state.slots[2]
    late.add(stamp(2 * SECOND, 0), slot, Registration("SHARED"))
    late.drop(slot)
    assert not late.apply(NEVER)
    assert not slot.waits
    assert [pattern for pattern, _ in slot.mailbox.registrations] == ["SHARED"]
