"""``BHV_AvdColregsV22``: keep clear of another vessel by the rules of the road, 13 to 17.

Its weight never exceeds ``pwt``. Its modes are those of MOOS-IvP; limits that MOOS-IvP's
documents leave open (which crossing is unsure, when the stern is out of reach) are constants of
``avd_colregs/modes.py``. Source: BHV_AvdColregsV22 of MOOS-IvP; COLREGs 1972, rules 13 to 17.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steerageway.declarations import Number, all_finite, boolean, variables
from steerageway.helm.behaviors.avd_colregs.encounter import Encounter, TurnRate, encounter
from steerageway.helm.behaviors.avd_colregs.modes import (
    NONE,
    Limits,
    Mode,
    next_mode,
    turn_gap,
)
from steerageway.helm.behaviors.avd_colregs.objectives import Situation, objective
from steerageway.helm.behaviors.contact.base import (
    BCM_ALERT_REQUEST,
    ContactBehavior,
    RangedBehavior,
    per_contact,
)
from steerageway.helm.behaviors.contact.settings import RangedSettings
from steerageway.helm.settings import parameter, redefined
from steerageway.ivp import Function
from steerageway.moos.values import pairs, trimmed


class VelocityFilter(NamedTuple):
    """Scales the CPA distances by a factor that grows with the speed: slow vessels pass closer.

    Attributes:
        low, high: up to ``low`` the factor is ``share``, from ``high`` on it is 1 [m/s].
        share: 0 to 1.
    """

    low: float
    high: float
    share: float

    def of(self, speed: float) -> float:
        """Return the factor of the distances at a speed [m/s]."""
        if speed >= self.high:
            return 1.0
        if speed <= self.low:
            return self.share
        return self.share + (1.0 - self.share) * (speed - self.low) / (self.high - self.low)


def velocity_filter(text: str) -> VelocityFilter:
    """Read min_spd=0.5,max_spd=1.5,pct=40."""
    fields = dict(pairs(text))
    numbers = all_finite(fields.pop(key, "") for key in ("min_spd", "max_spd", "pct"))
    if fields or numbers is None:
        raise ValueError("expected min_spd=M/S,max_spd=M/S,pct=PERCENT")
    low, high, percent = numbers
    if not (0 <= low <= high and 0 <= percent <= 100):
        raise ValueError("expected 0 <= min_spd <= max_spd and a pct from 0 to 100")
    return VelocityFilter(low, high, percent / 100.0)


@dataclass
class AvdColregsSettings(RangedSettings):
    """The behavior's parameters."""

    without_effect: ClassVar[Mapping[str, str]] = {
        **RangedSettings.without_effect,
        **dict.fromkeys(("avoid_mode", "avoid_submode"), "both follow from the encounter"),
        "post_status_info_on_idle": "it posts while it runs",
    }
    pwt_inner_dist: float = redefined(RangedSettings, "pwt_inner_dist", "90")
    pwt_outer_dist: float = redefined(
        RangedSettings, "pwt_outer_dist", "100", "range within which the rules apply [m]"
    )
    pwt_grade: str = redefined(RangedSettings, "pwt_grade", "linear")
    completed_dist: float = redefined(RangedSettings, "completed_dist", "100")
    by_leading_number = ("completed_dist", "giveway_bow_dist", "turn_radius")

    headon_only: bool = parameter(
        "false", boolean, "true: only rule 14 (head-on) applies; other encounters have the mode cpa"
    )
    giveway_bow_dist: float = parameter(
        "-1",
        Number(),
        "when giving way, cross ahead if the crossing distance exceeds this [m]; "
        "<= 0: (2 max_util + min_util) / 3",
    )
    turn_radius: float = parameter(
        "0",
        Number(low=0),
        "turn radius of ownship [m]; it crosses ahead if it cannot turn to the contact's stern",
    )
    eval_tol: float = parameter("120", Number(above=0), "time horizon of CPA calculations [s]")
    velocity_filter: VelocityFilter | None = parameter(
        "",
        velocity_filter,
        "min_spd=,max_spd=,pct=: CPA distances are reduced to pct percent up to min_spd, and "
        "are full from max_spd on [m/s]",
    )
    pts_port_turns_ok: bool = parameter(
        "true",
        boolean,
        "false: when giving way, do not turn to port, even to cross the contact's stern",
    )

    def settle(self, assigned: frozenset[str]) -> None:
        super().settle(assigned)
        if "completed_dist" in assigned:  # as in MOOS-IvP, for this behavior only
            self.pwt_outer_dist = min(self.pwt_outer_dist, self.completed_dist)
            self.pwt_inner_dist = min(self.pwt_inner_dist, self.pwt_outer_dist)


