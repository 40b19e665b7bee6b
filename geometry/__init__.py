"""Marine geometry: compass angles, encounters of two craft, latitude and longitude.

Plain floats, without NumPy. Every package may import it, and it imports none of them.
"""

from steerageway import refuse_bare_import

refuse_bare_import(__name__)
