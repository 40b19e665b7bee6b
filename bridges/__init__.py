"""Apps and observers that speak other programs' protocols."""

from steerageway import refuse_bare_import

refuse_bare_import(__name__)
