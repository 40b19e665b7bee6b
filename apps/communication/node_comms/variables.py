"""Variables that ``uFldNodeComms`` publishes and subscribes to."""

from steerageway.apps.shared import heard
from steerageway.bus import variables

PUBLICATIONS = variables.published("""
    NODE_REPORT_* | text | m, deg, m/s | | on each report that reaches it | another vessel's node
        report
    NODE_MESSAGE_* | text | | | on each message that reaches it |
        `src_node=abe,dest_node=ben,var_name=A,double_val=1.00000`
    MEDIATED_MESSAGE_* | text | | | as `NODE_MESSAGE_*`, if an acknowledgement is requested | the
        same with `ack_id=abe_1,ack=true`
    ACK_MESSAGE_* | text | | | on each acknowledgement that reaches it | `id=abe_1,src=ben,dest=abe`
    NODE_REPORT_UNC | text | m, deg, m/s | | with `shared_node_reports` | the reports of all
        vessels, for a viewer
    ACOUSTIC_RANGE_* | text | m, s, deg | | on each packet that a vessel receives, with `medium =
        acoustic` | `vname=ben,target=abe,range=502.1,travel=0.33473,time=..`; of a USBL `bearing`,
        `down`
    ACOUSTIC_FIX_* | text | m | | on each answer to its report, from three of `beacon` on |
        `vname=ben,x=12.1,y=-40.3,beacons=3,residual=0.4,time=..`: its place by beacons
    VIEW_COMMS_PULSE | text | m, s | | on each report and message that passes | a beam from sender
        to receiver, for viewers
""")

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
