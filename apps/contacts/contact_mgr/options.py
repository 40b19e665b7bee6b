"""The parameters of ``pContactMgrV20``."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.contacts.alerts import Alert, AlertBook, Defaults
from steerageway.apps.contacts.contact import DECAY
from steerageway.apps.contacts.contact_mgr.early import PARAMETERS as EARLY
from steerageway.apps.contacts.contact_mgr.early import EarlyOptions, read_early
from steerageway.apps.contacts.filter import RULES, ContactFilter
from steerageway.apps.framework.block_readers import (
    ABLE,
    read_able_vars,
    read_color,
    read_decay,
    read_or_off,
)
from steerageway.apps.framework.flags import PostFlag, read_flags
from steerageway.bus import Config, Entry, Parameter
from steerageway.vessel.encounter import Decay

PARAMETERS = (
    Parameter(
        "alert",
        "",
        "id=A,on_flag=VAR=value,off_flag=VAR=value,alert_range=M,cpa_range=M; repeatable",
    ),
    Parameter("default_alert_range", "1000", "alert_range of alerts without one [m], >= 0"),
    Parameter("alert_range_color", "gray65", "colour of the circle of alert_range"),
    Parameter("default_alert_range_color", "gray65", "another name of alert_range_color"),
    Parameter("cpa_range_color", "gray35", "colour of the circle of cpa_range"),
    Parameter("default_cpa_range_color", "gray35", "another name of cpa_range_color"),
    Parameter("alert_verbose", "false", "true: post ALERT_VERBOSE when an alert goes on or off"),
    *(
        Parameter(
            rule,
            "",
            f"{'only these' if rule.startswith('match') else 'not these'}, by commas"
            f"{' (a convex polygon)' if rule.endswith('region') else ''}; repeatable",
        )
        for rule in RULES
    ),
    Parameter("strict_ignore", "true", "who does not tell what an ignore rule is about is ignored"),
    Parameter("contact_max_age", "60", "a contact silent for so long is retired [s], > 0"),
    Parameter("max_contacts", "500", "most contacts; further ones are not taken"),
    Parameter("reject_range", "2000", "contacts further off are not taken [m]; or off"),
    Parameter(
        "decay", "15,30", "BEGIN,END [s]: a contact keeps its speed until BEGIN, none at END"
    ),
    Parameter("recap_interval", "1", "time between CONTACTS_RECAP [s]; or off"),
    Parameter("contacts_recap_interval", "1", "another name of recap_interval"),
    Parameter("max_retired_history", "5", "retired contacts CONTACTS_RETIRED tells of"),
    Parameter("display_radii", "false", "true: circles of each alert's ranges around ownship"),
    Parameter("display_radii_id", "", "only those of this alert"),
    Parameter("post_closest_range", "false", "true: post CONTACT_CLOSEST_RANGE"),
    Parameter("post_closest_relbng", "false", "true: post CONTACT_CLOSEST_RELBNG"),
    Parameter("post_all_ranges", "false", "true: post CONTACT_RANGES"),
    Parameter("range_report_maxsize", "20", "most range reports that are kept up at a time"),
    Parameter("range_report_timeout", "10", "those asked for longer ago make room [s]; or off"),
    Parameter("hold_alerts_for_helm", "false", "true: no alert until the helm is in DRIVE"),
    Parameter("ownship_group", "", "accepted and without effect, as in MOOS-IvP"),
    Parameter("ownship_type", "", "accepted and without effect, as in MOOS-IvP"),
    Parameter("contact_local_coords", "", "accepted and without effect, as in MOOS-IvP"),
    *EARLY,
    Parameter("retire_flag", "", "VAR=value posted with each contact that is retired; repeatable"),
    *(
        Parameter(f"{verb}_var", "", f"variable whose text names a contact to {verb}")
        for verb in ABLE
    ),
    *(
        Parameter(f"{verb}_flag", "", f"VAR=value posted with each such {verb}; repeatable")
        for verb in ABLE
    ),
    Parameter("able_flag", "", "VAR=value posted with each such disable or enable; repeatable"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``. Times that are off are ``inf``.

    Attributes:
        book: takes further parts of alerts; alerts: of each line, so the last of a name counts.
        able_vars: variable -> disable, enable or expunge; able_flags: of each of these.
    """

    book: AlertBook
    alerts: tuple[Alert, ...]
    filter: ContactFilter
    max_age: float
    max_contacts: int
    reject_range: float
    decay: Decay | None
    recap_interval: float
    retired_history: int
    display_radii: bool
    radii_of: str
    post_closest_range: bool
    post_closest_relbng: bool
    post_all_ranges: bool
    report_timeout: float
    report_size: int
    waits_for_helm: bool
    early: EarlyOptions
    retire_flags: tuple[PostFlag, ...]
    able_vars: dict[str, str]
    able_flags: dict[str, tuple[PostFlag, ...]]
    verbose: bool


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    defaults = Defaults(
        config.number("default_alert_range", default=1000.0, low=0.0),
        read_color(config, "alert_range_color", "default_alert_range_color", default="gray65"),
        read_color(config, "cpa_range_color", "default_cpa_range_color", default="gray35"),
    )
    config.all("ownship_group", "ownship_type", "contact_local_coords")
    able = read_flags(config, "able_flag")
    book = AlertBook(defaults)
    return Options(
        book=book,
        alerts=tuple(_alert(entry, book) for entry in config.all("alert")),
        filter=_filter(config),
        max_age=config.number("contact_max_age", default=60.0, above=0.0),
        max_contacts=config.whole("max_contacts", default=500, low=1),
        reject_range=read_or_off(config, "reject_range", default=2000.0),
        decay=read_decay(config, default=DECAY),
        recap_interval=read_or_off(
            config, "recap_interval", "contacts_recap_interval", default=1.0
        ),
        retired_history=config.whole("max_retired_history", default=5, low=0),
        display_radii=config.flag("display_radii", default=False),
        radii_of=config.text("display_radii_id").strip(),
        post_closest_range=config.flag("post_closest_range", default=False),
        post_closest_relbng=config.flag("post_closest_relbng", default=False),
        post_all_ranges=config.flag("post_all_ranges", default=False),
        report_timeout=read_or_off(config, "range_report_timeout", default=10.0),
        report_size=config.whole("range_report_maxsize", default=20, low=1),
        waits_for_helm=config.flag("hold_alerts_for_helm", default=False),
        early=read_early(config),
        retire_flags=read_flags(config, "retire_flag"),
        able_vars=read_able_vars(config),
        able_flags={
            verb: read_flags(config, f"{verb}_flag") + (able if verb != "expunge" else ())
            for verb in ABLE
        },
        verbose=config.flag("alert_verbose", default=False),
    )


def _alert(entry: Entry, book: AlertBook) -> Alert:
    try:
        return book.add(entry.value)
    except ValueError as error:
        raise Config.error(entry, str(error)) from error


def _filter(config: Config) -> ContactFilter:
    made = ContactFilter(strict=config.flag("strict_ignore", default=True))
    for rule in RULES:
        for entry in config.all(rule):
            try:
                made = made.having(rule, entry.value)
            except ValueError as error:
                raise Config.error(entry, str(error)) from error
    return made
