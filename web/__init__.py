"""The viewer and the configurator, and what they share: access, server, child processes, pages."""

from steerageway import refuse_bare_import

refuse_bare_import(__name__)
