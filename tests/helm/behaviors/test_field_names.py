"""MOOS-IvP's names of behavior parameters are accepted."""

from __future__ import annotations

import pytest

from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.behaviors.contact.settings import ContactSettings
from steerageway.helm.settings import declarations

EVERY = """
    us spawnflag spawn_flag runxflag runx_flag spawnxflag spawnx_flag run_flag active_flag
    inactive_flag idle_flag end_flag config_flag no_starve nostarve priwt descriptor
    comms_policy max_spawnings precision build_info
"""
CONTACT = """
    contact them extrapolate decay decay_end time_on_leg bearing_line_config bearing_lines
    bearing_line_label_show bearing_line_show match_name ignore_name match_group ignore_group
    match_type ignore_type match_region ignore_region strict_ignore exit_on_filter_vtype
    exit_on_filter_group exit_on_filter_region cnflag on_no_contact_ok post_per_contact_info
    match_vsource ignore_vsource
"""
OWN = {
    "BHV_AbortToPoint": """
        nm_radius point radius speed ipf-type
    """,
    "BHV_Attractor": """
        cpa_utility_interval dist_priority_interval giveup_range patience strength
    """,
    "BHV_AvdColregsV22": """
        avoid_mode avoid_submode can_disable check_plateaus check_validity completed_dist
        contact_type_required eval_tol giveway_bow_dist headon_only max_util_cpa_dist
        min_util_cpa_dist no_alert_request pcheck_thresh post_status_info_on_idle pts_port_turns_ok
        pwt_grade pwt_inner_dist pwt_outer_dist turn_radius use_refinery velocity_filter verbose
        all_clear_distance collision_distance
    """,
    "BHV_AvoidCollision": """
        can_disable check_plateaus check_validity collision_depth completed_dist
        contact_type_required max_util_cpa_dist min_util_cpa_dist no_alert_request pcheck_thresh
        pwt_grade pwt_inner_dist pwt_outer_dist roc_max_dampen roc_max_heighten use_refinery verbose
        match_contact_group ignore_contact_group all_clear_distance collision_distance
        active_distance active_outer_distance active_inner_distance active_grade completed_distance
    """,
    "BHV_AvoidObstacleV24": """
        allowable_ttc allstop_on_breach can_disable completed_dist cpa_flag draw_buff_max_poly
        draw_buff_min_poly holonomic_ok id obid max_util_cpa_dist min_util_cpa_dist poly polygon
        pwt_inner_dist pwt_outer_dist radius rng_flag spoke_degs turn_model_degs turn_radius
        use_refinery visual_hints pwt_grade no_alert_request obstacle_key
    """,
    "BHV_AvoidObstacle": """
        poly allowable_ttc pwt_outer_dist pwt_inner_dist buffer_dist obstacle_key completed_dist
        no_alert_request i_understand_this_behavior_is_deprecated activation_dist
    """,
    "BHV_AvoidObstacleX": """
        poly allowable_ttc pwt_outer_dist pwt_inner_dist min_util_cpa_dist max_util_cpa_dist
        obstacle_key completed_dist no_alert_request use_refinery
        i_understand_this_behavior_is_deprecated
    """,
    "BHV_AvoidObstacleV21": """
        poly allowable_ttc pwt_outer_dist pwt_inner_dist min_util_cpa_dist max_util_cpa_dist
        obstacle_key completed_dist no_alert_request use_refinery id visual_hints
    """,
    "BHV_Convoy": """
        cruise_speed inter_mark_range max_mark_range nm_radius radius range_estop range_lagging
        range_tailgating rng_estop rng_lagging rng_safety rng_tgating spd_faster spd_max spd_slower
    """,
    "BHV_CutRange": """
        giveup_dist giveup_range giveupflag max_patience patience pursueflag pwt_inner_dist
        pwt_outer_dist
    """,
    "BHV_FixedTurn": """
        fix_turn mod_hdg radius_rep_var schedule_repeat speed stale_nav_thresh timeout turn_delay
        turn_dir turn_spec visual_hints
    """,
    "BHV_FixTurn": """
        fix_turn mod_hdg turn_dir visual_hints speed stale_nav_thresh turn_spec
        i_understand_this_behavior_is_deprecated
    """,
    "BHV_FullStop": """
        delay_complete mark_duration mark_flag stop_thresh unmark_flag visual_hints
    """,
    "BHV_GoToDepth": """
        arrival_delta arrival_flag capture_delta capture_flag depth repeat
    """,
    "BHV_HSLine": """
        time_on_leg
    """,
    "BHV_HeadingBias": """
        bias
    """,
    "BHV_HeadingChange": """
        heading_delta turn_speed turn_type
    """,
    "BHV_HeadingHysteresis": """
        filter_var memory_time
    """,
    "BHV_Hysteresis": """
        max_heading_window max_window_utility memory_time min_heading_window
    """,
    "BHV_LegRun": """
        capture_line capture_radius id init_leg_mode lead lead_damper leg leg1_end_flag leg1_endflag
        leg2_end_flag leg2_endflag leg_ang leg_ang_mod leg_end_flag leg_endflag leg_len leg_len_mod
        leg_spds leg_spds_onturn leg_spds_repeat mid_leg_flag mid_leg_pct mid_turn_flag mid_turn_pct
        midlegflag midturnflag p1 p2 patience radius repeat shift_pt slip_radius speed turn1_bias
        turn1_bias_mod turn1_dir turn1_end_flag turn1_endflag turn1_ext turn1_ext_mod turn1_rad
        turn1_rad_mod turn2_bias turn2_bias_mod turn2_dir turn2_end_flag turn2_endflag turn2_ext
        turn2_ext_mod turn2_rad turn2_rad_mod turn_bias turn_bias_mod turn_dir turn_end_flag
        turn_endflag turn_ext turn_ext_mod turn_pt_gap turn_rad turn_rad_min turn_rad_mod
        visual_hints vx1 vx2 full_leg shift_point
    """,
    "BHV_Loiter": """
        acquire_dist acquire_distance capture_radius center_activate center_assign clockwise
        ipf-type ipf_type mod_poly_rad nm_radius patience polygon post_suffix radius slingshot
        slip_radius speed speed_alt spiral_factor use_alt_speed visual_hints xcenter_assign
        ycenter_assign
    """,
    "BHV_MaintainHeading": """
        basewidth heading peakwidth summitdelta
    """,
    "BHV_MaxDepth": """
        basewidth depth_slack_var max_depth tolerance
    """,
    "BHV_MaxSpeed": """
        basewidth max_speed speed_slack_var tolerance
    """,
    "BHV_MemoryTurnLimit": """
        memory_time turn_range
    """,
    "BHV_MinAltitudeX": """
        min_altitude missing_altitude_critical
    """,
    "BHV_OpRegion": """
        max_time max_depth min_altitude polygon trigger_entry_time trigger_exit_time visual_hints
        breached_altitude_flag breached_depth_flag breached_poly_flag breached_time_flag reset_var
        time_remaining_var opregion_poly_var soft_poly_breach
    """,
    "BHV_OpRegionRecover": """
        buffer_dist dynamic_region_var opregion_poly_var polygon reset_var trigger_entry_time
        trigger_exit_time visual_hints
    """,
    "BHV_OpRegionV24": """
        breached_altitude_flag breached_depth_flag breached_poly_flag breached_time_flag core_poly
        draw_halt_status draw_save_status dynamic_region_var halt_dist halt_poly max_depth max_time
        min_altitude polygon recover_spd recover_speed reset save_dist save_flag save_poly
        savex_flag trigger_entry_time trigger_exit_time trigger_on_poly_entry visual_hints
    """,
    "BHV_PeriodicSpeed": """
        basewidth initially_busy peakwidth period_basewidth period_busy period_lazy period_peakwidth
        period_speed reset_upon_running summit_delta zaic_basewidth zaic_peakwidth zaic_summit_delta
    """,
    "BHV_PeriodicSurface": """
        acomms_mark_variable ascent_grade ascent_speed atsurface_status_var
        atsurface_status_variable mark_variable max_time_at_surface pending_status_var
        pending_status_variable period speed_to_surface zero_speed_depth
    """,
    "BHV_RStationKeep": """
        center_activate contact extra_speed inner_radius outer_radius outer_speed rstation_position
        them
    """,
    "BHV_RubberBand": """
        center_activate extra_speed inner_radius outer_radius outer_speed point points station_pt
        stiffness width
    """,
    "BHV_Shadow": """
        hdg_basewidth hdg_peakwidth heading_basewidth heading_peakwidth pwt_outer_dist spd_basewidth
        spd_peakwidth speed_basewidth speed_peakwidth
    """,
    "BHV_SimpleWaypoint": """
        ipf_type ptx pty radius speed
    """,
    "BHV_StationKeep": """
        center_activate extra_speed hibernation_radius inner_radius outer_radius outer_speed point
        station_pt swing_time transit_speed visual_hints
    """,
    "BHV_TimeOut": """
        max_time
    """,
    "BHV_Timer": """
        status_suffix var_status_idle var_status_running
    """,
    "BHV_Trail": """
        mod_trail_range mod_trail_range_pct nm_radius no_alert_request post_trail_dist_on_idle
        pwt_outer_dist radius trail_angle trail_angle_type trail_range
    """,
    "BHV_Waypoint": """
        capture_line capture_radius crs_spd_zaic_ratio currix cycle_index_var cycleflag
        draw_path_loop eager_prev_index_flag efficiency_measure end_spd greedy_tour ipf-type
        ipf_type lead lead_condition lead_damper lead_to_start newpt nm_radius order patience point
        points polygon post_suffix radius repeat reset_on_idle shortest_tour slip_radius speed
        speed_alt use_alt_speed visual_hints wpt_dist_to_next wpt_dist_to_prev wpt_index
        wpt_index_var wpt_status wpt_status_var wptflag wptflag_on_start xpoints
    """,
    "BHV_ZigZag": """
        delta_heading draw_req_hdg draw_set_hdg fierce_zigging hdg_thresh max_stem_odo max_zig_legs
        max_zig_zags mod_speed portflag portflagx spd_on_active speed speed_on_active starflag
        starflagx stem_hdg stem_on_active visual_hints zagflag zig_angle zig_angle_fierce zig_first
        zigflag
    """,
    "BHV_BearingLine": """
        bearing_point line_pct show_pt
    """,
}


@pytest.mark.parametrize("kind", OWN)
def test_every_moos_ivp_name_is_read(kind: str) -> None:
    settings = BEHAVIORS[kind].settings_class
    shared = EVERY + CONTACT if issubclass(settings, ContactSettings) else EVERY
    known = {*declarations(settings), *settings.without_effect}
    assert [name for name in f"{shared} {OWN[kind]}".split() if name not in known] == []


def test_a_name_without_effect_is_not_one_with_an_effect() -> None:
    for kind in map(BEHAVIORS.__getitem__, BEHAVIORS):
        assert not {*declarations(kind.settings_class)} & {*kind.settings_class.without_effect}
