"""Keys of ``inertia.yml``: mass, moments of inertia, added mass, payload."""

from __future__ import annotations

from steerageway.world.key_declarations import Key, Kind

NPS = ("npsauv",)

MASS = Key("mass", unit="kg", above=0.0, meaning="mass of the vessel, without payload")
BUOYANCY_MASS = Key(
    "buoyancy_mass", unit="kg", usual="mass", above=0.0, meaning="mass of the displaced water"
)
VOLUME = Key(
    "volume",
    unit="m³",
    usual="from buoyancy_mass",
    above=0.0,
    ours=True,
    meaning="displaced volume, instead of buoyancy_mass",
)
INERTIA_MATRIX = Key(
    "inertia_matrix",
    Kind.MATRIX,
    "kg, kg m, kg m²",
    size=6,
    usual="from mass, CG and gyration",
    meaning="M_RB about CO",
)
ADDED_MASS_MATRIX = Key(
    "added_mass_matrix",
    Kind.MATRIX,
    "kg, kg m, kg m²",
    size=6,
    usual="from derivatives, or hydra_file",
    meaning="M_A about CO",
)
PAYLOAD_MASS = Key(
    "mass", unit="kg", default=0.0, low=0.0, ours=True, meaning="mass of the payload"
)
PAYLOAD_POSITION = Key(
    "position",
    Kind.VECTOR,
    "m",
    default=(0.0,) * 3,
    size=3,
    ours=True,
    meaning="position of the payload",
)
ACTS = Key(
    "acts",
    Kind.CHOICE,
    default="trim",
    choices=("trim", "force", "turned_trim"),
    ours=True,
    meaning="effect of the payload: trim of a floating vessel, or a force",
)
PAYLOAD = Key(
    "payload",
    Kind.SECTION,
    usual="none",
    keys=(PAYLOAD_MASS, PAYLOAD_POSITION, ACTS),
    ours=True,
    meaning="payload, a point mass",
)
I_X, I_Y, I_Z = (
    Key(
        f"I_{axis}",
        unit="kg m²",
        ours=True,
        models=("navalvessel", *NPS) if axis in "xz" else NPS,
        meaning=f"moment of inertia about {axis}, at CO",
    )
    for axis in "xyz"
)
I_XY, I_YZ, I_XZ = (
    Key(f"I_{axes}", unit="kg m²", ours=True, models=NPS, meaning="product of inertia, at CO")
    for axes in ("xy", "yz", "xz")
)
MOMENTS = (I_X, I_Y, I_Z, I_XY, I_YZ, I_XZ)

KEYS = (
    *(MASS, BUOYANCY_MASS, VOLUME, INERTIA_MATRIX, ADDED_MASS_MATRIX, PAYLOAD),
    *MOMENTS,
)
