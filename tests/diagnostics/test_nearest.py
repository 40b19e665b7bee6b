"""Hints at the nearest known word."""

from __future__ import annotations

from steerageway.diagnostics.nearest import ALIKE, did_you_mean, hint, near, nearest

KNOWN = ["DEPLOY", "RETURN", "NAV_X"]


def test_the_nearest_known_word_is_found_regardless_of_case() -> None:
    assert near("DEPOY", KNOWN) == ["DEPLOY"]
    assert near("deploi", KNOWN) == ["DEPLOY"]


def test_the_most_similar_of_several_comes_first() -> None:
    assert near("speed_sp", ["speed", "speed_s", "depth"], most=3) == ["speed_s", "speed"]


def test_a_mere_resemblance_gives_a_hint_and_no_warning() -> None:
    assert near("NAV_SPED", ["NAV_DEPTH"]) == ["NAV_DEPTH"]
    assert near("NAV_SPED", ["NAV_DEPTH"], ALIKE) == []


def test_a_hint_names_the_nearest_and_is_silent_where_none_is_near() -> None:
    assert hint("RETRUN", KNOWN) == "; the nearest is RETURN"
    assert hint("RETRUN", KNOWN, before=", ") == ", the nearest is RETURN"
    assert hint("zzz", KNOWN) == ""


def test_without_a_near_word_all_or_the_first_few_are_listed() -> None:
    assert nearest("RETRUN", KNOWN) == "the nearest is RETURN"
    assert nearest("zzz", KNOWN) == "there are DEPLOY, NAV_X, RETURN"
    assert nearest("zzz", []) == "there are none"
    assert nearest("zzz", [f"a{n}" for n in range(10)]).endswith("a7 and 2 more")


def test_a_user_without_a_near_word_gets_a_choice_of_all() -> None:
    assert did_you_mean("DEPOLY", KNOWN) == "did you mean DEPLOY?"
    assert did_you_mean("zzz", KNOWN) == "expected one of DEPLOY, NAV_X, RETURN"


def test_a_missing_prefix_is_suggested_where_only_one_word_has_it() -> None:
    words = ("control_surface_T", "control_surface_CL_delta", "control_surface_delta_max")
    assert did_you_mean("CL_delta", words) == "did you mean control_surface_CL_delta?"
    assert did_you_mean("T", words) == "did you mean control_surface_T?"
    assert did_you_mean("max", ("thruster_n_max", "thruster_v_max")).startswith("expected one of")
