"""The text formats of MOOS-IvP: missions, behaviors, logs and messages. Knows no bus."""

from steerageway import refuse_bare_import

refuse_bare_import(__name__)
