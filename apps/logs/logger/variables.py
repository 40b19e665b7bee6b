"""Variables that ``pLogger`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "LOGGER_DIRECTORY", "folder of the logs", when="at the start of each case, each 10 s"
    ),
    variables.text("MOOS_DEBUG", "messages about the logger's files", when="when it happens"),
)

SUBSCRIPTIONS = (
    variables.heard("LOGGER_RESTART", what="request to begin a new log", kind="any"),
    variables.heard("MOOS_SYSTEM", what="text for the system log (.ylog)"),
)