class AvdColregs(RangedBehavior[AvdColregsSettings]):
    """Prefers courses and speeds that comply with the rule that applies between the two vessels.

    Attributes:
        mode: the rule that applies, and its submode.
    """

    publications = (
        *ContactBehavior.publications,
        *variables.published(
            """
                AVDCOL_RANGE_* | number | m | >= 0 | as `RANGE_AVD_*` | range to the contact of a
                    `BHV_AvdColregs`, named at the end of the variable
                CN_CROSSED_OS_PORT_STAR_* | number | | [0, 1] | on change, as `RANGE_AVD_*` | 1: the
                    contact has crossed ownship's line of bow and stern since the last iteration
                CN_FORE_OF_OS_* | number | | [0, 1] | on change, as `RANGE_AVD_*` | 1: the contact
                    is forward of ownship's beam
                CN_PORT_OF_OS__* | number | | [0, 1] | on change, as `RANGE_AVD_*` | 1: the contact
                    is to port of ownship
                COL22_AVOID_MODE_* | text | | | on change, as `RANGE_AVD_*` | COLREGS mode
                COL22_RELEVANCE_* | number | | [0, 1] | on change, as `RANGE_AVD_*` | share of its
                    weight that a `BHV_AvdColregs` has
                COLREGS_AVOID_IX_* | number | | [0, 50] | on change, as `RANGE_AVD_*` | index of the
                    COLREGS mode
                COLREGS_AVOID_MODE_* | text | | | on change, as `RANGE_AVD_*` | COLREGS mode and
                    submode: `giveway:stern`
                COLREGS_AVOID_PWT_* | number | | >= 0 | on change, as `RANGE_AVD_*` | priority
                    weight in use by a `BHV_AvdColregs`
                COLREGS_CONTACT_HDG_* | number | deg | [0, 360) | on change, as `RANGE_AVD_*` | the
                    contact's heading
                COLREGS_SUMMARY_* | text | | | on change, as `RANGE_AVD_*` | `mode=giveway:stern`;
                    without a submode `mode=cpa:none`
                XCN_BOW_DIST_* | number | m | >= -1 | as giving way begins, as `RANGE_AVD_*` |
                    distance ahead of the contact at which ownship will cross; -1: it will not
                XCN_BOW_TURN_GAP_* | number | m | >= 0 | as `XCN_BOW_DIST_*` | distance of
                    ownship's turning circle from the contact's line
            """,
            posted_if=per_contact,
        ),
        BCM_ALERT_REQUEST,
    )
    settings_class = AvdColregsSettings

    def on_creation(self) -> None:
        super().on_creation()
        self.mode: Mode = NONE
        self._turn_rate = TurnRate()
        self._to_port: bool | None = None  # whether the contact was to port in the last iteration
        self._at_entry = self.own

    def configured(self, fields: frozenset[str]) -> None:
        super().configured(fields)
        s = self.settings
        self._limits = Limits(
            s.pwt_outer_dist,
            s.min_util_cpa_dist,
            s.max_util_cpa_dist,
            s.giveway_bow_dist,
            s.turn_radius,
            s.headon_only,
            self.world.as_moos,
        )

    def meet(self) -> Function | None:
        assert self.contact is not None
        settings = self.settings
        turn_rate = self._turn_rate.of(self.other.heading, self.world.time)
        met = encounter(self.own, self.other, settings.eval_tol, turn_rate)
        to_port = met.beta >= 180.0
        if self._to_port not in (None, to_port):
            met = met._replace(crossed=True)
        self._to_port = to_port
        before = self.mode.name
        self._set_mode(next_mode(self.mode, met, self._limits))
        if self.mode.name == "giveway" != before:
            self._report_crossing(met)
        self.relevance = self.relevance_by_range() if self.mode != NONE else 0.0
        self._report(met)
        if self.complete_if_far() or self.relevance <= 0.0:
            return None
        situation = Situation(self.world.domain, met, self._scaled_limits(), settings.eval_tol)
        function = objective(
            situation, self.mode, self._at_entry, port_turns=settings.pts_port_turns_ok
        )
        return function.weighing(self.relevance)

    def _set_mode(self, mode: Mode) -> None:
        # all submodes share the entry state: standing on keeps the course of its beginning
        if mode.name != self.mode.name:
            self._at_entry = self.own
        self.mode = mode

    def _scaled_limits(self) -> Limits:
        """Return the limits with CPA distances scaled by the speed of the faster vessel."""
        limits, slow = self._limits, self.settings.velocity_filter
        if slow is None:
            return limits
        share = slow.of(max(self.own.speed, self.other.speed))
        return limits._replace(least=limits.least * share, enough=limits.enough * share)

    def on_idle_to_run(self) -> None:
        self.mode = NONE

    def _report_crossing(self, met: Encounter) -> None:
        """Post what the decision to cross ahead or astern is made of, when it is made."""
        ahead = met.of_own.crossing or 0.0
        self.post_of_contact("XCN_BOW_DIST", ahead if ahead > 0.0 else -1.0)
        if ahead > 0.0:
            self.post_of_contact("XCN_BOW_TURN_GAP", turn_gap(met, self.settings.turn_radius))

    def on_complete(self) -> None:
        self._report_mode(Mode("complete", self.mode.submode))

    def _report_mode(self, mode: Mode) -> None:
        self.post_of_contact("COLREGS_AVOID_MODE", mode.full_name)
        self.post_of_contact("COLREGS_SUMMARY", f"mode={mode.name}:{mode.submode or 'none'}")

    def _report(self, met: Encounter) -> None:
        mode = self.mode
        self.post_of_contact("COL22_RELEVANCE", self.relevance)
        self.post_of_contact("COL22_AVOID_MODE", mode.name)
        self.post_of_contact("AVDCOL_RANGE", met.range)
        self.post_of_contact("CN_FORE_OF_OS", float(met.of_contact.ahead > 0.0))
        self.post_of_contact("CN_PORT_OF_OS_", float(met.beta > 180.0))
        self.post_of_contact("COLREGS_CONTACT_HDG", self.other.heading)
        self.post_of_contact("CN_CROSSED_OS_PORT_STAR", float(met.crossed))
        self._report_mode(mode)
        self.post_of_contact("COLREGS_AVOID_IX", mode.number)
        self.post_of_contact("COLREGS_AVOID_PWT", self._weight)

    @property
    def _weight(self) -> float:
        """The priority weight in use: ``pwt`` times the relevance."""
        return self.settings.pwt * self.relevance

    def mode_names(self) -> tuple[str, str]:
        return self.mode

    def own_macros(self) -> dict[str, Callable[[], str]]:
        return super().own_macros() | {
            "MODE": lambda: self.mode.name,
            "SUBMODE": lambda: self.mode.submode,
            "AVD_MODE": lambda: self.mode.name,
            "AVD_SMODE": lambda: self.mode.submode or "none",
            "FULL_MODE": lambda: f"{self.mode.name}:{self.mode.submode or 'none'}",
            "MODE_ID": lambda: str(self.mode.number),
            "APWT": lambda: trimmed(self._weight, 2),
        }
