"""Hints at the nearest known word."""

from __future__ import annotations

from steerageway.diagnostics.nearest import ALIKE, did_you_mean, hint, near, nearest

KNOWN = ["DEPLOY", "RETURN", "NAV_X"]


def test_the_known_word_that_is_spelt_alike_is_the_nearest_whatever_its_capitals() -> None:
    assert near("DEPOY", KNOWN) == ["DEPLOY"]
    assert near("deploi", KNOWN) == ["DEPLOY"]


def test_of_several_the_likest_comes_first() -> None:
    assert near("speed_sp", ["speed", "speed_s", "depth"], most=3) == ["speed_s", "speed"]


def test_what_only_resembles_is_worth_a_hint_and_no_suspicion() -> None:
    assert near("NAV_SPED", ["NAV_DEPTH"]) == ["NAV_DEPTH"]
    assert near("NAV_SPED", ["NAV_DEPTH"], ALIKE) == []


def test_a_hint_names_the_nearest_and_is_silent_where_none_is_near() -> None:
    assert hint("RETRUN", KNOWN) == "; the nearest is RETURN"
    assert hint("RETRUN", KNOWN, before=", ") == ", the nearest is RETURN"
    assert hint("zzz", KNOWN) == ""


def test_where_no_word_is_near_all_are_told_but_few_of_many() -> None:
    assert nearest("RETRUN", KNOWN) == "the nearest is RETURN"
    assert nearest("zzz", KNOWN) == "there are DEPLOY, NAV_X, RETURN"
    assert nearest("zzz", []) == "there are none"
    assert nearest("zzz", [f"a{n}" for n in range(10)]).endswith("a7 and 2 more")


def test_who_writes_what_is_near_nothing_is_asked_for_one_of_all() -> None:
    assert did_you_mean("DEPOLY", KNOWN) == "did you mean DEPLOY?"
    assert did_you_mean("zzz", KNOWN) == "expected one of DEPLOY, NAV_X, RETURN"


def test_a_prefix_left_out_is_asked_for_where_one_word_only_has_it() -> None:
    words = ("control_surface_T", "control_surface_CL_delta", "control_surface_delta_max")
    assert did_you_mean("CL_delta", words) == "did you mean control_surface_CL_delta?"
    assert did_you_mean("T", words) == "did you mean control_surface_T?"
    assert did_you_mean("max", ("thruster_n_max", "thruster_v_max")).startswith("expected one of")
