"""Variables that ``pLogger`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "LOGGER_DIRECTORY", "folder of the logs", when="at the start of each case, each 10 s"
    ),
    variables.text("MOOS_DEBUG", "the logger's remarks", when="when it happens"),
)

SUBSCRIPTIONS = (
    variables.heard("LOGGER_RESTART", what="begin a new log", kind="any"),
    variables.heard("MOOS_SYSTEM", what="goes to the system log"),
)
