"""What a vessel's files are told of a word that nobody knows."""

from __future__ import annotations

from steerageway.world.nearest import ALIKE, did_you_mean, near

KNOWN = ("geometry", "inertia", "LCF")


def test_the_known_word_that_is_spelt_alike_is_the_nearest_whatever_its_capitals() -> None:
    assert near("inertai", KNOWN) == "inertia"
    assert near("lcf", KNOWN) == "LCF"
    assert near("zzz", KNOWN) is None


def test_what_only_resembles_is_worth_a_question_and_no_suspicion() -> None:
    assert near("geodesy", KNOWN) == "geometry"
    assert near("geodesy", KNOWN, ALIKE) is None


def test_who_writes_what_is_near_nothing_is_told_all_there_is() -> None:
    assert did_you_mean("geometri", KNOWN) == "did you mean geometry?"
    assert did_you_mean("zzz", KNOWN) == "expected one of LCF, geometry, inertia"


def test_a_prefix_left_out_is_asked_for_where_one_word_only_has_it() -> None:
    words = ("control_surface_T", "control_surface_CL_delta", "control_surface_delta_max")
    assert did_you_mean("CL_delta", words) == "did you mean control_surface_CL_delta?"
    assert did_you_mean("T", words) == "did you mean control_surface_T?"
    assert did_you_mean("max", ("thruster_n_max", "thruster_v_max")).startswith("expected one of")
