"""Variables that ``uFldNodeComms`` publishes and subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "NODE_REPORT_*",
        "another vessel's node report",
        unit="m, deg, m/s",
        when="on each report that reaches it",
    ),
    variables.text(
        "NODE_MESSAGE_*",
        "`src_node=abe,dest_node=ben,var_name=A,double_val=1.00000`",
        when="on each message that reaches it",
    ),
    variables.text(
        "MEDIATED_MESSAGE_*",
        "the same with `ack_id=abe_1,ack=true`",
        when="as `NODE_MESSAGE_*`, if an acknowledgement is requested",
    ),
    variables.text(
        "ACK_MESSAGE_*",
        "`id=abe_1,src=ben,dest=abe`",
        when="on each acknowledgement that reaches it",
    ),
    variables.text(
        "NODE_REPORT_UNC",
        "the reports of all vessels, for a viewer",
        unit="m, deg, m/s",
        when="with `shared_node_reports`",
    ),
    variables.text(
        "ACOUSTIC_RANGE_*",
        "`vname=ben,target=abe,range=502.1,travel=0.33473,time=..`; of a USBL `bearing`, `down`",
        unit="m, s, deg",
        when="on each packet that a vessel receives, with `medium = acoustic`",
    ),
    variables.text(
        "ACOUSTIC_FIX_*",
        "`vname=ben,x=12.1,y=-40.3,beacons=3,residual=0.4,time=..`: its place by beacons",
        unit="m",
        when="on each answer to its report, from three of `beacon` on",
    ),
    variables.text(
        "VIEW_COMMS_PULSE",
        "a beam from sender to receiver, for viewers",
        unit="m, s",
        when="on each report and message that passes",
    ),
)

SUBSCRIPTIONS = (
    heard.NODE_REPORT,
    heard.NODE_MESSAGE,
    variables.heard("MEDIATED_MESSAGE", what="the same, if an acknowledgement is requested"),
    variables.heard("ACK_MESSAGE", what="`id=abe_1,src=ben,dest=abe`: the acknowledgement"),
    variables.heard("UNC_COMMS_RANGE", what="`comms_range`", kind="number", unit="m"),
    variables.heard("UNC_STEALTH", what="`vname=abe,stealth=0.5`"),
    variables.heard("UNC_EARANGE", what="`vname=abe,earange=2`"),
    variables.heard("UNC_DROP_PCT", what="`drop_percentage`", kind="number", unit="%, [0, 100]"),
    variables.heard("UNC_VIEW_NODE_RPT_PULSES", what="`true`, `false`: draw the reports that pass"),
    variables.heard("UNC_SHARED_NODE_REPORTS", what="`true`, `false` or an interval", unit="s"),
)
